/// Ticks a second.
pub const RATE: u32 = 500;

/// The tip on a level circle, a turn a second.
pub fn task() -> Result<Task<Circle<f32, 3>, 3, 3>, Unusable> {
    // A scale of 10 µm; at most 2 m/s; an error of 2 cm is a fault.
    let encoder = EncoderLimits { resolution: 1e-5, top_speed: 2.0, largest_error: 0.02 };
    Ok(Task {
        rate: RATE,
        path: machine::circle([0.0, 0.0, 0.1], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, RATE)?,
        // N
        watch: Watch::new(Actuators::new([20.0; 3])?, [encoder; 3]),
        // rad/s
        frequency: [40.0; 3],
    })
}

/// The simulated machine: its tip is 5% heavier than in the model.
pub fn machine() -> LinearDelta<f32> {
    let mut machine = LinearDelta::new();
    machine.tip.mass *= 1.05;
    machine
}
