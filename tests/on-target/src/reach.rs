//! Whatever a user calls to start, project and step a mechanical system, with input that the compiler knows nothing about: for the programs
//! that link only if none of that can panic.

use core::hint::black_box;

use taut::linalg::{SymmetricFactors, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, RungeKutta4, RungeKutta8, StepSize, SymplecticEuler,
};
use taut::project::Projection;
use taut::start::{Start, State, check, resume};
use taut::system::{ConstantMass, Mechanical};

/// With independent constraints, and with constraints that may depend on each other.
pub fn reach<System, const N: usize, const M: usize>(system: &System, guess: [f32; N])
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
        RungeKutta8::with_step(size).step(system, state),
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
