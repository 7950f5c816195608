//! A plain state has no low parts and takes no memory for them. The budgets of `tests/on-target` check that it takes no instructions for
//! them either.

use taut::linalg::{Ldlt, Matrix, Semidefinite, Vector};
use taut::start::{Compensated, Coordinates, Plain, Precise, Precision, State};

/// Coordinates and constraints of the double pendulum.
const N: usize = 4;
const M: usize = 2;

fn state<F, P: Precision>() -> usize {
    size_of::<State<f32, N, M, F, P>>()
}

/// The parts of every state: positions, velocities and whole turns, M⁻¹ Gᵀ with the factors, limits and multipliers of the constraints in three
/// vectors, a limit for all, and the clock with its three counts, the origin, five numbers of the step and the weight of the multipliers, in
/// whole words of the tick.
fn parts<F>() -> usize {
    let coordinates = 2 * size_of::<Vector<f32, N>>() + size_of::<[i32; N]>();
    let geometry = size_of::<Matrix<f32, N, M>>() + size_of::<F>();
    let constraints = 3 * size_of::<Vector<f32, M>>() + size_of::<f32>();
    let clock = aligned(3 * size_of::<u64>() + 7 * size_of::<f32>());
    coordinates + geometry + constraints + clock
}

/// Rounded up to whole words of the tick.
fn aligned(bytes: usize) -> usize {
    bytes.next_multiple_of(align_of::<u64>())
}

#[test]
fn a_plain_state_has_no_low_parts() {
    assert_eq!(state::<Ldlt<f32, M>, Plain>(), aligned(parts::<Ldlt<f32, M>>()));
    assert_eq!(state::<Semidefinite<f32, M>, Plain>(), aligned(parts::<Semidefinite<f32, M>>()));
    assert_eq!(size_of::<Coordinates<f32, N, Plain>>(), size_of::<[f32; N]>());
}

#[test]
fn other_states_add_low_parts_and_the_last_residual() {
    let low = 2 * size_of::<[f32; N]>() + size_of::<[f32; M]>();
    let expected = aligned(parts::<Ldlt<f32, M>>() + low);
    assert_eq!([state::<Ldlt<f32, M>, Compensated>(), state::<Ldlt<f32, M>, Precise>()], [expected; 2]);
    for size in [size_of::<Coordinates<f32, N, Compensated>>(), size_of::<Coordinates<f32, N, Precise>>()] {
        assert_eq!(size, 2 * size_of::<[f32; N]>());
    }
}
