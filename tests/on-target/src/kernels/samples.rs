//! Inputs that are typical of normal use. The cost of a kernel is that of its costliest input.

use taut::linalg::{Matrix, Vector};
use taut::scalar::{DoubleFloat, Dual, Float, Jet};

use crate::bits::inputs::{Draw, Generator};

/// An input of a kernel.
pub trait Sample: Sized {
    /// The samples, numbered from 0; `None` after the last.
    fn sample(index: usize) -> Option<Self>;
}

/// The number of samples of each kind of matrix.
const MATRICES: usize = 4;

/// A scalar: a plain number, or one with derivatives or a low part.
pub trait Carrier: Copy {
    /// The number with some derivatives or a low part.
    fn carrying(number: f32) -> Self;
}

impl Carrier for f32 {
    fn carrying(number: f32) -> Self {
        number
    }
}

impl Carrier for f64 {
    fn carrying(number: f32) -> Self {
        f64::from(number) * 1.000_000_01
    }
}

impl Carrier for Dual<f32, 3> {
    fn carrying(number: f32) -> Self {
        Self::new(number, [1.0, 0.5, -2.0])
    }
}

impl Carrier for Jet<f32> {
    fn carrying(number: f32) -> Self {
        Self::new(number, 1.0, -0.5)
    }
}

impl Carrier for DoubleFloat<f32> {
    fn carrying(number: f32) -> Self {
        Self::from_sum(number, number * 1.2e-8)
    }
}

/// Defines a kind of argument by typical numbers.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident: $numbers:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name<S>(pub S);

            impl<S: Carrier> Sample for $name<S> {
                fn sample(index: usize) -> Option<Self> {
                    $numbers.get(index).map(|number| Self(S::carrying(*number)))
                }
            }
        )*
    };
}

arguments! {
    /// An angle of a mechanism: at most 160 turns.
    Angle: [0.1, -0.7, 0.8, -1.5, 2.3, 3.2, -4.6, 6.0, 100.0, -1000.0];
    /// A larger angle.
    LargeAngle: [4e3, -1e5, 1e10, 3e38];
    /// A sine or cosine.
    Ratio: [0.0, 0.1, -0.3, 0.5, 0.6, -0.9, 0.99, 1.0];
    /// A number above zero.
    Positive: [1e-6, 0.1, 0.5, 1.0, 1.5, 2.0, 9.81, 1e6];
    /// The argument of an exponential.
    Exponent: [0.0, 0.1, -0.3, 1.0, -2.0, 5.0, -20.0, 50.0];
}

/// Two numbers.
#[derive(Clone, Copy)]
pub struct Two<S>(pub S, pub S);

impl<S: Carrier> Sample for Two<S> {
    fn sample(index: usize) -> Option<Self> {
        let pairs = [(1.0, 2.0), (0.3, -0.7), (-1.5, 0.01), (-3.0, -2.5), (100.0, 3.0), (0.25, 0.75)];
        pairs.get(index).map(|(left, right)| Self(S::carrying(*left), S::carrying(*right)))
    }
}

/// A system of equations with a symmetric positive definite matrix: B Bᵀ + 1.
pub struct Symmetric<T, const N: usize>(pub Matrix<T, N, N>, pub Vector<T, N>);

impl<T: Float + Draw, const N: usize> Sample for Symmetric<T, N> {
    fn sample(index: usize) -> Option<Self> {
        let General(b, right_hand_side) = General::<T, N>::sample(index)?;
        Some(Self(b * b.transpose() + Matrix::identity(), right_hand_side))
    }
}

/// A general system of equations.
pub struct General<T, const N: usize>(pub Matrix<T, N, N>, pub Vector<T, N>);

impl<T: Float + Draw, const N: usize> Sample for General<T, N> {
    fn sample(index: usize) -> Option<Self> {
        let mut generator = Generator::new(index as u64);
        let matrix = Matrix::from_fn(|_, _| T::moderate(&mut generator));
        let right_hand_side = Vector::from_fn(|_, _| T::moderate(&mut generator));
        (index < MATRICES).then_some(Self(matrix, right_hand_side))
    }
}
