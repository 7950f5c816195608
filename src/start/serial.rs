//! The state of a serial mechanism, and how it starts.

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Coordinates, Plain};
use super::serial_assembly::assemble;
use crate::linalg::{FactorError, Vector};
use crate::project::serial::{Behind, Element, Grounds, Row, Rows, Side, every_joint};
use crate::project::{Level, Residual};
use crate::scalar::{Float, Jet};
use crate::system::serial::{acceleration_terms, uniform_motion};
use crate::system::{Diagonal, Mass, Serial};

/// The state of a [`Serial`] mechanism of `N` elements with `D` coordinates and `E` constraints each, on its constraints.
///
/// Its memory is linear in `N`: it has two nodes, the present one and the one that a step writes. It carries the digits of its scalar, as
/// a [`Plain`] state. In an error, constraint `row` is number `row % E` of joint `row / E`, and coordinate `index` is number `index % D` of
/// element `index / D`.
///
/// ```
/// # use mechanisms::HangingChain;
/// use taut::method::{Rattle, Step};
/// use taut::start::{Clock, SerialState};
///
/// let chain = HangingChain::<f64, 64>::standard();
/// let mut state = SerialState::at_rest(&chain, Clock::at_rate(1_000.0)?, HangingChain::<f64, 64>::position())?;
/// Rattle::new().step(&chain, &mut state)?;
/// assert_eq!(state.clock().tick(), 1);
/// // The last link of a straight chain falls freely.
/// assert!((state.velocity(63).unwrap().norm() - 9.81e-3 / 2_f64.sqrt()).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SerialState<T: Float, const N: usize, const D: usize, const E: usize> {
    pub(crate) rows: Rows<T, N, D, E>,
    /// The present node; a step writes the other.
    pub(crate) side: Side,
    pub(crate) clock: Clock<T>,
}

impl<T: Float, const N: usize, const D: usize, const E: usize> SerialState<T, N, D, E> {
    /// Starts at rest, or as close to it as a moving ground allows, from a guess of the positions.
    pub fn at_rest<System: Serial<N, D, E, Base = T>>(
        system: &System,
        clock: Clock<T>,
        guess: [[T; D]; N],
    ) -> Result<Self, StartError<T>> {
        Self::moving(system, clock, guess, [[T::zero(); D]; N])
    }

    /// Starts with the velocities nearest to these that the constraints allow.
    ///
    /// The guess is moved onto the constraints. They must hold to √ε in the units of the coordinates, at the start and after every step.
    pub fn moving<System: Serial<N, D, E, Base = T>>(
        system: &System,
        clock: Clock<T>,
        guess: [[T; D]; N],
        velocity: [[T; D]; N],
    ) -> Result<Self, StartError<T>> {
        let mut state = Self {
            rows: Rows::workspace(),
            side: Side::First,
            clock: Clock { next_multipliers_weight: T::zero(), ..clock },
        };
        state.begin(system, &guess, &velocity)?;
        Ok(state)
    }

    /// Brings the state back onto the constraints after the model has changed: its masses, its lengths or its ground. The clock stays. On an
    /// error the state is unchanged.
    pub fn resume<System: Serial<N, D, E, Base = T>>(&mut self, system: &System) -> Result<(), StartError<T>> {
        let before = *self;
        let elements = &before.rows.elements;
        let guess = core::array::from_fn(|i| elements[i].at(before.side).q.data.0[0]);
        let velocity = core::array::from_fn(|i| elements[i].at(before.side).v.data.0[0]);
        self.clock.next_multipliers_weight = T::zero();
        if let Err(error) = self.begin(system, &guess, &velocity) {
            *self = before;
            return Err(error);
        }
        for (row, old) in self.rows.elements.iter_mut().zip(elements) {
            for k in 0..D {
                let turns = &mut row.at_mut(self.side).turns[k];
                *turns = turns.wrapping_add(old.at(before.side).turns[k]);
            }
        }
        Ok(())
    }

    /// The position of an element; `None` if there is no such element.
    #[inline]
    pub fn position(&self, element: usize) -> Option<&Vector<T, D>> {
        self.rows.elements.get(element).map(|row| &row.at(self.side).q)
    }

    /// The velocity of an element; `None` if there is no such element.
    #[inline]
    pub fn velocity(&self, element: usize) -> Option<&Vector<T, D>> {
        self.rows.elements.get(element).map(|row| &row.at(self.side).v)
    }

    /// The whole turns subtracted from each coordinate of an element that is an [angle](Serial::ANGLES).
    #[inline]
    pub fn turns(&self, element: usize) -> Option<&[i32; D]> {
        self.rows.elements.get(element).map(|row| &row.at(self.side).turns)
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }

    /// Makes the node that a step has written the present one.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        self.side = self.side.other();
        self.clock.advance_in_period();
        self.clock.next_multipliers_weight = T::from_f64(0.5);
    }

    /// Checks what is given, assembles the positions, and computes velocities, limits and multipliers.
    #[inline(never)]
    fn begin<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        guess: &[[T; D]; N],
        velocity: &[[T; D]; N],
    ) -> Result<(), StartError<T>> {
        all_finite(Part::Position, guess.as_flattened())?;
        all_finite(Part::Velocity, velocity.as_flattened())?;
        let [t, _] = self.clock.plain_times();
        all_finite(Part::Time, [&t])?;
        for i in 0..N {
            let mass = system.mass(i);
            Diagonal::new(mass.data.0[0]).check().map_err(|cause| StartError::Mass(of_element::<T, D>(cause, i)))?;
            self.rows.elements[i].inverse_masses = mass.map(|mass| T::one() / mass);
        }
        self.side = Side::First;
        for i in 0..N {
            let element = self.rows.elements[i].at_mut(Side::First);
            (element.q, element.v) = (Vector::from(guess[i]), Vector::from(velocity[i]));
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
        let two = T::one() + T::one();
        for joint in every_joint::<System, N, D, E>() {
            let row = self.rows.get_mut(joint);
            let squares = row.at(Side::First).joint.squared_gradients::<System, N>();
            let limits = squares.map(|square| square.sqrt() * T::ROOT_EPSILON);
            (row.limits, row.weights) = (limits, limits.map(|limit| two / (limit * limit)));
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
        let rows = &mut self.rows;
        // The second pass removes the round-off of the first.
        for _ in 0..2 {
            rows.forward::<System>(Side::First, |rows, joint| {
                rows.velocity_residual::<System>(Side::First, grounds, joint)
            });
            rows.project::<System>(Side::First, grounds, None);
        }
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
        let rows = &mut self.rows;
        let acceleration = |row: &Row<T, D, E>, i: usize| {
            let Element { q, v, .. } = row.at(Side::First);
            system.free_acceleration(i, t, q, v, &row.inverse_masses)
        };
        for i in 0..N {
            if let Some(k) = acceleration(&rows.elements[i], i).iter().position(|x| !x.is_finite()) {
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
            let (before, acceleration_before) = motion(joint.checked_sub(1), system.ground(Jet::variable(t)));
            let (behind, acceleration_behind) = motion(Some(joint), system.far_ground(Jet::variable(t)));
            let along = &rows.get(joint).at(Side::First).joint;
            acceleration_terms(system, joint, &before, &behind)
                + along.along::<System, N>(&acceleration_before, &acceleration_behind)
        });
        let mut behind = Behind::nothing();
        for index in every_joint::<System, N, D, E>().rev() {
            let joint = &mut rows.get_mut(index).at_mut(Side::First).joint;
            let multipliers = joint.backward(&joint.rest, &behind);
            joint.pull::<System, N>(&multipliers, &multipliers, &mut behind);
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
