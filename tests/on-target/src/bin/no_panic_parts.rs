//! Builds, starts and steps mechanisms from lists of parts, most kinds of parts among them, with parameters that are unknown to the
//! compiler. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::parts;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::{Clock, Start};
use taut::system::ConstantMass;

on_target::program!(every_part);

fn every_part() {
    step(&parts::Pendulum::new());
    step(&parts::FourBar::new());
    step(&parts::SprungSlider::new());
    step(&parts::Pantograph::new());
    step(&parts::HeavyTop::new());
    step(&parts::SpatialFourBar::new());
    turn(&parts::Ankle::new());
    turn(&parts::FourBarAngles::new());
    turn(&parts::GearedFiveBar::new());
    turn(&parts::ConnectedPendulums::new());
    turn(&parts::Plate::new());
    turn(&parts::Scara::new());
    turn(&parts::Delta::new());
}

/// With a constant mass.
#[inline(never)]
fn step<L: List<N, M, Base = f32, Mass: ConstantMass<f32, N>>, const N: usize, const M: usize>(list: &L) {
    let Ok(mechanism) = Mechanism::build(black_box(list)) else { return };
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let Ok(mut state) = Start::at(&mechanism, clock, mechanism.assembled()).at_rest() else { return };
    let _ = black_box(Rattle::new().step(&mechanism, &mut state));
    watch(&mechanism);
    turn(list);
}

/// With any mass.
#[inline(never)]
fn turn<L: List<N, M, Base = f32>, const N: usize, const M: usize>(list: &L) {
    let Ok(mechanism) = Mechanism::build(black_box(list)) else { return };
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let Ok(mut state) = Start::at(&mechanism, clock, mechanism.assembled()).plain().at_rest() else { return };
    let _ = black_box(RungeKutta4::new().step(&mechanism, &mut state));
    watch(&mechanism);
}

/// Names, energies and shapes.
#[inline(never)]
fn watch<L: List<N, M, Base = f32>, const N: usize, const M: usize>(mechanism: &Mechanism<L, N, M>) {
    let (q, v) = (black_box(mechanism.assembled()), black_box(mechanism.assembled()));
    let energy = mechanism.kinetic_energy(&q, &v) + mechanism.potential_energy(&q);
    let names = [mechanism.part_of_constraint(black_box(1)), mechanism.part_of_coordinate(black_box(2))];
    mechanism.shapes(&q, |name, shape| {
        black_box((name, shape));
    });
    black_box((energy, names));
}
