//! An overhead crane in a closed loop: trolley and winch carry a load along a path without swinging, although only the rope
//! moves it. Shown with the load of the controller's model, and with a load 5% heavier and encoders of finite resolution.
//!
//! `cargo run --release --example crane -- --plot crane.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Ink};
use desk::{About, Desk, Outcome, Progress, Table};
use mechanisms::Crane;
use nalgebra::vector;
use taut::control::{Actuators, ComputedTorque, Driven, Feedforward, FlatInverse};
use taut::device::{Plant, Sensor};
use taut::method::{AnyMethod, NAMES};
use taut::scalar::Float;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::trajectory::{Nonic, Trajectory};

const ABOUT: About = About {
    name: "Crane",
    about: "100 kg over 5 m and up 3 m in 6 s, on a rope from a trolley of 10 kg, by the inverse of a flat system and computed torque. The \
            rate is that of the loop; the method steps the simulated crane, four times a tick.",
    methods: &NAMES,
    method: "rattle",
    rate: 1_000.0,
    seconds: 8.0,
};

/// x, z, the trolley, both forces and the distance from the path.
type Sample = [f64; 6];

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// Carries a load, which may differ from the model.
fn carry<T: Float>(
    desk: &Desk,
    method: &AnyMethod<Driven<Crane<T>, T, 2>, T, 4, 1>,
    machine: Crane<T>,
    sensors: [Sensor<T>; 3],
) -> Outcome<Vec<Sample>> {
    let (model, h) = (Crane::<T>::standard(), desk.clock::<T>()?.step());
    let number = T::from_f64;
    let path = Nonic::point_to_point([0.0, -4.0].map(number), [5.0, -1.0].map(number), number(6.0))?;
    let plan = FlatInverse::new(model, path, h)?;
    let begin = plan.start()?;
    let clock = Clock::at_rate(number(4.0 * desk.rate()))?;
    let state = Start::at(&machine, clock, [0.0, -4.0, 0.0, 4.0].map(number)).at_rest()?;
    let mut plant = Plant::new(machine, state, method).steps_a_tick(4).sensors(sensors);
    let law = ComputedTorque::<T, 4, 1, 2>::new([number(20.0); 2], h, number(46.0))?;
    let motors = Actuators::new([400.0, 2_000.0].map(number))?;
    // Trolley and winch in metres, the rope in radians: a count of 12 bits, twice the speed of the path, and a large error.
    let limits = [[1.6e-4, 5.0, 0.2], [1.6e-4, 5.0, 0.2], [1.6e-3, 2.0, 0.5]].map(|limits| limits.map(number));
    let limits =
        limits.map(|[resolution, top_speed, largest_error]| EncoderLimits { resolution, top_speed, largest_error });
    let watch = Watch::new(motors, limits);
    let supervisor = Supervisor::new(plan, law, watch)?;
    let mut control = supervisor.start_on_path(begin, 0)?;

    let mut samples = Vec::new();
    let mut progress = Progress::of(desk.steps());
    for _ in 0..desk.steps() {
        let q = plant.state().position().map(|q| q.to_f64());
        let time = control.plan().time(plant.state().clock().tick() / 4);
        let target = path.motion(time).position.map(|x| x.to_f64());
        supervisor.step(&mut control, &mut plant);
        let record = control.record();
        if let Some(latched) = control.latched() {
            return Err(latched.to_string().into());
        }
        let [trolley, winch] = record.efforts.map(|force| force.to_f64()).into();
        samples.push([q[0], q[1], q[2], trolley, winch, (vector![q[0], q[1]] - target).norm()]);
        plant.tick()?;
        progress.step();
    }
    Ok(samples)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let exact = Crane::<T>::standard();
    let heavy = Crane { load: exact.load * T::from_f64(1.05), ..exact };
    // Of drums of 0.1 m at trolley and winch, and of the joint at which the rope hangs.
    let drum = Sensor::bits_per_turn_of_drum(12, T::from_f64(0.1));
    let right = desk.with_method(|method| carry(desk, method, exact, [Sensor::ideal(); 3]))??;
    let counting = [drum, drum, Sensor::bits_per_turn(12)];
    let wrong = desk.with_method(|method| carry(desk, method, heavy, counting))??;
    let mut table = Table::new([
        "time / s",
        "x / m",
        "z / m",
        "trolley / m",
        "force on the trolley / N",
        "force of the winch / N",
        "distance from the path / m",
        "the same with an exact model / m",
    ]);
    for (tick, (right, wrong)) in right.iter().zip(&wrong).enumerate() {
        let [x, z, trolley, force, winch, off] = *wrong;
        table.push([tick as f64 / desk.rate(), x, z, trolley, force, winch, off, right[5]]);
    }

    desk.say("exact model", format_args!("the load is at most {:.1e} m from its path", table.largest(7)));
    desk.say("5%, 12 bits", format_args!("the load is at most {:.1e} m from its path", table.largest(6)));
    desk.say("forces", format_args!("up to {:.0} N and {:.0} N", table.largest(4), table.largest(5)));
    desk.finish(&table, |page| {
        let poses = table.frames(13).map(|row| vec![(row[3], 0.0), (row[1], row[2])]);
        let crane = Chart::new("x / m", "z / m").titled("Trolley, rope and load").to_scale().poses(poses);
        let crane = crane.curve(table.curve(1, 2).named("path of the load").dashed(Ink::BLUE, 1.8));
        let errors = Chart::new("time / s", "distance from the path / m").logarithmic();
        let errors = errors.curve(table.magnitudes(6).named("load 5% heavier, encoders of 12 bits"));
        let way = Chart::new("time / s", "place / m").curve(table.curve(0, 1).named("load, x"));
        let way = way.curve(table.curve(0, 3).named("trolley")).curve(table.curve(0, 2).named("load, z"));
        page.row(360, [crane, way])
            .row(230, [table.chart(4), table.chart(5)])
            .row(250, [errors.curve(table.magnitudes(7).named("exact model and encoders"))])
    })
}
