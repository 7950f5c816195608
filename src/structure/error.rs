//! Why an analysis has no answer.

use core::fmt;
use std::string::String;
use std::vec::Vec;

/// Why an analysis has no answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StructureError {
    /// The model has not as many equations as unknowns.
    NotSquare {
        /// The number of equations.
        equations: usize,
        /// The number of unknowns.
        unknowns: usize,
    },
    /// The point has not as many numbers as the model has unknowns.
    PointSize {
        /// The derivative.
        order: usize,
        /// The numbers given.
        given: usize,
        /// The number of unknowns.
        unknowns: usize,
    },
    /// The time, or a number of the point, is NaN or infinite; the time has no name.
    NonFinitePoint {
        /// The unknown, with its derivative.
        unknown: String,
    },
    /// At the point, an equation or its derivative is NaN or infinite.
    NonFinite {
        /// The equation.
        equation: String,
    },
    /// The model is too large for this analysis.
    TooLarge {
        /// Its unknowns, derivatives or equations.
        size: usize,
        /// How many of them are possible.
        limit: usize,
    },
    /// Some equations use fewer unknowns than they are, so that they contradict or repeat each other.
    TooFewUnknowns {
        /// The equations.
        equations: Vec<String>,
        /// The unknowns that they use.
        unknowns: Vec<String>,
    },
    /// The Jacobian of the highest derivatives is singular at the point, so that the structure does not tell the index.
    Singular {
        /// The equations of the singular block, as often differentiated as the structure says.
        equations: Vec<String>,
        /// The rank of the block.
        rank: usize,
    },
    /// No consistent values were found near the guess.
    NotConverged {
        /// The largest residual of the derivative array.
        residual: f64,
    },
    /// The differentiated equations do not determine all rates.
    NotDetermined {
        /// How often the equations were differentiated.
        differentiations: usize,
        /// Unknowns whose rates would have to be known as well.
        unknowns: Vec<String>,
    },
}

impl fmt::Display for StructureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSquare { equations, unknowns } => {
                write!(f, "the model has {equations} equations for {unknowns} unknowns; they must be as many")
            }
            Self::PointSize { order, given, unknowns } => {
                write!(f, "{given} numbers for derivative {order} of {unknowns} unknowns; give one for each")
            }
            Self::NonFinitePoint { unknown } if unknown.is_empty() => f.write_str("the time is NaN or infinite"),
            Self::NonFinitePoint { unknown } => write!(f, "{unknown} of the point is NaN or infinite"),
            Self::NonFinite { equation } => {
                write!(f, "{equation} or its derivative is NaN or infinite at the point; choose another point")
            }
            Self::TooLarge { size, limit } => write!(f, "the model is too large: {size}, and at most {limit} fit"),
            Self::TooFewUnknowns { equations, unknowns } => {
                let (left, right) = (equations.join(", "), unknowns.join(", "));
                write!(f, "{} equations for {} unknowns: {left} use only {right}", equations.len(), unknowns.len())
            }
            Self::Singular { equations, rank } => {
                let (names, size) = (equations.join(", "), equations.len());
                write!(f, "the Jacobian of the highest derivatives is singular: {names} have rank {rank} of {size}")
            }
            Self::NotConverged { residual } => {
                write!(f, "no consistent values near the guess: a residual of {residual:e} is left")
            }
            Self::NotDetermined { differentiations, unknowns } => {
                let names = unknowns.join(", ");
                write!(f, "after {differentiations} differentiations the rates of {names} are still free")
            }
        }
    }
}

impl core::error::Error for StructureError {}
