// `FourBar` of four_bar.xml, printed by `cargo xtask import`.
//
// Constraints that follow from others in the reference pose: 1.
taut::mechanism! {
    /// The mechanism of four_bar.xml.
    pub struct FourBar in space, arms as points, redundant {
        crank: Body { mass: 0.1296, centre: [0.0, 0.0, 0.05], moments: [0.0001142208, 0.00011232, 1.05408e-5] } near [0.0, 0.0, 0.0],
        coupler: Body { mass: 0.3888, centre: [0.15, 0.0, 0.0], moments: [3.16224e-5, 0.00292896, 0.0029346624] } near [0.0, 0.0, 0.1],
        rocker: Body { mass: 0.28512, centre: [0.0, 0.0, 0.11], moments: [0.00116366976, 0.001159488, 2.318976e-5] } near [0.3, 0.0, -0.12],
        drive_base: Fixed { at: [0.0, 0.0, 0.0] },
        drive: Hinge(drive_base, crank) { axis: [0.0, 1.0, 0.0] },
        knee_of_crank: Corner(crank) { at: [0.0, 0.0, 0.1] },
        knee: Hinge(knee_of_crank, coupler) { axis: [0.0, 1.0, 0.0] },
        pivot_base: Fixed { at: [0.3, 0.0, -0.12] },
        pivot: Hinge(pivot_base, rocker) { axis: [0.0, 1.0, 0.0] },
        wrist_of_coupler: Corner(coupler) { at: [0.3, 0.0, 0.0] },
        wrist_of_rocker: Corner(rocker) { at: [0.0, 0.0, 0.22] },
        wrist: Pin(wrist_of_coupler, wrist_of_rocker) { offset: [0.0, 0.0, 0.0] },
    }
}
