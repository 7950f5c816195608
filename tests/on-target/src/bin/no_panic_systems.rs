//! Calls everything that a user calls to start, project and step a small system, with input that is unknown to the compiler. It links
//! only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{ByHand, DoublePendulum, Pendulum, StiffActuator};
use nalgebra::vector;
use on_target::general::General;
use on_target::reach::reach;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::linalg::Vector;
use taut::method::{ImplicitEuler, RadauIia, Step};
use taut::project::{Invariant, onto_invariant};
use taut::scalar::Real;
use taut::start::{Clock, IndexThreeState};
use taut::system::IndexThree;

on_target::program!(every_system);

fn every_system() {
    reach(&Pendulum::standard(), [1.0, 0.0]);
    reach(&ByHand(Pendulum::standard()), [1.0, 0.0]);
    reach(&DoublePendulum::standard(), [1.0, 0.0, 2.0, 0.0]);
    reach(&ByHand(DoublePendulum::standard()), [1.0, 0.0, 2.0, 0.0]);
    // Its force uses the velocity.
    reach(&StiffActuator::new(), [0.0, -1.0]);
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
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let Ok(mut state) = IndexThreeState::start(system, clock, black_box(p), black_box([0.0; N])) else { return };
    let _ = black_box(ImplicitEuler::new().make_consistent(system, &mut state));
    let _ = black_box(ImplicitEuler::new().step(system, &mut state));
    let _ = black_box(RadauIia::order_three().step(system, &mut state));
    let _ = black_box(RadauIia::order_five().step(system, &mut state));
    let _ = black_box(state.multipliers(system));
}

/// The unit length of a quaternion.
struct Unit;

impl Invariant<4, 1> for Unit {
    type Base = f32;

    fn residual<S: Real<Base = f32>>(&self, y: &Vector<S, 4>) -> Vector<S, 1> {
        vector![(y.dot(y) - S::one()) * 0.5]
    }
}
