//! Reaches whatever a user calls to start, project and step a system, with input that the compiler knows nothing about. It
//! links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use nalgebra::vector;
use on_target::general::General;
#[cfg(target_os = "none")]
use panic_never as _;
use systems::{ByHand, Chain, DoublePendulum, FourBar, Pendulum};
use taut::linalg::{SymmetricFactors, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, ImplicitEulerGeneral, Rattle, RungeKutta4, StepSize, SymplecticEuler,
};
use taut::project::{Invariant, Projection, onto_invariant};
use taut::scalar::Real;
use taut::start::{IndexThreeState, Start, State, check, resume};
use taut::system::{ConstantMass, IndexThree, Mechanical};

on_target::program!(every_system);

fn every_system() {
    reach(&Pendulum::standard(), [1.0, 0.0]);
    reach(&ByHand(Pendulum::standard()), [1.0, 0.0]);
    reach(&DoublePendulum::standard(), [1.0, 0.0, 2.0, 0.0]);
    reach(&ByHand(DoublePendulum::standard()), [1.0, 0.0, 2.0, 0.0]);
    reach(&FourBar::standard(), FourBar::guess());
    reach(&Chain::<f32, 8, 4>::standard(), Chain::<f32, 8, 4>::position());
    general(&General(Pendulum::standard()), [1.0, 0.0]);
    general(&General(DoublePendulum::standard()), [1.0, 0.0, 2.0, 0.0]);
    let _ = black_box(onto_invariant(&Unit, &black_box(vector![0.5, 0.5, 0.5, 0.501]), black_box(2)));
}

/// A system of the general form of index 3.
#[inline(never)]
fn general<System, const N: usize, const M: usize>(system: &System, p: [f32; N])
where
    System: IndexThree<N, N, M, Base = f32>,
{
    let system = black_box(system);
    let Ok(mut state) = IndexThreeState::start(system, black_box(0.0), black_box(p), black_box([0.0; N])) else {
        return;
    };
    let Ok(size) = StepSize::seconds(black_box(1e-3)) else { return };
    let euler = ImplicitEulerGeneral::with_step(size);
    let _ = black_box(euler.make_consistent(system, &mut state));
    let _ = black_box(euler.step(system, &mut state));
}

/// The unit length of a quaternion.
struct Unit;

impl Invariant<4, 1> for Unit {
    type Base = f32;

    fn residual<S: Real<Base = f32>>(&self, y: &Vector<S, 4>) -> Vector<S, 1> {
        vector![(y.dot(y) - S::one()) * 0.5]
    }
}

/// With independent constraints, and with constraints that may depend on each other.
fn reach<System, const N: usize, const M: usize>(system: &System, guess: [f32; N])
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    let system = black_box(system);
    let q = Vector::from(black_box(guess));
    let v = black_box(Vector::zeros());
    project(system, &Projection::new(), &q, &v);
    project(system, &Projection::redundant(), &q, &v);
    start(|| Start::at(system, q), system, v);
    start(|| Start::at(system, q).redundant(), system, v);
}

#[inline(never)]
fn project<System, F, const N: usize, const M: usize>(
    system: &System,
    projection: &Projection<f32, M, F>,
    q: &Vector<f32, N>,
    v: &Vector<f32, N>,
) where
    System: Mechanical<N, M, Base = f32>,
    F: SymmetricFactors<f32, M>,
{
    let projection = projection.iterations(black_box(2)).limit(black_box(1e-3));
    let t = black_box(0.0);
    let _ = black_box(projection.onto_positions(system, t, q));
    let _ = black_box(projection.onto_velocities(system, t, q, v));
}

#[inline(never)]
fn start<'a, System, F, const N: usize, const M: usize>(
    begin: impl Fn() -> Start<'a, System, f32, N, M, F>,
    system: &'a System,
    v: Vector<f32, N>,
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
    F: SymmetricFactors<f32, M>,
{
    let h = black_box(1e-3);
    let begin = || begin().at_tick(black_box(7)).at_time(black_box(0.5)).limit(black_box(1e-3));
    let _ = black_box(begin().at_rest());
    let _ = black_box(begin().unchanged(h));
    let Ok(mut state) = begin().moving(v) else { return };
    let _ = black_box(Start::restore(system, &black_box(state.save())).unchanged(h));
    state.set_epoch(black_box(0.25));
    let _ = black_box(check(system, &state, h));
    let _ = black_box(resume(system, &mut state, h));
    steps(system, &mut state, h);
}

#[inline(never)]
fn steps<System, F, const N: usize, const M: usize>(system: &System, state: &mut State<f32, N, M, F>, h: f32)
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
    F: SymmetricFactors<f32, M>,
{
    let Ok(size) = StepSize::seconds(h) else { return };
    let outcomes = [
        Rattle::with_step(size).step(system, state),
        Rattle::with_step(size).iterations::<4>().step(system, state),
        SymplecticEuler::with_step(size).step(system, state),
        Composition::suzuki(size).step(system, state),
        Composition::kahan_li(size).step(system, state),
        HalfExplicit::order_one(size).step(system, state),
        HalfExplicit::order_two(size).step(system, state),
        HalfExplicit::order_three(size).step(system, state),
        HalfExplicit::order_four(size).step(system, state),
        RungeKutta4::with_step(size).step(system, state),
        RungeKutta4::with_step(size).baumgarte(black_box(1.0), black_box(1.0)).step(system, state),
        ImplicitEuler::position_level(size).step(system, state),
        ImplicitEuler::velocity_level(size).step(system, state),
        ImplicitEuler::acceleration_level(size).step(system, state),
        ImplicitEuler::position_level(size).projecting_velocities().step(system, state),
    ];
    let _ = black_box(ImplicitEuler::position_level(size).make_consistent(system, state));
    for outcome in black_box(outcomes) {
        let _ = black_box(outcome.map(|report| report.contraction()));
    }
}
