//! The kernels to count: functions that read their input from memory and write their result to memory.
//!
//! Each kernel is one symbol of the program, from loading the arguments to storing the result. None is inlined, and all are called
//! through a pointer that the compiler cannot see through, so that nothing is optimised away.

mod samples;

use core::mem::MaybeUninit;

use taut::linalg::{FactorError, Ldlt, Lu, Qr, Semidefinite, Vector};
use taut::scalar::{DoubleFloat, Dual, Jet, Real};

pub use samples::Sample;
use samples::{Angle, Exponent, General, LargeAngle, Positive, Ratio, Symmetric, Two};

/// A counted function.
pub type Kernel<I, O> = fn(&I, &mut MaybeUninit<O>);

/// A solution, or the reason why the matrix has none.
type Solved<T, const N: usize> = Result<Vector<T, N>, FactorError<T>>;

/// Visits every kernel.
pub trait Visitor {
    /// Visits one kernel. The name is also that of its symbol.
    fn visit<I: Sample, O>(&mut self, name: &str, kernel: Kernel<I, O>);
}

/// Defines the kernels and a function that visits all of them.
macro_rules! kernels {
    ($($name:ident: $input:ty => $output:ty = $body:expr;)*) => {
        $(
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $name(input: &$input, output: &mut MaybeUninit<$output>) {
                let body: fn(&$input) -> $output = $body;
                output.write(body(input));
            }
        )*

        /// Visits every kernel, in the order of the table.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit(stringify!($name), $name as Kernel<$input, $output>);)*
        }
    };
}

kernels! {
    sqrt_f32: Positive<f32> => f32 = |x| Real::sqrt(x.0);
    sin_cos_f32: Angle<f32> => (f32, f32) = |x| Real::sin_cos(x.0);
    sin_f32: Angle<f32> => f32 = |x| Real::sin(x.0);
    sin_cos_large_f32: LargeAngle<f32> => (f32, f32) = |x| Real::sin_cos(x.0);
    tan_f32: Angle<f32> => f32 = |x| Real::tan(x.0);
    asin_f32: Ratio<f32> => f32 = |x| Real::asin(x.0);
    acos_f32: Ratio<f32> => f32 = |x| Real::acos(x.0);
    atan2_f32: Two<f32> => f32 = |x| Real::atan2(x.0, x.1);
    exp_f32: Exponent<f32> => f32 = |x| Real::exp(x.0);
    ln_f32: Positive<f32> => f32 = |x| Real::ln(x.0);
    cube_f32: Positive<f32> => f32 = |x| Real::powi(x.0, 3);

    sqrt_f64: Positive<f64> => f64 = |x| Real::sqrt(x.0);
    sin_cos_f64: Angle<f64> => (f64, f64) = |x| Real::sin_cos(x.0);

    multiply_dual_3: Two<Dual<f32, 3>> => Dual<f32, 3> = |x| x.0 * x.1;
    divide_dual_3: Two<Dual<f32, 3>> => Dual<f32, 3> = |x| x.0 / x.1;
    sin_cos_dual_3: Angle<Dual<f32, 3>> => (Dual<f32, 3>, Dual<f32, 3>) = |x| Real::sin_cos(x.0);
    multiply_jet: Two<Jet<f32>> => Jet<f32> = |x| x.0 * x.1;
    divide_jet: Two<Jet<f32>> => Jet<f32> = |x| x.0 / x.1;
    sin_cos_jet: Angle<Jet<f32>> => (Jet<f32>, Jet<f32>) = |x| Real::sin_cos(x.0);

    add_double: Two<DoubleFloat<f32>> => DoubleFloat<f32> = |x| x.0 + x.1;
    multiply_double: Two<DoubleFloat<f32>> => DoubleFloat<f32> = |x| x.0 * x.1;
    divide_double: Two<DoubleFloat<f32>> => DoubleFloat<f32> = |x| x.0 / x.1;
    sqrt_double: Positive<DoubleFloat<f32>> => DoubleFloat<f32> = |x| Real::sqrt(x.0);
    sin_cos_double: Angle<DoubleFloat<f32>> => (DoubleFloat<f32>, DoubleFloat<f32>) = |x| Real::sin_cos(x.0);

    ldlt_1_f32: Symmetric<f32, 1> => Solved<f32, 1> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    ldlt_2_f32: Symmetric<f32, 2> => Solved<f32, 2> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    ldlt_3_f32: Symmetric<f32, 3> => Solved<f32, 3> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    ldlt_4_f32: Symmetric<f32, 4> => Solved<f32, 4> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    ldlt_6_f32: Symmetric<f32, 6> => Solved<f32, 6> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    ldlt_4_f64: Symmetric<f64, 4> => Solved<f64, 4> = |x| Ok(Ldlt::factor(x.0)?.solve(x.1));
    semidefinite_2_f32: Symmetric<f32, 2> => Solved<f32, 2> = |x| Ok(Semidefinite::factor(x.0)?.solve(x.1));
    semidefinite_4_f32: Symmetric<f32, 4> => Solved<f32, 4> = |x| Ok(Semidefinite::factor(x.0)?.solve(x.1));
    semidefinite_6_f32: Symmetric<f32, 6> => Solved<f32, 6> = |x| Ok(Semidefinite::factor(x.0)?.solve(x.1));
    lu_2_f32: General<f32, 2> => Solved<f32, 2> = |x| Ok(Lu::factor(x.0)?.solve(x.1));
    lu_4_f32: General<f32, 4> => Solved<f32, 4> = |x| Ok(Lu::factor(x.0)?.solve(x.1));
    lu_6_f32: General<f32, 6> => Solved<f32, 6> = |x| Ok(Lu::factor(x.0)?.solve(x.1));
    qr_2_f32: General<f32, 2> => Solved<f32, 2> = |x| Ok(Qr::factor(x.0)?.solve_least_squares(x.1));
    qr_4_f32: General<f32, 4> => Solved<f32, 4> = |x| Ok(Qr::factor(x.0)?.solve_least_squares(x.1));
    qr_6_f32: General<f32, 6> => Solved<f32, 6> = |x| Ok(Qr::factor(x.0)?.solve_least_squares(x.1));
}
