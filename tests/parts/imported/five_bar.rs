// `FiveBar` of five_bar.urdf, printed by `cargo xtask import`.
//
// Not carried over:
// - five_bar.urdf:44: <joint> `left_elbow`: <limit> is not carried over
// - five_bar.urdf:57: <joint> `right_elbow`: <limit> is not carried over
//
// Bodies that are fixed to each other are one:
// - `pen` is part of `left_rod`
//
// Constraints that follow from others in the reference pose: 1.
taut::mechanism! {
    /// The mechanism of five_bar.urdf.
    pub struct FiveBar in space, arms as points, redundant {
        left_arm: SkewBody { mass: 0.08, centre: [-0.0282321236697518, 0.0, 0.0412667807454839], moments: [4.89578058977302e-5, 6.9e-5, 2.50421941022698e-5], products: [0.0, 3.07572898369185e-5, 0.0] } near [-0.05, 0.0, 0.0],
        left_rod: SkewBody { mass: 0.08, centre: [0.0564642473395035, 0.0025, 0.0825335614909678], moments: [0.000158970643067048, 0.000227039469502999, 7.59898874299535e-5], products: [-6.50283212490936e-6, -0.000104014849344196, -9.84999957261398e-6] } near [-0.106464247339504, 0.0, 0.0825335614909678],
        right_arm: SkewBody { mass: 0.08, centre: [0.0282321236697518, 0.0, 0.0412667807454839], moments: [4.89578058977302e-5, 6.9e-5, 2.50421941022698e-5], products: [0.0, -3.07572898369185e-5, 0.0] } near [0.05, 0.0, 0.0],
        right_rod: SkewBody { mass: 0.06, centre: [-0.0451713978716028, 0.0, 0.0660268491927743], moments: [8.95097174092688e-5, 0.000129, 4.34902825907312e-5], products: [0.0, 5.91844819589189e-5, 0.0] } near [0.106464247339504, 0.0, 0.0825335614909678],
        left_motor_base: Fixed { at: [-0.05, 0.0, 0.0] },
        left_motor: Hinge(left_motor_base, left_arm) { axis: [0.0, 1.0, 0.0] },
        left_elbow_of_left_arm: Corner(left_arm) { at: [-0.0564642473395035, 0.0, 0.0825335614909678] },
        left_elbow: Hinge(left_elbow_of_left_arm, left_rod) { axis: [0.0, 1.0, 0.0] },
        right_motor_base: Fixed { at: [0.05, 0.0, 0.0] },
        right_motor: Hinge(right_motor_base, right_arm) { axis: [0.0, 1.0, 0.0] },
        right_elbow_of_right_arm: Corner(right_arm) { at: [0.0564642473395035, 0.0, 0.0825335614909678] },
        right_elbow: Hinge(right_elbow_of_right_arm, right_rod) { axis: [0.0, 1.0, 0.0] },
        tip_of_left_rod: Corner(left_rod) { at: [0.0903427957432057, 0.0, 0.132053698385549] },
        tip_of_right_rod: Corner(right_rod) { at: [-0.0903427957432057, 0.0, 0.132053698385549] },
        tip: Pin(tip_of_left_rod, tip_of_right_rod) { offset: [0.0, 0.0, 0.0] },
    }
}
