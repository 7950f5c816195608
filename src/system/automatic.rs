//! Automatic derivatives of a system's equations, with dual numbers and jets.
//!
//! These are the defaults of [`Mechanical`]. They are public so that tests can compare hand-written derivatives with them.
//!
//! ```
//! use nalgebra::vector;
//! # use mechanisms::Pendulum;
//! use taut::system::automatic;
//!
//! let pendulum = Pendulum::<f64>::standard();
//! let (q, v) = (vector![0.6, 0.8], vector![4.0, -3.0]);
//! let jacobian = automatic::jacobian(&pendulum, 0.0, &q);
//! assert_eq!((jacobian[0], jacobian[1]), (0.6, 0.8));
//! assert_eq!(automatic::time_derivative(&pendulum, 0.0, &q)[0], 0.0);
//! assert_eq!(automatic::acceleration_terms(&pendulum, 0.0, &q, &v)[0], 25.0); // v·v
//! ```

use super::mechanical::Mechanical;
use crate::linalg::entries::{each, pairs, zero_matrix};
use crate::linalg::written_out::for_each;
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Float, Jet};

/// G = ∂g/∂q, in one evaluation of the constraint with N partial derivatives.
#[inline]
pub fn jacobian<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
    t: System::Base,
    q: &Vector<System::Base, N>,
) -> Matrix<System::Base, M, N> {
    let variables = Dual::variables(q.data.0[0]);
    let g = system.constraint(Dual::<_, N>::constant(t), &Vector::from(variables));
    from_partials(&g)
}

/// g_t = ∂g/∂t.
#[inline]
pub fn time_derivative<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
    t: System::Base,
    q: &Vector<System::Base, N>,
) -> Vector<System::Base, M> {
    let [t] = Dual::variables([t]);
    system.constraint(t, &q.map(Dual::constant)).map(|g| g.partials[0])
}

/// g_qq(v, v) + 2 g_qt v + g_tt: the second derivative of g along t + s, q + s v.
#[inline]
pub fn acceleration_terms<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
    t: System::Base,
    q: &Vector<System::Base, N>,
    v: &Vector<System::Base, N>,
) -> Vector<System::Base, M> {
    use num_traits::Zero;
    let along = pairs(q, v, |q, v| Jet::new(q, v, System::Base::zero()));
    each(&system.constraint(Jet::variable(t), &along), |g| g.second)
}

/// The matrix whose rows are partial derivatives.
#[inline(always)]
pub(crate) fn from_partials<T: Float, const N: usize, const M: usize>(
    functions: &Vector<Dual<T, N>, M>,
) -> Matrix<T, M, N> {
    let mut matrix = zero_matrix();
    for_each!(ROW < M => { set_row(&mut matrix, ROW, &functions.data.0[0][ROW].partials); });
    matrix
}

#[inline(always)]
fn set_row<T: Float, const N: usize, const M: usize>(matrix: &mut Matrix<T, M, N>, row: usize, entries: &[T; N]) {
    for_each!(COLUMN < N => { matrix.data.0[COLUMN][row] = entries[COLUMN]; });
}
