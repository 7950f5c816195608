//! The equations of motion at one configuration.

use super::mechanical::Mechanical;
use crate::linalg::{Matrix, Vector};

/// The equations of a system at one time and position: what [`Mechanical::equations`] returns.
///
/// A model with angles evaluates their sines when it is made, and each function uses them. By default the functions call those of the
/// model, and share nothing.
///
/// ```
/// use nalgebra::vector;
/// use mechanisms::FiveBar;
/// use taut::system::{Equations, Mechanical};
///
/// let linkage = FiveBar::<f64>::standard();
/// let (q, v) = (linkage.elbows_out([0.03, 0.17].into()), vector![1.0, -2.0, 0.1, 0.2]);
/// let here = linkage.equations(0.0, &q); // two sines and cosines, for all that follows
/// assert_eq!(here.jacobian(), linkage.jacobian(0.0, &q));
/// assert_eq!(here.force(&v), linkage.force(0.0, &q, &v));
/// ```
pub trait Equations<T, const N: usize, const M: usize> {
    /// M(q), as [`Mechanical::mass_matrix`]. Called only if the mass varies.
    fn mass_matrix(&self) -> Matrix<T, N, N>;

    /// f(t, q, v), as [`Mechanical::force`].
    fn force(&self, v: &Vector<T, N>) -> Vector<T, N>;

    /// G(t, q), as [`Mechanical::jacobian`].
    fn jacobian(&self) -> Matrix<T, M, N>;

    /// g_qq(v, v) + 2 g_qt v + g_tt, as [`Mechanical::acceleration_terms`].
    fn acceleration_terms(&self, v: &Vector<T, N>) -> Vector<T, M>;
}

/// Calls the functions of the model: the default.
pub(super) struct Separate<'a, System: Mechanical<N, M>, const N: usize, const M: usize> {
    pub(super) system: &'a System,
    pub(super) t: System::Base,
    pub(super) q: &'a Vector<System::Base, N>,
}

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Equations<System::Base, N, M>
    for Separate<'_, System, N, M>
{
    #[inline(always)]
    fn mass_matrix(&self) -> Matrix<System::Base, N, N> {
        self.system.mass_matrix_at(self.t, self.q)
    }

    #[inline(always)]
    fn force(&self, v: &Vector<System::Base, N>) -> Vector<System::Base, N> {
        self.system.force(self.t, self.q, v)
    }

    #[inline(always)]
    fn jacobian(&self) -> Matrix<System::Base, M, N> {
        self.system.jacobian(self.t, self.q)
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &Vector<System::Base, N>) -> Vector<System::Base, M> {
        self.system.acceleration_terms(self.t, self.q, v)
    }
}
