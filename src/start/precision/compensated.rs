//! Compensated: positions and velocities with a low part, residuals as differences.
//!
//! At the predicted point p = q_n + h v the constraint is g(q_n) + Δg. The difference Δg = g(p) − g(q_n) is computed as an
//! [`Increment`](crate::scalar::Increment), with the relative accuracy of h v. The corrections add a second increment, from p, with an
//! error of ε h². The multipliers of a step come from these differences alone. The residual at the start, g(q_n), is evaluated at the full
//! positions, rounded to the scalar, and corrects the positions only. So the sum of the differences cannot drift away from the constraint,
//! and the round-off of g(q_n) does not enter the velocities.

use super::{Approach, Coordinates, Kept, Moving, Precision, Time, needs_care};
use crate::linalg::Vector;
use crate::linalg::entries::{each, negative_zeros, pairs};
use crate::scalar::{DoubleFloat, FineIncrement, Float, Increment, Real};
use crate::system::Mechanical;

/// Positions and velocities carry the rounding errors of their sums. The default.
///
/// Round-off enters multipliers as ε v/h, a ten-thousandth of them at 1 kHz. Pendulums keep their energy as in `f64`; that of a linkage
/// that turns in one sense changes, in a day by 6.1e-4 for the four-bar linkage and 1.4e-4 for the same one as points
/// ([`precision`](crate::start::precision#energy-of-long-runs)). The constraint holds to the digits of the scalar. Costs of each choice:
/// [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compensated;

impl Precision for Compensated {
    type Low<T: Float, const N: usize> = Kept<T, N>;
    type Wide<T: Float> = DoubleFloat<T>;
    type Predicted<T: Float> = Increment<T>;

    const CARRIES_MORE: bool = true;

    #[inline(always)]
    fn separates_drift(_is_time_dependent: bool) -> bool {
        true
    }

    #[inline(always)]
    fn start_residual<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M> {
        let g = system.constraint(Increment::new(t.high, t.low), &pairs(&q.high, &q.low.0, Increment::new));
        each(&g, Increment::end)
    }

    /// The low part is the first increment.
    #[inline(always)]
    fn begin<T: Float, const N: usize>(start: &Coordinates<T, N, Self>) -> Moving<T, N, Self> {
        Moving { start: Coordinates { high: start.high, low: Kept(negative_zeros()) }, change: start.low.0 }
    }

    /// The low part and the increments are added first: together they are small.
    #[inline(always)]
    fn rounded_sum<T: Float, const N: usize>(start: &Coordinates<T, N, Self>, change: &Vector<T, N>) -> Vector<T, N> {
        let low = pairs(&start.low.0, change, |low, change| low + change);
        pairs(&start.high, &low, |high, low| high + low)
    }

    /// The rounded sum, and what it rounds away (Fast2Sum). If the change is larger than the start, the low part may be wrong by an ulp of the change.
    /// The sum of the increments already has such an error.
    #[inline(always)]
    fn sum<T: Float, const N: usize>(
        start: &Coordinates<T, N, Self>,
        change: &Vector<T, N>,
    ) -> Coordinates<T, N, Self> {
        let high = Self::rounded_sum(start, change);
        let moved = pairs(&high, &start.high, |high, start| high - start);
        let left = pairs(change, &moved, |change, moved| change - moved);
        Coordinates { high, low: Kept(pairs(&start.low.0, &left, |low, left| low + left)) }
    }

    #[inline(always)]
    fn drift<T: Float, const N: usize>(
        q: &Coordinates<T, N, Self>,
        velocity: &Moving<T, N, Self>,
        h: T,
    ) -> Moving<T, N, Self> {
        q.begin().by(&each(&velocity.here(), |v| v * h))
    }

    /// g(q_n) + Δg, as an increment from the rounded positions at the start of the step.
    #[inline(always)]
    fn predicted<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<Increment<T>, N> {
        let moved = pairs(&q.start.low.0, &q.change, |low, change| low + change);
        pairs(&q.start.high, &moved, Increment::new)
    }

    /// From three constraints on, in increments that keep what they round away.
    #[inline(always)]
    fn predict<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        times: [Time<System::Base>; 2],
        q: &Coordinates<System::Base, N, Self>,
        velocity: &Moving<System::Base, N, Self>,
        h: System::Base,
    ) -> Approach<System::Base, N, M, Self> {
        if !needs_care::<Self>(M) {
            let q = Self::drift(q, velocity, h);
            let g = system.constraint(Self::predicted_time(times), &Self::predicted(&q));
            return Approach::at(times, q, Self::point(&q), each(&g, Real::value));
        }
        let q = Self::begin_apart(q).by(&each(&velocity.here(), |v| v * h));
        let at = each(&Self::predicted(&q), FineIncrement::from);
        let g = system.constraint(FineIncrement::from(Self::predicted_time(times)), &at);
        Approach::at(times, q, Self::point(&q), each(&g, Real::value))
    }

    #[inline(always)]
    fn predicted_time<T: Float>([start, end]: [Time<T>; 2]) -> Increment<T> {
        Increment::new(start.high, (end.high - start.high) + end.low)
    }
}
