//! Machines with motors.

/// Half the square root of three.
const H: f64 = 0.866_025_403_784_438_6;

taut::mechanism! {
    /// A five-bar linkage: two motors move a tip in the plane. The same numbers as [`FiveBar`](crate::FiveBar).
    pub struct FiveBar in plane {
        left: Fixed { at: [-0.05, 0.0] },
        right: Fixed { at: [0.05, 0.0] },
        one: Arm(left) { length: 0.10, mass: 0.05 } near 2.3,
        two: Arm(right) { length: 0.10, mass: 0.05 } near 0.8,
        tip: Point { mass: 0.10 } near [0.0, 0.17],
        rod_one: Rod(one, tip) { length: 0.16, mass: 0.05 },
        rod_two: Rod(two, tip) { length: 0.16, mass: 0.05 },
    }
    motors one, two;
    encoders one, two;
    output tip;
}

taut::mechanism! {
    /// The same five-bar linkage, with points as coordinates.
    pub struct FiveBarPoints in plane, arms as points {
        left: Fixed { at: [-0.05, 0.0] },
        right: Fixed { at: [0.05, 0.0] },
        one: Arm(left) { length: 0.10, mass: 0.05 } near 2.3,
        two: Arm(right) { length: 0.10, mass: 0.05 } near 0.8,
        tip: Point { mass: 0.10 } near [0.0, 0.17],
        rod_one: Rod(one, tip) { length: 0.16, mass: 0.05 },
        rod_two: Rod(two, tip) { length: 0.16, mass: 0.05 },
    }
    motors one, two;
    encoders one, two;
    output tip;
}

taut::mechanism! {
    /// A delta robot: three motors move a tip in space. The same numbers as [`Delta`](crate::Delta).
    pub struct Delta in space {
        base_1: Fixed { at: [0.05, 0.0, 0.0] },
        base_2: Fixed { at: [-0.025, 0.05 * H, 0.0] },
        base_3: Fixed { at: [-0.025, -0.05 * H, 0.0] },
        arm_1: Arm(base_1) { zero: [1.0, 0.0, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_2: Arm(base_2) { zero: [-0.5, H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_3: Arm(base_3) { zero: [-0.5, -H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        tip: Point { mass: 0.10 } near [0.0, 0.0, -0.22],
        rod_1: Rod(arm_1, tip) { length: 0.25, mass: 0.04 },
        rod_2: Rod(arm_2, tip) { length: 0.25, mass: 0.04 },
        rod_3: Rod(arm_3, tip) { length: 0.25, mass: 0.04 },
    }
    motors arm_1, arm_2, arm_3;
    encoders arm_1, arm_2, arm_3;
    output tip;
}

taut::mechanism! {
    /// A SCARA robot that lies on a table: the second arm is on the end of the first, and so is its motor.
    pub struct Scara in plane {
        base: Fixed { at: [0.0, 0.0] },
        upper: Arm(base) { length: 0.25, mass: 1.5 } near 0.3,
        lower: Arm(upper) { length: 0.20, mass: 1.0 } near 1.4,
        tool: Point { mass: 0.4 } near [0.27, 0.27],
        elbow: Elbow(upper, lower) { offset: 0.0 },
        wrist: Pin(lower, tool) { offset: [0.0, 0.0] },
    }
    gravity 0.0;
    motors upper, elbow;
    encoders upper, elbow;
    output tool;
}

taut::mechanism! {
    /// A linear delta robot: three motors move sliders on upright rails, and rods move a tip in space.
    pub struct LinearDelta in space {
        foot_1: Fixed { at: [0.12, 0.0, 0.0] },
        foot_2: Fixed { at: [-0.06, 0.12 * H, 0.0] },
        foot_3: Fixed { at: [-0.06, -0.12 * H, 0.0] },
        slider_1: Slider(foot_1) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
        slider_2: Slider(foot_2) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
        slider_3: Slider(foot_3) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
        tip: Point { mass: 0.2 } near [0.0, 0.0, 0.1],
        rod_1: Rod(slider_1, tip) { length: 0.25, mass: 0.04 },
        rod_2: Rod(slider_2, tip) { length: 0.25, mass: 0.04 },
        rod_3: Rod(slider_3, tip) { length: 0.25, mass: 0.04 },
    }
    motors slider_1, slider_2, slider_3;
    encoders slider_1, slider_2, slider_3;
    output tip;
}
