//! One trajectory after another.

use heapless::Vec;

use super::error::TrajectoryError;
use super::motion::Motion;
use super::path::{Trajectory, enough_derivatives, smaller};
use crate::linalg::{Vector, magnitude};
use crate::scalar::{Float, Real, Taylor};

/// Two trajectories, one after the other, with `K` continuous derivatives at the joint.
///
/// ```
/// use taut::trajectory::{Circle, Motion, Nonic, Then, Trajectory};
///
/// // From rest onto a circle, and round it for ever.
/// let circle = Circle::around([0.0, 0.0], 0.2, 1, 1_000, 1e-3_f64)?;
/// let approach = Nonic::between(&Motion::at_rest([0.3, -0.3]), &circle.motion(0.0), 0.5)?;
/// let whole = Then::<_, _, 4>::new(approach, circle)?;
/// whole.require::<4>()?;
/// assert_eq!(whole.motion_after(500 + 7_000_000, 1e-3), whole.motion_after(500 + 1_000, 1e-3));
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
///
/// For any number of trajectories of one kind, see [`Sequence`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Then<First, Second, const K: usize> {
    first: First,
    second: Second,
}

impl<First, Second, const K: usize> Then<First, Second, K> {
    /// Joins two trajectories. Returns an error if the position or one of the `K` derivatives jumps by more than √ε of the size of the
    /// motion.
    pub fn new<T: Float, const D: usize>(first: First, second: Second) -> Result<Self, TrajectoryError<T>>
    where
        First: Trajectory<D, Base = T>,
        Second: Trajectory<D, Base = T>,
    {
        const { enough_derivatives(K, smaller(4, smaller(First::CONTINUITY, Second::CONTINUITY))) };
        joined::<_, _, T, D>(&first, &second, K)?;
        Ok(Self { first, second })
    }
}

/// Checks that the position and `order` derivatives agree at the joint.
fn joined<First: Trajectory<D, Base = T>, Second: Trajectory<D, Base = T>, T: Float, const D: usize>(
    first: &First,
    second: &Second,
    order: usize,
) -> Result<(), TrajectoryError<T>> {
    let end = first.duration();
    if !end.is_finite() {
        return Err(TrajectoryError::NotPositive { what: "duration of the first", given: end });
    }
    let before = Motion::from_series(&first.within(Taylor::<T, 4>::variable(end)));
    let after = second.motion(T::zero());
    // The size of the motion: the largest of the distance and of all derivatives, scaled with the duration.
    let shorter = shorter_duration(end, second.duration());
    let mut size = magnitude(&(before.position - first.within(T::zero()))) + T::MIN_POSITIVE;
    let mut power = T::one();
    for k in 0..=4 {
        for motion in [&before, &after] {
            let this = magnitude(&motion.derivative(k)) * power;
            size = if this > size { this } else { size };
        }
        power *= shorter;
    }
    let mut power = T::one();
    for derivative in 0..=order {
        let limit = size * T::ROOT_EPSILON / power;
        let (from, to) = (before.derivative(derivative), after.derivative(derivative));
        for index in 0..D {
            let (before, after) = (from.data.0[0][index], to.data.0[0][index]);
            if !((before - after).abs() <= limit) {
                return Err(TrajectoryError::Jump { derivative, index, before, after, limit });
            }
        }
        power *= shorter;
    }
    Ok(())
}

/// The shorter of the durations that are positive and finite; one if neither is.
fn shorter_duration<T: Float>(first: T, second: T) -> T {
    let is_shorter = second > T::zero() && second < first || !(first > T::zero());
    let shorter = if is_shorter { second } else { first };
    if shorter > T::zero() && shorter.is_finite() { shorter } else { T::one() }
}

impl<First, Second, T: Float, const D: usize, const K: usize> Trajectory<D> for Then<First, Second, K>
where
    First: Trajectory<D, Base = T>,
    Second: Trajectory<D, Base = T>,
{
    type Base = T;

    const CONTINUITY: usize = smaller(K, smaller(First::CONTINUITY, Second::CONTINUITY));

    fn continuity(&self) -> usize {
        K.min(self.second.continuity())
    }

    fn duration(&self) -> T {
        self.first.duration() + self.second.duration()
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let end = self.first.duration();
        if t.value() < end { self.first.within(t) } else { self.second.within(t - end) }
    }

    /// Leaves out whole periods of the second trajectory once it has begun.
    fn reduced(&self, ticks: u64, h: T) -> u64 {
        reduced_after(self.first.duration(), &self.second, ticks, h)
    }
}

/// The number of ticks less whole periods of a trajectory that begins at the time `begin`.
fn reduced_after<Path: Trajectory<D, Base = T>, T: Float, const D: usize>(
    begin: T,
    path: &Path,
    ticks: u64,
    h: T,
) -> u64 {
    let begun = (begin / h).to_f64() as u64;
    let begun = begun.saturating_add(1);
    if ticks <= begun { ticks } else { begun.saturating_add(path.reduced(ticks - begun, h)) }
}

/// At most `N` trajectories of one kind, one after another, with `K` continuous derivatives at the joints.
///
/// ```
/// use heapless::Vec;
/// use taut::trajectory::{MinimumJerk, Sequence, Trajectory};
///
/// let mut moves = Vec::<_, 4>::new();
/// for (from, to) in [(0.0_f32, 1.0), (1.0, 0.3), (0.3, 0.5)] {
///     moves.push(MinimumJerk::point_to_point([from], [to], 2.0)?).expect("room for four");
/// }
/// let program = Sequence::<_, 4, 2>::new(moves)?;
/// assert_eq!((program.at(4.0_f32)[0], program.at(9.0_f32)[0]), (0.3, 0.5));
/// # Ok::<(), taut::trajectory::TrajectoryError<f32>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence<Path, const N: usize, const K: usize> {
    paths: Vec<Path, N>,
}

impl<Path, const N: usize, const K: usize> Sequence<Path, N, K> {
    /// Joins the trajectories. Returns an error for an empty list, or if the position or one of the `K` derivatives jumps at a joint.
    pub fn new<T: Float, const D: usize>(paths: Vec<Path, N>) -> Result<Self, TrajectoryError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
        const { enough_derivatives(K, smaller(4, Path::CONTINUITY)) };
        if paths.is_empty() {
            return Err(TrajectoryError::TooFewPoints { given: 0 });
        }
        for (first, second) in paths.iter().zip(paths.iter().skip(1)) {
            joined::<_, _, T, D>(first, second, K)?;
        }
        Ok(Self { paths })
    }
}

impl<Path, T: Float, const D: usize, const N: usize, const K: usize> Trajectory<D> for Sequence<Path, N, K>
where
    Path: Trajectory<D, Base = T>,
{
    type Base = T;

    const CONTINUITY: usize = smaller(K, Path::CONTINUITY);

    fn continuity(&self) -> usize {
        self.paths.last().map_or(0, |last| last.continuity().min(K))
    }

    fn duration(&self) -> T {
        self.paths.iter().fold(T::zero(), |sum, path| sum + path.duration())
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let (now, mut begin) = (t.value(), T::zero());
        let mut current = None;
        for path in &self.paths {
            if current.is_none() || begin <= now {
                current = Some((begin, path));
            }
            begin += path.duration();
        }
        match current {
            Some((begin, path)) => path.within(t - begin),
            None => Vector::zeros(),
        }
    }

    /// Leaves out whole periods of the last trajectory once it has begun.
    fn reduced(&self, ticks: u64, h: T) -> u64 {
        match self.paths.split_last() {
            Some((last, before)) => {
                let begin = before.iter().fold(T::zero(), |sum, path| sum + path.duration());
                reduced_after(begin, last, ticks, h)
            }
            None => ticks,
        }
    }
}
