/// Ticks a second.
pub const RATE: u32 = 1_000;

/// The tool on a straight line and back, once a second.
pub fn task() -> Result<Task<Circle<f32, 2>, 2, 2>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::line([0.3, 0.2], [0.2, 0.3], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([30.0; 2])?, [encoder; 2]),
        // rad/s
        frequency: [60.0; 2],
    })
}

/// The simulated machine: its tool is 5% heavier than in the model.
pub fn machine() -> Scara<f32> {
    let mut machine = Scara::new();
    machine.tool.mass *= 1.05;
    machine
}
