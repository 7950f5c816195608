//! taut, every method, and RATTLE by hand in C.

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Instant;

use baseline::ByC;
use mechanisms::ByHand;
use on_target::digits::Digits;
use on_target::methods::combinations::{MethodOn, Scalar};
use on_target::methods::problem::{Judged, Problem};
use taut::method::every_method;
use taut::scalar::Float;
use taut::start::{Coordinates, Plain, Precision};
use taut::system::ConstantMass;

use crate::judge::{Contestant, Finish, Judge, Witness};

/// A method of taut with a step size in seconds.
pub struct Taut<'a, System: Problem<N, M>, P: Digits, const N: usize, const M: usize> {
    /// The method.
    pub method: &'a MethodOn<'a, System, P, N, M>,
    /// The step size.
    pub step: f64,
}

/// Judges every method in a precision.
pub fn judge_every_method<System, P, Double, const N: usize, const M: usize>(judge: &Judge<Double, N, M>, step: f64)
where
    System: Judged<N, M>,
    System::Mass: ConstantMass<System::Base, N>,
    P: Digits,
    Double: Judged<N, M, Base = f64>,
{
    every_method(|method: &MethodOn<'_, System, P, N, M>| judge.judge(&Taut { method, step }));
}

impl<System, P, const N: usize, const M: usize> Contestant<N> for Taut<'_, System, P, N, M>
where
    System: Judged<N, M>,
    P: Digits,
{
    fn name(&self) -> String {
        format!("taut/{}/{}", self.method.name(), Scalar::<System::Base, P>::name())
    }

    fn setting(&self) -> String {
        format!("h={:e}", self.step)
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        // Called through a pointer with everything in memory, as the C is.
        let (system, method) = (System::system(), black_box(self.method));
        let mut state = system.start::<P>(self.step);
        let begun = Instant::now();
        for _ in 0..(System::DURATION / self.step).round() as usize {
            let report = method.step(black_box(&system), &mut state).ok()?;
            black_box(&report);
            witness.see(doubles(state.full_position()), doubles(state.full_velocity()));
        }
        let time = begun.elapsed();
        Some(Finish { position: doubles(state.full_position()), time })
    }
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
        let start = system.start::<Plain>(self.step);
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
