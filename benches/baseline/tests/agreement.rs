//! The C computes what taut computes: it is a baseline for the same work.

use baseline::ByC;
use mechanisms::{ByHand, Chain, DoublePendulum, FourBar, HandWritten, Pendulum};
use taut::method::{Rattle, Step};
use taut::scalar::Float;
use taut::start::{Clock, Start};
use taut::system::ConstantMass;

const STEPS: usize = 1_000;

/// Steps the C and taut, with a plain state, from the same initial values, and asserts that they differ only by round-off.
///
/// Each rounds its velocity (q − q_n)/h by up to ε |q|/(2 h) per step. A random walk of such errors displaces positions by
/// ε |q| n^(3/2)/6 after n steps. The bound omits the factor 1/6, to allow for two programs and for motions in which neighbours diverge.
/// Positions are also rounded at the end and in the corrections: ε |q| each.
fn assert_agreement<System, T, const N: usize, const M: usize>(system: System, q: [T; N], v: [T; N])
where
    T: Float,
    System: ByC<N, M, Base = T> + HandWritten<N, M>,
    System::Mass: ConstantMass<T, N>,
{
    let clock = Clock::at_rate(T::from_f64(1e3)).unwrap();
    let by_c = system.by_c(clock.step());
    let system = ByHand(system);
    let mut state = Start::at(&system, clock, q).plain().moving(v).unwrap();
    let mut other = by_c.start((*state.position()).into(), (*state.velocity()).into());
    let size = state.position().iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
    for step in 1..=STEPS {
        Rattle::new().step(&system, &mut state).unwrap();
        by_c.step(&mut other);
        let bound = T::EPSILON.to_f64() * size * ((step as f64).powf(1.5) + 2.0);
        for i in 0..N {
            let mut distance = state.position()[i].to_f64() - other.position[i].to_f64();
            // taut keeps angles within a turn, the C lets them grow.
            if System::ANGLES[i] {
                distance -= (distance / std::f64::consts::TAU).round() * std::f64::consts::TAU;
            }
            assert!(distance.abs() <= bound, "coordinate {i} is {distance:e} off after {step} steps, bound {bound:e}");
        }
    }
}

#[test]
fn pendulum() {
    assert_agreement(Pendulum::<f32>::standard(), [1.0, 0.0], [0.0; 2]);
    assert_agreement(Pendulum::<f64>::standard(), [1.0, 0.0], [0.0; 2]);
}

#[test]
fn double_pendulum() {
    assert_agreement(DoublePendulum::<f32>::standard(), [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
    assert_agreement(DoublePendulum::<f64>::standard(), [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
}

#[test]
fn four_bar() {
    assert_agreement(FourBar::<f32>::standard(), FourBar::guess(), FourBar::turning(&FourBar::guess().into()));
    assert_agreement(FourBar::<f64>::standard(), FourBar::guess(), FourBar::turning(&FourBar::guess().into()));
}

#[test]
fn chains() {
    assert_agreement(Chain::<f32, 2, 1>::standard(), Chain::<f32, 2, 1>::position(), [0.0; 2]);
    assert_agreement(Chain::<f32, 16, 8>::standard(), Chain::<f32, 16, 8>::position(), [0.0; 16]);
    assert_agreement(Chain::<f32, 32, 16>::standard(), Chain::<f32, 32, 16>::position(), [0.0; 32]);
}
