//! How the state of a serial mechanism starts: what is given is checked, positions are assembled, velocities projected, and limits and
//! multipliers computed.

use core::hint::black_box;

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Coordinates, Plain, Precision};
use super::serial::SerialState;
use super::serial_assembly::assemble;
use super::serial_digits::Digits;
use crate::linalg::{FactorError, Vector};
use crate::project::serial::{Behind, Element, Grounds, Row, Rows, Side, every_joint};
use crate::project::{Level, Residual};
use crate::scalar::{Float, Jet};
use crate::system::serial::{acceleration_terms, before_joint, uniform_motion};
use crate::system::{Diagonal, Mass, Serial};

impl<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> SerialState<T, N, D, E, P> {
    /// Fills the low parts, and checks the positions again.
    pub(super) fn settle<System: Serial<N, D, E, Base = T>>(&mut self, system: &System) -> Result<(), StartError<T>> {
        if !P::CARRIES_MORE {
            return Ok(());
        }
        self.digits.settle(system, &mut self.rows, self.side, self.clock.time_after::<P>(0));
        self.check_digits(system)
    }

    /// Refuses positions off the constraints, evaluated with all digits.
    fn check_digits<System: Serial<N, D, E, Base = T>>(&self, system: &System) -> Result<(), StartError<T>> {
        let residual = |joint| {
            let time = self.clock.time_after::<P>(0);
            let [g, _] = self.digits.residuals(system, &self.rows, self.side, time, joint);
            g
        };
        within::<System, T, N, D, E>(Level::Position, &self.rows, T::one(), residual)
            .map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })
    }

    /// Computes geometry, limits and multipliers for the present positions and velocities, which stay. An error if they are not on the
    /// constraints.
    pub(super) fn stand<System: Serial<N, D, E, Base = T>>(&mut self, system: &System) -> Result<(), StartError<T>> {
        let [t, _] = self.clock.plain_times();
        all_finite(Part::Time, [&t])?;
        self.set_masses(system)?;
        let grounds = Grounds::at(system, t);
        self.rows.factorise(Side::First, system, &grounds, |_| Vector::zeros());
        self.rows.judge_pivots::<System>(Side::First).map_err(StartError::Constraints)?;
        self.set_limits::<System>();
        self.check_digits(system)?;
        self.check_velocities::<System>(&grounds)?;
        self.solve_multipliers(system, t)
    }

    /// Nothing yet.
    pub(super) fn workspace(clock: Clock<T>) -> Self {
        Self { rows: Rows::workspace(), side: Side::First, clock, per_impulse: T::one(), digits: Digits::zero() }
    }

    /// Checks the masses, and computes their inverses.
    fn set_masses<System: Serial<N, D, E, Base = T>>(&mut self, system: &System) -> Result<(), StartError<T>> {
        for (i, row) in self.rows.elements_slowly() {
            let mass = system.mass(i);
            Diagonal::new(mass.data.0[0]).check().map_err(|cause| StartError::Mass(of_element::<T, D>(cause, i)))?;
            row.inverse_masses = mass.map(|mass| T::one() / mass);
        }
        Ok(())
    }

    /// Checks what is given, assembles the positions, and computes velocities, limits and multipliers.
    #[inline(never)]
    pub(super) fn begin<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        guess: &[[T; D]; N],
        velocity: &[[T; D]; N],
    ) -> Result<(), StartError<T>> {
        all_finite(Part::Position, guess.as_flattened())?;
        all_finite(Part::Velocity, velocity.as_flattened())?;
        let [t, _] = self.clock.plain_times();
        all_finite(Part::Time, [&t])?;
        self.set_masses(system)?;
        self.side = Side::First;
        for ((_, row), (q, v)) in self.rows.elements_slowly().zip(guess.iter().zip(velocity)) {
            let element = row.at_mut(Side::First);
            (element.q, element.v) = (Vector::from(*q), Vector::from(*v));
            element.turns = [0; D];
            for k in 0..D {
                if System::ANGLES[k] {
                    element.turns[k] = unwind_fully(&mut element.q.data.0[0][k]);
                }
            }
        }
        let grounds = Grounds::at(system, t);
        let iterations = assemble(system, &grounds, &mut self.rows)?;
        self.set_limits::<System>();
        self.check_positions(system, &grounds, iterations)?;
        self.project_velocities::<System>(&grounds)?;
        self.solve_multipliers(system, t)
    }

    /// The limits: √ε times the norm of each row of G.
    fn set_limits<System: Serial<N, D, E, Base = T>>(&mut self) {
        for joint in every_joint::<System, N, D, E>() {
            let squares = self.rows.get(joint).at(Side::First).joint.squared_gradients::<System, N>();
            self.rows.set_limits(joint, squares.map(|square| square.sqrt() * T::ROOT_EPSILON));
        }
    }

    fn check_positions<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        grounds: &Grounds<T, D>,
        iterations: usize,
    ) -> Result<(), StartError<T>> {
        let residual = |joint| self.rows.position_residual(Side::First, system, grounds, joint);
        within::<System, T, N, D, E>(Level::Position, &self.rows, T::one(), residual)
            .map_err(|residual| StartError::NotAssembled { residual, iterations })
    }

    /// The velocities nearest to those given with G v = 0.
    #[inline(never)]
    fn project_velocities<System: Serial<N, D, E, Base = T>>(
        &mut self,
        grounds: &Grounds<T, D>,
    ) -> Result<(), StartError<T>> {
        // The second pass removes the round-off of the first.
        for _ in 0..black_box(2) {
            self.rows.forward::<System>(Side::First, |rows, joint| {
                rows.velocity_residual::<System>(Side::First, grounds, joint)
            });
            self.rows.project::<System>(Side::First, grounds, false);
        }
        self.check_velocities::<System>(grounds)
    }

    fn check_velocities<System: Serial<N, D, E, Base = T>>(
        &self,
        grounds: &Grounds<T, D>,
    ) -> Result<(), StartError<T>> {
        let rows = &self.rows;
        let speed = rows.speed(Side::First) + T::one();
        let residual = |joint| rows.velocity_residual::<System>(Side::First, grounds, joint);
        within::<System, T, N, D, E>(Level::Velocity, rows, speed, residual).map_err(StartError::Velocity)
    }

    /// The multipliers of the acceleration level: G W Gᵀ λ = G W f + g_qq(v, v) + …
    fn solve_multipliers<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        t: T,
    ) -> Result<(), StartError<T>> {
        self.per_impulse = T::one();
        let rows = &mut self.rows;
        let acceleration = |row: &Row<T, D, E>, i: usize| {
            let Element { q, v, .. } = row.at(Side::First);
            system.free_acceleration(i, t, q, v, &row.inverse_masses)
        };
        for (i, row) in rows.elements_slowly() {
            if let Some(k) = acceleration(row, i).iter().position(|x| !x.is_finite()) {
                return Err(StartError::NonFinite { part: Part::Force, index: i * D + k });
            }
        }
        rows.forward::<System>(Side::First, |rows, joint| {
            let motion = |i: Option<usize>, ground: Vector<Jet<T>, D>| {
                let element = i.and_then(|i| Some((i, rows.elements.get(i)?)));
                element.map_or((ground, Vector::zeros()), |(i, row)| {
                    let Element { q, v, .. } = row.at(Side::First);
                    (uniform_motion(q, v), acceleration(row, i))
                })
            };
            let (before, acceleration_before) =
                motion(before_joint::<System, N, D, E>(joint), system.ground(Jet::variable(t)));
            let (behind, acceleration_behind) = motion(Some(joint), system.far_ground(Jet::variable(t)));
            let along = &rows.get(joint).at(Side::First).joint;
            acceleration_terms(system, joint, &before, &behind)
                + along.along::<System, N>(&acceleration_before, &acceleration_behind)
        });
        let mut behind = Behind::last::<System>(rows, Side::First, Side::First);
        for index in every_joint::<System, N, D, E>().rev() {
            let joint = &mut rows.get_mut(index).at_mut(Side::First).joint;
            let multipliers = joint.backward::<System, N>(index, &joint.rest, &behind);
            joint.pull::<System, N>(index, &multipliers, &multipliers, &mut behind);
            joint.multipliers = multipliers;
            // Twice a multiplier must be finite, too: a step takes the mean of two from their difference.
            if let Some(k) = multipliers.iter().position(|x| !(*x + *x).is_finite()) {
                return Err(StartError::NonFinite { part: Part::Multiplier, index: index * E + k });
            }
        }
        Ok(())
    }
}

/// Refuses the first residual above its limit times a factor, or NaN.
pub(crate) fn within<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    level: Level,
    rows: &Rows<T, N, D, E>,
    factor: T,
    residual: impl Fn(usize) -> Vector<T, E>,
) -> Result<(), Residual<T>> {
    for joint in every_joint::<System, N, D, E>() {
        crate::project::within_times(level, &residual(joint), &rows.get(joint).limits, factor)
            .map_err(|residual| Residual { row: joint * E + residual.row, ..residual })?;
    }
    Ok(())
}

/// The same cause with the index of the coordinate among those of all elements.
fn of_element<T, const D: usize>(cause: FactorError<T>, element: usize) -> FactorError<T> {
    match cause {
        FactorError::SmallPivot { index, pivot, limit } => {
            FactorError::SmallPivot { index: element * D + index, pivot, limit }
        }
        FactorError::NonFinite { index } => FactorError::NonFinite { index: element * D + index },
    }
}

/// Subtracts whole turns from an angle of any size.
fn unwind_fully<T: Float>(angle: &mut T) -> i32 {
    let turn = T::PI + T::PI;
    let whole = (*angle / turn).round();
    let mut rest =
        Coordinates::<T, 1, Plain>::new(Vector::from([*angle - whole * turn - whole * (T::PI_LOW + T::PI_LOW)]));
    let more = rest.unwind(0);
    *angle = rest.rounded().data.0[0][0];
    (whole.to_f64() as i32).wrapping_add(more)
}
