//! Paths that repeat themselves: circles, ellipses and Lissajous figures.
//!
//! ```text
//!     circle:     γ = c + u cos(2π n t/P) + w sin(2π n t/P)
//!     Lissajous:  γ_i = c_i + A_i sin(2π n_i t/P + φ_i)
//! ```
//!
//! The period P is a whole number of ticks, in which a path makes a whole number n of turns. So the time can be
//! [reduced](super::Trajectory::reduced) without an error: after a billion ticks the path is as exact as in the first period. If a
//! model follows such a path, give the period to the clock of its state:
//!
//! ```
//! # use taut::linalg::Vector;
//! # use taut::scalar::Real;
//! # use taut::system::{Diagonal, Mechanical};
//! use taut::method::{Rattle, Step};
//! use taut::start::{Clock, Start};
//! use taut::trajectory::{Circle, Trajectory};
//!
//! /// A tool that is carried along a circle.
//! struct Tool(Circle<f32, 2>);
//! impl Mechanical<2, 2> for Tool {
//!     // ...
//! #     type Base = f32;
//! #     type Mass = Diagonal<f32, 2>;
//! #     fn mass(&self) -> Diagonal<f32, 2> {
//! #         Diagonal::new([1.0; 2])
//! #     }
//! #     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
//! #         Vector::zeros()
//! #     }
//!     fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
//!         q - self.0.at(t)
//!     }
//! }
//!
//! let tool = Tool(Circle::around([0.0, 0.0], 0.2, 2, 1_000, 1e-3)?); // two turns in a second
//! let now = tool.0.motion(0.0);
//! let mut state = Start::at(&tool, Clock::at_rate(1_000.0)?, now.position).moving(now.velocity)?;
//! state.clock_mut().set_period(tool.0.period());
//! for _ in 0..5_500 {
//!     Rattle::new().step(&tool, &mut state)?;
//! }
//! assert_eq!(state.clock().time(), 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::num::NonZeroU64;

use super::error::{TrajectoryError, finite, positive};
use super::path::{SMOOTH, Trajectory};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// The period in ticks, and 2π/P.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rhythm<T> {
    ticks: NonZeroU64,
    rate: T,
}

impl<T: Float> Rhythm<T> {
    /// Checks that the fourth power of the angular rate, which a snap has, is finite.
    fn new(ticks: u64, h: T, turns: &[T]) -> Result<Self, TrajectoryError<T>> {
        positive("tick", h)?;
        let period = positive("period", T::from_ticks(ticks) * h)?;
        let rate = positive("period", (T::PI + T::PI) / period)?;
        let square =
            turns.iter().fold(T::one(), |most, turns| if *turns * *turns > most { *turns * *turns } else { most });
        let square = square * (rate * rate);
        match NonZeroU64::new(ticks) {
            Some(ticks) if (square * square).is_finite() => Ok(Self { ticks, rate }),
            _ => Err(TrajectoryError::NotPositive { what: "period", given: period }),
        }
    }
}

/// The sums of magnitudes.
fn furthest<T: Float, const D: usize>(vectors: &[Vector<T, D>]) -> [T; D] {
    core::array::from_fn(|i| vectors.iter().fold(T::zero(), |sum, vector| sum + vector.data.0[0][i].abs()))
}

/// A circle, or an ellipse, in `D` coordinates.
///
/// ```
/// use taut::trajectory::{Circle, Trajectory};
///
/// // A quarter of a turn in 250 ticks of 1 ms.
/// let circle = Circle::around([1.0, 0.0], 0.5, 1, 1_000, 1e-3_f32)?;
/// let there = circle.motion_after(4_000_000_250, 1e-3);
/// assert!((there.position - nalgebra::vector![1.0, 0.5]).norm() < 1e-6);
/// # Ok::<(), taut::trajectory::TrajectoryError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle<T, const D: usize> {
    centre: Vector<T, D>,
    cosine: Vector<T, D>,
    sine: Vector<T, D>,
    turns: T,
    rhythm: Rhythm<T>,
}

impl<T: Float> Circle<T, 2> {
    /// In the plane, beginning at (radius, 0) from the centre; `turns` in `ticks` ticks of length `h`, anticlockwise if
    /// positive.
    pub fn around(
        centre: impl Into<Vector<T, 2>>,
        radius: T,
        turns: i32,
        ticks: u64,
        h: T,
    ) -> Result<Self, TrajectoryError<T>> {
        Circle::ellipse(centre, [radius, T::zero()], [T::zero(), radius], turns, ticks, h)
    }
}

impl<T: Float, const D: usize> Circle<T, D> {
    /// From the centre, the radius vector at the beginning, and the radius vector a quarter of a turn later.
    pub fn ellipse(
        centre: impl Into<Vector<T, D>>,
        begin: impl Into<Vector<T, D>>,
        quarter: impl Into<Vector<T, D>>,
        turns: i32,
        ticks: u64,
        h: T,
    ) -> Result<Self, TrajectoryError<T>> {
        let (centre, cosine, sine) = (centre.into(), begin.into(), quarter.into());
        // The largest distance from the origin is finite only if all vectors are.
        finite("centre and radii", &furthest(&[centre, cosine, sine]))?;
        let turns = T::from_f64(f64::from(turns));
        Ok(Self { centre, cosine, sine, turns, rhythm: Rhythm::new(ticks, h, &[turns])? })
    }
}

impl<T: Float, const D: usize> Trajectory<D> for Circle<T, D> {
    type Base = T;

    const CONTINUITY: usize = SMOOTH;

    fn duration(&self) -> T {
        T::INFINITY
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let (sin, cos) = (t * self.rhythm.rate * self.turns).sin_cos();
        Vector::from(core::array::from_fn(|i| {
            cos * self.cosine.data.0[0][i] + sin * self.sine.data.0[0][i] + self.centre.data.0[0][i]
        }))
    }

    fn period(&self) -> Option<NonZeroU64> {
        Some(self.rhythm.ticks)
    }
}

/// A Lissajous figure in `D` coordinates, each with its own amplitude, turns and phase.
///
/// ```
/// use taut::trajectory::{Lissajous, Trajectory};
///
/// // An eight lying on its side, once in two seconds.
/// let eight = Lissajous::around([0.0, 0.0], [0.3, 0.1], [1, 2], [0.0, 0.0], 2_000, 1e-3_f64)?;
/// let corner = eight.motion_after(250, 1e-3);
/// assert!((corner.position[1] - 0.1).abs() < 1e-15 && corner.velocity[1].abs() < 1e-15);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lissajous<T, const D: usize> {
    centre: Vector<T, D>,
    amplitudes: [T; D],
    turns: [T; D],
    phases: [T; D],
    rhythm: Rhythm<T>,
}

impl<T: Float, const D: usize> Lissajous<T, D> {
    /// From its centre, amplitudes, whole turns in a period of `ticks` ticks of length `h`, and phases in radians.
    pub fn around(
        centre: impl Into<Vector<T, D>>,
        amplitudes: [T; D],
        turns: [i32; D],
        phases: [T; D],
        ticks: u64,
        h: T,
    ) -> Result<Self, TrajectoryError<T>> {
        let centre = centre.into();
        // The largest distance from the origin is finite only if both vectors are.
        finite("centre and amplitudes", &furthest(&[centre, Vector::from(amplitudes)]))?;
        finite("phases", &phases)?;
        let turns = turns.map(|turns| T::from_f64(f64::from(turns)));
        Ok(Self { centre, amplitudes, turns, phases, rhythm: Rhythm::new(ticks, h, &turns)? })
    }
}

impl<T: Float, const D: usize> Trajectory<D> for Lissajous<T, D> {
    type Base = T;

    const CONTINUITY: usize = SMOOTH;

    fn duration(&self) -> T {
        T::INFINITY
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        Vector::from(core::array::from_fn(|i| {
            (t * self.rhythm.rate * self.turns[i] + self.phases[i]).sin() * self.amplitudes[i]
                + self.centre.data.0[0][i]
        }))
    }

    fn period(&self) -> Option<NonZeroU64> {
        Some(self.rhythm.ticks)
    }
}
