//! How the guide's slider-crank is driven, and how its controller is tuned.

use desk::Outcome;
use desk::plot::{Chart, Curve, Page};
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::{Friction, Plant, Sensor};
use taut::supervise::{Deadline, EncoderLimits, Request, State, Supervisor, Watch};
use taut::trajectory::{MinimumJerk, Trajectory};

include!("../../../../src/guide/slider_crank.rs");
include!("../../../../src/guide/driven.rs");

const TICK: f32 = 1e-3;
const TICKS: u32 = 1_600;

/// What a tick was like: the time, the place of the slider, where it should be if it runs, the torque.
type Tick = (f64, f64, Option<f64>, f64);

/// The slider goes by 8 cm in half a second, with a frequency of the controller in rad/s, its observer by the rule, and an encoder of
/// so many bits a turn.
fn run(frequency: f32, bits: u8) -> Outcome<Vec<Tick>> {
    let (crank, clock) = (SliderCrank { torque: 0.0 }, Clock::at_rate(1_000.0)?);
    let pose = *Start::at(&crank, clock, [1.0, 0.55]).at_rest()?.position();
    let path = MinimumJerk::point_to_point([pose[1]], [pose[1] - 0.08], 0.5)?;
    let plan = InverseDynamics::new(crank, path, TICK, pose)?;
    let law = ComputedTorque::<f32, 2, 1, 1>::new([frequency], TICK, 2.3 * frequency)?;
    // A slow loop lags by 0.05 rad.
    let encoder = EncoderLimits { resolution: 1.6e-3, top_speed: 10.0, largest_error: 0.2 };
    let supervisor = Supervisor::new(plan, law, Watch::new(Actuators::new([10.0])?, [encoder]))?;
    let mut control = supervisor.start(Deadline::new(1_000, None))?;

    // A machine that the model does not know exactly: it stands elsewhere, and its crank rubs.
    let elsewhere = Start::at(&crank, clock, [1.1, 0.54]).at_rest()?;
    let friction = Friction { coulomb: 0.1, viscous: 0.02, ..Friction::none() };
    let mut machine =
        Plant::new(crank, elsewhere, Rattle::new()).sensors([Sensor::bits_per_turn(bits)]).friction([friction]);
    supervisor.request(&mut control, Request::Run)?;
    let (mut ticks, mut running) = (Vec::new(), 0);
    for tick in 0..TICKS {
        let slider = f64::from(machine.state().position()[1]);
        supervisor.tick(&mut control, &mut machine, &mut (tick * 1_000), &mut ());
        let record = control.record();
        let target = (record.state == State::Running).then(|| f64::from(path.at(running as f32 * TICK)[0]));
        running += u32::from(record.state == State::Running);
        ticks.push((f64::from(tick) * 1e-3, slider, target, f64::from(record.efforts[0])));
        machine.tick()?;
    }
    Ok(ticks)
}

/// The slider and the torque, from where the machine happens to stand to the end of its path.
pub fn path() -> Outcome<String> {
    let ticks = run(60.0, 14)?;
    let shown = || ticks.iter().step_by(3);
    let place = Chart::new("time / s", "slider / m")
        .titled("Homing, then the path")
        .curve(Curve::through(shown().map(|tick| (tick.0, tick.1))).named("slider"))
        .curve(Curve::through(shown().filter_map(|tick| Some((tick.0, tick.2?)))).named("path, while it runs"));
    let torque = Chart::new("time / s", "torque / (N m)").titled("Motor");
    let torque = torque.curve(Curve::through(shown().map(|tick| (tick.0, tick.3))));
    Ok(Page::new("A slider-crank at 1 kHz: 14-bit encoder, friction that the model does not know")
        .row(260, [place, torque])
        .svg())
}

/// The same with three settings: how far the slider is off its path, and what the motor does.
pub fn bandwidths() -> Outcome<String> {
    let mut error = Chart::new("time / s", "slider off its path / mm").titled("Tracking");
    let mut torque = Chart::new("time / s", "torque / (N m)").titled("Motor");
    for (frequency, bits) in [(20.0, 12), (60.0, 12), (60.0, 16)] {
        let ticks = run(frequency, bits)?;
        let name = format!("ω = {frequency} rad/s, {bits} bits");
        let running = || ticks.iter().filter_map(|tick| Some((tick.0, tick.1 - tick.2?, tick.3))).step_by(2);
        error = error.curve(Curve::through(running().map(|tick| (tick.0, 1e3 * tick.1))).named(name.clone()));
        torque = torque.curve(Curve::through(running().map(|tick| (tick.0, tick.2))).named(name));
    }
    Ok(Page::new("The same machine with three settings").row(280, [error, torque]).svg())
}
