//! The shared systems that exist in C, and their parameters.

use mechanisms::{Chain, DoublePendulum, FourBar, Pendulum};
use taut::linalg::Vector;
use taut::scalar::Float;
use taut::system::{Inertia, Mechanical};

use crate::{Parameters, Rattle, State};

/// A system that exists in C.
pub trait ByC<const N: usize, const M: usize>: Mechanical<N, M> {
    /// Parameters of its own.
    type Own: Copy;

    /// The C with this step size in seconds.
    fn by_c(&self, h: Self::Base) -> Rattle<Self::Base, N, M, Self::Own>;
}

/// The parameters of systems with equal rods and masses.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rods<T> {
    weight: T,
    square_of_length: T,
}

/// The parameters of the four-bar linkage.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Linkage<T> {
    weight: [T; 3],
    half_length: [T; 3],
    ground: T,
}

/// Those of `c/pendulum.c` and `c/double_pendulum.c`.
macro_rules! rods {
    ($($system:ident)*) => {$(
        impl<T: Float> From<&$system<T>> for Rods<T> {
            fn from(system: &$system<T>) -> Self {
                Self { weight: system.mass * system.gravity, square_of_length: system.length * system.length }
            }
        }
    )*};
}

rods! { Pendulum DoublePendulum }

impl<T: Float, const N: usize, const M: usize> From<&Chain<T, N, M>> for Rods<T> {
    fn from(chain: &Chain<T, N, M>) -> Self {
        let tenth = T::from_f64(0.1);
        Self { weight: tenth * chain.gravity, square_of_length: tenth * tenth }
    }
}

impl<T: Float> From<&FourBar<T>> for Linkage<T> {
    fn from(linkage: &FourBar<T>) -> Self {
        // A rod of 1 kg/m weighs its length.
        Self {
            weight: [0.2, 0.7, 0.6].map(|length| T::from_f64(length) * linkage.gravity),
            half_length: [0.1, 0.35, 0.3].map(T::from_f64),
            ground: T::from_f64(0.8),
        }
    }
}

/// The reciprocals of a diagonal mass matrix.
fn inverse_mass<System: Mechanical<N, M>, const N: usize, const M: usize>(system: &System) -> [System::Base; N]
where
    System::Mass: Inertia<System::Base, N>,
{
    system.mass().acceleration(&Vector::from_element(System::Base::from_f64(1.0))).data.0[0]
}

/// Names the functions of a system in C.
macro_rules! by_c {
    ($($system:ty, $float:ty, $n:literal, $m:literal, $own:ty: $start:ident, $step:ident;)*) => {
        $(
            unsafe extern "C" {
                fn $start(_: &Parameters<$float, $n, $own>, _: &mut State<$float, $n, $m>);
                fn $step(_: &Parameters<$float, $n, $own>, _: &mut State<$float, $n, $m>);
            }

            impl ByC<$n, $m> for $system {
                type Own = $own;

                fn by_c(&self, h: $float) -> Rattle<$float, $n, $m, $own> {
                    let parameters = Parameters { h, inverse_mass: inverse_mass(self), own: self.into() };
                    Rattle { parameters, step: $step, start: $start }
                }
            }
        )*
    };
}

by_c! {
    Pendulum<f32>, f32, 2, 1, Rods<f32>: pendulum_f32_start, pendulum_f32_step;
    Pendulum<f64>, f64, 2, 1, Rods<f64>: pendulum_f64_start, pendulum_f64_step;
    DoublePendulum<f32>, f32, 4, 2, Rods<f32>: double_pendulum_f32_start, double_pendulum_f32_step;
    DoublePendulum<f64>, f64, 4, 2, Rods<f64>: double_pendulum_f64_start, double_pendulum_f64_step;
    FourBar<f32>, f32, 9, 8, Linkage<f32>: four_bar_f32_start, four_bar_f32_step;
    FourBar<f64>, f64, 9, 8, Linkage<f64>: four_bar_f64_start, four_bar_f64_step;
    Chain<f32, 2, 1>, f32, 2, 1, Rods<f32>: chain_1_f32_start, chain_1_f32_step;
    Chain<f32, 4, 2>, f32, 4, 2, Rods<f32>: chain_2_f32_start, chain_2_f32_step;
    Chain<f32, 8, 4>, f32, 8, 4, Rods<f32>: chain_4_f32_start, chain_4_f32_step;
    Chain<f32, 16, 8>, f32, 16, 8, Rods<f32>: chain_8_f32_start, chain_8_f32_step;
    Chain<f32, 32, 16>, f32, 32, 16, Rods<f32>: chain_16_f32_start, chain_16_f32_step;
    Chain<f32, 64, 32>, f32, 64, 32, Rods<f32>: chain_32_f32_start, chain_32_f32_step;
    Chain<f32, 128, 64>, f32, 128, 64, Rods<f32>: chain_64_f32_start, chain_64_f32_step;
}
