//! The states in which steps are counted: at rest, fast, upside down, folded, with numbers that underflow, and with very large or very
//! small steps; and states in which a step must fail.

use crate::digits::Digits;
use mechanisms::{ByHand, DoublePendulum, FourBar, HandWritten, Pendulum};
use taut::linalg::{Ldlt, Vector};
use taut::scalar::Real;
use taut::start::{Clock, Start, State};
use taut::system::{ConstantMass, Mechanical, Pattern};

/// So small that its square underflows to zero.
const VANISHING: f32 = 1e-30;

/// A model, its rate in hertz, and its initial values.
///
/// It does not contain the state: a dozen states, one for each arm of the tables below, would fill the stack of a small machine.
pub struct Case<System: Hostile<N, M>, const N: usize, const M: usize> {
    /// The model that is stepped.
    pub system: System,
    /// Steps per second.
    rate: f32,
    /// The model that makes the state.
    origin: System::Origin,
    q: [f32; N],
    v: [f32; N],
}

impl<System: Hostile<N, M>, const N: usize, const M: usize> Case<System, N, M> {
    /// The state before the first step. Not inlined, so that its stack is free again when the steps begin.
    #[inline(never)]
    pub fn start<P: Digits>(&self) -> State<f32, N, M, Ldlt<f32, M>, P> {
        // Errors are not printed: formatting numbers takes as much flash as a dozen steps.
        let Ok(clock) = Clock::at_rate(self.rate) else { panic!("a rate that is not above zero") };
        let Ok(state) = P::of(Start::at(&self.origin, clock.at_tick(1 << 40), self.q)).moving(self.v) else {
            panic!("no consistent start")
        };
        state
    }

    /// The same state, stepped with another model.
    fn under(self, system: System) -> Self {
        Self { system, ..self }
    }
}

impl<System: Hostile<N, M, Origin = System> + Clone, const N: usize, const M: usize> Case<System, N, M> {
    /// The system itself makes the state.
    fn new(system: System, rate: f32, q: [f32; N], v: [f32; N]) -> Self {
        Self { origin: system.clone(), system, rate, q, v }
    }
}

/// A system with initial values that are hard on a method.
pub trait Hostile<const N: usize, const M: usize>:
    Mechanical<N, M, Base = f32, Mass: ConstantMass<f32, N>> + Sized
{
    /// The model that makes the states.
    type Origin: Mechanical<N, M, Base = f32>;

    /// The cases that every step must survive, numbered from 0; `None` after the last.
    fn case(index: usize) -> Option<Case<Self, N, M>>;

    /// The cases whose first step must fail, numbered from 0; `None` after the last.
    fn failing(index: usize) -> Option<Case<Self, N, M>>;
}

impl<System, const N: usize, const M: usize> Hostile<N, M> for ByHand<System>
where
    System: Hostile<N, M> + HandWritten<N, M>,
{
    type Origin = System::Origin;

    fn case(index: usize) -> Option<Case<Self, N, M>> {
        System::case(index).map(by_hand)
    }

    fn failing(index: usize) -> Option<Case<Self, N, M>> {
        System::failing(index).map(by_hand)
    }
}

fn by_hand<System, const N: usize, const M: usize>(case: Case<System, N, M>) -> Case<ByHand<System>, N, M>
where
    System: Hostile<N, M> + HandWritten<N, M>,
{
    let Case { system, rate, origin, q, v } = case;
    Case { system: ByHand(system), rate, origin, q, v }
}

impl Hostile<2, 1> for Pendulum<f32> {
    type Origin = Self;

    fn case(index: usize) -> Option<Case<Self, 2, 1>> {
        let standard = Self::standard();
        let light = Self { mass: 1e-6, length: 1e-3, gravity: 9.81 };
        let heavy = Self { mass: 1e4, length: 100.0, gravity: 9.81 };
        let weightless = Self { gravity: 0.0, ..standard };
        Some(match index {
            0 => Case::new(standard, 1e3, [1.0, 0.0], [0.0, 0.0]),
            1 => Case::new(standard, 1e3, [0.0, -1.0], [0.0, 0.0]),
            2 => Case::new(standard, 1e3, [0.0, 1.0], [0.0, 0.0]),
            3 => Case::new(standard, 1e3, [0.0, 1.0], [VANISHING, 0.0]),
            4 => Case::new(standard, 1e3, [0.0, -1.0], [VANISHING, 0.0]),
            // 0.1 rad a step: many turns in a run.
            5 => Case::new(standard, 1e3, [0.6, 0.8], [-80.0, 60.0]),
            6 => Case::new(standard, 50.0, [0.8, 0.6], [0.0, 0.0]),
            7 => Case::new(standard, 1e6, [1.0, 0.0], [0.0, -1.0]),
            8 => Case::new(weightless, 1e3, [1.0, 0.0], [0.0, 0.0]),
            9 => Case::new(weightless, 1e3, [1.0, 0.0], [0.0, VANISHING]),
            10 => Case::new(light, 1e4, [1e-3, 0.0], [0.0, 0.1]),
            11 => Case::new(heavy, 100.0, [0.0, 100.0], [30.0, 0.0]),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Case<Self, 2, 1>> {
        let standard = Self::standard();
        let start = |v| Case::new(standard, 1e3, [0.6, 0.8], v);
        Some(match index {
            0 => start([0.0, 0.0]).under(Self { gravity: f32::NAN, ..standard }),
            1 => start([0.0, 0.0]).under(Self { gravity: f32::INFINITY, ..standard }),
            2 => start([0.0, 0.0]).under(Self { gravity: 1e30, ..standard }),
            3 => start([0.0, 0.0]).under(Self { length: 1.1, ..standard }),
            4 => start([0.0, 0.0]).under(Self { length: f32::NAN, ..standard }),
            5 => start([-8e3, 6e3]),
            6 => start([0.0, 0.0]).under(Self { mass: -1.0, ..standard }),
            _ => return None,
        })
    }
}

impl Hostile<4, 2> for DoublePendulum<f32> {
    type Origin = Self;

    fn case(index: usize) -> Option<Case<Self, 4, 2>> {
        let standard = Self::standard();
        let light = Self { mass: 1e-6, length: 1e-3, gravity: 9.81 };
        let weightless = Self { gravity: 0.0, ..standard };
        let rest = [0.0; 4];
        Some(match index {
            0 => Case::new(standard, 1e3, [1.0, 0.0, 2.0, 0.0], rest),
            1 => Case::new(standard, 1e3, [0.0, -1.0, 0.0, -2.0], rest),
            2 => Case::new(standard, 1e3, [0.0, 1.0, 0.0, 2.0], rest),
            3 => Case::new(standard, 1e3, [0.0, 1.0, 0.0, 2.0], [VANISHING, 0.0, -VANISHING, 0.0]),
            // Folded, the second mass on the pivot.
            4 => Case::new(standard, 1e3, [1.0, 0.0, 0.0, 0.0], rest),
            5 => Case::new(standard, 1e3, [0.0, 1.0, 0.0, 0.0], [VANISHING; 4]),
            // Stretched and turning as a rigid body; then with the second rod turning the other way.
            6 => Case::new(standard, 1e3, [0.6, 0.8, 1.2, 1.6], [-40.0, 30.0, -80.0, 60.0]),
            7 => Case::new(standard, 1e3, [1.0, 0.0, 2.0, 0.0], [0.0, 30.0, 0.0, -30.0]),
            8 => Case::new(standard, 100.0, [0.8, 0.6, 1.6, 0.0], rest),
            9 => Case::new(weightless, 1e3, [1.0, 0.0, 1.0, 1.0], rest),
            10 => Case::new(light, 1e4, [1e-3, 0.0, 2e-3, 0.0], [0.0, 0.1, 0.0, 0.2]),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Case<Self, 4, 2>> {
        let standard = Self::standard();
        let start = |v| Case::new(standard, 1e3, [0.6, 0.8, 1.4, 1.4], v);
        Some(match index {
            0 => start([0.0; 4]).under(Self { gravity: f32::NAN, ..standard }),
            1 => start([0.0; 4]).under(Self { gravity: f32::INFINITY, ..standard }),
            2 => start([0.0; 4]).under(Self { gravity: 1e30, ..standard }),
            3 => start([0.0; 4]).under(Self { length: 1.1, ..standard }),
            4 => start([-8e3, 6e3, -8e3, 6e3]),
            // Only the second rod is too fast.
            5 => start([0.0, 0.0, -6e3, 8e3]),
            6 => start([0.0; 4]).under(Self { mass: -1.0, ..standard }),
            _ => return None,
        })
    }
}

impl Hostile<9, 8> for FourBar<f32> {
    type Origin = Displaced;

    fn case(index: usize) -> Option<Case<Self, 9, 8>> {
        let standard = Self::standard();
        let turning = |q: [f32; 9], factor: f32| Self::turning(&q.into()).map(|v| v * factor);
        let (above, below) = (Self::guess(), Self::guess_below());
        Some(match index {
            0 => Case::of_linkage(standard, 1e3, above, [0.0; 9]),
            1 => Case::of_linkage(standard, 1e3, below, [0.0; 9]),
            2 => Case::of_linkage(standard, 1e3, above, turning(above, 1.0)),
            3 => Case::of_linkage(standard, 1e3, below, turning(below, -1.0)),
            4 => Case::of_linkage(standard, 1e3, above, turning(above, 5.0)),
            5 => Case::of_linkage(standard, 1e3, above, turning(above, VANISHING)),
            6 => Case::of_linkage(Self { gravity: 0.0 }, 1e3, above, [0.0; 9]),
            7 => Case::of_linkage(Self { gravity: 0.0 }, 1e3, above, turning(above, VANISHING)),
            // After 505 turns of the crank, forwards and backwards: with more turns, reducing the angle would take longer.
            8 => {
                let turned = turned(above, 505.0);
                Case::of_linkage(standard, 1e3, turned, turning(turned, 1.0))
            }
            9 => {
                let turned = turned(below, -505.0);
                Case::of_linkage(standard, 1e3, turned, turning(turned, -1.0))
            }
            10 => Case::of_linkage(standard, 100.0, above, turning(above, 0.1)),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Case<Self, 9, 8>> {
        let standard = Self::standard();
        let guess = Self::guess();
        let start = |factor| Case::of_linkage(standard, 1e3, guess, Self::turning(&guess.into()).map(|v| v * factor));
        Some(match index {
            0 => start(0.0).under(Self { gravity: f32::NAN }),
            1 => start(0.0).under(Self { gravity: f32::INFINITY }),
            2 => start(0.0).under(Self { gravity: 1e30 }),
            3 => start(1e3),
            4 => {
                let case = start(0.0);
                Case { origin: Displaced { offset: 0.05, ..case.origin }, ..case }
            }
            // There is no singular case: the rods of this linkage are never in line, and its masses are constant.
            _ => return None,
        })
    }
}

/// The linkage after this many turns of its crank.
fn turned(mut q: [f32; 9], turns: f32) -> [f32; 9] {
    q[2] += turns * core::f32::consts::TAU;
    q
}

impl Case<FourBar<f32>, 9, 8> {
    /// A case of the linkage with all pivots in place.
    fn of_linkage(system: FourBar<f32>, rate: f32, q: [f32; 9], v: [f32; 9]) -> Self {
        Self { origin: Displaced { linkage: system, offset: 0.0 }, system, rate, q, v }
    }
}

/// A linkage with its last pivot displaced, so that its states violate the constraints of the original linkage.
pub struct Displaced {
    linkage: FourBar<f32>,
    offset: f32,
}

impl Mechanical<9, 8> for Displaced {
    type Base = f32;
    type Mass = <FourBar<f32> as Mechanical<9, 8>>::Mass;

    // The state has the factors of this model: both must eliminate in the same order.
    const PATTERN: Pattern<9, 8> = FourBar::<f32>::PATTERN;

    fn mass(&self) -> Self::Mass {
        self.linkage.mass()
    }

    fn force<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 9>, v: &Vector<S, 9>) -> Vector<S, 9> {
        self.linkage.force(t, q, v)
    }

    fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 9>) -> Vector<S, 8> {
        let mut g = self.linkage.constraint(t, q);
        g[7] += S::from(self.offset);
        g
    }
}
