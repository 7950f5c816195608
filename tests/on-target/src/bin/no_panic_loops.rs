//! Calls everything that a user calls in a control loop: machines, plants, controllers, limits and the hold, with input that is unknown
//! to the compiler. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use loops::{Inject, Options, Sample};
use mechanisms::{Crane, FiveBar};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::control::{
    Actuated, Actuators, ComputedTorque, Controller, Driven, Feedforward, FlatInverse, Gains, InverseDynamics,
    Pendulous, Pid, Reference, Sensed, SwingDamping, rehearse,
};
use taut::device::{As504xError, Encoder, Friction, Machine, Motor, MotorError, Plant, Sensor, Wired};
use taut::method::{Rattle, Report, RungeKutta4, Step, StepError};
use taut::start::{self, Start, State};
use taut::supervise::{Clock, Deadline, EncoderLimits, Faulty, Injection, Request, Supervisor, Watch, Watchdog};
use taut::trajectory::{Circle, Nonic};

on_target::program!(every_loop);

fn every_loop() {
    let (x, h) = (black_box(0.5_f32), black_box(1e-3_f32));
    five_bar(x, h);
    crane(x, h);
    let options =
        black_box(Options { inject: Some(Inject { fault: Injection::NanReading, at: 3, ticks: 5 }), restart: true });
    // Without atomic instructions, the queue needs a critical section, which only a board implements.
    #[cfg(any(target_arch = "arm", target_has_atomic = "ptr"))]
    let mut queue = heapless::spsc::Queue::<Sample, 4>::new();
    #[cfg(any(target_arch = "arm", target_has_atomic = "ptr"))]
    let (mut telemetry, mut consumer) = {
        let (producer, consumer) = queue.split();
        (taut::supervise::Telemetry::new(producer), consumer)
    };
    macro_rules! program {
        ($name:ident) => {
            if let Ok(mut program) = loops::$name::program(options, black_box(1_000)) {
                for _ in 0..black_box(3_u8) {
                    let sample: Sample = black_box(black_box(&mut program).tick(&mut Counter, &mut Counter));
                    #[cfg(any(target_arch = "arm", target_has_atomic = "ptr"))]
                    {
                        telemetry.log(sample);
                        black_box(consumer.dequeue());
                    }
                    #[cfg(not(any(target_arch = "arm", target_has_atomic = "ptr")))]
                    let _ = sample;
                }
                black_box(program.summary());
            }
        };
    }
    program!(arm);
    program!(crane);
    program!(five_bar);
}

/// A counter with unknown readings, and a watchdog.
struct Counter;

impl Clock for Counter {
    fn now(&mut self) -> u32 {
        black_box(7)
    }
}

impl Watchdog for Counter {
    fn feed(&mut self) {
        black_box(());
    }
}

#[inline(never)]
fn five_bar(x: f32, h: f32) {
    let Ok(circle) = Circle::around([x, x], x, black_box(2), black_box(1_000), h) else { return };
    let linkage = black_box(FiveBar::standard());
    let guess = linkage.elbows_out(black_box([x, x]).into());
    let Ok(feedforward) = InverseDynamics::new(linkage, circle, h, guess) else { return };
    let Ok(feedforward) = feedforward.with_position_limits(black_box([(x, h); 4])) else { return };
    let Ok(feedforward) = feedforward.with_pivot_limit(black_box(x)) else { return };
    if let Ok(motors) = Actuators::new([x; 2]) {
        let encoder = EncoderLimits { resolution: h, top_speed: x, largest_error: x };
        let watch = black_box(Watch::new(motors, [encoder; 2]));
        let _ = black_box(ComputedTorque::<f32, 4, 2, 2>::by_rule(&feedforward, [x; 2], &watch));
    }
    let _ = black_box(Pid::by_rule(&feedforward, [x; 2]));
    if let Ok(state) = feedforward.start() {
        let _ = black_box(feedforward.look_ahead(&state, circle, black_box(7)));
    }
    let _ = black_box(rehearse(&feedforward, black_box(0)..=black_box(10)));
    let Ok(clock) = start::Clock::at_rate(x) else { return };
    let Ok(state) = Start::at(&linkage, clock, guess).at_rest() else { return };
    let mut plant = plant::<_, _, 4, 2, 2, 2>(linkage, state, RungeKutta4::new());
    if let Ok(law) = ComputedTorque::<f32, 4, 2, 2>::new(black_box([x; 2]), h, x) {
        reach(feedforward, law, &mut plant);
        let mut wired = Wired::new(black_box([Count(1); 2]), black_box([Duty(x); 2]));
        reach(feedforward, law, &mut wired);
        let mut mixed = Wired::new(black_box((Count(1), Fixed(x))), black_box((Duty(x), Fixed(x))));
        reach(feedforward, law, &mut mixed);
    }
}

#[inline(never)]
fn crane(x: f32, h: f32) {
    let Ok(path) = Nonic::point_to_point([x, x], [h, x], black_box(2.0)) else { return };
    let crane = black_box(Crane::standard());
    let Ok(feedforward) = FlatInverse::new(crane, path, h) else { return };
    let guess = black_box([x, -x, x, x]);
    let Ok(clock) = start::Clock::at_rate(x) else { return };
    let Ok(state) = Start::at(&crane, clock, guess).at_rest() else { return };
    let mut plant = plant::<_, _, 4, 1, 3, 2>(crane, state, Rattle::new());
    let gains = black_box([Gains { proportional: x, integral: x, derivative: x }; 2]);
    if let Ok(pid) = Pid::new(gains, h, x) {
        reach(feedforward, pid, &mut plant);
    }
    let Ok(law) = ComputedTorque::<f32, 4, 1, 2>::new(black_box([x; 2]), h, x) else { return };
    let rope = black_box(Pendulous { motor: 0, encoder: 2, length: x, gravity: x });
    if let Ok(damped) = SwingDamping::around(law, rope, x, h, x) {
        reach(feedforward, damped, &mut plant);
    }
}

/// A plant with every imperfection: noise, offsets, friction and delays.
fn plant<System, Method, const N: usize, const M: usize, const E: usize, const U: usize>(
    system: System,
    state: State<f32, N, M>,
    method: Method,
) -> Plant<System, Method, State<f32, N, M>, f32, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Step<Driven<System, f32, U>, State<f32, N, M>, Report = Report<f32, M>, Error = StepError<f32>> + Copy,
{
    let friction = Friction { viscous: black_box(0.1), coulomb: black_box(0.1), threshold: black_box(0.1) };
    let plant = Plant::new(system, black_box(state), black_box(method))
        .steps_a_tick(black_box(3))
        .sensors(black_box([Sensor { noise: 0.1, offset: 0.1, ..Sensor::bits_per_turn(12) }; E]))
        .friction([friction; U])
        .seed(black_box(7));
    let mut plant = plant.delays(black_box(2), black_box(3), black_box([0.1; U])).unwrap_or(plant);
    for _ in 0..black_box(3_u8) {
        let _ = black_box(black_box(&mut plant).tick());
    }
    plant
}

#[inline(never)]
fn reach<Plan, System, Law, Device, const N: usize, const M: usize, const E: usize, const U: usize>(
    plan: Plan,
    law: Law,
    machine: &mut Device,
) where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>> + Copy,
    Law: Controller<System, f32, N, M, E, U> + Copy,
    Device: Machine<f32, E, U>,
{
    let Ok(motors) =
        Actuators::new(black_box([1.0; U])).and_then(|motors| motors.with_rate_limits(black_box([1.0; U])))
    else {
        return;
    };
    let encoder = EncoderLimits { resolution: 1e-3, top_speed: 100.0, largest_error: 0.1 };
    let watch = Watch { patience: 3, off_travel: Some([0.1; U]), ..Watch::new(motors, black_box([encoder; E])) };
    let watch = black_box(watch);
    let Ok(supervisor) = Supervisor::new(plan, law, watch) else { return };
    let Ok(begin) = plan.start() else { return };
    if let Ok(mut state) = supervisor.start_on_path(begin.clone(), black_box(5)) {
        for _ in 0..black_box(3_u8) {
            black_box(supervisor.step(black_box(&mut state), black_box(&mut *machine)).is_some());
            black_box(state.record());
        }
    }
    let _ = black_box(machine.drive(&[0.0; U], &[0.0; U]).is_ok());

    // Every request and every injected fault.
    let Ok(mut state) = supervisor.start(Deadline::new(black_box(1_000), black_box(Some(2)))) else { return };
    let mut faulty = Faulty::new(Borrowed(machine));
    for request in black_box(Request::ALL) {
        let _ = black_box(supervisor.request(&mut state, request).is_ok());
        supervisor.stop_while(&mut state, black_box(false));
        for fault in black_box(Injection::ALL) {
            faulty.inject(black_box(Some(fault)));
            supervisor.corrupt(black_box(&mut state));
            let mut clock = || Counter.now().wrapping_add(black_box(3));
            supervisor.tick(black_box(&mut state), black_box(&mut faulty), &mut clock, &mut Counter);
            black_box(state.record());
        }
        black_box(supervisor.set_plan(&mut state, black_box(begin.clone())).is_ok());
    }
    black_box(state.latched().map(|latched| latched.reason.code()));
}

/// A borrowed machine.
struct Borrowed<'machine, Device>(&'machine mut Device);

impl<Device: Machine<f32, E, U>, const E: usize, const U: usize> Machine<f32, E, U> for Borrowed<'_, Device> {
    type Error = Device::Error;

    fn read(&mut self) -> Result<[f32; E], Self::Error> {
        self.0.read()
    }

    fn drive(&mut self, efforts: &[f32; U], speeds: &[f32; U]) -> Result<(), Self::Error> {
        self.0.drive(efforts, speeds)
    }

    fn enable(&mut self) -> Result<(), Self::Error> {
        self.0.enable()
    }

    fn disable(&mut self) -> Result<(), Self::Error> {
        self.0.disable()
    }

    fn unreferenced(&self) -> Option<usize> {
        self.0.unreferenced()
    }

    fn lose_reference(&mut self) {
        self.0.lose_reference();
    }
}

/// An encoder that is a counter.
#[derive(Clone, Copy)]
struct Count(i16);

impl Encoder<f32> for Count {
    type Error = &'static str;

    fn read(&mut self) -> Result<f32, &'static str> {
        if self.0 == 7 { Err("no count") } else { Ok(f32::from(self.0)) }
    }
}

/// A motor that is the duty cycle of a bridge.
#[derive(Clone, Copy)]
struct Duty(f32);

impl Motor<f32> for Duty {
    type Error = &'static str;

    fn drive(&mut self, effort: f32, _: f32) -> Result<(), &'static str> {
        self.0 = effort;
        if effort > 9.0 { Err("too much") } else { Ok(()) }
    }
}

/// A device of another type with another error type.
#[derive(Clone, Copy)]
struct Fixed(f32);

impl Encoder<f32> for Fixed {
    type Error = As504xError;

    fn read(&mut self) -> Result<f32, As504xError> {
        if self.0 > 9.0 { Err(As504xError::Parity { frame: 1 }) } else { Ok(self.0) }
    }
}

impl Motor<f32> for Fixed {
    type Error = MotorError;

    fn drive(&mut self, effort: f32, _: f32) -> Result<(), MotorError> {
        if effort > 9.0 { Err(MotorError::Disabled) } else { Ok(()) }
    }
}
