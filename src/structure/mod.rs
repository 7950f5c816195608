//! Which index does a model have? Which equations must be differentiated, and which initial values may be chosen?
//!
//! [`analyse`] answers with a table. It takes a [`mechanical`], [`semi_explicit`], [`implicit`], [`index_three`] or [`hessenberg`] system as it is
//! written, or any equations F(t, x, x', x'', …) = 0 as a [`Dae`].
//!
//! ```
//! use taut::structure::{analyse, mechanical};
//! # use mechanisms::Pendulum;
//!
//! let pendulum = Pendulum::<f64>::standard();
//! // At (0.6, −0.8) with the velocity (0.4, 0.3); the multiplier comes last.
//! let analysis = analyse(&mechanical(&pendulum), 0.0, &[&[0.6, -0.8, 0.0], &[0.4, 0.3, 0.0]]);
//! println!("{analysis}");
//! let structure = analysis.structure?;
//! assert_eq!(structure.differentiations, [0, 0, 2]); // the constraint, twice
//! assert_eq!(structure.free, [(0, 0), (0, 1)]); // x and x'
//! assert_eq!(analysis.array?.differentiations, 3); // index 3
//! # Ok::<(), taut::structure::StructureError>(())
//! ```
//!
//! # The two answers
//!
//! The [`Structure`] needs only which derivative of which unknown occurs in which equation, and one Jacobian (Mattsson and Söderlind, *Index
//! Reduction in Differential-Algebraic Equations Using Dummy Derivatives*). The model itself tells: it is evaluated with a scalar that records
//! orders. That is cheap, and says which equations to differentiate and which derivatives to replace by algebraic unknowns. It refuses
//! where the Jacobian is singular.
//!
//! The [`DerivativeArray`] differentiates all equations until u' follows from u (Hairer and Wanner, *Solving Ordinary Differential Equations
//! II*, VII.2, after Campbell and Moore). It decides by ranks at a consistent point, so it also answers where the structure cannot. Its work grows with
//! the cube of unknowns times index: use it up to some hundred equations.
//!
//! [`analyse`] leaves out constraints of a [`mechanical`] system that depend on others at the point, with their multipliers, which nothing
//! determines. Both analyses would refuse with them.
//!
//! Both hold at one point: at another one, a rank may be lower, and other unknowns may be the better choice.

mod analysis;
mod array;
mod elimination;
mod error;
mod forms;
mod kept;
mod offsets;
mod table;

use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

pub use analysis::Structure;
pub use array::DerivativeArray;
pub use error::StructureError;
pub use forms::{hessenberg, implicit, index_three, mechanical, semi_explicit};
pub use offsets::Block;

use kept::Kept;

use crate::scalar::{Float, Real};

/// Equations F(t, x, x', x'', …) = 0, as many as unknowns.
///
/// ```
/// use taut::scalar::Real;
/// use taut::structure::{Dae, Structure};
///
/// /// x' = y, y' = z, x = sin t: what force makes a mass follow a path?
/// struct Chain;
/// impl Dae for Chain {
///     type Base = f64;
///     fn size(&self) -> usize {
///         3
///     }
///     fn residual<S: Real<Base = f64>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
///         vec![x(0, 1) - x(1, 0), x(1, 1) - x(2, 0), x(0, 0) - t.sin()]
///     }
/// }
/// let structure = Structure::of(&Chain, 0.0, &[])?;
/// assert_eq!((structure.differentiations.as_slice(), structure.index()), ([1, 0, 2].as_slice(), 3));
/// assert!(structure.free.is_empty()); // nothing to choose
/// # Ok::<(), taut::structure::StructureError>(())
/// ```
pub trait Dae {
    /// The plain float of the parameters. The analysis computes in `f64`.
    type Base: Float;

    /// The number of unknowns.
    fn size(&self) -> usize;

    /// F: as many numbers as unknowns. `x(j, k)` is the derivative k of unknown j.
    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S>;

    /// The name of an equation.
    fn equation(&self, index: usize) -> String {
        format!("F[{index}]")
    }

    /// The name of an unknown.
    fn unknown(&self, index: usize) -> String {
        format!("x[{index}]")
    }

    /// The methods of this library that step the model in this form, if it has this index. `values` are those of the unknowns.
    fn fitting(&self, index: usize, _t: f64, _values: &[f64]) -> String {
        match index {
            0..=2 => "write it as SemiExplicit or Implicit, then radau_iia_5",
            3 => "write it as Mechanical or IndexThree, then radau_iia_5",
            _ => "none; replace dummy derivatives, which leaves index 1",
        }
        .to_string()
    }

    /// Equations that follow from others at these values, where the unknowns of the same numbers are not determined: [`analyse`] leaves both
    /// out.
    fn redundant(&self, _t: f64, _values: &[f64]) -> Vec<usize> {
        Vec::new()
    }
}

/// The answers of both analyses.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The equations that were left out because they depend on others, by name.
    pub redundant: Vec<String>,
    /// What follows from the structure.
    pub structure: Result<Structure, StructureError>,
    /// The derivative array that determines all rates.
    pub array: Result<DerivativeArray, StructureError>,
    /// The methods of this library that fit.
    pub methods: String,
}

impl Analysis {
    /// The differentiation index, or where that is unknown the structural one.
    pub fn index(&self) -> Option<usize> {
        let structural = || self.structure.as_ref().ok().map(Structure::index);
        self.array.as_ref().ok().map(|array| array.differentiations).or_else(structural)
    }
}

/// Analyses a model at a time, near a point: `point[k]` has the derivatives k of all unknowns; those not given are zero.
///
/// The point may be off the constraints: the derivative array finds consistent values near it, and the structure takes it as given.
pub fn analyse<System: Dae>(system: &System, t: f64, point: &[&[f64]]) -> Analysis {
    analyse_up_to(usize::MAX, system, t, point)
}

/// As [`analyse`], without the derivative array of a model with more unknowns than `largest`: that of a hundred takes minutes.
pub fn analyse_up_to<System: Dae>(largest: usize, system: &System, t: f64, point: &[&[f64]]) -> Analysis {
    let given = point.first().map_or_else(|| vec![0.0; system.size()], |given| given.to_vec());
    let redundant = values(system, t, point).map_or_else(|_| Vec::new(), |_| system.redundant(t, &given));
    let kept = Kept::without(system, &redundant);
    let point: Vec<Vec<f64>> = point.iter().map(|entries| kept.chosen(entries)).collect();
    let point: Vec<&[f64]> = point.iter().map(Vec::as_slice).collect();
    let structure = Structure::of(&kept, t, &point);
    let array = if kept.size() > largest {
        Err(StructureError::TooLarge { size: kept.size(), limit: largest })
    } else {
        DerivativeArray::least(&kept, t, &point)
    };
    let redundant = redundant.into_iter().map(|number| system.equation(number)).collect();
    let analysis = Analysis { redundant, structure, array, methods: String::new() };
    let methods = analysis.index().map_or("unknown".to_string(), |index| system.fitting(index, t, &given));
    Analysis { methods, ..analysis }
}

/// Checks a time and a point, and returns its numbers by unknown and derivative.
fn values<System: Dae>(
    system: &System,
    t: f64,
    point: &[&[f64]],
) -> Result<impl Fn(usize, usize) -> f64, StructureError> {
    if !Float::is_finite(t) {
        return Err(StructureError::NonFinitePoint { unknown: String::new() });
    }
    let unknowns = system.size();
    for (order, numbers) in point.iter().enumerate() {
        if numbers.len() != unknowns {
            return Err(StructureError::PointSize { order, given: numbers.len(), unknowns });
        }
        if let Some(j) = numbers.iter().position(|x| !Float::is_finite(*x)) {
            return Err(StructureError::NonFinitePoint { unknown: system.unknown(j) + &"'".repeat(order) });
        }
    }
    let numbers: Vec<Vec<f64>> = point.iter().map(|numbers| numbers.to_vec()).collect();
    Ok(move |unknown: usize, order: usize| numbers.get(order).map_or(0.0, |numbers| numbers[unknown]))
}
