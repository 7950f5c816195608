//! A mechanical system with inputs and outputs.

use num_traits::Zero;

use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Jet, Real};
use crate::system::Mechanical;
use crate::system::automatic::from_partials;

/// A mechanical system with `U` inputs u and `U` outputs s(q), the quantities that a servo constraint prescribes:
///
/// ```text
///     M q'' = f(t, q, v) + B(q) u − Gᵀ λ
/// ```
///
/// The inputs are fields of the model as any others, which its [`force`](Mechanical::force) contains as B u:
/// [`drive`](Self::drive) sets them. Inverse dynamics works with a model of its own, whose inputs are zero, and whose time is that of
/// the trajectory.
pub trait Actuated<const N: usize, const M: usize, const U: usize>: Mechanical<N, M> {
    /// Which constraints only pull, as a rope does: their multipliers must not be negative.
    const PULLS: [bool; M] = [false; M];

    /// B(q): the generalised forces of unit inputs.
    fn actuation(&self, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, N, U>;

    /// Sets the inputs that act from now on.
    fn drive(&mut self, inputs: &Vector<Self::Base, U>);

    /// s(q): what is to follow a trajectory.
    fn output<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Vector<S, U>;

    /// ∂s/∂q. Automatic; written by hand it saves instructions.
    #[inline(always)]
    fn output_jacobian(&self, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, U, N> {
        from_partials(&self.output(&Vector::from(Dual::variables(q.data.0[0]))))
    }

    /// s_qq(v, v): what the acceleration of the output has besides ∂s/∂q q''. Automatic; zero where the output is linear.
    #[inline(always)]
    fn output_terms(&self, q: &Vector<Self::Base, N>, v: &Vector<Self::Base, N>) -> Vector<Self::Base, U> {
        self.output(&q.zip_map(v, |q, v| Jet::new(q, v, Self::Base::zero()))).map(|s| s.second)
    }
}
