taut::mechanism! {
    pub struct Linkage in plane, arms as angles {
        left: Fixed { at: [-0.05, 0.0] },
        right: Fixed { at: [0.05, 0.0] },
        one: Arm(left) { length: 0.10, mass: 0.05 } near 2.0,
        two: Arm(right) { length: 0.10, mass: 0.05 } near 1.0,
        tip: Point { mass: 0.10 } near [0.0, 0.17],
        rod_one: Rod(one, tip) { length: 0.16, mass: 0.05 },
        rod_two: Rod(two, tip) { length: 0.16, mass: 0.05 },
    }
    motors one, one;
    encoders one, one;
    output tip;
}

fn main() {}
