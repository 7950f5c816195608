//! A mechanical system whose encoders measure functions of its coordinates.

use super::turns::{any, off_by_at, on_turn_of};
use crate::linalg::entries::{each, jets, pairs};
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
///     const WRAPS: [bool; 1] = [true];
///
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
    /// Which readings are angles in [−π, π] that jump at the end of a turn, such as an `atan2`.
    ///
    /// The encoder of the machine counts turns, also a simulated one; the model cannot. So the two differ by whole turns, and are
    /// compared by the [shorter way](Self::off_by). An angle that stays away from ±π need not say that it wraps, which saves instructions.
    const WRAPS: [bool; E] = [false; E];

    /// e(q): what the encoders measure.
    fn sensors<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Vector<S, E>;

    /// Readings less others: by the shorter way, within half a turn, where a sensor [wraps](Self::WRAPS). Use it wherever readings of a
    /// machine and of the model are subtracted.
    ///
    /// ```
    /// use mechanisms::parts::FiveBarPoints;
    /// use nalgebra::vector;
    /// use taut::control::Sensed;
    /// use taut::parts::Mechanism;
    ///
    /// type Linkage = Mechanism<FiveBarPoints<f64>, 6, 4>;
    /// // The first motor has passed π: its encoder counts on, the model begins a new turn.
    /// let off = Linkage::off_by(&vector![3.25, 1.0], &vector![-3.0, 0.75]);
    /// assert!((off[0] - (6.25 - core::f64::consts::TAU)).abs() < 1e-15 && off[1] == 0.25);
    /// ```
    #[inline(always)]
    fn off_by(readings: &Vector<Self::Base, E>, others: &Vector<Self::Base, E>) -> Vector<Self::Base, E> {
        let mut off = pairs(readings, others, |reading, other| reading - other);
        if const { any(Self::WRAPS) } {
            for (i, off) in off.data.0[0].iter_mut().enumerate() {
                *off = off_by_at::<Self, N, M, E>(i, *off);
            }
        }
        off
    }

    /// Readings on the turns where they are nearest to others: those of the last tick, for a motion that goes on. Only those that
    /// [wrap](Self::WRAPS) change.
    #[inline(always)]
    fn on_turns_of(others: &Vector<Self::Base, E>, mut readings: Vector<Self::Base, E>) -> Vector<Self::Base, E> {
        if const { any(Self::WRAPS) } {
            for (i, (reading, other)) in readings.data.0[0].iter_mut().zip(&others.data.0[0]).enumerate() {
                *reading = on_turn_of::<Self, N, M, E>(i, *reading, *other);
            }
        }
        readings
    }

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
