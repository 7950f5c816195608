//! What is counted: functions that stay functions, read their input from memory and write their result to it.
//!
//! Each is the whole of what its name says, from fetching the arguments to storing the result, in one symbol of the program. None
//! is inlined, and no caller knows which one it calls, so that nothing is folded away.

use core::mem::MaybeUninit;

/// A counted function.
pub type Kernel<I, O> = fn(&I, &mut MaybeUninit<O>);

/// Something to be done with every kernel.
pub trait Visitor {
    /// Does it with one of them. The name is also that of its symbol.
    fn visit<I: Sample, O>(&mut self, name: &str, kernel: Kernel<I, O>);
}

/// An input of a kernel.
pub trait Sample: Sized {
    /// The inputs that stand for normal use; a kernel's cost is that of the dearest.
    fn sample(index: usize) -> Option<Self>;
}

/// Defines the kernels and the walk over all of them.
macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident($input:pat in $type:ty) -> $output:ty = $body:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn $name(input: &$type, output: &mut MaybeUninit<$output>) {
                let $input = input;
                output.write($body);
            }
        )*

        /// Visits every kernel, in the order of the table.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit(stringify!($name), $name as Kernel<$type, $output>);)*
        }
    };
}

kernels! {
    /// Square root.
    sqrt_f32(x in f32) -> f32 = nalgebra::ComplexField::sqrt(*x);
}

impl Sample for f32 {
    fn sample(index: usize) -> Option<Self> {
        [0.1, 0.5, 0.9, 1.7, 2.9, 3.3, 4.8, 100.0].get(index).copied()
    }
}
