//! Calls everything that a user calls to start and step semi-explicit and implicit systems, and mechanisms with massless parts, with input
//! that is unknown to the compiler.
//! It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use nalgebra::{matrix, vector};
use on_target::index::{Both, Connector};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::linalg::{Matrix, Vector};
use taut::method::{Bdf2, HalfExplicit, ImplicitEuler, RadauIia, Rattle, RungeKutta4, Step, SymplecticEuler};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, SemiExplicitState, Start};
use taut::system::{Implicit, Massless, SemiExplicit};

on_target::program!(every_form);

fn every_form() {
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let clock = clock.at_time(black_box(1e-3));
    reach(&Wheel::<1>, clock);
    reach(&Wheel::<2>, clock);
    reach_mixed(clock);
    reach_massless(clock);
    let _ = black_box(ImplicitState::given(&Circuit, clock, black_box([1.0, 0.2])));
    let Ok(mut state) = ImplicitState::start(&Circuit, clock, black_box([1.0, 0.2])) else { return };
    let _ = black_box(state.derivative(&Circuit));
    let _ = black_box(state.index(&Circuit).map(|pencil| (pencil.index(), pencil.dynamics(), *pencil.ranks())));
    state.clock_mut().set_epoch(black_box(0.25));
    let _ = black_box(ImplicitEuler::new().step(&Circuit, &mut state));
    let _ = black_box(RadauIia::order_three().step(&Circuit, &mut state));
    let _ = black_box(RadauIia::order_five().step(&Circuit, &mut state));
    let _ = black_box((state.rank(), state.clock().tick(), state.clock().time()));
}

#[inline(never)]
fn reach<System: SemiExplicit<2, 1, Base = f32>>(system: &System, clock: Clock<f32>) {
    let system = black_box(system);
    let _ =
        black_box(SemiExplicitState::given(system, clock, black_box([1.0, 0.0]), black_box([0.5]), black_box(1e-3)));
    let Ok(mut state) = SemiExplicitState::start(system, clock, black_box([1.0, 0.0]), black_box([0.5])) else {
        return;
    };
    state.clock_mut().set_epoch(black_box(0.25));
    let outcomes = [
        ImplicitEuler::new().step(system, &mut state),
        HalfExplicit::order_one().step(system, &mut state),
        HalfExplicit::order_four().step(system, &mut state),
        RungeKutta4::new().step(system, &mut state),
    ];
    let _ = black_box(outcomes);
    let _ = black_box(RadauIia::order_three().step(system, &mut state));
    let _ = black_box(RadauIia::order_five().step(system, &mut state));
    if let Ok(mut nodes) = Bdf2::new().begin_semi_explicit(system, state) {
        let _ = black_box(Bdf2::new().step(system, &mut nodes));
    }
}

/// A vector field that a steering wheel keeps on the circle, with the wheel as the unknown or given.
struct Wheel<const INDEX: usize>;

impl<const INDEX: usize> SemiExplicit<2, 1> for Wheel<INDEX> {
    type Base = f32;
    const INDEX: usize = INDEX;

    fn rate<S: Real<Base = f32>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        let (sin, cos) = (z.x * 2.5).sin_cos();
        vector![y.y * 0.7 + sin, y.x * 1.4 + cos]
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 1> {
        if INDEX == 2 { vector![y.dot(y) - S::one()] } else { vector![z.x - y.x * y.y - t] }
    }
}

#[inline(never)]
fn reach_mixed(clock: Clock<f32>) {
    let (both, y, z) = (Both::<f32>::new(), black_box([1.0, 0.0]), black_box([0.5, 0.5]));
    let _ = black_box(SemiExplicitState::given(&both, clock, y, z, black_box(1e-3)));
    let Ok(mut state) = SemiExplicitState::start(&both, clock, y, z) else { return };
    let outcomes = [ImplicitEuler::new().step(&both, &mut state), HalfExplicit::order_four().step(&both, &mut state)];
    let _ = black_box(outcomes);
    let _ = black_box(RadauIia::order_three().step(&both, &mut state));
}

#[inline(never)]
fn reach_massless(clock: Clock<f32>) {
    let Ok(system) = Massless::new(Connector { mass: black_box(0.0) }, black_box(1.0_f32)) else { return };
    let Ok(mut state) = Start::at(&system, clock, black_box([1.0, 0.0, 0.0])).at_rest() else { return };
    let outcomes = [
        Rattle::new().step(&system, &mut state),
        SymplecticEuler::new().step(&system, &mut state),
        RungeKutta4::new().step(&system, &mut state),
        HalfExplicit::order_two().step(&system, &mut state),
        ImplicitEuler::new().step(&system, &mut state),
        RadauIia::order_three().step(&system, &mut state),
    ];
    let _ = black_box(outcomes);
    let _ = black_box(state.multipliers(&system));
}

/// A capacitor in series with a resistor.
struct Circuit;

impl Implicit<2> for Circuit {
    type Base = f32;

    fn mass(&self) -> Matrix<f32, 2, 2> {
        black_box(matrix![1e-3, -1e-3; 0.0, 0.0])
    }
    fn force<S: Real<Base = f32>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        vector![u.y / 100.0, u.x - t.cos()]
    }
}
