//! The precision of a state as a type parameter. `Start` has a separate method for each precision; this trait calls the right one.

use taut::linalg::SymmetricFactors;
use taut::start::{Compensated, Plain, Precise, Precision, Start};
use taut::system::Mechanical;

/// A precision of a state.
pub trait Digits: Precision + Sized {
    /// Its name in tables.
    const NAME: &'static str;

    /// The same start with this precision.
    fn of<System, F, const N: usize, const M: usize>(
        start: Start<'_, System, N, M, F>,
    ) -> Start<'_, System, N, M, F, Self>
    where
        System: Mechanical<N, M>,
        F: SymmetricFactors<System::Base, M>;
}

macro_rules! digits {
    ($($precision:ident: $make:ident;)*) => {$(
        impl Digits for $precision {
            const NAME: &'static str = stringify!($make);

            fn of<System, F, const N: usize, const M: usize>(
                start: Start<'_, System, N, M, F>,
            ) -> Start<'_, System, N, M, F, Self>
            where
                System: Mechanical<N, M>,
                F: SymmetricFactors<System::Base, M>,
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
