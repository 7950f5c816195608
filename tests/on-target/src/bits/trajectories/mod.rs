//! Long runs of whole systems: the hash over positions, velocities and multipliers of every step.
//!
//! Another run is a line in one of the tables below, another system an implementation of `Example` besides.

mod examples;
mod general;
mod methods;
mod recorder;
mod servo;

use systems::{Chain, DoublePendulum, FourBar, Pendulum, Ring, SliderCrank, SphericalPendulum};
use taut::method::{Composition, HalfExplicit, ImplicitEuler, Rattle, RungeKutta4, StepSize, SymplecticEuler};
use taut::scalar::Float;
use taut::start::{Compensated, Plain, Precise, State};

use super::factorisations::Entry;
use crate::digits::Digits;
use examples::Example;
use general::{driven_pendulum, robot_arm};
use methods::Method;
pub use recorder::Limits;
use recorder::Recorder;

/// A run that is hashed.
pub struct Run {
    name: &'static str,
    /// What a step costs: instructions in single precision on a Cortex-M4F, the hash not included. Only how far the run
    /// goes depends on it, so that a digit or two are plenty; those of `cargo xtask methods` where it counts them.
    cost: u32,
    /// It makes no more steps than this, whatever the limits.
    most: u64,
    is_double: bool,
    make: fn(&mut Recorder),
}

/// Makes the runs, as far as the limits allow, and prints their hashes.
pub fn print_hashes(runs: &[Run], limits: Limits) {
    for run in runs {
        (run.make)(&mut Recorder::new(run.name, limits.steps(run)));
    }
}

/// One system with one method, in a plain state.
fn run<System, Way, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
{
    run_with::<System, Way, Plain, N, M>(recorder);
}

/// One system with one method, in a state of any precision.
#[inline(never)]
fn run_with<System, Way, P, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
    P: Digits,
{
    let system = System::system();
    let mut state = start::<System, P, N, M>(&system);
    let method = Way::with_step(StepSize::seconds(Float::from_f64(System::STEP)).expect("a step size"));
    while recorder.wants_more() {
        // A run that ended early would hash the same everywhere, and show nothing.
        let report = method.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}

/// Its stack is free again when the steps begin.
#[inline(never)]
fn start<System, P, const N: usize, const M: usize>(system: &System) -> State<System::Base, N, M, System::Factors, P>
where
    System: Example<N, M>,
    P: Digits,
{
    P::of(system.place()).moving(<System as Example<N, M>>::velocity()).expect("a start")
}

/// Rows for a scalar, none with more steps than this: what a step costs, the name, and what makes the run.
macro_rules! runs {
    ($float:ident, $most:expr; $($cost:literal $name:literal $make:expr;)*) => {
        &[$(Run {
            name: concat!(stringify!($float), " ", $name),
            cost: $cost,
            most: $most,
            is_double: size_of::<$float>() > size_of::<f32>(),
            make: $make,
        }),*]
    };
}

/// RATTLE with every system but the ring.
macro_rules! rattle {
    ($float:ident) => {
        runs! { $float, u64::MAX;
            150 "pendulum, RATTLE" run::<Pendulum<$float>, Rattle<$float>, 2, 1>;
            350 "double pendulum, RATTLE" run::<DoublePendulum<$float>, Rattle<$float>, 4, 2>;
            200 "spherical pendulum, RATTLE" run::<SphericalPendulum<$float>, Rattle<$float>, 3, 1>;
            400 "slider-crank, RATTLE" run::<SliderCrank<$float>, Rattle<$float>, 2, 1>;
            1_500 "chain of 4, RATTLE" run::<Chain<$float, 8, 4>, Rattle<$float>, 8, 4>;
            400 "pendulum, RATTLE, compensated" run_with::<Pendulum<$float>, Rattle<$float>, Compensated, 2, 1>;
            1_000 "pendulum, RATTLE, precise" run_with::<Pendulum<$float>, Rattle<$float>, Precise, 2, 1>;
            900 "double pendulum, RATTLE, compensated"
                run_with::<DoublePendulum<$float>, Rattle<$float>, Compensated, 4, 2>;
            2_500 "double pendulum, RATTLE, precise"
                run_with::<DoublePendulum<$float>, Rattle<$float>, Precise, 4, 2>;
            6_500 "four-bar, RATTLE" run::<FourBar<$float>, Rattle<$float>, 9, 8>;
        }
    };
}

/// The other methods. Half-explicit of order 1 gives a double pendulum so much energy that its steps fail after 11,000.
macro_rules! others {
    ($float:ident) => {
        runs! { $float, 10_000;
            130 "pendulum, symplectic Euler" run::<Pendulum<$float>, SymplecticEuler<$float>, 2, 1>;
            450 "pendulum, Suzuki" run::<Pendulum<$float>, Composition<$float, 5>, 2, 1>;
            750 "pendulum, Kahan–Li" run::<Pendulum<$float>, Composition<$float, 9>, 2, 1>;
            160 "pendulum, half-explicit 1" run::<Pendulum<$float>, HalfExplicit<$float, 1>, 2, 1>;
            230 "pendulum, half-explicit 2" run::<Pendulum<$float>, HalfExplicit<$float, 2>, 2, 1>;
            430 "pendulum, half-explicit 3" run::<Pendulum<$float>, HalfExplicit<$float, 3>, 2, 1>;
            800 "pendulum, half-explicit 4" run::<Pendulum<$float>, HalfExplicit<$float, 5>, 2, 1>;
            230 "pendulum, Runge–Kutta 4" run::<Pendulum<$float>, RungeKutta4<$float>, 2, 1>;
            700 "pendulum, implicit Euler" run::<Pendulum<$float>, ImplicitEuler<$float, 3>, 2, 1>;
            700 "pendulum, stabilised implicit Euler" run::<Pendulum<$float>, ImplicitEuler<$float, 3, true>, 2, 1>;
            350 "double pendulum, symplectic Euler" run::<DoublePendulum<$float>, SymplecticEuler<$float>, 4, 2>;
            1_300 "double pendulum, Suzuki" run::<DoublePendulum<$float>, Composition<$float, 5>, 4, 2>;
            2_100 "double pendulum, Kahan–Li" run::<DoublePendulum<$float>, Composition<$float, 9>, 4, 2>;
            600 "double pendulum, half-explicit 1" run::<DoublePendulum<$float>, HalfExplicit<$float, 1>, 4, 2>;
            1_000 "double pendulum, half-explicit 2" run::<DoublePendulum<$float>, HalfExplicit<$float, 2>, 4, 2>;
            1_400 "double pendulum, half-explicit 3" run::<DoublePendulum<$float>, HalfExplicit<$float, 3>, 4, 2>;
            2_300 "double pendulum, half-explicit 4" run::<DoublePendulum<$float>, HalfExplicit<$float, 5>, 4, 2>;
            800 "double pendulum, Runge–Kutta 4" run::<DoublePendulum<$float>, RungeKutta4<$float>, 4, 2>;
            7_000 "double pendulum, implicit Euler" run::<DoublePendulum<$float>, ImplicitEuler<$float, 3>, 4, 2>;
            7_000 "double pendulum, stabilised implicit Euler"
                run::<DoublePendulum<$float>, ImplicitEuler<$float, 3, true>, 4, 2>;
        }
    };
}

/// RATTLE in single precision.
#[inline]
pub fn rattle_f32() -> &'static [Run] {
    rattle!(f32)
}

/// Cranks that turn, with more digits than an `f32` has. Doubles have enough of their own, and the smallest machine no room.
#[inline]
pub fn turning_f32() -> &'static [Run] {
    runs! { f32, u64::MAX;
        1_200 "slider-crank, RATTLE, compensated" run_with::<SliderCrank<f32>, Rattle<f32>, Compensated, 2, 1>;
        3_000 "slider-crank, RATTLE, precise" run_with::<SliderCrank<f32>, Rattle<f32>, Precise, 2, 1>;
        9_000 "four-bar, RATTLE, compensated" run_with::<FourBar<f32>, Rattle<f32>, Compensated, 9, 8>;
        20_000 "four-bar, RATTLE, precise" run_with::<FourBar<f32>, Rattle<f32>, Precise, 9, 8>;
    }
}

/// RATTLE in double precision.
#[inline]
pub fn rattle_f64() -> &'static [Run] {
    rattle!(f64)
}

/// The ring in single precision: its start takes 60 KiB of stack.
#[inline]
pub fn ring_f32() -> &'static [Run] {
    runs! { f32, u64::MAX; 50_000 "ring, RATTLE" run::<Ring<f32>, Rattle<f32>, 18, 18>; }
}

/// The ring in double precision, for machines with room for it.
#[inline]
pub fn ring_f64() -> &'static [Run] {
    runs! { f64, u64::MAX; 50_000 "ring, RATTLE" run::<Ring<f64>, Rattle<f64>, 18, 18>; }
}

/// The other methods in single precision.
#[inline]
pub fn others_f32() -> &'static [Run] {
    others!(f32)
}

/// The other methods in double precision.
#[inline]
pub fn others_f64() -> &'static [Run] {
    others!(f64)
}

/// Servo constraints. The crane's load arrives after 6,000 ticks, the two masses after 1,000, the five-bar's tip never.
macro_rules! servo {
    ($float:ident) => {
        runs! { $float, 10_000;
            3_600 "five-bar, inverse dynamics" servo::five_bar::<$float>;
            9_000 "five-bar, closed loop" servo::five_bar_loop::<$float>;
            400 "two masses, flat output" servo::two_masses::<$float>;
            1_300 "crane, flat output" servo::crane::<$float>;
            1_600 "crane, projected" servo::projected_crane::<$float>;
        }
    };
}

/// Servo constraints in single and in double precision.
#[inline]
pub fn servo() -> [&'static [Run]; 2] {
    [servo!(f32), servo!(f64)]
}

/// Systems of the general forms.
macro_rules! general {
    ($float:ident) => {
        runs! { $float, 10_000;
            1_500 "driven pendulum, general implicit Euler" driven_pendulum::<$float>;
            2_000 "robot arm, half-explicit 1" robot_arm::<$float>;
        }
    };
}

/// Systems of the general forms in single and in double precision.
#[inline]
pub fn general() -> [&'static [Run]; 2] {
    [general!(f32), general!(f64)]
}
