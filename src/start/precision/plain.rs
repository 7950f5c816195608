//! Plain: the digits of the scalar.

use super::{Approach, Coordinates, Moving, Precision, Time};
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::system::Mechanical;

/// The digits of the scalar, nothing more.
///
/// In `f32` the energy of a pendulum wanders by 1e-4 in 1e6 steps at 1 kHz and by 4e-3 at 10 kHz, and round-off enters its multipliers as
/// ε/h², some hundredths of them at 1 kHz. For `f64`, for runs of a few thousand steps, and to compare with what others compute. What each
/// choice costs stands on the page of [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl Precision for Plain {
    type Low<T: Float, const N: usize> = ();
    type Leftover<T: Float, const M: usize> = ();
    type Wide<T: Float> = T;
    type Moving<T: Float, const N: usize> = Vector<T, N>;
    type Approach<T: Float, const N: usize, const M: usize> = PlainApproach<T, N>;

    const CARRIES_MORE: bool = false;

    #[inline(always)]
    fn separates_drift(_is_time_dependent: bool) -> bool {
        false
    }

    #[inline(always)]
    fn anchor<System, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>,
    {
        system.constraint(t.high, &q.high)
    }
}

/// A displacement from where the step began, rounded to positions once: corrections of an iteration are tried on positions, where
/// each rounds, and their sum goes into the displacement.
#[derive(Clone, Copy, Debug)]
pub struct PlainApproach<T, const N: usize> {
    t: T,
    q: Vector<T, N>,
    displacement: Vector<T, N>,
    here: Vector<T, N>,
}

impl<T: Float, const N: usize, const M: usize> Approach<T, N, M, Plain> for PlainApproach<T, N> {
    const KEEPS_WHAT_IS_TRIED: bool = false;

    #[inline(always)]
    fn along<System>(
        system: &System,
        [_, t]: [Time<T>; 2],
        q: &Coordinates<T, N, Plain>,
        velocity: &Vector<T, N>,
        h: T,
    ) -> (Self, Vector<T, M>)
    where
        System: Mechanical<N, M, Base = T>,
    {
        let displacement = velocity * h;
        let approach = Self { t: t.high, q: q.high, displacement, here: q.high + displacement };
        let residual = approach.residual(system);
        (approach, residual)
    }

    #[inline(always)]
    fn by(&mut self, step: &Vector<T, N>) {
        self.displacement += step;
        self.here = self.q + self.displacement;
    }

    #[inline(always)]
    fn try_on(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(&mut self.here);
    }

    #[inline(always)]
    fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(&mut self.displacement);
        self.here = self.q + self.displacement;
    }

    #[inline(always)]
    fn residual<System>(&self, system: &System) -> Vector<T, M>
    where
        System: Mechanical<N, M, Base = T>,
    {
        system.constraint(self.t, &self.here)
    }

    #[inline(always)]
    fn arrive(&self) -> Coordinates<T, N, Plain> {
        Coordinates { high: self.here, low: () }
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
    fn shift(mut self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self {
        shift(&mut self);
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
