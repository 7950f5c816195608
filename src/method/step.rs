//! The trait of all methods.

/// Makes steps. Every method implements it for each kind of system that it can step.
///
/// A method is immutable configuration. The state is passed in and owns the clock, and with it the step size. So generic code, or code
/// with `&dyn Step`, steps any model with any method:
///
/// ```
/// # use mechanisms::{DoublePendulum, Pendulum};
/// use taut::method::{Composition, HalfExplicit, Rattle, Step};
/// use taut::start::{Clock, Start};
///
/// /// Steps any model with any method.
/// fn run<System, State, Method: Step<System, State>>(
///     method: &Method,
///     system: &System,
///     state: &mut State,
///     steps: usize,
/// ) -> Result<(), Method::Error> {
///     for _ in 0..steps {
///         method.step(system, state)?;
///     }
///     Ok(())
/// }
///
/// let clock = Clock::at_rate(1_000.0)?;
/// let pendulum = Pendulum::<f32>::standard();
/// let mut state = Start::at(&pendulum, clock, [1.0, 0.0]).at_rest()?;
/// run(&Rattle::new(), &pendulum, &mut state, 100)?;
/// run(&HalfExplicit::order_four(), &pendulum, &mut state, 100)?;
///
/// let double = DoublePendulum::<f32>::standard();
/// let mut state = Start::at(&double, clock, [1.0, 0.0, 2.0, 0.0]).at_rest()?;
/// run(&Composition::suzuki(), &double, &mut state, 100)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Step<System, State> {
    /// The result of a successful step, besides the new state.
    type Report;
    /// Why a step failed.
    type Error;

    /// The name of the method in tables and on command lines: `runge_kutta_4`.
    fn name(&self) -> &'static str;

    /// Makes a step. On an error the state is as it was, bit for bit.
    fn step(&self, system: &System, state: &mut State) -> Result<Self::Report, Self::Error>;

    /// Changes the velocity of a state so that the multipliers of the next step are right: after a start, or for a new target. On an error
    /// the state is as it was.
    ///
    /// Only [`ImplicitEuler`](super::ImplicitEuler) on the position level without projection of velocities needs it. For all other methods
    /// it does nothing.
    fn make_consistent(&self, system: &System, state: &mut State) -> Result<(), Self::Error> {
        let _ = (system, state);
        Ok(())
    }
}

/// References to methods are methods, `&dyn Step` too.
impl<System, State, Method: Step<System, State> + ?Sized> Step<System, State> for &Method {
    type Report = Method::Report;
    type Error = Method::Error;

    fn name(&self) -> &'static str {
        (**self).name()
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State) -> Result<Self::Report, Self::Error> {
        (**self).step(system, state)
    }

    fn make_consistent(&self, system: &System, state: &mut State) -> Result<(), Self::Error> {
        (**self).make_consistent(system, state)
    }
}
