//! The state of a serial mechanism.

use super::clock::Clock;
use super::error::StartError;
use super::precision::{Compensated, Coordinates, Plain, Precise, Precision};
use super::serial_digits::Digits;
use crate::linalg::Vector;
use crate::project::serial::{Rows, Side};
use crate::scalar::Float;
use crate::system::Serial;

/// The state of a [`Serial`] mechanism of `N` elements with `D` coordinates and `E` constraints each, on its constraints.
///
/// Its memory is linear in `N`: it has two nodes, the present one and the one that a step writes. It starts with the digits of its scalar,
/// as a [`Plain`] state; [`compensated`](Self::compensated) and [`precise`](Self::precise) give it more. In an error, constraint `row` is number `row % E` of joint `row / E`, and coordinate `index` is number `index % D` of
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
pub struct SerialState<T: Float, const N: usize, const D: usize, const E: usize, P: Precision = Plain> {
    pub(crate) rows: Rows<T, N, D, E>,
    /// The present node; a step writes the other.
    pub(crate) side: Side,
    pub(crate) clock: Clock<T>,
    /// The factor that turns the multipliers of the joints, which are the impulses of a step, into forces.
    pub(crate) per_impulse: T,
    /// The low parts of positions and velocities.
    pub(crate) digits: Digits<T, N, D, E, P>,
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
        let mut state = Self::workspace(Clock { next_multipliers_weight: T::zero(), ..clock });
        state.begin(system, &guess, &velocity)?;
        Ok(state)
    }

    /// The same state with compensated sums; see [`Compensated`]. RATTLE steps it.
    ///
    /// ```
    /// # use mechanisms::HangingChain;
    /// use taut::method::{Rattle, Step};
    /// use taut::start::{Clock, SerialState};
    ///
    /// let chain = HangingChain::<f32, 20>::standard();
    /// let plain = SerialState::at_rest(&chain, Clock::at_rate(1_000.0)?, HangingChain::<f32, 20>::position())?;
    /// let mut state = plain.compensated(&chain)?;
    /// Rattle::new().step(&chain, &mut state)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compensated<System: Serial<N, D, E, Base = T>>(
        self,
        system: &System,
    ) -> Result<SerialState<T, N, D, E, Compensated>, StartError<T>> {
        self.choosing(system)
    }

    /// The same state with twice the digits, on constraints that are evaluated with twice the digits; see [`Precise`]. RATTLE steps it.
    pub fn precise<System: Serial<N, D, E, Base = T>>(
        self,
        system: &System,
    ) -> Result<SerialState<T, N, D, E, Precise>, StartError<T>> {
        self.choosing(system)
    }

    /// The same state with another number of digits.
    fn choosing<System: Serial<N, D, E, Base = T>, P: Precision>(
        self,
        system: &System,
    ) -> Result<SerialState<T, N, D, E, P>, StartError<T>> {
        let Self { rows, side, clock, per_impulse, .. } = self;
        let mut state = SerialState { rows, side, clock, per_impulse, digits: Digits::zero() };
        state.settle(system)?;
        Ok(state)
    }
}

impl<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> SerialState<T, N, D, E, P> {
    /// Brings the state back onto the constraints after the model has changed: its masses, its lengths or its ground. The clock stays. On an
    /// error the state is unchanged.
    pub fn resume<System: Serial<N, D, E, Base = T>>(&mut self, system: &System) -> Result<(), StartError<T>> {
        let before = *self;
        let elements = &before.rows.elements;
        let guess = core::array::from_fn(|i| elements[i].at(before.side).q.data.0[0]);
        let velocity = core::array::from_fn(|i| elements[i].at(before.side).v.data.0[0]);
        self.clock.next_multipliers_weight = T::zero();
        self.digits = Digits::zero();
        if let Err(error) = self.begin(system, &guess, &velocity).and_then(|()| self.settle(system)) {
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

    /// The position of an element with all digits; `None` if there is no such element.
    #[inline]
    pub fn full_position(&self, element: usize) -> Option<Coordinates<T, D, P>> {
        let (row, low) = (self.rows.elements.get(element)?, self.digits.elements.get(element)?);
        Some(Coordinates { high: row.at(self.side).q, low: low.at(self.side).q })
    }

    /// The velocity of an element with all digits; `None` if there is no such element.
    #[inline]
    pub fn full_velocity(&self, element: usize) -> Option<Coordinates<T, D, P>> {
        let (row, low) = (self.rows.elements.get(element)?, self.digits.elements.get(element)?);
        Some(Coordinates { high: row.at(self.side).v, low: low.at(self.side).v })
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
    pub(crate) fn advance(&mut self, per_impulse: T) {
        self.side = self.side.other();
        self.per_impulse = per_impulse;
        self.clock.advance_in_period();
        self.clock.next_multipliers_weight = T::from_f64(0.5);
    }
}
