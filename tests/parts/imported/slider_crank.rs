// `SliderCrank` of slider_crank.xml, printed by `cargo xtask import`.
taut::mechanism! {
    /// The mechanism of slider_crank.xml.
    pub struct SliderCrank in space, arms as points {
        crank: Body { mass: 0.4, centre: [0.0, 0.0, 0.03], moments: [0.0006, 0.0005, 0.0003] } near [0.0, 0.0, 0.0],
        rod: SkewBody { mass: 0.25, centre: [0.10336618828645, 0.0, -0.0376222157658236], moments: [0.000219317334009321, 0.0011, 0.00100068266599068], products: [0.0, 0.000327821680940135, 0.0] } near [0.0, 0.0, 0.08],
        slider: Body { mass: 0.6, centre: [0.01, 0.0, 0.0], moments: [0.0004, 0.0005, 0.0006] } near [0.234923155196477, 0.0, -0.005505035831417],
        drive_base: Fixed { at: [0.0, 0.0, 0.0] },
        drive: Hinge(drive_base, crank) { axis: [0.0, 1.0, 0.0] },
        rod_joint_of_crank: Corner(crank) { at: [0.0, 0.0, 0.08] },
        rod_joint: Universal(rod_joint_of_crank, rod) { first: [0.0, 1.0, 0.0], second: [0.342020143325669, 0.0, 0.939692620785908] },
        guide_base: Fixed { at: [0.234923155196477, 0.0, -0.005505035831417] },
        guide: Prismatic(guide_base, slider) { axis: [1.0, 0.0, 0.0] },
        joint_of_rod: Corner(rod) { at: [0.234923155196477, 0.0, -0.0855050358314172] },
        joint: Pin(joint_of_rod, slider) { offset: [0.0, 0.0, 0.0] },
    }
}
