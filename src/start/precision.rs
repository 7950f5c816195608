//! How coordinates are carried from step to step.
//!
//! A method moves coordinates through [`Moving`] only; how many digits survive that is the choice of a [`Precision`].

use core::fmt::Debug;

use crate::linalg::{Matrix, Vector, subtract_product};
use crate::scalar::Float;
use crate::system::Mechanical;

/// How many digits a state carries.
pub trait Precision: Copy + Debug + Default + 'static {
    /// What is carried besides the coordinates themselves.
    type Low<T: Float, const N: usize>: Copy + Debug + Default + PartialEq;

    /// Coordinates on their way through a step.
    type Moving<T: Float, const N: usize>: Moving<T, N, Self>;

    /// g(t, q).
    fn constraint<System, const N: usize, const M: usize>(
        system: &System,
        t: System::Base,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>;

    /// g(t, q + d), the constraint at a displaced configuration.
    fn displaced_constraint<System, const N: usize, const M: usize>(
        system: &System,
        t: System::Base,
        q: &Coordinates<System::Base, N, Self>,
        displacement: &Vector<System::Base, N>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>;
}

/// Coordinates on their way through a step: where they started, plus increments.
///
/// The one way in which methods change a state. A precision that carries more digits sums the increments apart and adds
/// them at the end.
pub trait Moving<T: Float, const N: usize, P: Precision>: Copy {
    /// From the coordinates at the beginning of the step.
    fn starting_at(start: &Coordinates<T, N, P>) -> Self;

    /// Moves by an increment.
    fn by(self, increment: &Vector<T, N>) -> Self;

    /// Moves back by M⁻¹ Gᵀ ν.
    fn back_by<const M: usize>(self, directions: &Matrix<T, N, M>, multipliers: &Vector<T, M>) -> Self;

    /// Where the coordinates are, rounded to the scalar.
    fn here(&self) -> Vector<T, N>;

    /// The coordinates at the end of the step.
    fn arrive(self) -> Coordinates<T, N, P>;
}

/// The digits of the scalar, nothing more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl Precision for Plain {
    type Low<T: Float, const N: usize> = ();
    type Moving<T: Float, const N: usize> = Vector<T, N>;

    #[inline(always)]
    fn constraint<System, const N: usize, const M: usize>(
        system: &System,
        t: System::Base,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>,
    {
        system.constraint(t, &q.high)
    }

    #[inline(always)]
    fn displaced_constraint<System, const N: usize, const M: usize>(
        system: &System,
        t: System::Base,
        q: &Coordinates<System::Base, N, Self>,
        displacement: &Vector<System::Base, N>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>,
    {
        system.constraint(t, &(q.high + displacement))
    }
}

impl<T: Float, const N: usize> Moving<T, N, Plain> for Vector<T, N> {
    #[inline(always)]
    fn starting_at(start: &Coordinates<T, N, Plain>) -> Self {
        start.high
    }

    #[inline(always)]
    fn by(self, increment: &Vector<T, N>) -> Self {
        self + increment
    }

    #[inline(always)]
    fn back_by<const M: usize>(mut self, directions: &Matrix<T, N, M>, multipliers: &Vector<T, M>) -> Self {
        subtract_product(&mut self, directions, multipliers);
        self
    }

    #[inline(always)]
    fn here(&self) -> Vector<T, N> {
        *self
    }

    #[inline(always)]
    fn arrive(self) -> Coordinates<T, N, Plain> {
        Coordinates { high: self, low: () }
    }
}

/// Positions or velocities with the digits that their precision carries.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, N>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, N>: serde::Deserialize<'de>"
    ))
)]
pub struct Coordinates<T: Float, const N: usize, P: Precision = Plain> {
    pub(crate) high: Vector<T, N>,
    pub(crate) low: P::Low<T, N>,
}

impl<T: Float, const N: usize, P: Precision> Coordinates<T, N, P> {
    /// Coordinates without further digits.
    #[inline]
    pub fn new(high: Vector<T, N>) -> Self {
        Self { high, low: P::Low::default() }
    }

    /// The coordinates rounded to the scalar.
    #[inline]
    pub fn rounded(&self) -> &Vector<T, N> {
        &self.high
    }

    /// Begins to move these coordinates through a step.
    #[inline(always)]
    pub fn depart(&self) -> P::Moving<T, N> {
        Moving::starting_at(self)
    }
}
