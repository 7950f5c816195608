/// Ticks a second.
pub const RATE: u32 = 250;

/// The platform up and down, once a second: all legs between these lengths, beyond 0.4 m.
pub fn task() -> Result<Task<Circle<f32, 6>, 6, 6>, Unusable> {
    // A scale of 10 µm; at most 2 m/s; an error of 2 cm is a fault.
    let encoder = EncoderLimits { resolution: 1e-5, top_speed: 2.0, largest_error: 0.02 };
    Ok(Task {
        rate: RATE,
        path: machine::line([0.05; 6], [0.09; 6], 1, RATE)?,
        // N
        watch: Watch::new(Actuators::new([40.0; 6])?, [encoder; 6]),
        // rad/s
        frequency: [30.0; 6],
    })
}

/// The simulated machine: its platform is 5% heavier than in the model.
pub fn machine() -> Stewart<f32> {
    let mut machine = Stewart::new();
    machine.platform.mass *= 1.05;
    machine
}
