// `Solids` of solids.xml, printed by `cargo xtask import`.
//
// Not carried over:
// - solids.xml:2: <mujoco>: contacts between geoms are not carried over
//
// Bodies that are fixed to each other are one:
// - `tail` is part of `lump`
// - `tip` is part of `lump`
taut::mechanism! {
    /// The mechanism of solids.xml.
    pub struct Solids in space, arms as points {
        lump: SkewBody { mass: 2.46445540060199, centre: [-0.0133661951312251, -0.00382510880524002, 0.0138036863482032], moments: [0.00773566244061162, 0.00903033048857467, 0.00872889203398682], products: [-0.00285954836344647, -0.00121903736130749, -0.00181654966447579] } near [0.2, 0.1, 0.5],
    }
}
