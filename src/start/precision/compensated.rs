//! Compensated: positions and velocities with a low part, residuals as differences.
//!
//! Along a step the constraint is g(q_n) + Δg, where Δg = g(q_n + d) − g(q_n) is computed as an
//! [`Increment`](crate::scalar::Increment) and as accurate as d. The multipliers of a step come from Δg alone. What the state
//! is off where the step begins, g(q_n), evaluated in the scalar itself, moves the positions only: the sum of differences
//! stays anchored, and its round-off does not enter the velocities.

use super::{Approach, Coordinates, Kept, Moving, Precision, Time};
use crate::linalg::Vector;
use crate::scalar::{DoubleFloat, Float, Increment};
use crate::system::Mechanical;

/// Positions and velocities carry what their sums round away; the default.
///
/// Round-off enters multipliers as ε v/h, a ten-thousandth of them at 1 kHz, and the energy as it would in `f64`. The constraint
/// itself holds to the digits of the scalar. What each choice costs stands on the page of
/// [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compensated;

impl Precision for Compensated {
    type Low<T: Float, const N: usize> = Kept<T, N>;
    type Leftover<T: Float, const M: usize> = Kept<T, M>;
    type Wide<T: Float> = DoubleFloat<T>;
    type Moving<T: Float, const N: usize> = Compensating<T, N>;
    type Approach<T: Float, const N: usize, const M: usize> = CompensatedApproach<T, N>;

    const CARRIES_MORE: bool = true;

    #[inline(always)]
    fn separates_drift(_is_time_dependent: bool) -> bool {
        true
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
        let g = system.constraint(Increment::new(t.high, t.low), &q.high.zip_map(&q.low.0, Increment::new));
        g.map(Increment::end)
    }
}

/// Where the coordinates started, and the sum of the increments.
#[derive(Clone, Copy, Debug)]
pub struct Compensating<T, const N: usize> {
    pub(super) high: Vector<T, N>,
    /// The low part and the increments.
    pub(super) change: Vector<T, N>,
}

impl<T: Float, const N: usize> Compensating<T, N> {
    /// The sum, and what it rounds away. Where the change is the larger part, an ulp of the change may be lost: no more than
    /// summing the increments has lost before.
    #[inline(always)]
    fn sum(&self) -> (Vector<T, N>, Kept<T, N>) {
        let sum = self.high + self.change;
        (sum, Kept(self.change - (sum - self.high)))
    }
}

impl<T: Float, const N: usize> Moving<T, N, Compensated> for Compensating<T, N> {
    #[inline(always)]
    fn starting_at(start: &Coordinates<T, N, Compensated>) -> Self {
        Self { high: start.high, change: start.low.0 }
    }

    #[inline(always)]
    fn by(self, increment: &Vector<T, N>) -> Self {
        Self { change: self.change + increment, ..self }
    }

    #[inline(always)]
    fn shift(mut self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self {
        shift(&mut self.change);
        self
    }

    #[inline(always)]
    fn here(&self) -> Vector<T, N> {
        self.high + self.change
    }

    #[inline(always)]
    fn arrive(self) -> Coordinates<T, N, Compensated> {
        let (high, low) = self.sum();
        Coordinates { high, low }
    }
}

/// The rounded positions where the step began, and how far it is from there.
#[derive(Clone, Copy, Debug)]
pub struct CompensatedApproach<T, const N: usize> {
    t: Increment<T>,
    q: Compensating<T, N>,
}

impl<T: Float, const N: usize, const M: usize> Approach<T, N, M, Compensated> for CompensatedApproach<T, N> {
    #[inline(always)]
    fn along<System>(
        system: &System,
        [start, end]: [Time<T>; 2],
        q: &Coordinates<T, N, Compensated>,
        velocity: &Compensating<T, N>,
        h: T,
    ) -> (Self, Vector<T, M>)
    where
        System: Mechanical<N, M, Base = T>,
    {
        let q = Compensating::starting_at(q).by(&(velocity.here() * h));
        let t = Increment::new(start.high, (end.high - start.high) + end.low);
        let approach = Self { t, q };
        let residual = approach.residual(system);
        (approach, residual)
    }

    #[inline(always)]
    fn by(&mut self, step: &Vector<T, N>) {
        self.q.change += step;
    }

    #[inline(always)]
    fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(&mut self.q.change);
    }

    #[inline(always)]
    fn residual<System>(&self, system: &System) -> Vector<T, M>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let g = system.constraint(self.t, &self.q.high.zip_map(&self.q.change, Increment::new));
        g.map(Increment::end)
    }

    #[inline(always)]
    fn arrive(&self) -> Coordinates<T, N, Compensated> {
        self.q.arrive()
    }
}
