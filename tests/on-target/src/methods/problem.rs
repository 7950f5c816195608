//! The systems for comparing methods, each with its initial values. Derivatives are written by hand if the system has them.

use mechanisms::{
    ByHand, Chain, DoublePendulum, FourBar, Pendulum, SliderCrank, SphericalPendulum, StiffActuator, parts,
};
use taut::linalg::{Ldlt, SymmetricFactors, Vector};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::scalar::{Float, Real};
use taut::start::{Clock, Start, State};
use taut::system::Mechanical;

use crate::digits::Digits;

/// A state of a system with a precision.
pub type Motion<System, P, const N: usize, const M: usize> =
    State<<System as Mechanical<N, M>>::Base, N, M, <System as Problem<N, M>>::Factors, P>;

/// A system and its initial values.
pub trait Problem<const N: usize, const M: usize>: Mechanical<N, M> + Sized {
    /// Its name in the tables.
    const NAME: &'static str;

    /// The factors of its constraints.
    type Factors: SymmetricFactors<Self::Base, M>;

    /// The system.
    fn system() -> Self;

    /// Positions and velocities at time zero.
    fn initial(&self) -> [Vector<Self::Base, N>; 2];

    /// Begins to start it at its initial position.
    fn begin(&self, clock: Clock<Self::Base>) -> Start<'_, Self, N, M, Self::Factors>;

    /// Its state at time zero, for steps of this size, in seconds.
    fn start<P: Digits>(&self, step: f64) -> Motion<Self, P, N, M> {
        let clock = Clock::with_step(Self::Base::from_f64(step)).expect("a valid step size");
        let [_, velocity] = self.initial();
        P::of(self.begin(clock)).moving(velocity).expect("a consistent start")
    }
}

/// The factors and the start of a system with independent constraints.
macro_rules! independent {
    ($n:literal, $m:literal) => {
        type Factors = Ldlt<T, $m>;

        fn begin(&self, clock: Clock<T>) -> Start<'_, Self, $n, $m> {
            let [position, _] = self.initial();
            Start::at(self, clock, position)
        }
    };
}

/// The measures by which a run is judged.
pub trait Judged<const N: usize, const M: usize>: Problem<N, M> {
    /// The simulated time, in seconds.
    const DURATION: f64;

    /// The scale of energy errors, in joules.
    const ENERGY_SCALE: f64;

    /// The size of the steps whose instructions are counted, in seconds.
    const COUNTED_STEP: f64 = 1e-3;

    /// Kinetic plus potential energy at coordinates with all their digits, or another number that is constant.
    fn energy(&self, t: f64, q: &Vector<f64, N>, v: &Vector<f64, N>) -> f64;
}

impl<T: Float> Problem<2, 1> for ByHand<Pendulum<T>> {
    const NAME: &'static str = "pendulum";

    independent!(2, 1);

    fn system() -> Self {
        Self(Pendulum::standard())
    }

    fn initial(&self) -> [Vector<T, 2>; 2] {
        [[1.0, 0.0], [0.0; 2]].map(|numbers| numbers.map(T::from_f64).into())
    }
}

impl<T: Float> Judged<2, 1> for ByHand<Pendulum<T>> {
    const DURATION: f64 = 1.0;
    // m g l.
    const ENERGY_SCALE: f64 = 9.81;

    fn energy(&self, _t: f64, q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> f64 {
        let Pendulum { mass, length, gravity } = self.0;
        let [mass, length, gravity] = [mass, length, gravity].map(Float::to_f64);
        Pendulum { mass, length, gravity }.energy(q, v)
    }
}

impl<T: Float> Problem<4, 2> for ByHand<DoublePendulum<T>> {
    const NAME: &'static str = "double_pendulum";

    independent!(4, 2);

    fn system() -> Self {
        Self(DoublePendulum::standard())
    }

    fn initial(&self) -> [Vector<T, 4>; 2] {
        [[1.0, 0.0, 2.0, 0.0], [0.0; 4]].map(|numbers| numbers.map(T::from_f64).into())
    }
}

impl<T: Float> Judged<4, 2> for ByHand<DoublePendulum<T>> {
    // It is chaotic: in longer runs all methods have equally large errors.
    const DURATION: f64 = 0.5;
    // g Σ mᵢ Lᵢ.
    const ENERGY_SCALE: f64 = 29.43;

    fn energy(&self, _t: f64, q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> f64 {
        let DoublePendulum { mass, length, gravity } = self.0;
        let [mass, length, gravity] = [mass, length, gravity].map(Float::to_f64);
        DoublePendulum { mass, length, gravity }.energy(q, v)
    }
}

impl<T: Float> Problem<9, 8> for ByHand<FourBar<T>> {
    const NAME: &'static str = "four_bar";

    independent!(9, 8);

    fn system() -> Self {
        Self(FourBar::standard())
    }

    fn initial(&self) -> [Vector<T, 9>; 2] {
        let clock = Clock::with_step(T::one()).expect("a valid step size");
        let assembled = Start::at(self, clock, FourBar::<T>::guess()).at_rest().expect("a linkage that closes");
        let q = *assembled.position();
        [q, FourBar::turning(&q).into()]
    }
}

impl<T: Float> Judged<9, 8> for ByHand<FourBar<T>> {
    const DURATION: f64 = 1.0;
    // The initial kinetic energy.
    const ENERGY_SCALE: f64 = 1.641;

    fn energy(&self, _t: f64, q: &Vector<f64, 9>, v: &Vector<f64, 9>) -> f64 {
        FourBar { gravity: self.0.gravity.to_f64() }.energy(q, v)
    }
}

impl<T: Float> Problem<3, 1> for SphericalPendulum<T> {
    const NAME: &'static str = "spherical_pendulum";

    independent!(3, 1);

    fn system() -> Self {
        Self::default()
    }

    fn initial(&self) -> [Vector<T, 3>; 2] {
        [Self::position(), Self::velocity()].map(Vector::from)
    }
}

impl<T: Float> Judged<3, 1> for SphericalPendulum<T> {
    const DURATION: f64 = 1.0;
    // The initial energy.
    const ENERGY_SCALE: f64 = 25.89;

    fn energy(&self, _t: f64, q: &Vector<f64, 3>, v: &Vector<f64, 3>) -> f64 {
        SphericalPendulum::<f64>::default().energy(q, v)
    }
}

impl<T: Float> Problem<2, 1> for SliderCrank<T> {
    const NAME: &'static str = "slider_crank";

    independent!(2, 1);

    fn system() -> Self {
        Self::standard()
    }

    fn initial(&self) -> [Vector<T, 2>; 2] {
        [Self::position(), Self::velocity()].map(Vector::from)
    }
}

impl<T: Float> Judged<2, 1> for SliderCrank<T> {
    const DURATION: f64 = 1.0;
    // The initial kinetic energy.
    const ENERGY_SCALE: f64 = 1.449;

    fn energy(&self, _t: f64, _q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> f64 {
        (0.1 * v.x * v.x + 5.0 * v.y * v.y) / 2.0
    }
}

impl<T: Float> Problem<8, 4> for ByHand<Chain<T, 8, 4>> {
    const NAME: &'static str = "chain";

    independent!(8, 4);

    fn system() -> Self {
        Self(Chain::standard())
    }

    fn initial(&self) -> [Vector<T, 8>; 2] {
        [Chain::<T, 8, 4>::position().into(), Vector::zeros()]
    }
}

impl<T: Float> Judged<8, 4> for ByHand<Chain<T, 8, 4>> {
    // Chaotic, like the double pendulum, and shorter.
    const DURATION: f64 = 0.5;
    // g Σ mᵢ Lᵢ, four masses and their distances along the chain.
    const ENERGY_SCALE: f64 = 0.981;

    fn energy(&self, _t: f64, q: &Vector<f64, 8>, v: &Vector<f64, 8>) -> f64 {
        Chain::<f64, 8, 4> { gravity: self.0.gravity.to_f64() }.energy(q, v)
    }
}

impl<T: Float> Problem<2, 1> for StiffActuator<T> {
    const NAME: &'static str = "stiff_actuator";

    independent!(2, 1);

    fn system() -> Self {
        Self::new()
    }

    fn initial(&self) -> [Vector<T, 2>; 2] {
        Self::start()
    }
}

impl<T: Float> Judged<2, 1> for StiffActuator<T> {
    const DURATION: f64 = 1.0;
    const ENERGY_SCALE: f64 = 1.0;
    // An explicit method that is unstable at 1 ms would have no cost.
    const COUNTED_STEP: f64 = 1e-4;

    /// The actuator does work. Instead, x less the path that it keeps, in metres.
    fn energy(&self, t: f64, q: &Vector<f64, 2>, _v: &Vector<f64, 2>) -> f64 {
        q.x - 0.5 * Real::sin(t)
    }
}

/// Every list of parts, let go where it is assembled.
impl<L, const N: usize, const M: usize> Problem<N, M> for Mechanism<L, N, M>
where
    L: List<N, M> + Default,
{
    const NAME: &'static str = "a list of parts";

    type Factors = L::Factors;

    fn system() -> Self {
        let Ok(mechanism) = Self::build(&L::default()) else { panic!("a list that cannot be built") };
        mechanism
    }

    fn initial(&self) -> [Vector<L::Base, N>; 2] {
        [self.assembled(), parts::velocity(self)]
    }

    fn begin(&self, clock: Clock<L::Base>) -> Start<'_, Self, N, M, L::Factors> {
        self.start(clock)
    }
}

impl<L, const N: usize, const M: usize> Judged<N, M> for Mechanism<L, N, M>
where
    L: List<N, M> + Default,
{
    // Some are chaotic, like the double pendulum.
    const DURATION: f64 = 0.5;
    // Lists have sizes of their own: joules.
    const ENERGY_SCALE: f64 = 1.0;

    /// In the precision of the list.
    fn energy(&self, _t: f64, q: &Vector<f64, N>, v: &Vector<f64, N>) -> f64 {
        let (q, v) = (q.map(Float::from_f64), v.map(Float::from_f64));
        Float::to_f64(self.kinetic_energy(&q, &v) + self.potential_energy(&q))
    }
}
