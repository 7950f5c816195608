//! A mechanical system whose encoders measure functions of its coordinates.

use crate::linalg::entries::{each, jets};
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Jet, Real};
use crate::system::{Mechanical, automatic};

/// A mechanical system with `E` encoders, which measure e(q).
///
/// The first `U` encoders sit on the shafts of the motors, in the order of the inputs; controllers use these for feedback. Others may
/// follow, such as the angle of a crane's rope.
///
/// ```
/// use nalgebra::vector;
/// use taut::control::Sensed;
/// use taut::linalg::Vector;
/// # use mechanisms::Pendulum;
/// use taut::scalar::Real;
/// # use taut::system::{Diagonal, Mechanical};
///
/// /// A pendulum with a motor in its joint.
/// struct Arm(Pendulum<f32>);
/// # impl Mechanical<2, 1> for Arm {
/// #     type Base = f32;
/// #     type Mass = Diagonal<f32, 2>;
/// #     fn mass(&self) -> Diagonal<f32, 2> {
/// #         self.0.mass()
/// #     }
/// #     fn force<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
/// #         self.0.force(t, q, v)
/// #     }
/// #     fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
/// #         self.0.constraint(t, q)
/// #     }
/// # }
/// impl Sensed<2, 1, 1> for Arm {
///     fn sensors<S: Real<Base = f32>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
///         vector![q.y.atan2(q.x)]
///     }
/// }
///
/// let (readings, jacobian) = Arm(Pendulum::standard()).sensor_jacobian(&vector![0.0, 1.0]);
/// assert_eq!(readings[0], core::f32::consts::FRAC_PI_2);
/// assert_eq!((jacobian[0], jacobian[1]), (-1.0, 0.0));
/// ```
pub trait Sensed<const N: usize, const M: usize, const E: usize>: Mechanical<N, M> {
    /// Which readings are angles in [−π, π] that jump at the end of a turn, such as an `atan2`. A simulated encoder counts their turns.
    const WRAPS: [bool; E] = [false; E];

    /// e(q): what the encoders measure.
    fn sensors<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Vector<S, E>;

    /// e(q) and ∂e/∂q. Automatic; a hand-written one saves instructions.
    #[inline(always)]
    fn sensor_jacobian(&self, q: &Vector<Self::Base, N>) -> (Vector<Self::Base, E>, Matrix<Self::Base, E, N>) {
        let sensors = self.sensors(&Vector::from(Dual::<_, N>::variables(q.data.0[0])));
        (each(&sensors, |e| e.value), automatic::from_partials(&sensors))
    }

    /// e, e' and e'' along a motion q, q', q''. Automatic.
    #[inline(always)]
    fn sensor_motion(
        &self,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
        a: &Vector<Self::Base, N>,
    ) -> Vector<Jet<Self::Base>, E> {
        self.sensors(&jets(q, v, a))
    }
}
