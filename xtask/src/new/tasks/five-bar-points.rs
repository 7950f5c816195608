/// Ticks a second.
pub const RATE: u32 = 1_000;

/// The tip on a circle, two turns a second.
pub fn task() -> Result<Task<Circle<f32, 2>, 2, 2>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::circle([0.0, 0.17], [0.03, 0.0], [0.0, 0.03], 2, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([1.0; 2])?, [encoder; 2]),
        // rad/s
        frequency: [100.0; 2],
    })
}

/// The simulated machine: its tip is 5% heavier than in the model.
pub fn machine() -> FiveBarPoints<f32> {
    let mut machine = FiveBarPoints::new();
    machine.tip.mass *= 1.05;
    machine
}
