// `Cart` of cart.urdf, printed by `cargo xtask import`.
//
// Not carried over:
// - cart.urdf:31: <joint> `rail`: <limit> is not carried over
//
// Bodies that are fixed to each other are one:
// - `load` is part of `pole`
taut::mechanism! {
    /// The mechanism of cart.urdf.
    pub struct Cart in space, arms as points {
        cart: SkewBody { mass: 1.5, centre: [0.0126867423897543, 0.00536386865026612, 0.0176146382488742], moments: [0.00993172989782163, 0.0124286285461522, 0.0146396415560262], products: [-0.000110478683081237, 0.00133595034229751, -0.000488308865656638] } near [0.0, 0.0, 0.1],
        pole: SkewBody { mass: 0.65, centre: [0.167025610412675, 0.0706172954380811, 0.209324691527867], moments: [0.00803159850813501, 0.0117581103718996, 0.00584875265842697], products: [-0.0019184801491188, -0.00533004823543666, -0.00225350824948992] } near [-0.0139813199764329, 0.0483740141441177, 0.129401997335237],
        stone: SkewBody { mass: 0.7, centre: [0.012106423898017, 0.0174997707976929, 0.00686968139215649], moments: [0.00110434617329653, 0.00136078352282616, 0.0017348703038773], products: [-0.000158164910886752, -7.7668007187477e-5, -0.000168546500263602] } near [0.6, 0.0, 1.0],
        rail_base: Fixed { at: [0.0, 0.0, 0.1] },
        rail: Prismatic(rail_base, cart) { axis: [0.90270109637546, 0.381655902095048, -0.198669330795061] },
        hinge_of_cart: Corner(cart) { at: [-0.0139813199764329, 0.0483740141441177, 0.0294019973352372] },
        hinge: Hinge(hinge_of_cart, pole) { axis: [-0.265487889303649, 0.95237430272997, 0.149997893760869] },
    }
}
