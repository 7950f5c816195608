// `Pendulum` of pendulum.xml, printed by `cargo xtask import`.
//
// Not carried over:
// - pendulum.xml:5: <joint> `pivot`: range = -90 90
taut::mechanism! {
    /// The mechanism of pendulum.xml.
    pub struct Pendulum in space, arms as points {
        bar: Body { mass: 0.7, centre: [0.0, 0.0, -0.15], moments: [0.012, 0.011, 0.002] } near [0.1, 0.0, 0.8],
        pivot_base: Fixed { at: [0.1, 0.0, 1.0] },
        pivot_of_bar: Corner(bar) { at: [0.0, 0.0, 0.2] },
        pivot: Hinge(pivot_base, pivot_of_bar) { axis: [0.0, 1.0, 0.0] },
    }
}
