//! A more general form of index 3: the multipliers need not act along the gradients of the constraint.

use super::automatic::from_partials;
use crate::linalg::{Matrix, Vector, product_of};
use crate::scalar::{Dual, Float, Real};

/// p' = U(t, q), q' = F(t, p, q) + G(t, p, q) Λ, 0 = R(t, p), with `P` positions, `Q` velocities and `S` multipliers
/// (Arévalo, (4.1)). It has index 3 if R_p U_q G is regular.
///
/// Note the sign: multipliers are added, as in the source. In [`Mechanical`](super::Mechanical) they are subtracted.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::{Matrix, Vector};
/// use taut::scalar::Real;
/// use taut::system::IndexThree;
///
/// /// A cart that a force moves along a prescribed path p = sin t.
/// struct Servo;
/// impl IndexThree<1, 1, 1> for Servo {
///     type Base = f64;
///     fn rate<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
///         *q
///     }
///     fn force<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, q: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![q[0] * -0.1] // friction
///     }
///     fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
///         matrix![S::from(2.0)] // a mass of 1/2
///     }
///     fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![p[0] - t.sin()]
///     }
/// }
/// ```
pub trait IndexThree<const P: usize, const Q: usize, const S: usize> {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// U(t, q): the rate of the positions.
    fn rate<R: Real<Base = Self::Base>>(&self, t: R, q: &Vector<R, Q>) -> Vector<R, P>;

    /// F(t, p, q): the accelerations without multipliers.
    fn force<R: Real<Base = Self::Base>>(&self, t: R, p: &Vector<R, P>, q: &Vector<R, Q>) -> Vector<R, Q>;

    /// G(t, p, q): the accelerations per multiplier.
    fn coupling<R: Real<Base = Self::Base>>(&self, t: R, p: &Vector<R, P>, q: &Vector<R, Q>) -> Matrix<R, Q, S>;

    /// R(t, p), zero where the constraint holds.
    fn constraint<R: Real<Base = Self::Base>>(&self, t: R, p: &Vector<R, P>) -> Vector<R, S>;

    /// R_p U_q G: the second derivative of the constraint per multiplier. It must be regular. Automatic.
    fn multiplier_matrix(
        &self,
        t: Self::Base,
        p: &Vector<Self::Base, P>,
        q: &Vector<Self::Base, Q>,
    ) -> Matrix<Self::Base, S, S> {
        // R along the partial derivatives of U.
        let time = Dual::<Self::Base, Q>::constant(t);
        let variables = Vector::from(Dual::variables(q.data.0[0]));
        let along = self.rate(time, &variables).zip_map(p, |u, p| Dual::new(p, u.partials));
        product_of(&from_partials(&self.constraint(time, &along)), &self.coupling(t, p, q))
    }
}
