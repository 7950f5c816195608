//! Reaches whatever a user calls in a control loop: machines, plants, controllers, limits and the hold, with input that the
//! compiler knows nothing about. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use loops::{Inject, Options, Sample};
#[cfg(target_os = "none")]
use panic_never as _;
use systems::{Crane, FiveBar};
use taut::control::supervisor::{
    Clock, Deadline, Delayed, Faulty, Injection, Request, Supervision, Supervisor, Watchdog,
};
use taut::control::{
    Actuated, Actuators, ComputedTorque, Controller, Encoder, Feedforward, FlatInverse, Friction, Gains,
    InverseDynamics, Machine, Motor, Pendulous, Pid, Plant, Sensed, Sensor, Steps, SwingDamping, Tracking, Watch,
    Wired, rehearse,
};
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4};
use taut::start::{Start, State};
use taut::trajectory::{Circle, Nonic};

on_target::program!(every_loop);

fn every_loop() {
    let (x, h) = (black_box(0.5_f32), black_box(1e-3_f32));
    five_bar(x, h);
    crane(x, h);
    let options =
        black_box(Options { inject: Some(Inject { fault: Injection::NanReading, at: 3, ticks: 5 }), restart: true });
    // Without atomic instructions, the queue takes a critical section, which only a board has.
    #[cfg(any(target_arch = "arm", target_has_atomic = "ptr"))]
    let mut queue = heapless::spsc::Queue::<Sample, 4>::new();
    #[cfg(any(target_arch = "arm", target_has_atomic = "ptr"))]
    let (mut telemetry, mut consumer) = {
        let (producer, consumer) = queue.split();
        (taut::control::supervisor::Telemetry::new(producer), consumer)
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

/// A counter of which nothing is known, and a watchdog.
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
    let _ = black_box(rehearse(&feedforward, black_box(0)..=black_box(10)));
    let (Ok(state), Ok(method)) = (Start::at(&linkage, guess).at_rest(), RungeKutta4::at_rate(x)) else { return };
    let mut plant = plant::<_, _, 4, 2, 2, 2>(linkage, state, method);
    if let Ok(law) = ComputedTorque::<f32, 4, 2, 2>::new(black_box([x; 2]), h, x) {
        reach(linkage, feedforward, law, &mut plant);
        let mut wired = Wired { encoders: black_box([Count(1); 2]), motors: black_box([Duty(x); 2]) };
        reach(linkage, feedforward, law, &mut wired);
    }
}

#[inline(never)]
fn crane(x: f32, h: f32) {
    let Ok(path) = Nonic::point_to_point([x, x], [h, x], black_box(2.0)) else { return };
    let crane = black_box(Crane::standard());
    let Ok(feedforward) = FlatInverse::new(crane, path, h) else { return };
    let guess = black_box([x, -x, x, x]);
    let (Ok(state), Ok(method)) = (Start::at(&crane, guess).at_rest(), Rattle::at_rate(x)) else { return };
    let mut plant = plant::<_, _, 4, 1, 3, 2>(crane, state, method);
    let gains = black_box([Gains { proportional: x, integral: x, derivative: x }; 2]);
    if let Ok(pid) = Pid::new(gains, h, x) {
        reach(crane, feedforward, pid, &mut plant);
    }
    let Ok(law) = ComputedTorque::<f32, 4, 1, 2>::new(black_box([x; 2]), h, x) else { return };
    let rope = black_box(Pendulous { motor: 0, encoder: 2, length: x, gravity: x });
    if let Ok(damped) = SwingDamping::around(law, rope, x, h, x) {
        reach(crane, feedforward, damped, &mut plant);
    }
}

/// With everything that can be wrong.
fn plant<System, Method, const N: usize, const M: usize, const E: usize, const U: usize>(
    system: System,
    state: State<f32, N, M>,
    method: Method,
) -> Plant<System, Method, f32, N, M, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Steps<System, f32, N, M> + Copy,
{
    let friction = Friction { viscous: black_box(0.1), coulomb: black_box(0.1), threshold: black_box(0.1) };
    let plant = Plant::new(system, black_box(state), black_box(method))
        .steps_a_tick(black_box(3))
        .sensors(black_box([Sensor::bits_per_turn(12).with_noise(0.1).with_offset(0.1); E]))
        .friction([friction; U])
        .seed(black_box(7));
    let mut plant = plant.delays(black_box(2), black_box(3), black_box([0.1; U])).unwrap_or(plant);
    for _ in 0..black_box(3_u8) {
        let _ = black_box(black_box(&mut plant).tick());
    }
    plant
}

#[inline(never)]
fn reach<System, Feed, Law, Device, const N: usize, const M: usize, const E: usize, const U: usize>(
    system: System,
    feedforward: Feed,
    law: Law,
    machine: &mut Device,
) where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Feed: Feedforward<N, M, U, Base = f32> + Copy,
    Law: Controller<System, f32, N, M, E, U> + Copy,
    Device: Machine<f32, E, U>,
{
    let Ok(motors) = Actuators::new(black_box([1.0; U]), black_box([1.0; U]), black_box(1e-3)) else { return };
    let watch = black_box(Watch { patience: 3, largest_error: [0.1; E], ..Watch::standard() });
    let Ok(mut tracking) = Tracking::new(system, feedforward, law, motors, watch, black_box(5)) else { return };
    for _ in 0..black_box(3_u8) {
        let _ = black_box(black_box(&mut tracking).tick(black_box(&mut *machine)).is_ok());
    }
    tracking.hold();
    let _ = black_box(tracking.tick(machine).is_ok());
    let _ = black_box(tracking.resume(black_box(feedforward), black_box(0.1)).is_ok());
    let _ = black_box(machine.drive(&Vector::<f32, U>::zeros().data.0[0]).is_ok());

    // The loop around it, with all that can be asked of it and injected.
    let Ok(tracking) = Tracking::new(system, feedforward, Faulty::new(law), motors, watch, 0) else { return };
    let supervision =
        black_box(Supervision { largest_step: [0.1; E], stuck_travel: [0.1; E], ..Supervision::standard() });
    let deadline = Deadline::new(black_box(1_000), black_box(500));
    let Ok(mut supervisor) = Supervisor::new(tracking, supervision, deadline) else { return };
    for request in black_box(Request::ALL) {
        let _ = black_box(supervisor.request(request).is_ok());
        for fault in black_box(Injection::ALL) {
            supervisor.law().inject(black_box(Some(fault)));
            let mut clock = Delayed { clock: Counter, by: black_box(3) };
            let report = black_box(&mut supervisor).tick(black_box(&mut *machine), &mut clock, &mut Counter);
            black_box(&report.record);
        }
        black_box(supervisor.set_plan(black_box(feedforward)).is_ok());
    }
    black_box(supervisor.latched().map(|latched| latched.reason.code()));
}

/// A counter's count.
#[derive(Clone, Copy)]
struct Count(i16);

impl Encoder<f32> for Count {
    type Error = ();

    fn read(&mut self) -> Result<f32, ()> {
        if self.0 == 7 { Err(()) } else { Ok(f32::from(self.0)) }
    }
}

/// The duty of a bridge.
#[derive(Clone, Copy)]
struct Duty(f32);

impl Motor<f32> for Duty {
    type Error = ();

    fn drive(&mut self, effort: f32) -> Result<(), ()> {
        self.0 = effort;
        if effort > 9.0 { Err(()) } else { Ok(()) }
    }
}
