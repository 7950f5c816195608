//! Precise: as compensated, and the constraint in double-float arithmetic.
//!
//! Once a step the constraint is evaluated with twice the digits, at the predicted point p = q_n + h v. A constraint
//! that uses the time is evaluated so at the start of the step, too. The corrections add O(h²),
//! computed as an [`Increment`](crate::scalar::Increment) from p with an error of ε h².

use super::{Coordinates, Kept, Moving, Precision, Time};
use crate::linalg::Vector;
use crate::linalg::entries::{negative_zeros, pairs};
use crate::linalg::written_out::for_each;
use crate::scalar::{DoubleFloat, Float};
use crate::system::Mechanical;

/// Positions and velocities with twice the digits, on a constraint that is evaluated with twice the digits.
///
/// The multipliers are accurate to a few ε for any step size. Sines and cosines with twice the digits cost hundreds of operations each: a
/// four-bar linkage takes almost four times the instructions of a plain step. Choose it for long runs whose energy counts: in a day the
/// energy of the four-bar linkage changes by 2.0e-4, as points by 1.2e-4
/// ([`precision`](crate::start::precision#energy-of-long-runs)). Costs of each choice: [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precise;

impl Precision for Precise {
    type Low<T: Float, const N: usize> = Kept<T, N>;
    type Wide<T: Float> = DoubleFloat<T>;
    type Predicted<T: Float> = DoubleFloat<T>;

    const CARRIES_MORE: bool = true;

    #[inline(always)]
    fn separates_drift(is_time_dependent: bool) -> bool {
        is_time_dependent
    }

    /// For a constraint that does not use the time, in the scalar itself at the rounded positions: enough to notice a changed model. For
    /// one that does, with all digits: at an epoch or a new target it may jump, and the jump must be corrected as drift.
    #[inline(always)]
    fn start_residual<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M> {
        if System::TIME_DEPENDENT {
            let t = DoubleFloat::from_sum(t.high, t.low);
            system.constraint(t, &q.full()).map(DoubleFloat::high)
        } else {
            system.constraint(t.high, &q.high)
        }
    }

    /// −0 adds nothing, and costs nothing.
    #[inline(always)]
    fn begin<T: Float, const N: usize>(start: &Coordinates<T, N, Self>) -> Moving<T, N, Self> {
        Moving { start: *start, change: negative_zeros() }
    }

    #[inline(always)]
    fn rounded_sum<T: Float, const N: usize>(start: &Coordinates<T, N, Self>, change: &Vector<T, N>) -> Vector<T, N> {
        let low = pairs(&start.low.0, change, |low, change| low + change);
        pairs(&start.high, &low, |high, low| high + low)
    }

    #[inline(always)]
    fn sum<T: Float, const N: usize>(
        start: &Coordinates<T, N, Self>,
        change: &Vector<T, N>,
    ) -> Coordinates<T, N, Self> {
        let mut sum = *start;
        for_each!(I < N => {
            let (high, low, change) = (start.high.data.0[0][I], start.low.0.data.0[0][I], change.data.0[0][I]);
            let moved = DoubleFloat::from_sum(high, change);
            let moved = DoubleFloat::normalised(moved.high(), moved.low() + low);
            sum.high.data.0[0][I] = moved.high();
            sum.low.0.data.0[0][I] = moved.low();
        });
        sum
    }

    /// The approach begins at the predicted point, where g is evaluated with twice the digits.
    #[inline(always)]
    fn drift<T: Float, const N: usize>(
        q: &Coordinates<T, N, Self>,
        velocity: &Moving<T, N, Self>,
        h: T,
    ) -> Moving<T, N, Self> {
        let mut predicted = *q;
        for_each!(I < N => {
            // h (v + Δv), where only the product with the high part of v needs all digits.
            let main = DoubleFloat::from_product(velocity.start.high.data.0[0][I], h);
            let rest = (velocity.start.low.0.data.0[0][I] + velocity.change.data.0[0][I]) * h;
            let moved = DoubleFloat::from_sum(q.high.data.0[0][I], main.high());
            let rest = (moved.low() + main.low()) + (q.low.0.data.0[0][I] + rest);
            let moved = DoubleFloat::normalised(moved.high(), rest);
            predicted.high.data.0[0][I] = moved.high();
            predicted.low.0.data.0[0][I] = moved.low();
        });
        predicted.begin()
    }

    #[inline(always)]
    fn predicted<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<DoubleFloat<T>, N> {
        pairs(&q.start.high, &q.start.low.0, DoubleFloat::from_normalised)
    }

    #[inline(always)]
    fn predicted_time<T: Float>([_, end]: [Time<T>; 2]) -> DoubleFloat<T> {
        DoubleFloat::from_sum(end.high, end.low)
    }

    /// The start is the prediction.
    #[inline(always)]
    fn point<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<T, N> {
        q.start.high
    }
}
