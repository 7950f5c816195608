//! Precise: as compensated, and the constraint in double-float arithmetic.
//!
//! The constraint is evaluated once a step with twice the digits, at the point p = q_n + h v that the step predicts; what the
//! corrections add is O(h²), computed as an [`Increment`](crate::scalar::Increment) from p, and accurate to ε h².

use super::{Approach, Coordinates, Kept, Moving, Precision, Time};
use crate::linalg::Vector;
use crate::scalar::{DoubleFloat, Float, Increment};
use crate::system::Mechanical;

/// Positions and velocities with twice the digits, on a constraint that is evaluated with twice the digits.
///
/// Multipliers of methods that solve for positions are good to some ε, however small the step. Sines and cosines with twice the
/// digits cost hundreds of operations each: a four-bar linkage takes twice the instructions of a plain step. What each choice costs
/// stands on the page of [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precise;

impl Precision for Precise {
    type Low<T: Float, const N: usize> = Kept<T, N>;
    type Leftover<T: Float, const M: usize> = Kept<T, M>;
    type Wide<T: Float> = DoubleFloat<T>;
    type Moving<T: Float, const N: usize> = PreciselyMoving<T, N>;
    type Approach<T: Float, const N: usize, const M: usize> = PreciseApproach<T, N, M>;

    const CARRIES_MORE: bool = true;

    #[inline(always)]
    fn separates_drift(is_time_dependent: bool) -> bool {
        is_time_dependent
    }

    /// In the scalar itself, at the rounded positions: enough to notice a model that has changed. With all digits where the
    /// constraint moves: at an epoch, or with a new target, it may do so by jumps, which are drift and no motion.
    #[inline(always)]
    fn anchor<System, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>,
    {
        if System::TIME_DEPENDENT {
            let t = DoubleFloat::from_sum(t.high, t.low);
            system.constraint(t, &q.full()).map(DoubleFloat::high)
        } else {
            system.constraint(t.high, &q.high)
        }
    }
}

/// Where the coordinates started, with all digits, and the sum of the increments.
#[derive(Clone, Copy, Debug)]
pub struct PreciselyMoving<T: Float, const N: usize> {
    start: Coordinates<T, N, Precise>,
    increment: Vector<T, N>,
}

impl<T: Float, const N: usize> Moving<T, N, Precise> for PreciselyMoving<T, N> {
    #[inline(always)]
    fn starting_at(start: &Coordinates<T, N, Precise>) -> Self {
        Self { start: *start, increment: Vector::zeros() }
    }

    #[inline(always)]
    fn by(self, increment: &Vector<T, N>) -> Self {
        Self { increment: self.increment + increment, ..self }
    }

    #[inline(always)]
    fn shift(mut self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self {
        shift(&mut self.increment);
        self
    }

    #[inline(always)]
    fn here(&self) -> Vector<T, N> {
        self.start.high + (self.start.low.0 + self.increment)
    }

    #[inline(always)]
    fn arrive(self) -> Coordinates<T, N, Precise> {
        sum(&self.start, &self.increment)
    }
}

/// The coordinates moved by an increment, with all digits.
#[inline(always)]
fn sum<T: Float, const N: usize>(
    start: &Coordinates<T, N, Precise>,
    increment: &Vector<T, N>,
) -> Coordinates<T, N, Precise> {
    let mut sum = *start;
    for i in 0..N {
        let (high, low, increment) = (start.high.data.0[0][i], start.low.0.data.0[0][i], increment.data.0[0][i]);
        let moved = DoubleFloat::from_sum(high, increment);
        let moved = DoubleFloat::normalised(moved.high(), moved.low() + low);
        sum.high.data.0[0][i] = moved.high();
        sum.low.0.data.0[0][i] = moved.low();
    }
    sum
}

/// The predicted point, and how far it is from there.
#[derive(Clone, Copy, Debug)]
pub struct PreciseApproach<T: Float, const N: usize, const M: usize> {
    t: T,
    predicted: Coordinates<T, N, Precise>,
    /// g at the predicted point.
    residual: Vector<T, M>,
    increment: Vector<T, N>,
}

impl<T: Float, const N: usize, const M: usize> Approach<T, N, M, Precise> for PreciseApproach<T, N, M> {
    #[inline(always)]
    fn along<System>(
        system: &System,
        [_, t]: [Time<T>; 2],
        q: &Coordinates<T, N, Precise>,
        velocity: &PreciselyMoving<T, N>,
        h: T,
    ) -> (Self, Vector<T, M>)
    where
        System: Mechanical<N, M, Base = T>,
    {
        let mut predicted = *q;
        let mut point = Vector::<DoubleFloat<T>, N>::zeros();
        for i in 0..N {
            // h (v + Δv), where only the product with the high part of v needs all digits.
            let main = DoubleFloat::from_product(velocity.start.high.data.0[0][i], h);
            let rest = (velocity.start.low.0.data.0[0][i] + velocity.increment.data.0[0][i]) * h;
            let moved = DoubleFloat::from_sum(q.high.data.0[0][i], main.high());
            let rest = (moved.low() + main.low()) + (q.low.0.data.0[0][i] + rest);
            let moved = DoubleFloat::normalised(moved.high(), rest);
            predicted.high.data.0[0][i] = moved.high();
            predicted.low.0.data.0[0][i] = moved.low();
            point.data.0[0][i] = moved;
        }
        let residual = system.constraint(DoubleFloat::from_sum(t.high, t.low), &point).map(DoubleFloat::high);
        (Self { t: t.high, predicted, residual, increment: Vector::zeros() }, residual)
    }

    #[inline(always)]
    fn by(&mut self, step: &Vector<T, N>) {
        self.increment += step;
    }

    #[inline(always)]
    fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(&mut self.increment);
    }

    #[inline(always)]
    fn residual<System>(&self, system: &System) -> Vector<T, M>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let t = Increment::new(self.t, T::zero());
        let g = system.constraint(t, &self.predicted.high.zip_map(&self.increment, Increment::new));
        self.residual + g.map(|g| g.change)
    }

    #[inline(always)]
    fn arrive(&self) -> Coordinates<T, N, Precise> {
        sum(&self.predicted, &self.increment)
    }
}
