//! Differential-algebraic systems y' = f, 0 = g of index 1 and 2.

use super::automatic::from_partials;
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Float, Real};

/// y' = f(t, y, z), 0 = g with `Y` differential and `Z` algebraic variables (Hairer, *Solving Differential Equations on
/// Manifolds*, IV.2):
///
/// | [`INDEX`](Self::INDEX) | constraint | condition | hidden constraint |
/// |---|---|---|---|
/// | 1 | 0 = g(t, y, z) | g_z regular | |
/// | 2 | 0 = g(t, y) | g_y f_z regular | g_y f + g_t = 0 |
///
/// A control that keeps a system on a path has index 2: z are the actuator inputs, g is the distance from the path.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::scalar::Real;
/// use taut::system::SemiExplicit;
///
/// /// A cart whose speed is steered so that it stays on sin t.
/// struct Cart;
/// impl SemiExplicit<1, 1> for Cart {
///     type Base = f64;
///     const INDEX: usize = 2;
///     fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![z[0] - y[0]]
///     }
///     fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![y[0] - t.sin()]
///     }
/// }
/// assert_eq!(Cart.algebraic_matrix(0.0, &vector![0.0], &vector![1.0])[0], 1.0); // g_y f_z
/// assert_eq!(Cart.hidden_constraint(0.0, &vector![0.0], &vector![1.0])[0], 0.0); // z − y − cos t
/// ```
pub trait SemiExplicit<const Y: usize, const Z: usize> {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// 1 or 2. With index 2 the constraint must not use z.
    const INDEX: usize;

    /// f(t, y, z): the rate of the differential variables.
    fn rate<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Y>;

    /// g(t, y, z), zero where the constraint holds.
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Z>;

    /// g_y f + g_t: the time derivative of a constraint that does not use z.
    fn hidden_constraint<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Z> {
        let rate = self.rate(t, y, z);
        let along = y.zip_map(&rate, |y, f| Dual::<S, 1, Self::Base>::new(y, [f]));
        let time = Dual::new(t, [S::one()]);
        self.constraint(time, &along, &z.map(Dual::constant)).map(|g| g.partials[0])
    }

    /// The matrix that must be regular: g_z for index 1, g_y f_z for index 2.
    fn algebraic_matrix(
        &self,
        t: Self::Base,
        y: &Vector<Self::Base, Y>,
        z: &Vector<Self::Base, Z>,
    ) -> Matrix<Self::Base, Z, Z> {
        from_partials(&self.algebraic(t, y, Dual::variables(z.data.0[0]).into()))
    }

    /// The equation that determines z for given y, with its derivative: g for index 1, the hidden constraint for index 2.
    #[doc(hidden)]
    #[inline]
    fn algebraic(
        &self,
        t: Self::Base,
        y: &Vector<Self::Base, Y>,
        z: Vector<Dual<Self::Base, Z>, Z>,
    ) -> Vector<Dual<Self::Base, Z>, Z> {
        const { assert!(Self::INDEX == 1 || Self::INDEX == 2, "the index is 1 or 2") };
        let (t, y) = (Dual::constant(t), y.map(Dual::constant));
        if Self::INDEX == 1 { self.constraint(t, &y, &z) } else { self.hidden_constraint(t, &y, &z) }
    }
}
