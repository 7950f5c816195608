/// Ticks a second.
pub const RATE: u32 = 250;

/// The rocker to and fro, once a second, in radians. Both ends are off the dead points at 0.02 and −0.58 rad, where the crank cannot move it.
pub fn task() -> Result<Task<Circle<f32, 1>, 1, 1>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::line([-0.1], [-0.4], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([3.0; 1])?, [encoder; 1]),
        // rad/s
        frequency: [30.0; 1],
    })
}

/// The simulated machine: its rocker is 5% heavier than in the model.
pub fn machine() -> SpatialFourBar<f32> {
    let mut machine = SpatialFourBar::new();
    machine.rocker.mass *= 1.05;
    machine
}
