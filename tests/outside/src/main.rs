//! A delta robot in a control loop at 500 Hz: its tip follows a circle of radius 0.03 m, one turn a second. Its load is 5% heavier than
//! in the model of the loop.

#![no_std]
#![no_main]

use loops::machine;
use runtime::systick::SysTick;
use runtime::{AtOnce, Bench, OrSay, Program, Run, Setup};
use taut::control::Actuated;
use taut::device::{Machine as _, Plant};
use taut::linalg::Vector;
use taut::method::RungeKutta4;
use taut::parts::Mechanism;
use taut::start::{self, Start, State as Motion};
use taut::supervise::{Clock, Code, Record, State, Watchdog};

use crate::delta::{CENTRE, Delta, RADIUS, RATE};
use crate::devices::Machine;

mod delta;
mod devices;

/// The processor's clock, Hz.
const FREQUENCY: u32 = 168_000_000;

/// The coordinates and constraints of the list.
const N: usize = Delta::<f32>::SIZES[0];
const M: usize = Delta::<f32>::SIZES[1];

type Loop = loops::control!(Delta);
type Simulated = Plant<Mechanism<Delta<f32>, N, M>, RungeKutta4<f32>, Motion<f32, N, M>, f32, 3, 3>;

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
    plant: Simulated,
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
        let model = Delta::new().build().or_say("the parts make no sense")?;
        let task = delta::task().or_say("the task makes no sense")?;
        let control = machine::control(model, task, FREQUENCY / RATE).or_say("the path cannot be followed")?;
        let machine = devices::wire().or_say("the axes cannot be wired")?;
        let bench = Bench::new(control, machine, AtOnce);

        let mut heavy = Delta::new();
        heavy.tip.mass *= 1.05;
        let heavy = heavy.build().or_say("the parts of the machine make no sense")?;
        let clock = start::Clock::at_rate(RATE as f32).or_say("the machine cannot step")?;
        let state = Start::at(&heavy, clock, heavy.assembled()).at_rest().or_say("the machine cannot stand")?;
        let plant = Plant::new(heavy, state, RungeKutta4::new());
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
            let tip: Vector<f32, 3> = self.plant.system().output(self.plant.state().position());
            let radius = taut::scalar::Real::sqrt(tip[0] * tip[0] + tip[1] * tip[1]);
            let (across, up) = (radius - RADIUS, tip[2] - CENTRE[2]);
            let error = taut::scalar::Real::sqrt(across * across + up * up);
            if !(error <= self.summary.worst_error) {
                self.summary.worst_error = error;
            }
        }
    }
}
