/// Ticks a second.
pub const RATE: u32 = 100;

/// Roll and pitch on a circle, once a second, in radians; the wheel stays where it is in its ring.
pub fn task() -> Result<Task<Circle<f32, 3>, 3, 3>, Unusable> {
    // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::circle([0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([2.0; 3])?, [encoder; 3]),
        // rad/s
        frequency: [12.0; 3],
    })
}

/// The simulated machine: its outer ring is 5% heavier than in the model.
pub fn machine() -> Gimbal<f32> {
    let mut machine = Gimbal::new();
    machine.outer.mass *= 1.05;
    machine
}
