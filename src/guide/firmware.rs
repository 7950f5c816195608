#![no_std]
#![no_main]

use runtime::systick::SysTick;
use runtime::{OrSay, Program, Run, Setup};
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::{Plant, PlantFor, Sensor};
use taut::supervise::{
    self, Code, Deadline, EncoderLimits, LoopState, Record, Request, State, Supervisor,
    Watch, Watchdog,
};
use taut::trajectory::{MinimumJerk, Trajectory};

include!("crank.rs"); // the model, and how it is driven

const FREQUENCY: u32 = 168_000_000; // of the processor, Hz
const RATE: u32 = 1_000; // of the loop, Hz
const TICK: f32 = 1e-3; // s

type Path = MinimumJerk<f32, 1>;
type Plan = InverseDynamics<SliderCrank, Path, 2, 1, 1>;
type Law = ComputedTorque<f32, 2, 1, 1>;

/// The loop with its state, and the machine: here a simulated one.
struct Crank {
    supervisor: Supervisor<Plan, Law, 1>,
    control: LoopState<Plan, Law, 1>,
    machine: PlantFor<Plan, Rattle, 1>,
    path: Path,
    running: u32,
    faults: u32,
    stuck: u32,
    worst_error: f32, // of the slider, m
}

impl Crank {
    fn new() -> Result<Self, &'static str> {
        let crank = SliderCrank { torque: 0.0 };
        let clock = Clock::at_rate(RATE as f32).or_say("the rate")?;
        let pose = *Start::at(&crank, clock, [1.0, 0.55])
            .at_rest()
            .or_say("the pose")?
            .position();
        let path = MinimumJerk::point_to_point([pose[1]], [pose[1] - 0.08], 0.5)
            .or_say("the path")?;
        let plan = InverseDynamics::new(crank, path, TICK, pose).or_say("the plan")?;
        let motors = Actuators::new([10.0]).or_say("the motor")?; // N m
        let encoder =
            EncoderLimits { resolution: 4e-4, top_speed: 10.0, largest_error: 0.1 }; // rad
        let watch = Watch::new(motors, [encoder]);
        let law =
            ComputedTorque::by_rule(&plan, [60.0], &watch).or_say("the controller")?; // rad/s
        let supervisor = Supervisor::new(plan, law, watch).or_say("the loop")?;
        let period = FREQUENCY / RATE;
        let control = supervisor.start(Deadline::new(period, None)).or_say("the start")?;

        let elsewhere =
            Start::at(&crank, clock, [1.1, 0.54]).at_rest().or_say("the machine")?;
        let sensors = [Sensor::bits_per_turn(14)];
        let machine = Plant::new(crank, elsewhere, Rattle::new()).sensors(sensors);
        Ok(Self {
            supervisor,
            control,
            machine,
            path,
            running: 0,
            faults: 0,
            stuck: 0,
            worst_error: 0.0,
        })
    }
}

impl Program for Crank {
    type Sample = Record<f32, 1, 1>;

    /// Runs in the interrupt, once a tick.
    fn tick(
        &mut self,
        clock: &mut impl supervise::Clock,
        watchdog: &mut impl Watchdog,
    ) -> Self::Sample {
        if self.control.state() == State::Idle {
            // A request that the state does not allow changes nothing.
            let _ = self.supervisor.request(&mut self.control, Request::Run);
        }
        let slider = self.machine.state().position()[1];
        self.supervisor.tick(&mut self.control, &mut self.machine, clock, watchdog);
        let record = *self.control.record();
        self.faults += u32::from(record.code != Code::None);
        if record.state == State::Running {
            let target = self.path.at(self.running as f32 * TICK)[0];
            self.worst_error = self.worst_error.max((slider - target).abs());
            self.running += 1;
        }
        self.stuck += u32::from(self.machine.tick().is_err());
        record
    }

    /// Runs once, at the end.
    fn conclude(&self) {
        defmt::info!(
            "result running={=u32} faults={=u32} stuck={=u32} worst_error={=f32}",
            self.running,
            self.faults,
            self.stuck,
            self.worst_error
        );
    }
}

runtime::on_systick!(Crank, (), 32, set_up, switch_off);

/// Called first after a fault or a panic: writes the registers of the motors' pins. This machine has no such pins.
fn switch_off() {}

fn set_up() -> Result<Setup<SysTick, Crank, ()>, &'static str> {
    let mut core = cortex_m::Peripherals::take().ok_or("the peripherals are taken")?;
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, RATE)?;
    // Four seconds, of which ten records a second are logged.
    Ok(Setup { beat, program: Crank::new()?, watchdog: (), run: Run::of(4_000, 100) })
}
