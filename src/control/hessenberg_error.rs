//! Why a linear system in Hessenberg form is refused.

use core::fmt;

use crate::linalg::FactorError;
use crate::scalar::Float;

/// Why a linear system in Hessenberg form is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum HessenbergError<T> {
    /// Π is singular: the inputs do not determine the algebraic equations.
    Singular {
        /// The time.
        time: T,
        /// The first block, from zero, that the inputs do not reach with full rank.
        block: usize,
        /// The row of Π, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// A or a block of f has too few continuous derivatives.
    Derivatives {
        /// The block of f, from zero; `None` for A.
        block: Option<usize>,
        /// How many it has.
        given: usize,
        /// How many are needed.
        needed: usize,
    },
    /// An entry of A that Hessenberg form has as zero is not.
    Form {
        /// The time.
        time: T,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A is not constant.
    Varying {
        /// The row of an entry that depends on time.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// An entry of the boundary conditions is NaN or infinite, or so large that the square of the right-hand sides overflows.
    Argument {
        /// Which argument.
        what: &'static str,
        /// The row: the condition.
        row: usize,
        /// The column: the unknown; 0 for right-hand sides.
        column: usize,
    },
    /// An unknown is NaN or infinite, or a boundary condition of the run from it.
    NonFinite {
        /// The time.
        time: T,
        /// The unknown.
        index: usize,
    },
    /// The boundary conditions do not determine the solution.
    Boundary {
        /// How many free values they determine.
        determined: usize,
        /// How many there are.
        free: usize,
    },
    /// The boundary conditions contradict each other or the system.
    Contradictory {
        /// The norm of what is left of them.
        residual: T,
        /// The largest that is accepted.
        limit: T,
    },
}

impl<T: Float> fmt::Display for HessenbergError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Singular { time, block, cause } => {
                write!(f, "t = {time:e}: the inputs do not reach block {block}: {cause}")
            }
            Self::Derivatives { block, given, needed } => {
                match block {
                    Some(block) => write!(f, "block {block} of f")?,
                    None => f.write_str("A")?,
                }
                write!(f, " has {given} continuous derivatives, {needed} are needed")
            }
            Self::Form { time, row, column } => {
                write!(f, "t = {time:e}: the entry of row {row}, column {column} is not zero: not in Hessenberg form")
            }
            Self::Varying { row, column } => write!(f, "the entry of row {row}, column {column} depends on time"),
            Self::Argument { what, row, column } => {
                write!(f, "{what}: the entry of row {row}, column {column} is NaN, infinite or too large")
            }
            Self::NonFinite { time, index } => write!(f, "t = {time:e}: unknown {index} is NaN or infinite"),
            Self::Boundary { determined, free } => {
                write!(f, "the boundary conditions determine {determined} of {free} free values")
            }
            Self::Contradictory { residual, limit } => {
                write!(f, "no solution satisfies the boundary conditions: residual {residual:e}, limit {limit:e}")
            }
        }
    }
}

impl<T: Float> core::error::Error for HessenbergError<T> {}
