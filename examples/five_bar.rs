//! A five-bar linkage in a closed loop: two motors, encoders of 12 bits, a tip that follows a circle. Shown with the machine of
//! the controller's model, and with masses 5% larger and encoders of finite resolution.
//!
//! `cargo run --release --example five_bar -- --plot five_bar.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Ink};
use desk::{ANY_MASS, About, Desk, Outcome, Progress, Table};
use mechanisms::FiveBar;
use nalgebra::vector;
use taut::control::{Actuators, ComputedTorque, Driven, Feedforward, InverseDynamics};
use taut::device::{Plant, Sensor};
use taut::method::AnyMethod;
use taut::scalar::Float;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::trajectory::{Circle, Trajectory};

const ABOUT: About = About {
    name: "Five-bar linkage",
    about: "The tip follows a circle of 3 cm at two revolutions per second, by inverse dynamics and computed torque. The rate is that of \
            the loop; the method steps the simulated machine, twice a tick.",
    methods: ANY_MASS,
    method: "runge_kutta_4",
    rate: 1_000.0,
    seconds: 1.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// Follows the circle with a machine that may differ from the model: angles, x, y, torques and the distance from the path.
fn follow<T: Float>(
    desk: &Desk,
    method: &AnyMethod<Driven<FiveBar<T>, T, 2>, T, 4, 2>,
    machine: FiveBar<T>,
    sensors: [Sensor<T>; 2],
) -> Outcome<Vec<[f64; 7]>> {
    let (model, h) = (FiveBar::<T>::standard(), desk.clock::<T>()?.step());
    let ticks = desk.rate().round().max(1.0) as u64;
    let path = Circle::around([0.0, 0.17].map(T::from_f64), T::from_f64(0.03), 2, ticks, h)?;
    let plan = InverseDynamics::new(model, path, h, model.elbows_out(path.at(T::zero())))?;
    let begin = plan.start()?;
    let first = *plan.at(&mut begin.clone(), 0)?;

    let clock = Clock::at_rate(T::from_f64(2.0 * desk.rate()))?;
    let state = Start::at(&machine, clock, first.position).moving(first.velocity)?;
    let mut plant = Plant::new(machine, state, method).steps_a_tick(2).sensors(sensors);
    let law = ComputedTorque::<T, 4, 2, 2>::new([T::from_f64(100.0); 2], h, T::from_f64(230.0))?;
    // A count of 12 bits, and twice the speed of the path.
    let [resolution, top_speed, largest_error] = [1.6e-3, 10.0, 0.1].map(T::from_f64);
    let encoder = EncoderLimits { resolution, top_speed, largest_error };
    let supervisor = Supervisor::new(plan, law, Watch::new(Actuators::new([T::one(); 2])?, [encoder; 2]))?;
    let mut control = supervisor.start_on_path(begin, 0)?;

    let mut samples = Vec::new();
    let mut progress = Progress::of(desk.steps());
    for tick in 0..desk.steps() {
        let q = plant.state().position().map(|q| q.to_f64());
        let target = path.motion_after(tick, h).position.map(|x| x.to_f64());
        supervisor.step(&mut control, &mut plant);
        let record = control.record();
        if let Some(latched) = control.latched() {
            return Err(latched.to_string().into());
        }
        let [left, right] = record.efforts.map(|torque| torque.to_f64()).into();
        samples.push([q[0], q[1], q[2], q[3], left, right, (vector![q[2], q[3]] - target).norm()]);
        plant.tick()?;
        progress.step();
    }
    Ok(samples)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let exact = FiveBar::<T>::standard();
    let [proximal_mass, distal_mass, tip_mass] =
        [exact.proximal_mass, exact.distal_mass, exact.tip_mass].map(|mass| mass * T::from_f64(1.05));
    let heavy = FiveBar { proximal_mass, distal_mass, tip_mass, ..exact };
    let right = desk.with_method_for_any_mass(|method| follow(desk, method, exact, [Sensor::ideal(); 2]))??;
    let counting = [Sensor::bits_per_turn(12); 2];
    let wrong = desk.with_method_for_any_mass(|method| follow(desk, method, heavy, counting))??;
    let mut table = Table::new([
        "time / s",
        "θ₁ / rad",
        "θ₂ / rad",
        "x / m",
        "y / m",
        "torque of the left motor / (N m)",
        "torque of the right motor / (N m)",
        "distance from the path / m",
        "the same with an exact model / m",
    ]);
    for (tick, (right, wrong)) in right.iter().zip(&wrong).enumerate() {
        let [a, b, x, y, left_torque, right_torque, off] = *wrong;
        table.push([tick as f64 / desk.rate(), a, b, x, y, left_torque, right_torque, off, right[6]]);
    }

    desk.say("exact model", format_args!("the tip is at most {:.1e} m from its path", table.largest(8)));
    desk.say("5%, 12 bits", format_args!("the tip is at most {:.1e} m from its path", table.largest(7)));
    desk.say("torques", format_args!("up to {:.2} N m and {:.2} N m", table.largest(5), table.largest(6)));
    desk.finish(&table, |page| {
        let half: Vec<_> = table.rows().iter().take_while(|row| row[0] < 0.48).collect();
        let poses = half.iter().step_by(half.len().div_ceil(7)).map(|row| {
            let elbow = |side: f64, angle: f64| (side * 0.05 + 0.1 * angle.cos(), 0.1 * angle.sin());
            vec![(-0.05, 0.0), elbow(-1.0, row[1]), (row[3], row[4]), elbow(1.0, row[2]), (0.05, 0.0)]
        });
        let linkage = Chart::new("x / m", "y / m").titled("One turn").to_scale().poses(poses);
        let linkage = linkage.curve(table.curve(3, 4).named("path of the tip").dashed(Ink::BLUE, 1.8));
        let torques = Chart::new("time / s", "torque / (N m)");
        let torques =
            torques.curve(table.curve(0, 5).named("left motor")).curve(table.curve(0, 6).named("right motor"));
        let errors = Chart::new("time / s", "distance from the path / m").logarithmic();
        let errors = errors.curve(table.magnitudes(7).named("masses 5% larger, encoders of 12 bits"));
        page.row(340, [linkage, torques])
            .row(250, [errors.curve(table.magnitudes(8).named("exact model and encoders"))])
    })
}
