//! Mechanisms from lists of parts with any parameters.

use mechanisms::parts::{FourBar, FourBarAngles, SprungSlider};
use taut::method::{RungeKutta4, Step};
use taut::parts::by_hand::List;
use taut::parts::{BuildError, Mechanism};
use taut::scalar::Float;
use taut::start::Clock;
use taut::system::Mechanical;

use crate::all_finite;
use crate::bytes::Bytes;

/// A small list with any lengths, masses, points and gravity.
pub fn parts<T: Float>(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    match bytes.byte() % 3 {
        0 => {
            let mut list = FourBar::<T>::new();
            list.gravity = bytes.number(9.81);
            (list.o.at, list.d.at) = (bytes.numbers([0.0, 0.0]), bytes.numbers([0.8, 0.0]));
            [list.crank.length, list.rocker.length, list.coupler.length] = bytes.numbers([0.2, 0.6, 0.7]);
            [list.crank.mass, list.rocker.mass, list.coupler.mass] = bytes.numbers([0.2, 0.6, 0.7]);
            run(list.build(), bytes)
        }
        1 => {
            let mut list = FourBarAngles::<T>::new();
            list.gravity = bytes.number(9.81);
            (list.o.at, list.d.at) = (bytes.numbers([0.0, 0.0]), bytes.numbers([0.8, 0.0]));
            [list.crank.length, list.rocker.length, list.coupler.length] = bytes.numbers([0.2, 0.6, 0.7]);
            [list.crank.mass, list.rocker.mass, list.coupler.mass] = bytes.numbers([0.2, 0.6, 0.7]);
            run(list.build(), bytes)
        }
        _ => {
            let mut list = SprungSlider::<T>::new();
            list.gravity = bytes.number(9.81);
            (list.o.at, list.wall.at) = (bytes.numbers([0.0, 0.0]), bytes.numbers([0.72, 0.54]));
            list.slider.along = bytes.numbers([0.8, 0.6]);
            [list.crank.length, list.rod.length, list.spring.length] = bytes.numbers([0.1, 0.5, 0.3]);
            [list.crank.mass, list.slider.mass, list.rod.mass] = bytes.numbers([3.0, 5.0, 1.0]);
            [list.spring.stiffness, list.damper.damping] = bytes.numbers([200.0, 2.0]);
            run(list.build(), bytes)
        }
    }
}

/// A list that is refused names a part and what is wrong with it. One that is built starts, and steps until a step is refused.
fn run<L, T, const N: usize, const M: usize>(
    built: Result<Mechanism<L, N, M>, BuildError<T>>,
    mut bytes: Bytes<'_>,
) -> u64
where
    T: Float,
    L: List<N, M, Base = T>,
{
    let mechanism = match built {
        Ok(mechanism) => mechanism,
        Err(error) => {
            let known = |name| L::TABLE.iter().any(|entry| entry.name == name);
            assert!(error.part == "list" || known(error.part), "{error:?}");
            assert!(error.to_string().starts_with(error.part), "{error}");
            return 1;
        }
    };
    let assembled = mechanism.assembled();
    assert!(all_finite(&assembled), "{assembled}");
    assert!(all_finite(&mechanism.constraint(T::ZERO, &assembled)), "{assembled}");
    let Ok(clock) = Clock::<T>::with_step(bytes.number(1e-3)) else { return 2 };
    let mut state = match mechanism.start(clock).moving(bytes.numbers::<T, N>([0.0; N])) {
        Ok(state) => state,
        Err(error) => {
            assert!(!mechanism.explain(error).to_string().is_empty());
            return 3;
        }
    };
    for calls in 4..12 {
        let before = state.save();
        match RungeKutta4::new().step(&mechanism, &mut state) {
            Ok(report) => {
                let numbers = state.position().iter().chain(state.velocity()).chain(&report.multipliers);
                assert!(all_finite(numbers), "{report:?}, {state:?}");
            }
            Err(error) => {
                assert_eq!(state.save(), before, "{error:?}");
                assert!(!mechanism.explain(error).to_string().is_empty());
                return calls;
            }
        }
    }
    12
}
