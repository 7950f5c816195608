//! Inverse dynamics through a flat output: a servo constraint of index 5, reduced to index 1.
//!
//! ```text
//!     (q, λ) = c(γ, γ'')                        the model: configuration
//!     v = d/dt c,   q'' = d²/dt² c              along γ, with γ' … γ'''' supplied
//!     B u = M q'' − f + Gᵀ λ
//! ```
//!
//! Everything follows from the trajectory at the tick alone; nothing is a difference over time. So the input is right at the first
//! tick, at every re-plan and after any pause, with the round-off of plain arithmetic. Choose it for `f32`. Noise of the force
//! for two masses in `f32` at 1 kHz: 1e-6 N with the path evaluated in `f64`, 2e-5 N with the path in `f32`, too; backward
//! differences have 100 N. The trajectory needs four continuous derivatives: a [`Nonic`](crate::trajectory::Nonic) has them. With
//! three, use [`ProjectedInverse`](super::ProjectedInverse) in `f64`.

use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::flat::Flat;
use super::inverse::{Following, Inverse};
use crate::linalg::Vector;
use crate::linalg::entries::{each, jets, zeros};
use crate::scalar::Float;
use crate::trajectory::{Motion, Trajectory};

/// The motion and the inputs with which a flat output follows a trajectory.
///
/// ```
/// use mechanisms::Crane;
/// use taut::control::{Feedforward, FlatInverse};
/// use taut::trajectory::Nonic;
///
/// // A load of 100 kg, by 5 m and up by 3 m, in 6 s.
/// let path = Nonic::point_to_point([0.0, -4.0], [5.0_f32, -1.0], 6.0)?;
/// let plan = FlatInverse::new(Crane::standard(), path, 1e-3)?;
/// let mut state = plan.start()?;
/// let first = plan.at(&mut state, 0)?;
/// assert!(first.inputs[0] == 0.0 && (first.inputs[1] + 981.0).abs() < 1e-3); // the winch holds the load
/// let reference = plan.at(&mut state, 1_000)?;
/// assert!((reference.inputs[0] - 68.211_36).abs() < 1e-3);
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
///
/// The compiler refuses a kind of trajectory with fewer derivatives:
///
/// ```compile_fail
/// # use mechanisms::Crane;
/// # use taut::control::FlatInverse;
/// # use taut::trajectory::MinimumJerk;
/// let path = MinimumJerk::point_to_point([0.0, -4.0], [5.0_f32, -1.0], 6.0).unwrap();
/// let plan = FlatInverse::new(Crane::standard(), path, 1e-3).unwrap();
/// ```
pub type FlatInverse<System, Path, const N: usize, const M: usize, const U: usize> = Inverse<System, Path, N, M, U, 4>;

impl<System, Path, T, const N: usize, const M: usize, const U: usize> FlatInverse<System, Path, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// Follows a trajectory from tick zero, in ticks of `h` seconds.
    pub fn new(system: System, path: Path, h: T) -> Result<Self, ControlError<T>> {
        Self::from_guess(system, path, h, Vector::zeros())
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward for FlatInverse<System, Path, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T> + Clone,
{
    type Base = T;
    type System = System;
    type Reference = Reference<T, N, M, U>;
    type State = Following<Path, T, N, M, U, ()>;

    fn system(&self) -> &System {
        &self.system
    }

    fn limit_inputs(&mut self, largest: &[T]) {
        self.take_input_limits(largest);
    }

    fn tick_length(&self) -> T {
        self.course.h
    }

    fn start(&self) -> Result<Self::State, ControlError<T>> {
        let mut state = Following::begin(self.course.clone(), Reference::at_rest(self.guess), ());
        self.at(&mut state, self.course.epoch)?;
        Ok(state)
    }

    fn at<'s>(&self, state: &'s mut Self::State, tick: u64) -> Result<&'s Self::Reference, ControlError<T>> {
        let t = state.course.time(tick);
        let motion = state.course.motion(t, tick)?;
        let Motion { position, velocity, acceleration, jerk, snap } = &motion;
        let output = jets(position, velocity, acceleration);
        let acceleration = jets(acceleration, jerk, snap);
        let (q, multipliers) = self.system.configuration(&output, &acceleration);
        let mut reference = Reference {
            position: each(&q, |q| q.value),
            velocity: each(&q, |q| q.first),
            acceleration: each(&q, |q| q.second),
            inputs: zeros(),
            multipliers: each(&multipliers, |multiplier| multiplier.value),
        };
        self.check_motion(&reference, tick)?;
        self.check_configuration(t, &reference.position, &motion.position, tick)?;
        reference.inputs = self.inputs(t, &reference, tick, true)?;
        state.advance(tick, reference, ());
        Ok(&state.last)
    }

    fn last(state: &Self::State) -> &Self::Reference {
        &state.last
    }
}
