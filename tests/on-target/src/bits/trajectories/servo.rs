//! Servo constraints: the references of every tick, and a loop that is closed around them.

use nalgebra::vector;
use systems::{Crane, FiveBar, TwoMasses};
use taut::control::{
    Actuators, ComputedTorque, Feedforward, FlatInverse, InverseDynamics, Plant, ProjectedInverse, Sensor, Tracking,
    Watch,
};
use taut::method::RungeKutta4;
use taut::start::Start;
use taut::trajectory::{Circle, Nonic};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// A tick in seconds.
const TICK: f64 = 1e-3;

/// The five-bar's tip round and round its circle, twice a second.
#[inline(never)]
pub fn five_bar<T: Entry>(recorder: &mut Recorder) {
    follow(round::<T>, u64::MAX, recorder);
}

/// Inverse dynamics of the tip on its circle.
fn round<T: Entry>() -> InverseDynamics<FiveBar<T>, Circle<T, 2>, T, 4, 2, 2> {
    let [radius, height, h] = [0.03, 0.17, TICK].map(T::from_f64);
    let linkage = FiveBar::<T>::standard();
    let circle = Circle::around([T::zero(), height], radius, 2, 1_000, h).expect("a circle");
    let guess = linkage.elbows_out(vector![radius, height]);
    InverseDynamics::new(linkage, circle, h, guess).expect("a pose")
}

/// The same in a closed loop, with a heavier tip than the model has, and encoders of 12 bits with noise.
#[inline(never)]
pub fn five_bar_loop<T: Entry>(recorder: &mut Recorder) {
    let (linkage, mut feedforward, h) = (FiveBar::<T>::standard(), round(), T::from_f64(TICK));
    let heavy = FiveBar { tip_mass: T::from_f64(0.105), ..linkage };
    let first = feedforward.at(0).expect("a reference");
    let state = Start::at(&heavy, first.position).moving(first.velocity).expect("a start");
    let method = RungeKutta4::at_rate(T::from_f64(1_000.0)).expect("a rate");
    let sensors = [Sensor::bits_per_turn(12).with_noise(T::from_f64(5e-4)); 2];
    let mut plant = Plant::new(heavy, state, method).sensors(sensors).seed(1);
    let law = ComputedTorque::<T, 4, 2, 2>::new([T::from_f64(60.0); 2], h, T::from_f64(300.0)).expect("a controller");
    let motors = Actuators::new([T::one(); 2], [T::from_f64(500.0); 2], h).expect("motors");
    let tracking = Tracking::new(linkage, feedforward, law, motors, Watch::standard(), 0);
    let mut tracking = tracking.expect("a loop");
    while recorder.wants_more() {
        let report = tracking.tick(&mut plant).expect("a tick");
        assert!(report.fault.is_none(), "follows");
        plant.tick().expect("a machine that goes on");
        recorder.record(plant.state().position(), plant.state().velocity(), &(report.efforts, report.errors));
    }
}

/// The two masses, by half a metre in a second, by their flat output; again and again.
#[inline(never)]
pub fn two_masses<T: Entry>(recorder: &mut Recorder) {
    let push = || Nonic::point_to_point([T::zero()], [T::from_f64(0.5)], T::one()).expect("a path");
    let feedforward = || FlatInverse::new(TwoMasses::standard(), push(), T::from_f64(TICK));
    follow(|| feedforward().expect("a configuration"), 1_000, recorder);
}

/// The crane's load by 5 m and up by 3 m, by its flat output; again and again.
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

/// Follows a path to its last tick, and begins again.
fn follow<F, const N: usize, const M: usize, const U: usize>(begin: impl Fn() -> F, last: u64, recorder: &mut Recorder)
where
    F: Feedforward<N, M, U, Base: Entry>,
{
    let (mut feedforward, mut tick) = (begin(), 0);
    while recorder.wants_more() {
        let reference = feedforward.at(tick).expect("a reference");
        let motion = (reference.velocity, reference.acceleration);
        recorder.record(&reference.position, &motion, &(reference.inputs, reference.multipliers));
        tick += 1;
        if tick > last {
            (feedforward, tick) = (begin(), 0);
        }
    }
}
