//! A delta robot in a control loop at 500 Hz: its tip follows a circle of radius 0.03 m, one turn a second. Its load is 5% heavier than
//! in the model of the loop.

#![no_std]
#![no_main]

use runtime::systick::SysTick;
use runtime::{AtOnce, Bench, OrSay, Program, Run, Setup};
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::{Machine as _, Plant, PlantFor};
use taut::method::RungeKutta4;
use taut::start::{self, Start};
use taut::supervise::{Clock, Code, Deadline, EncoderLimits, LoopState, Record, State, Supervisor, Watch, Watchdog};
use taut::trajectory::Circle;

use crate::delta::Delta;
use crate::devices::Machine;

mod delta;
mod devices;

/// The processor's clock and the rate of the loop, in Hz; the period in seconds.
const FREQUENCY: u32 = 168_000_000;
const RATE: u32 = 500;
const TICK: f32 = 2e-3;

type Plan = InverseDynamics<Delta, Circle<f32, 3>, 6, 3, 3>;
type Law = ComputedTorque<f32, 6, 3, 3>;
type Loop = (Supervisor<Plan, Law, 3>, LoopState<Plan, Law, 3>);

runtime::on_systick!(Robot, (), 32, set_up, devices::switch_off);

fn set_up() -> Result<Setup<SysTick, Robot, ()>, &'static str> {
    let mut core = cortex_m::Peripherals::take().ok_or("the peripherals are taken")?;
    let robot = Robot::new()?;
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, RATE)?;
    // Four seconds, with ten records a second in the log.
    Ok(Setup { beat, program: robot, watchdog: (), run: Run::of(4 * u64::from(RATE), u64::from(RATE) / 10) })
}

/// The loop with its devices, and the simulated machine.
struct Robot {
    bench: Bench<Loop, Machine, AtOnce>,
    plant: PlantFor<Plan, RungeKutta4<f32>, 3>,
    summary: Summary,
}

/// The summary of all ticks.
#[derive(Default)]
struct Summary {
    running: u32,
    faults: u32,
    stuck: u32,
    /// The largest distance of the tip from the circle while running, in metres.
    worst_error: f32,
}

impl Robot {
    fn new() -> Result<Self, &'static str> {
        let model = Delta::new(0.10);
        let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, RATE.into(), TICK)
            .or_say("the path makes no sense")?;
        let plan = InverseDynamics::new(model, path, TICK, Delta::elbows_out([0.03, 0.0, -0.22]))
            .or_say("the plan makes no sense")?;
        let law = ComputedTorque::new([40.0; 3], TICK, 92.0).or_say("the controller makes no sense")?;
        let motors = Actuators::new([3.0; 3]).or_say("the motors make no sense")?;
        let encoder = EncoderLimits { resolution: 4e-4, top_speed: 20.0, largest_error: 0.1 };
        let supervisor =
            Supervisor::new(plan, law, Watch::new(motors, [encoder; 3])).or_say("the loop makes no sense")?;
        let period = FREQUENCY / RATE;
        let state = supervisor.start(Deadline::new(period, None)).or_say("the path cannot be followed")?;
        let control = (supervisor, state);

        let machine = devices::wire().or_say("the axes cannot be wired")?;
        let heavy = Delta::new(0.105);
        let clock = start::Clock::at_rate(RATE as f32).or_say("the machine cannot step")?;
        let state = Start::at(&heavy, clock, Delta::elbows_out([0.0, 0.01, -0.21]))
            .at_rest()
            .or_say("the machine cannot stand")?;
        let plant = Plant::new(heavy, state, RungeKutta4::new());
        let bench = Bench::new(control, machine, AtOnce);
        Ok(Self { bench, plant, summary: Summary::default() })
    }
}

impl Program for Robot {
    type Sample = Record<f32, 3, 3>;

    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Self::Sample {
        if let Ok(angles) = self.plant.read() {
            devices::turn(angles);
        }
        let record = self.bench.tick(clock, watchdog);
        self.judge(&record);
        // The brakes hold the machine while the bridges are disabled.
        if let Some(torques) = devices::torques()
            && self.plant.drive(&torques, &[0.0; 3]).and_then(|()| self.plant.tick()).is_err()
        {
            self.summary.stuck += 1;
        }
        record
    }

    fn conclude(&self) {
        let Summary { running, faults, stuck, worst_error } = self.summary;
        defmt::info!(
            "result running={=u32} faults={=u32} stuck={=u32} worst_error={=f32}",
            running,
            faults,
            stuck,
            worst_error
        );
    }
}

impl Robot {
    /// Updates the summary: the tip should be on the circle.
    fn judge(&mut self, record: &Record<f32, 3, 3>) {
        self.summary.faults += u32::from(record.code != Code::None);
        if record.state == State::Running {
            self.summary.running += 1;
            let q = self.plant.state().position();
            let radius = taut::scalar::Real::sqrt(q[3] * q[3] + q[4] * q[4]);
            let (across, up) = (radius - 0.03, q[5] + 0.22);
            let error = taut::scalar::Real::sqrt(across * across + up * up);
            if !(error <= self.summary.worst_error) {
                self.summary.worst_error = error;
            }
        }
    }
}
