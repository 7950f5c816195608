/// Ticks a second.
pub const RATE: u32 = 250;

/// The first shaft to and fro, once a second, in radians. The second encoder, on the other shaft, is a second opinion.
pub fn task() -> Result<Task<Circle<f32, 1>, 2, 1>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::line([0.0], [0.6], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([5.0; 1])?, [encoder; 2]),
        // rad/s
        frequency: [30.0; 1],
    })
}

/// The simulated machine: its second shaft is 5% heavier than in the model.
pub fn machine() -> UniversalJoint<f32> {
    let mut machine = UniversalJoint::new();
    machine.shaft_2.mass *= 1.05;
    machine
}
