// `Welded` of weld.xml, printed by `cargo xtask import`.
taut::mechanism! {
    /// The mechanism of weld.xml.
    pub struct Welded in space, arms as points {
        left: SkewBody { mass: 0.6, centre: [0.05, 0.0258819045102521, -0.0965925826289068], moments: [0.003, 0.00386602540378444, 0.00213397459621556], products: [0.0, 0.0, 0.0005] } near [0.0, 0.0, 1.0],
        right: SkewBody { mass: 0.9, centre: [-0.0192836282905962, 0.0229813332935693, 0.0], moments: [0.00141317591116654, 0.00158682408883347, 0.0015], products: [-0.000492403876506104, 0.0, 0.0] } near [0.2, 0.0, 0.9],
        socket_base: Fixed { at: [0.0, 0.0, 1.0] },
        socket: Pin(socket_base, left) { offset: [0.0, 0.0, 0.0] },
        glue_of_left: Corner(left) { at: [0.2, 0.0, -0.1] },
        glue: Weld(glue_of_left, right) { offset: [0.0, 0.0, 0.0] },
    }
}
