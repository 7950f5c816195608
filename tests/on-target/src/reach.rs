//! Calls everything that a user calls to start, project and step a mechanical system, with input that is unknown to the compiler. The
//! programs that use it link only if none of that can panic.

use core::hint::black_box;
use core::num::NonZeroU64;

use taut::linalg::{SymmetricFactors, Vector};
use taut::method::{
    AnyMethod, Bdf2, Composition, ImplicitEuler, LocalRungeKutta4, Partitioned, RadauIia, Rattle, RungeKutta4, Step,
    every_method,
};
use taut::project::Projection;
use taut::start::{Clock, Compensated, Start, State, check, resume};
use taut::system::{ConstantMass, Mechanical};

/// Calls it all, for independent and for redundant constraints.
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
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let clock = clock.at_tick(black_box(7)).at_time(black_box(0.5));
    start(|| Start::at(system, clock, q), system, v);
    start(|| Start::at(system, clock, q).redundant(), system, v);
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
    begin: impl Fn() -> Start<'a, System, N, M, F>,
    system: &'a System,
    v: Vector<f32, N>,
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
    F: SymmetricFactors<f32, M>,
{
    let begin = || begin().limit(black_box(1e-3));
    let _ = black_box(begin().at_rest());
    let Ok(mut state) = begin().moving(v) else { return };
    let saved = black_box(state.save());
    let _ = black_box((saved.restore(system), saved.restore_redundant(system)));
    let clock = state.clock_mut();
    clock.set_epoch(black_box(0.25));
    let _ = black_box(clock.set_rate(black_box(500.0)));
    clock.set_period(NonZeroU64::new(black_box(70)));
    let _ = black_box((clock.tick(), clock.time(), clock.step()));
    let _ = black_box(state.multipliers(system));
    let _ = black_box(check(system, &state));
    let _ = black_box(resume(system, &mut state));
    steps(system, &mut state);
}

#[inline(never)]
fn steps<System, F, const N: usize, const M: usize>(system: &System, state: &mut State<f32, N, M, F>)
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
    F: SymmetricFactors<f32, M>,
{
    let mut step = |method: &AnyMethod<System, f32, N, M, F, Compensated>| {
        let outcome = black_box(method).step(system, state);
        let _ = black_box(outcome.map(|report| report.contraction()));
        let _ = black_box(method.make_consistent(system, state));
    };
    every_method(&mut step);
    step(&Rattle::new().iterations::<4>());
    step(&RungeKutta4::new().baumgarte(black_box(1.0), black_box(1.0)));
    step(&ImplicitEuler::new());
    step(&ImplicitEuler::velocity_level());
    step(&ImplicitEuler::acceleration_level());
    step(&RadauIia::order_three().without_projection());
    if let Ok(two_halves) = Composition::new("two_halves", black_box([0.5, 0.5])) {
        step(&two_halves);
    }
    let _ = black_box(LocalRungeKutta4::tangent().step(system, &mut state.clone()).is_ok());
    let mut partitioned = Partitioned::new(*state);
    let _ = black_box(LocalRungeKutta4::partitioned().step(system, &mut partitioned).is_ok());
    for bdf2 in [Bdf2::new().begin(system, *state), Bdf2::position_level().begin(system, *state)] {
        let Ok(mut nodes) = bdf2 else { continue };
        let _ = black_box(Bdf2::new().step(system, &mut nodes).is_ok());
        let _ = black_box(Bdf2::position_level().step(system, &mut nodes).is_ok());
    }
}
