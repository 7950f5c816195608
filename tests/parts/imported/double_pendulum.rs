// `DoublePendulum` of double_pendulum.xml, printed by `cargo xtask import`.
//
// Not carried over:
// - double_pendulum.xml:2: <mujoco>: contacts between geoms are not carried over
taut::mechanism! {
    /// The mechanism of double_pendulum.xml.
    pub struct DoublePendulum in space, arms as points {
        upper: SkewBody { mass: 0.705047195615617, centre: [0.15, 0.0, -0.05], moments: [0.0010437146058859, 0.00764583110586087, 0.00691226260586365], products: [0.0, 0.00220070549999165, 0.0] } near [0.0, 0.0, 1.0],
        lower: SkewBody { mass: 0.378053841134433, centre: [-0.1, 0.025, -0.173205080756888], moments: [0.00443962158372852, 0.00577583049327163, 0.00158904257670321], products: [0.000356322375878164, -0.00246867383557853, 0.000617168458894636] } near [0.3, 0.0, 0.9],
        shoulder_base: Fixed { at: [0.0, 0.0, 1.0] },
        shoulder: Hinge(shoulder_base, upper) { axis: [0.0, 1.0, 0.0] },
        elbow_of_upper: Corner(upper) { at: [0.3, 0.0, -0.1] },
        elbow: Hinge(elbow_of_upper, lower) { axis: [0.519615242270663, 0.8, -0.3] },
    }
}
