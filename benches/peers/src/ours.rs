//! taut, every method, and RATTLE by hand in C.

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Instant;

use baseline::ByC;
use on_target::digits::Digits;
use on_target::methods::combinations::Scalar;
use on_target::methods::method::{Method, Outcome};
use on_target::methods::problem::{Judged, Motion, Problem};
use systems::ByHand;
use taut::method::StepSize;
use taut::scalar::Float;
use taut::start::{Coordinates, Plain, Precision};

use crate::judge::{Contestant, Finish, Witness};

/// A method of taut with a step size in seconds.
pub struct Taut<System, Way, P, const M: usize> {
    step: f64,
    types: PhantomData<(System, Way, P)>,
}

impl<System, Way, P, const M: usize> Taut<System, Way, P, M> {
    /// With this step size.
    pub fn with_step(step: f64) -> Self {
        Self { step, types: PhantomData }
    }
}

impl<System, Way, P, const N: usize, const M: usize> Contestant<N> for Taut<System, Way, P, M>
where
    System: Judged<N, M>,
    Way: Method<System::Base>,
    P: Digits,
{
    fn name(&self) -> String {
        format!("taut/{}/{}", Way::NAME, Scalar::<System::Base, P>::name())
    }

    fn setting(&self) -> String {
        format!("h={:e}", self.step)
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        let size = StepSize::seconds(System::Base::from_f64(self.step)).expect("a valid step size");
        let (system, method) = (System::system(), Way::with_step(size));
        let mut state = system.start::<P>();
        let begun = Instant::now();
        for _ in 0..(System::DURATION / self.step).round() as usize {
            let report = step(black_box(&system), black_box(&method), &mut state).ok()?;
            black_box(&report);
            witness.see(doubles(state.full_position()), doubles(state.full_velocity()));
        }
        let time = begun.elapsed();
        Some(Finish { position: doubles(state.full_position()), time })
    }
}

/// A function of its own with everything in memory, as the C is one.
#[inline(never)]
fn step<System, Way, P, const N: usize, const M: usize>(
    system: &System,
    method: &Way,
    state: &mut Motion<System::Base, P, N, M>,
) -> Outcome<System::Base, M>
where
    System: Judged<N, M>,
    Way: Method<System::Base>,
    P: Digits,
{
    method.step(system, state)
}

/// All the digits that a double holds.
#[inline(always)]
fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> [f64; N] {
    coordinates.full().map(|x| x.to_f64()).into()
}

/// RATTLE in C with a step size in seconds.
pub struct InC<System, const M: usize> {
    step: f64,
    types: PhantomData<System>,
}

impl<System, const M: usize> InC<System, M> {
    /// With this step size.
    pub fn with_step(step: f64) -> Self {
        Self { step, types: PhantomData }
    }
}

impl<System, T, const N: usize, const M: usize> Contestant<N> for InC<System, M>
where
    T: Float + Default,
    System: ByC<N, M, Base = T>,
    ByHand<System>: Judged<N, M, Base = T>,
{
    fn name(&self) -> String {
        format!("c/{}", core::any::type_name::<T>())
    }

    fn setting(&self) -> String {
        format!("h={:e}", self.step)
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        let system = ByHand::<System>::system();
        let start = system.start::<Plain>();
        let rattle = system.0.by_c(T::from_f64(self.step));
        let mut state = rattle.start((*start.position()).into(), (*start.velocity()).into());
        let begun = Instant::now();
        for _ in 0..(ByHand::<System>::DURATION / self.step).round() as usize {
            rattle.step(&mut state);
            witness.see(state.position.map(Float::to_f64), state.velocity.map(Float::to_f64));
        }
        let time = begun.elapsed();
        Some(Finish { position: state.position.map(Float::to_f64), time })
    }
}
