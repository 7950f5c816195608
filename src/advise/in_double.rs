//! A model with any base, as a model over `f64`.

use crate::linalg::{FactorError, Matrix, Vector};
use crate::scalar::{Lifted, Real};
use crate::system::{Full, Mass, Mechanical, Pattern, Varying};

/// The same equations with the same parameters, evaluated in `f64`; derivatives are automatic, and every mass counts as one
/// that varies.
#[derive(Clone, Copy, Debug)]
pub(super) struct InDouble<'a, System>(pub &'a System);

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Mechanical<N, M> for InDouble<'_, System> {
    type Base = f64;
    type Mass = Varying;

    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;
    const ANGLES: [bool; N] = System::ANGLES;

    const PATTERN: Pattern<N, M> = System::PATTERN;

    fn mass(&self) -> Varying {
        Varying
    }

    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.0.mass_matrix::<Lifted<S, System::Base>>(&q.map(Lifted::new)).map(Lifted::double)
    }

    fn mass_matrix_at<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.0.mass_matrix_at::<Lifted<S, System::Base>>(Lifted::new(t), &q.map(Lifted::new)).map(Lifted::double)
    }

    fn inertia_at(&self, t: f64, q: &Vector<f64, N>) -> Result<Full<f64, N>, FactorError<f64>> {
        Varying.inertia(|| self.mass_matrix_at(t, q))
    }

    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        let force = self.0.force::<Lifted<S, System::Base>>(Lifted::new(t), &q.map(Lifted::new), &v.map(Lifted::new));
        force.map(Lifted::double)
    }

    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.0.constraint::<Lifted<S, System::Base>>(Lifted::new(t), &q.map(Lifted::new)).map(Lifted::double)
    }
}
