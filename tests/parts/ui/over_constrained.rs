taut::mechanism! {
    pub struct Frame in plane, arms as points {
        left: Fixed { at: [0.0, 0.0] },
        right: Fixed { at: [1.0, 0.0] },
        top: Point { mass: 1.0 } near [0.5, 0.5],
        one: Strut(left, top) { length: 0.7 },
        two: Strut(right, top) { length: 0.7 },
    }
}

fn main() {}
