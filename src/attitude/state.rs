//! The attitude of a body, alone or with its angular momentum, and how it starts.

use super::rigid_body::Body;
use super::rotation::{Rotation, quaternion_product, square};
use crate::linalg::Vector;
use crate::linalg::entries::pairs;
use crate::method::StepError;
use crate::project::Level;
use crate::scalar::Float;
use crate::start::{Clock, Compensated, Coordinates, Part, Plain, Precision, StartError, all_finite};
use crate::system::{Inertia, Mass};

/// The attitude of a body whose angular velocity is known: the state of [`Magnus2`](super::Magnus2) and [`Magnus4`](super::Magnus4).
///
/// The quaternion carries the rounding errors of its sums, unless the state is plain. Its norm is corrected in every step, by the
/// first-order correction q (3 − |q|²)/2. That changes no attitude: it is along q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attitude<T: Float, P: Precision = Compensated> {
    quaternion: Coordinates<T, 4, P>,
    pub(super) clock: Clock<T>,
}

impl<T: Float> Attitude<T> {
    /// Starts at the time of the clock, with a compensated state. An error if the rotation or the time is not finite.
    pub fn start(clock: Clock<T>, rotation: Rotation<T>) -> Result<Self, StartError<T>> {
        all_finite(Part::Position, rotation.quaternion())?;
        all_finite(Part::Time, [&clock.time()])?;
        Ok(Self { quaternion: Coordinates::new(*rotation.quaternion()), clock })
    }

    /// The same attitude in a plain state, which takes fewer instructions and rounds in every step.
    pub fn plain(&self) -> Attitude<T, Plain> {
        Attitude { quaternion: Coordinates::new(*self.quaternion.rounded()), clock: self.clock }
    }
}

impl<T: Float, P: Precision> Attitude<T, P> {
    /// The rotation from the body frame to the space frame.
    #[inline]
    pub fn rotation(&self) -> Rotation<T> {
        Rotation::from_unit(*self.quaternion.rounded())
    }

    /// The unit quaternion (w, x, y, z) with all its digits.
    #[inline]
    pub fn full_quaternion(&self) -> &Coordinates<T, 4, P> {
        &self.quaternion
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }

    /// The attitude after a rotation in the body frame, given as its quaternion less one.
    #[inline(always)]
    pub(super) fn turned(&self, rotation_m1: &Vector<T, 4>) -> Coordinates<T, 4, P> {
        let q = self.quaternion.rounded();
        let shortfall = (T::one() - square(q)) * T::from_f64(0.5);
        let change = pairs(&quaternion_product(q, rotation_m1), q, |change, q| change + q * shortfall);
        self.quaternion.begin().by(&change).finish()
    }

    /// Ends a step.
    #[inline(always)]
    pub(super) fn finish(&mut self, quaternion: &Coordinates<T, 4, P>) {
        self.quaternion.assign(quaternion);
        self.clock.advance_in_period();
    }
}

/// Attitude and angular momentum of a rigid body.
///
/// The angular momentum is that about the centre of mass, in the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState<T: Float, P: Precision = Compensated> {
    pub(super) attitude: Attitude<T, P>,
    pub(super) momentum: Coordinates<T, 3, P>,
}

impl<T: Float> BodyState<T> {
    /// Starts at the time of the clock with this attitude and this angular velocity in the body frame, with a compensated state.
    ///
    /// An error if a number is not finite, or if the inertia is not positive definite.
    pub fn start<B: Body<Base = T>>(
        body: &B,
        clock: Clock<T>,
        rotation: Rotation<T>,
        rate: impl Into<Vector<T, 3>>,
    ) -> Result<Self, StartError<T>> {
        let (inertia, rate) = (body.inertia(), rate.into());
        inertia.check().map_err(StartError::Mass)?;
        let attitude = Attitude::start(clock, rotation)?;
        let momentum = inertia.momentum(&rate);
        all_finite(Part::Velocity, &rate)?;
        all_finite(Part::Velocity, &momentum)?;
        all_finite(Part::Force, &body.torque(clock.time(), &rotation, &rate))?;
        Ok(Self { attitude, momentum: Coordinates::new(momentum) })
    }

    /// The same in a plain state, which takes fewer instructions and rounds in every step.
    pub fn plain(&self) -> BodyState<T, Plain> {
        BodyState { attitude: self.attitude.plain(), momentum: Coordinates::new(*self.momentum.rounded()) }
    }
}

impl<T: Float, P: Precision> BodyState<T, P> {
    /// The attitude.
    #[inline]
    pub fn attitude(&self) -> &Attitude<T, P> {
        &self.attitude
    }

    /// The rotation from the body frame to the space frame.
    #[inline]
    pub fn rotation(&self) -> Rotation<T> {
        self.attitude.rotation()
    }

    /// The angular momentum in the body frame.
    #[inline]
    pub fn momentum(&self) -> &Vector<T, 3> {
        self.momentum.rounded()
    }

    /// The angular momentum with all its digits.
    #[inline]
    pub fn full_momentum(&self) -> &Coordinates<T, 3, P> {
        &self.momentum
    }

    /// The angular velocity in the body frame.
    #[inline]
    pub fn rate<B: Body<Base = T>>(&self, body: &B) -> Vector<T, 3> {
        body.inertia().acceleration(self.momentum.rounded())
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.attitude.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.attitude.clock
    }

    /// Ends a step, unless a number is not finite.
    #[inline(always)]
    pub(super) fn finish(
        &mut self,
        quaternion: &Coordinates<T, 4, P>,
        momentum: &Coordinates<T, 3, P>,
    ) -> Result<(), StepError<T>> {
        // Zero if all factors are finite, else NaN.
        let [[x, y, z]] = momentum.rounded().data.0;
        if T::zero() * x * y * z != T::zero() {
            return Err(not_finite(*momentum.rounded(), self.attitude.clock.tick));
        }
        self.momentum.assign(momentum);
        self.attitude.finish(quaternion);
        Ok(())
    }
}

/// Refuses a rotation vector of more than half a turn, or one that is not finite.
///
/// The series of Magnus converges up to π; dexp⁻¹ is singular at 2π. No method is accurate that far.
#[inline(always)]
pub(super) fn check_turn<T: Float>(theta: &Vector<T, 3>, tick: u64) -> Result<(), StepError<T>> {
    if square(theta) <= T::PI * T::PI { Ok(()) } else { Err(too_far(*theta, tick)) }
}

/// By value: references would force the numbers into memory in a step that succeeds.
#[cold]
fn too_far<T: Float>(theta: Vector<T, 3>, tick: u64) -> StepError<T> {
    match theta.iter().all(|x| x.is_finite()) {
        true => StepError::Turn { tick, angle: square(&theta).sqrt(), limit: T::PI },
        false => not_finite(theta, tick),
    }
}

/// Names the first number that is not finite.
#[cold]
fn not_finite<T: Float>(numbers: Vector<T, 3>, tick: u64) -> StepError<T> {
    let index = numbers.iter().position(|x| !x.is_finite()).unwrap_or(0);
    StepError::NonFinite { tick, level: Level::Velocity, index }
}
