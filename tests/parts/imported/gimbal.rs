// `Gimbal` of gimbal.xml, printed by `cargo xtask import`.
taut::mechanism! {
    /// The mechanism of gimbal.xml.
    pub struct Gimbal in space, arms as points {
        outer: Body { mass: 0.5, centre: [0.0, 0.0, 0.0], moments: [0.004, 0.004, 0.007] } near [0.0, 0.0, 0.2],
        inner: SkewBody { mass: 0.35, centre: [-0.00032635182233307, 0.00185083315679665, 0.000684040286651338], moments: [0.00200529096743303, 0.00217017570022774, 0.00332453333233923], products: [-3.00065674111064e-5, 8.37141727867122e-5, -0.000474766666169617] } near [0.0, 0.0, 0.2],
        rotor: SkewBody { mass: 1.2, centre: [-0.000625825829623986, 0.00354923464979368, 0.00173530269165911], moments: [0.00152203076075763, 0.0022085849962104, 0.00166938424303196], products: [-0.0001249426529571, -6.10873451244169e-5, 0.000346443549812818] } near [0.0, 0.0, 0.2],
        yaw_base: Fixed { at: [0.0, 0.0, 0.2] },
        yaw: Hinge(yaw_base, outer) { axis: [0.0, 0.0, 1.0] },
        pitch: Hinge(outer, inner) { axis: [0.984807753012208, 0.17364817766693, 0.0] },
        spin: Hinge(inner, rotor) { axis: [-0.156456457405997, 0.88730866244842, 0.433825672914779] },
    }
}
