//! Plain: the digits of the scalar.

use super::{Coordinates, Moving, Precision, Time};
use crate::linalg::Vector;
use crate::linalg::entries::{each, negative_zeros, pairs};
use crate::scalar::Float;
use crate::system::Mechanical;

/// Only the digits of the scalar.
///
/// In `f32` the energy of a pendulum changes by 1e-4 in 1e6 steps at 1 kHz and by 4e-3 at 10 kHz. Round-off enters its multipliers as ε/h²,
/// a few hundredths of them at 1 kHz. Choose it for `f64`, for runs of a few thousand steps, and to compare with other codes. Costs of
/// each choice: [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

impl Precision for Plain {
    type Low<T: Float, const N: usize> = ();
    type Wide<T: Float> = T;
    type Predicted<T: Float> = T;

    const CARRIES_MORE: bool = false;

    #[inline(always)]
    fn separates_drift(_is_time_dependent: bool) -> bool {
        false
    }

    #[inline(always)]
    fn start_residual<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M> {
        system.constraint(t.high, &q.high)
    }

    /// The sum holds everything and is rounded with every increment. A start of −0 adds nothing and costs nothing.
    #[inline(always)]
    fn begin<T: Float, const N: usize>(start: &Coordinates<T, N, Self>) -> Moving<T, N, Self> {
        Moving { start: Coordinates::new(negative_zeros()), change: start.high }
    }

    #[inline(always)]
    fn rounded_sum<T: Float, const N: usize>(start: &Coordinates<T, N, Self>, change: &Vector<T, N>) -> Vector<T, N> {
        pairs(&start.high, change, |x, change| x + change)
    }

    #[inline(always)]
    fn sum<T: Float, const N: usize>(
        start: &Coordinates<T, N, Self>,
        change: &Vector<T, N>,
    ) -> Coordinates<T, N, Self> {
        Coordinates { high: Self::rounded_sum(start, change), low: () }
    }

    /// Works with the displacement. Added to the positions, it is rounded once. Corrections of the positions themselves would each be rounded.
    #[inline(always)]
    fn drift<T: Float, const N: usize>(
        q: &Coordinates<T, N, Self>,
        velocity: &Moving<T, N, Self>,
        h: T,
    ) -> Moving<T, N, Self> {
        Moving { start: *q, change: each(&velocity.here(), |v| v * h) }
    }

    #[inline(always)]
    fn predicted<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<T, N> {
        q.here()
    }

    #[inline(always)]
    fn predicted_time<T: Float>([_, end]: [Time<T>; 2]) -> T {
        end.high
    }
}
