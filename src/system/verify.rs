//! Compares the hand-written parts of a model with its equations.

use core::fmt;

use num_traits::{One, Zero};

use super::automatic;
use super::equations::Equations;
use super::mechanical::Mechanical;
use crate::linalg::Vector;
use crate::scalar::{Dual, Float, Real};

/// A hand-written part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Claim {
    /// The entry (row, column) of [`Mechanical::jacobian`] or of [`Mechanical::equations`], or a [`PATTERN`](Mechanical::PATTERN) that claims
    /// that it is zero.
    Jacobian {
        /// The constraint.
        row: usize,
        /// The coordinate.
        column: usize,
    },
    /// [`Mechanical::time_derivative`], or `TIME_DEPENDENT = false`.
    TimeDerivative {
        /// The constraint.
        row: usize,
    },
    /// [`Mechanical::acceleration_terms`].
    AccelerationTerms {
        /// The constraint.
        row: usize,
    },
    /// The mass matrix of [`Mechanical::equations`].
    MassMatrix {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// The force of [`Mechanical::equations`].
    Force {
        /// The coordinate.
        row: usize,
    },
    /// `VELOCITY_DEPENDENT = false`: the derivative of a force with respect to a velocity.
    VelocityIndependence {
        /// The force.
        row: usize,
        /// The velocity.
        column: usize,
    },
}

/// A hand-written part that disagrees with the equations.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Discrepancy<T> {
    /// The part.
    pub claim: Claim,
    /// The hand-written number.
    pub by_hand: T,
    /// The number from the equations.
    pub automatic: T,
}

impl<T: Float> fmt::Display for Discrepancy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, by_hand, automatic } = self;
        write!(f, "{claim:?} is {by_hand:e} by hand, {automatic:e} from the equations; correct the hand-written part")
    }
}

impl<T: Float> core::error::Error for Discrepancy<T> {}

/// Compares every hand-written derivative, every claim of independence and [`Mechanical::equations`] with the functions that they stand
/// for, at one point.
///
/// Numbers agree if they differ by at most `tolerance` times the larger of one and their size. Call it in a test, at a few generic points:
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::system::{Claim, Diagonal, Mechanical, verify};
/// struct Pendulum;
///
/// impl Mechanical<2, 1> for Pendulum {
///     // …
/// #     type Base = f64;
/// #     type Mass = Diagonal<f64, 2>;
/// #     fn mass(&self) -> Diagonal<f64, 2> {
/// #         Diagonal::new([1.0; 2])
/// #     }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
/// #         vector![S::from(0.0), S::from(-9.81)]
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
/// #         vector![(q.dot(q) - 1.0) * 0.5]
/// #     }
///     fn jacobian(&self, _t: f64, q: &Vector<f64, 2>) -> Matrix<f64, 1, 2> {
///         matrix![q.x, -q.y] // a wrong sign
///     }
/// }
///
/// let wrong = verify(&Pendulum, 0.0, &vector![0.6, 0.8], &vector![1.0, 2.0], 1e-12).unwrap_err();
/// assert_eq!(wrong.claim, Claim::Jacobian { row: 0, column: 1 });
/// assert_eq!(
///     wrong.to_string(),
///     "Jacobian { row: 0, column: 1 } is -8e-1 by hand, 8e-1 from the equations; correct the hand-written part"
/// );
/// ```
pub fn verify<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
    t: System::Base,
    q: &Vector<System::Base, N>,
    v: &Vector<System::Base, N>,
    tolerance: System::Base,
) -> Result<(), Discrepancy<System::Base>> {
    let compare = |claim, by_hand: System::Base, automatic: System::Base| {
        let one = System::Base::one();
        let scale = if automatic.abs() > one { automatic.abs() } else { one };
        let agrees = (by_hand - automatic).abs() <= tolerance * scale;
        if agrees { Ok(()) } else { Err(Discrepancy { claim, by_hand, automatic }) }
    };

    let (here, from_equations) = (system.equations(t, q), automatic::jacobian(system, t, q));
    for by_hand in [system.jacobian(t, q), here.jacobian()] {
        for row in 0..M {
            for column in 0..N {
                let uses = System::PATTERN.uses(row, column);
                let entry = if uses { by_hand[(row, column)] } else { System::Base::zero() };
                compare(Claim::Jacobian { row, column }, entry, from_equations[(row, column)])?;
            }
        }
    }

    let by_hand = if System::TIME_DEPENDENT { system.time_derivative(t, q) } else { Vector::zeros() };
    let from_equations = automatic::time_derivative(system, t, q);
    for row in 0..M {
        compare(Claim::TimeDerivative { row }, by_hand[row], from_equations[row])?;
    }

    let from_equations = automatic::acceleration_terms(system, t, q, v);
    for by_hand in [system.acceleration_terms(t, q, v), here.acceleration_terms(v)] {
        for row in 0..M {
            compare(Claim::AccelerationTerms { row }, by_hand[row], from_equations[row])?;
        }
    }

    let (shared, separate) = (here.mass_matrix(), system.mass_matrix(q));
    let (force, separate_force) = (here.force(v), system.force(t, q, v));
    for row in 0..N {
        compare(Claim::Force { row }, force[row], separate_force[row])?;
        for column in 0..N {
            compare(Claim::MassMatrix { row, column }, shared[(row, column)], separate[(row, column)])?;
        }
    }

    if !System::VELOCITY_DEPENDENT {
        let variables = Vector::from(Dual::variables(v.data.0[0]));
        let force = system.force(Dual::<_, N>::constant(t), &q.map(Dual::constant), &variables);
        for row in 0..N {
            for column in 0..N {
                let slope = force[row].partials[column];
                compare(Claim::VelocityIndependence { row, column }, System::Base::zero(), slope)?;
            }
        }
    }
    Ok(())
}
