//! How coordinates are carried from step to step.
//!
//! A method computes increments and adds them through one operation, [`Coordinates::plus`]; how many digits survive that
//! addition is the choice of a [`Precision`].

use core::fmt::Debug;

use crate::linalg::Vector;
use crate::scalar::Float;
use crate::system::Mechanical;

/// How many digits a state carries.
pub trait Precision: Copy + Debug + Default + 'static {
    /// What is carried besides the coordinates themselves.
    type Low<T: Float, const N: usize>: Copy + Debug + Default + PartialEq;

    /// high + low + increment.
    fn add<T: Float, const N: usize>(
        high: &Vector<T, N>,
        low: &Self::Low<T, N>,
        increment: &Vector<T, N>,
    ) -> (Vector<T, N>, Self::Low<T, N>);

    /// g(t, q + d): the constraint at a displaced configuration.
    fn displaced_constraint<System, const N: usize, const M: usize>(
        system: &System,
        t: System::Base,
        q: &Coordinates<System::Base, N, Self>,
        displacement: &Vector<System::Base, N>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>;
}

/// The digits of the scalar, nothing more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl Precision for Plain {
    type Low<T: Float, const N: usize> = ();

    #[inline]
    fn add<T: Float, const N: usize>(high: &Vector<T, N>, _low: &(), increment: &Vector<T, N>) -> (Vector<T, N>, ()) {
        (high + increment, ())
    }

    #[inline]
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

    /// The coordinates moved by an increment: the one way in which methods change a state.
    #[inline]
    pub fn plus(&self, increment: &Vector<T, N>) -> Self {
        let (high, low) = P::add(&self.high, &self.low, increment);
        Self { high, low }
    }
}
