//! The precision of a state as a parameter: a `Start` is told by a method of its own for each.

use taut::linalg::SymmetricFactors;
use taut::scalar::Float;
use taut::start::{Compensated, Plain, Precise, Precision, Start};
use taut::system::Mechanical;

/// How many digits a state keeps.
pub trait Digits: Precision + Sized {
    /// What tables call it.
    const NAME: &'static str;

    /// The same start with that many.
    fn of<System, T, F, const N: usize, const M: usize>(
        start: Start<'_, System, T, N, M, F>,
    ) -> Start<'_, System, T, N, M, F, Self>
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>;
}

macro_rules! digits {
    ($($precision:ident: $make:ident;)*) => {$(
        impl Digits for $precision {
            const NAME: &'static str = stringify!($make);

            fn of<System, T, F, const N: usize, const M: usize>(
                start: Start<'_, System, T, N, M, F>,
            ) -> Start<'_, System, T, N, M, F, Self>
            where
                T: Float,
                System: Mechanical<N, M, Base = T>,
                F: SymmetricFactors<T, M>,
            {
                start.$make()
            }
        }
    )*};
}

digits! {
    Plain: plain;
    Compensated: compensated;
    Precise: precise;
}
