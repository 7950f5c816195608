//! Paths that lead where they can not be followed.

use taut::control::{Actuated, ControlError, Flat, FlatInverse, InverseDynamics};
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::trajectory::{Nonic, Trajectory};

/// The path of a program, or a way off it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route<Path, const D: usize> {
    /// The path.
    Path(Path),
    /// Off it.
    Away(Nonic<f32, D>),
}

impl<Path: Trajectory<D, Base = f32>, const D: usize> Trajectory<D> for Route<Path, D> {
    type Base = f32;

    const CONTINUITY: usize = {
        let (path, away) = (Path::CONTINUITY, <Nonic<f32, D> as Trajectory<D>>::CONTINUITY);
        if path < away { path } else { away }
    };

    fn continuity(&self) -> usize {
        match self {
            Self::Path(path) => path.continuity(),
            Self::Away(way) => way.continuity(),
        }
    }

    fn duration(&self) -> f32 {
        match self {
            Self::Path(path) => path.duration(),
            Self::Away(way) => way.duration(),
        }
    }

    fn period(&self) -> Option<core::num::NonZero<u64>> {
        match self {
            Self::Path(path) => path.period(),
            Self::Away(way) => way.period(),
        }
    }

    fn reduced(&self, ticks: u64, h: f32) -> u64 {
        match self {
            Self::Path(path) => path.reduced(ticks, h),
            Self::Away(way) => way.reduced(ticks, h),
        }
    }

    fn within<S: Real<Base = f32>>(&self, t: S) -> Vector<S, D> {
        match self {
            Self::Path(path) => path.within(t),
            Self::Away(way) => way.within(t),
        }
    }
}

/// Where a program's path can be led that it can not be followed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detours<const D: usize> {
    /// Out of reach, and in how many seconds.
    pub infeasible: ([f32; D], f32),
    /// A singular pose, and in how many seconds.
    pub singular: ([f32; D], f32),
}

/// A plan that can be led off its path.
pub trait Divert<const D: usize> {
    /// Leads to a point from a tick of the plan on.
    fn divert(&mut self, to: [f32; D], duration: f32, tick: u64) -> Result<(), ControlError<f32>>;
}

impl<System, Path, const N: usize, const M: usize, const U: usize> Divert<U>
    for InverseDynamics<System, Route<Path, U>, f32, N, M, U>
where
    System: Actuated<N, M, U, Base = f32>,
    Path: Trajectory<U, Base = f32>,
{
    fn divert(&mut self, to: [f32; U], duration: f32, tick: u64) -> Result<(), ControlError<f32>> {
        self.replan(Route::Away(Nonic::departing(self.path(), self.time(tick), to, duration)?), tick)
    }
}

impl<System, Path, const N: usize, const M: usize, const U: usize> Divert<U>
    for FlatInverse<System, Route<Path, U>, f32, N, M, U>
where
    System: Flat<N, M, U, Base = f32>,
    Path: Trajectory<U, Base = f32>,
{
    fn divert(&mut self, to: [f32; U], duration: f32, tick: u64) -> Result<(), ControlError<f32>> {
        self.replan(Route::Away(Nonic::departing(self.path(), self.time(tick), to, duration)?), tick)
    }
}
