//! The zeros of the two matrices that an inverse solves with, as constants.

use core::marker::PhantomData;

use super::actuated::Actuated;
use super::error::ControlError;
use crate::linalg::{Square, Vector};
use crate::scalar::{Real, Tracked};
use crate::system::Pattern;

/// [G; S]ᵀ: the gradients of the constraints and of the outputs, as columns.
pub(super) struct Gradients<System, const M: usize, const U: usize>(PhantomData<System>);

impl<System: Actuated<N, M, U>, const N: usize, const M: usize, const U: usize> Square<N> for Gradients<System, M, U> {
    const ENTRIES: [[bool; N]; N] = columns(System::PATTERN.entries(), System::OUTPUT_PATTERN.entries());
}

/// [B, Gᵀ]: the directions of the inputs and of the constraint forces, as columns.
pub(super) struct Directions<System, const M: usize, const U: usize>(PhantomData<System>);

impl<System: Actuated<N, M, U>, const N: usize, const M: usize, const U: usize> Square<N> for Directions<System, M, U> {
    const ENTRIES: [[bool; N]; N] = columns(System::ACTUATION_PATTERN.entries(), System::PATTERN.entries());
}

/// The rows of two patterns, one after the other, as columns.
const fn columns<const N: usize, const A: usize, const B: usize>(
    left: &[[bool; N]; A],
    right: &[[bool; N]; B],
) -> [[bool; N]; N] {
    let (mut entries, mut column) = ([[false; N]; N], 0);
    while column < N && column < A + B {
        let mut row = 0;
        while row < N {
            entries[row][column] = if column < A { left[column][row] } else { right[column - A][row] };
            row += 1;
        }
        column += 1;
    }
    entries
}

/// Refuses patterns that miss an entry at a position.
pub(super) fn check_patterns<System: Actuated<N, M, U>, const N: usize, const M: usize, const U: usize>(
    system: &System,
    q: &Vector<System::Base, N>,
) -> Result<(), ControlError<System::Base>> {
    let missed = |what, row, column| Err(ControlError::Pattern { what, row, column });
    if let Some((row, column)) = Pattern::missed(system, System::Base::constant(0.0), q) {
        return missed("constraint", row, column);
    }
    let variables = Tracked::variables(q.data.0[0]).into();
    let (outputs, actuation) = (system.output(&variables), system.actuation(&variables));
    for row in 0..U {
        for column in 0..N {
            if outputs[row].uses(column) && !System::OUTPUT_PATTERN.uses(row, column) {
                return missed("output", row, column);
            }
            // A force that depends on the position is zero in some positions only.
            let entry = actuation[(column, row)];
            let acts = entry.value() != System::Base::constant(0.0) || (0..N).any(|k| entry.uses(k));
            if acts && !System::ACTUATION_PATTERN.uses(row, column) {
                return missed("input", row, column);
            }
        }
    }
    Ok(())
}
