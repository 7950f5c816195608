//! A mechanical system with inputs and outputs.

use num_traits::Zero;

use crate::linalg::entries::{each, pairs};
use crate::linalg::{FactorError, Matrix, Vector};
use crate::scalar::{Dual, Float, Jet, Real};
use crate::system::automatic::from_partials;
use crate::system::{Equations, InertiaOf, Massless, Mechanical, Pattern};

/// A mechanical system with `U` inputs u and `U` outputs s(q), the quantities that a servo constraint prescribes:
///
/// ```text
///     M q'' = f(t, q, v) + B(q) u − Gᵀ λ
/// ```
///
/// The [`force`](Mechanical::force) of the model is f alone. [`actuation`](Self::actuation) is the only place where B is written;
/// [`Driven`] adds B u for a simulation.
pub trait Actuated<const N: usize, const M: usize, const U: usize>: Mechanical<N, M> {
    /// Which constraints can only pull, like a rope. Their multipliers must not be negative.
    const PULLS: [bool; M] = [false; M];

    /// Which outputs are angles in [−π, π] that jump at the end of a turn, such as an `atan2`. A path counts their turns.
    const OUTPUT_WRAPS: [bool; U] = [false; U];

    /// Which coordinates each output uses: where ∂s/∂q can differ from zero. Dense is always right. A plan refuses a pattern that misses an
    /// entry.
    const OUTPUT_PATTERN: Pattern<N, U> = Pattern::dense();

    /// Which coordinates each input acts on: where B can differ from zero, a row for each input. Dense is always right.
    ///
    /// With both patterns and [that of the constraints](Mechanical::PATTERN), an [`InverseDynamics`](super::InverseDynamics) solves block by
    /// block. If outputs and motors are coordinates, as in most linkages, a tick then takes half as many instructions.
    const ACTUATION_PATTERN: Pattern<N, U> = Pattern::dense();

    /// B(q): the generalised forces of unit inputs.
    fn actuation<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, U>;

    /// s(q): the outputs, which follow a trajectory.
    fn output<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Vector<S, U>;

    /// ∂s/∂q. Automatic; a hand-written one saves instructions.
    #[inline(always)]
    fn output_jacobian(&self, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, U, N> {
        from_partials(&self.output(&Vector::from(Dual::variables(q.data.0[0]))))
    }

    /// s_qq(v, v) in s'' = ∂s/∂q q'' + s_qq(v, v). Automatic; zero if the output is linear.
    #[inline(always)]
    fn output_terms(&self, q: &Vector<Self::Base, N>, v: &Vector<Self::Base, N>) -> Vector<Self::Base, U> {
        each(&self.output(&pairs(q, v, |q, v| Jet::new(q, v, Self::Base::zero()))), |s| s.second)
    }
}

impl<System, const N: usize, const M: usize, const U: usize> Actuated<N, M, U> for Massless<System, System::Base>
where
    System: Actuated<N, M, U>,
{
    const PULLS: [bool; M] = System::PULLS;
    const OUTPUT_WRAPS: [bool; U] = System::OUTPUT_WRAPS;
    const OUTPUT_PATTERN: Pattern<N, U> = System::OUTPUT_PATTERN;
    const ACTUATION_PATTERN: Pattern<N, U> = System::ACTUATION_PATTERN;

    fn actuation<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, U> {
        self.system.actuation(q)
    }

    fn output<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Vector<S, U> {
        self.system.output(q)
    }
}

/// An [`Actuated`] system with given inputs: a mechanical system whose force is f + B u. The inputs are constant over a step. A change
/// between two steps acts at once.
///
/// ```
/// use mechanisms::Arm;
/// use nalgebra::vector;
/// use taut::control::Driven;
/// use taut::system::Mechanical;
///
/// let arm = Arm::<f32>::standard(); // 1 kg at 0.5 m, a motor in the joint
/// let mut driven = Driven::new(arm);
/// driven.inputs = vector![2.0]; // N m
/// let (q, v) = (vector![0.5_f32, 0.0], vector![0.0, 0.0]);
/// assert_eq!(driven.force(0.0_f32, &q, &v), arm.force(0.0_f32, &q, &v) + vector![0.0, 4.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driven<System, T, const U: usize> {
    /// The model.
    pub system: System,
    /// The inputs u.
    pub inputs: Vector<T, U>,
}

impl<System, T: nalgebra::Scalar + Zero, const U: usize> Driven<System, T, U> {
    /// With inputs of zero.
    pub fn new(system: System) -> Self {
        Self { system, inputs: Vector::zeros() }
    }
}

impl<System, const N: usize, const M: usize, const U: usize> Mechanical<N, M> for Driven<System, System::Base, U>
where
    System: Actuated<N, M, U>,
{
    type Base = System::Base;
    type Mass = System::Mass;

    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;
    const ANGLES: [bool; N] = System::ANGLES;

    const PATTERN: Pattern<N, M> = System::PATTERN;

    #[inline(always)]
    fn mass(&self) -> Self::Mass {
        self.system.mass()
    }

    #[inline(always)]
    fn mass_matrix<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.system.mass_matrix(q)
    }

    #[inline(always)]
    fn mass_matrix_at<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.system.mass_matrix_at(t, q)
    }

    #[inline(always)]
    fn inertia_at(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
    ) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.system.inertia_at(t, q)
    }

    #[inline(always)]
    fn own_multipliers(
        &self,
        multipliers: Vector<Self::Base, M>,
        change: impl FnOnce() -> (Matrix<Self::Base, M, N>, Vector<Self::Base, N>),
        force_at: Option<(Self::Base, &Vector<Self::Base, N>, &Vector<Self::Base, N>)>,
    ) -> Vector<Self::Base, M> {
        self.system.own_multipliers(multipliers, change, force_at)
    }

    #[inline(always)]
    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        add_inputs(self.system.force(t, q, v), &self.system.actuation(q), &self.inputs)
    }

    #[inline(always)]
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.system.constraint(t, q)
    }

    #[inline(always)]
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        self.system.jacobian(t, q)
    }

    #[inline(always)]
    fn time_derivative(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Vector<Self::Base, M> {
        self.system.time_derivative(t, q)
    }

    #[inline(always)]
    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        self.system.acceleration_terms(t, q, v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, t: Self::Base, q: &'a Vector<Self::Base, N>) -> impl Equations<Self::Base, N, M> {
        DrivenEquations { free: self.system.equations(t, q), driven: self, q }
    }

    #[inline(always)]
    fn inertia(&self, q: &Vector<Self::Base, N>) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.system.inertia(q)
    }
}

/// The equations of a [`Driven`] system at a configuration.
struct DrivenEquations<'a, Free, System, T, const N: usize, const U: usize> {
    free: Free,
    driven: &'a Driven<System, T, U>,
    q: &'a Vector<T, N>,
}

impl<Free, System, T, const N: usize, const M: usize, const U: usize> Equations<T, N, M>
    for DrivenEquations<'_, Free, System, T, N, U>
where
    T: Float,
    Free: Equations<T, N, M>,
    System: Actuated<N, M, U, Base = T>,
{
    #[inline(always)]
    fn mass_matrix(&self) -> Matrix<T, N, N> {
        self.free.mass_matrix()
    }

    #[inline(always)]
    fn force(&self, v: &Vector<T, N>) -> Vector<T, N> {
        add_inputs(self.free.force(v), &self.driven.system.actuation(self.q), &self.driven.inputs)
    }

    #[inline(always)]
    fn jacobian(&self) -> Matrix<T, M, N> {
        self.free.jacobian()
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &Vector<T, N>) -> Vector<T, M> {
        self.free.acceleration_terms(v)
    }
}

/// f + B u.
#[inline(always)]
fn add_inputs<S: Real, const N: usize, const U: usize>(
    mut force: Vector<S, N>,
    actuation: &Matrix<S, N, U>,
    inputs: &Vector<S::Base, U>,
) -> Vector<S, N> {
    for row in 0..N {
        for input in 0..U {
            let more = actuation.data.0[input][row] * inputs.data.0[0][input];
            force.data.0[0][row] += more;
        }
    }
    force
}
