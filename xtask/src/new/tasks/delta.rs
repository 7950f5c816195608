/// Ticks a second.
pub const RATE: u32 = 500;

/// The tip on a level circle, a turn a second.
pub fn task() -> Result<Task<Circle<f32, 3>, 3, 3>, Unusable> {
    // 14 bits a turn; at most 20 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 4e-4, top_speed: 20.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::circle([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([3.0; 3])?, [encoder; 3]),
        // rad/s
        frequency: [40.0; 3],
    })
}

/// The simulated machine: its tip is 5% heavier than in the model.
pub fn machine() -> Delta<f32> {
    let mut machine = Delta::new();
    machine.tip.mass *= 1.05;
    machine
}
