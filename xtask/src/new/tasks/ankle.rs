/// Ticks a second.
pub const RATE: u32 = 250;

/// Both arms on an ellipse, once a second, in radians: the foot pitches, and rolls less.
pub fn task() -> Result<Task<Circle<f32, 2>, 2, 2>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::circle([0.0, 0.0], [0.2, 0.2], [0.05, -0.05], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([3.0; 2])?, [encoder; 2]),
        // rad/s
        frequency: [30.0; 2],
    })
}

/// The simulated machine: its foot is 5% heavier than in the model.
pub fn machine() -> Ankle<f32> {
    let mut machine = Ankle::new();
    machine.foot.mass *= 1.05;
    machine
}
