// `UniversalJoint` of universal.xml, printed by `cargo xtask import`.
taut::mechanism! {
    /// The mechanism of universal.xml.
    pub struct UniversalJoint in space, arms as points {
        driven: Body { mass: 0.9, centre: [0.0, 0.0, -0.05], moments: [0.002, 0.002, 0.0006] } near [0.0, 0.0, 1.0],
        hanging: SkewBody { mass: 1.1, centre: [0.0614230672833948, 0.0330968173440286, -0.187701378490398], moments: [0.0122095498823282, 0.0136378677605279, 0.00235258235714387], products: [-0.000512262124117444, 0.00290518287138601, 0.00205375398601533] } near [0.0, 0.0, 0.9],
        bob: SkewBody { mass: 0.3, centre: [0.012940952255126, 0.0182346405049481, -0.0458260803515406], moments: [0.000313397459621556, 0.000402611386121753, 0.000483991154256691], products: [8.68240888334652e-6, -4.92403876506104e-5, -1.48099066363012e-5] } near [0.103527618041008, 0.0670925037986082, 0.519499502974321],
        bearing_base: Fixed { at: [0.0, 0.0, 1.0] },
        bearing: Hinge(bearing_base, driven) { axis: [0.0, 0.0, 1.0] },
        hanging_joint_of_driven: Corner(driven) { at: [0.0, 0.0, -0.1] },
        hanging_joint: Universal(hanging_joint_of_driven, hanging) { first: [0.965925826289068, -0.0449434555275478, 0.254887002244179], second: [0.0, 0.984807753012208, 0.17364817766693] },
        socket_of_hanging: Corner(hanging) { at: [0.0983512371389579, 0.0637378786086778, -0.361475472174395] },
        socket_of_bob: Corner(bob) { at: [-0.00517638090205041, -0.00335462518993042, 0.019025024851284] },
        socket: Pin(socket_of_hanging, socket_of_bob) { offset: [0.0, 0.0, 0.0] },
    }
}
