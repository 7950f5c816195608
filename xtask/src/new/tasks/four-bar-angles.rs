/// Ticks a second.
pub const RATE: u32 = 1_000;

/// The crank to and fro, once a second, in radians.
pub fn task() -> Result<Task<Circle<f32, 1>, 1, 1>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::line([1.0], [2.2], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([20.0; 1])?, [encoder; 1]),
        // rad/s
        frequency: [60.0; 1],
    })
}

/// The simulated machine: its coupler is 5% heavier than in the model.
pub fn machine() -> FourBarAngles<f32> {
    let mut machine = FourBarAngles::new();
    machine.coupler.mass *= 1.05;
    machine
}
