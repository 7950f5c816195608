//! Servo constraints: the references of every tick.

use nalgebra::vector;
use systems::{Crane, FiveBar};
use taut::control::{Feedforward, FlatInverse, InverseDynamics, ProjectedInverse};
use taut::trajectory::{Circle, Nonic};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// A tick in seconds.
const TICK: f64 = 1e-3;

/// The five-bar's tip round and round its circle, twice a second.
#[inline(never)]
pub fn five_bar<T: Entry>(recorder: &mut Recorder) {
    let [radius, height, h] = [0.03, 0.17, TICK].map(T::from_f64);
    let linkage = FiveBar::<T>::standard();
    let circle = Circle::around([T::zero(), height], radius, 2, 1_000, h).expect("a circle");
    let guess = linkage.elbows_out(vector![radius, height]);
    follow(InverseDynamics::new(linkage, circle, h, guess).expect("a pose"), recorder);
}

/// The crane's load by 5 m and up by 3 m, by its flat output.
#[inline(never)]
pub fn crane<T: Entry>(recorder: &mut Recorder) {
    let feedforward = FlatInverse::new(Crane::standard(), lift(), T::from_f64(TICK));
    follow(feedforward.expect("a configuration"), recorder);
}

/// The same, by implicit Euler.
#[inline(never)]
pub fn projected_crane<T: Entry>(recorder: &mut Recorder) {
    let feedforward = ProjectedInverse::new(Crane::standard(), lift(), T::from_f64(TICK));
    follow(feedforward.expect("a configuration"), recorder);
}

/// 5 c₉(t/6), −4 + 3 c₉(t/6).
fn lift<T: Entry>() -> Nonic<T, 2> {
    let [from, to] = [[0.0, -4.0], [5.0, -1.0]].map(|place| place.map(T::from_f64));
    Nonic::point_to_point(from, to, T::from_f64(6.0)).expect("a path")
}

fn follow<F, const N: usize, const M: usize, const U: usize>(mut feedforward: F, recorder: &mut Recorder)
where
    F: Feedforward<N, M, U, Base: Entry>,
{
    let mut tick = 0;
    while recorder.wants_more() {
        let reference = feedforward.at(tick).expect("a reference");
        let motion = (reference.velocity, reference.acceleration);
        recorder.record(&reference.position, &motion, &(reference.inputs, reference.multipliers));
        tick += 1;
    }
}
