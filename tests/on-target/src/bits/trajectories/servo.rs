//! Servo constraints: the references of every tick, and a closed loop that follows them.

use mechanisms::{Crane, FiveBar, TwoMasses};
use nalgebra::vector;
use taut::control::{
    Actuators, ComputedTorque, Feedforward, FlatInverse, InverseDynamics, ProjectedInverse, Reference,
};
use taut::device::{Plant, Sensor};
use taut::method::RungeKutta4;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::trajectory::{Circle, Nonic};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// A tick in seconds.
const TICK: f64 = 1e-3;

/// The tip of the five-bar linkage on its circle, two turns a second.
#[inline(never)]
pub fn five_bar<T: Entry>(recorder: &mut Recorder) {
    follow(round::<T>, u64::MAX, recorder);
}

/// Inverse dynamics of the tip on its circle.
fn round<T: Entry>() -> InverseDynamics<FiveBar<T>, Circle<T, 2>, 4, 2, 2> {
    let [radius, height, h] = [0.03, 0.17, TICK].map(T::from_f64);
    let linkage = FiveBar::<T>::standard();
    let circle = Circle::around([T::zero(), height], radius, 2, 1_000, h).expect("a circle");
    let guess = linkage.elbows_out(vector![radius, height]);
    InverseDynamics::new(linkage, circle, h, guess).expect("a pose")
}

/// The same in a closed loop, with a heavier tip than the model has, and encoders of 12 bits with noise.
#[inline(never)]
pub fn five_bar_loop<T: Entry>(recorder: &mut Recorder) {
    let (linkage, plan, h) = (FiveBar::<T>::standard(), round(), T::from_f64(TICK));
    let heavy = FiveBar { tip_mass: T::from_f64(0.105), ..linkage };
    let mut begin = plan.start().expect("a pose");
    let first = *plan.at(&mut begin, 0).expect("a reference");
    let state = Start::at(&heavy, Clock::at_rate(T::from_f64(1_000.0)).expect("a rate"), first.position)
        .moving(first.velocity)
        .expect("a start");
    let method = RungeKutta4::new();
    let sensors = [Sensor { noise: T::from_f64(5e-4), ..Sensor::bits_per_turn(12) }; 2];
    let mut plant = Plant::new(heavy, state, method).sensors(sensors).seed(1);
    let law = ComputedTorque::<T, 4, 2, 2>::new([T::from_f64(60.0); 2], h, T::from_f64(138.0)).expect("a controller");
    let motors = Actuators::new([T::one(); 2]).expect("motors");
    let motors = motors.with_rate_limits([T::from_f64(500.0); 2]).expect("motors");
    // A count and the noise; some times the speed of the path.
    let [resolution, top_speed, largest_error] = [3e-3, 20.0, 0.2].map(T::from_f64);
    let watch = Watch::new(motors, [EncoderLimits { resolution, top_speed, largest_error }; 2]);
    let supervisor = Supervisor::new(plan, law, watch).expect("a loop");
    let mut control = supervisor.start_on_path(begin, 0).expect("a start");
    while recorder.wants_more() {
        supervisor.step(&mut control, &mut plant);
        let record = *control.record();
        assert!(control.latched().is_none(), "follows");
        plant.tick().expect("a machine that goes on");
        recorder.record(plant.state().position(), plant.state().velocity(), &(record.efforts, record.errors));
    }
}

/// Two masses that move 0.5 m in 1 s, by their flat output; repeated.
#[inline(never)]
pub fn two_masses<T: Entry>(recorder: &mut Recorder) {
    let push = || Nonic::point_to_point([T::zero()], [T::from_f64(0.5)], T::one()).expect("a path");
    let feedforward = || FlatInverse::new(TwoMasses::standard(), push(), T::from_f64(TICK));
    follow(|| feedforward().expect("a configuration"), 1_000, recorder);
}

/// A crane's load that moves 5 m sideways and 3 m up, by its flat output; repeated.
#[inline(never)]
pub fn crane<T: Entry>(recorder: &mut Recorder) {
    let feedforward = || FlatInverse::new(Crane::standard(), lift(), T::from_f64(TICK));
    follow(|| feedforward().expect("a configuration"), 6_000, recorder);
}

/// The same, by implicit Euler.
#[inline(never)]
pub fn projected_crane<T: Entry>(recorder: &mut Recorder) {
    let feedforward = || ProjectedInverse::new(Crane::standard(), lift(), T::from_f64(TICK));
    follow(|| feedforward().expect("a configuration"), 6_000, recorder);
}

/// 5 c₉(t/6), −4 + 3 c₉(t/6).
fn lift<T: Entry>() -> Nonic<T, 2> {
    let [from, to] = [[0.0, -4.0], [5.0, -1.0]].map(|place| place.map(T::from_f64));
    Nonic::point_to_point(from, to, T::from_f64(6.0)).expect("a path")
}

/// Follows a path to its last tick, then starts again.
fn follow<T: Entry, F, const N: usize, const M: usize, const U: usize>(
    begin: impl Fn() -> F,
    last: u64,
    recorder: &mut Recorder,
) where
    F: Feedforward<Base = T, Reference = Reference<T, N, M, U>>,
{
    let begin = || {
        let plan = begin();
        (plan.start().expect("a pose"), plan)
    };
    let ((mut state, mut plan), mut tick) = (begin(), 0);
    while recorder.wants_more() {
        let reference = plan.at(&mut state, tick).expect("a reference");
        let motion = (reference.velocity, reference.acceleration);
        recorder.record(&reference.position, &motion, &(reference.inputs, reference.multipliers));
        tick += 1;
        if tick > last {
            ((state, plan), tick) = (begin(), 0);
        }
    }
}
