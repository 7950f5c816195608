//! Bodies and joints in space.

taut::mechanism! {
    /// A heavy top: it spins about its third axis, and its point stays on the ground.
    pub struct HeavyTop in space, arms as points {
        point: Fixed { at: [0.0, 0.0, 0.0] },
        top: Top(point) { mass: 1.0, centre: [0.0, 0.0, 0.3], moments: [0.14, 0.15, 0.02] } near [0.9, 0.4, 0.0, 0.0],
    }
}

taut::mechanism! {
    /// A spatial four-bar: a crank, a rod with ball joints at both ends, and a rocker about another axis.
    pub struct SpatialFourBar in space, arms as points {
        crank_axle: Fixed { at: [0.0, 0.0, 0.0] },
        rocker_axle: Fixed { at: [0.5, 0.3, 0.0] },
        crank: Body { mass: 0.3, centre: [0.0, 0.05, 0.0], moments: [3e-4, 1e-4, 3e-4] } near [0.0, 0.0, 0.0],
        rocker: Body { mass: 0.8, centre: [0.0, 0.0, 0.15], moments: [6e-3, 6e-3, 4e-4] } near [0.5, 0.3, 0.0],
        drive: Hinge(crank_axle, crank) { axis: [1.0, 0.0, 0.0] },
        swing: Hinge(rocker_axle, rocker) { axis: [0.0, 1.0, 0.0] },
        pin: Corner(crank) { at: [0.0, 0.1, 0.0] },
        tip: Corner(rocker) { at: [0.0, 0.0, 0.3] },
        rod: Rod(pin, tip) { length: 0.6, mass: 0.2 },
    }
    motors drive;
    encoders drive;
    output swing;
}
