//! The counted steps: RATTLE in single precision with its default number of Newton iterations, in states of every precision, with Jacobians
//! written by hand and automatic ones. The default is two; of the four-bar in a state with more digits four.
//!
//! Each step is a separate function that is called through a pointer. It reads model, method and state from memory and writes the whole
//! result to memory. Some steps have a second version with two iterations whose caller uses only `is_ok`; in a plain state the difference is the cost of the
//! report.

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use on_target::digits::Digits;
use on_target::hostile::Hostile;
use on_target::kind::kind;
use taut::linalg::Ldlt;
use taut::method::{Rattle, Report, Step, StepError};
use taut::start::{Compensated, Plain, Precise, State};

/// A counted step.
pub type Counted<System, R, P, const K: usize, const N: usize, const M: usize> =
    fn(&System, &Rattle<K>, &mut State<f32, N, M, Ldlt<f32, M>, P>) -> R;

/// The result of a step.
pub trait Outcome {
    /// The kind of error, if it is one.
    fn error(&self) -> Option<&'static str>;
}

impl<const M: usize> Outcome for Result<Report<f32, M>, StepError<f32>> {
    fn error(&self) -> Option<&'static str> {
        self.as_ref().err().map(kind)
    }
}

impl Outcome for bool {
    fn error(&self) -> Option<&'static str> {
        (!*self).then_some("failure")
    }
}

/// Visits every step.
pub trait Visitor {
    /// Visits one step. The name is also that of its symbol.
    fn visit<System, R, P, const K: usize, const N: usize, const M: usize>(
        &mut self,
        name: &str,
        step: Counted<System, R, P, K, N, M>,
    ) where
        System: Hostile<N, M>,
        R: Outcome,
        P: Digits;
}

/// Defines the steps and a function that visits all of them. The second name of a line is that of the step without report.
macro_rules! steps {
    ($($name:ident $(, $without_report:ident)?: $system:ty, $precision:ty, $n:literal, $m:literal;)*) => {
        $(
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $name(
                system: &$system,
                method: &Rattle,
                state: &mut State<f32, $n, $m, Ldlt<f32, $m>, $precision>,
            ) -> Result<Report<f32, $m>, StepError<f32>> {
                method.step(system, state)
            }

            $(
                // `Rattle<2>` is another type than the default `Rattle`, so that the two steps share no code.
                #[inline(never)]
                #[unsafe(no_mangle)]
                fn $without_report(
                    system: &$system,
                    method: &Rattle<2>,
                    state: &mut State<f32, $n, $m, Ldlt<f32, $m>, $precision>,
                ) -> bool {
                    method.step(system, state).is_ok()
                }
            )?
        )*

        /// Visits every step, in the order of the table.
        pub fn visit_all(visitor: &mut impl Visitor) {
            $(
                    visitor.visit(stringify!($name), $name as Counted<_, _, _, _, $n, $m>);
                $(visitor.visit(stringify!($without_report), $without_report as Counted<_, _, _, _, $n, $m>);)?
            )*
        }
    };
}

steps! {
    pendulum_by_hand_plain, pendulum_by_hand_plain_without_report: ByHand<Pendulum<f32>>, Plain, 2, 1;
    pendulum_by_hand_compensated: ByHand<Pendulum<f32>>, Compensated, 2, 1;
    pendulum_by_hand_precise: ByHand<Pendulum<f32>>, Precise, 2, 1;
    pendulum_automatic_plain, pendulum_automatic_plain_without_report: Pendulum<f32>, Plain, 2, 1;
    pendulum_automatic_compensated: Pendulum<f32>, Compensated, 2, 1;
    double_pendulum_by_hand_plain, double_pendulum_by_hand_plain_without_report: ByHand<DoublePendulum<f32>>, Plain, 4, 2;
    double_pendulum_by_hand_compensated, double_pendulum_by_hand_compensated_without_report:
        ByHand<DoublePendulum<f32>>, Compensated, 4, 2;
    double_pendulum_by_hand_precise: ByHand<DoublePendulum<f32>>, Precise, 4, 2;
    double_pendulum_automatic_plain, double_pendulum_automatic_plain_without_report: DoublePendulum<f32>, Plain, 4, 2;
    double_pendulum_automatic_compensated: DoublePendulum<f32>, Compensated, 4, 2;
    four_bar_by_hand_plain, four_bar_by_hand_plain_without_report: ByHand<FourBar<f32>>, Plain, 9, 8;
    four_bar_by_hand_compensated, four_bar_by_hand_compensated_two_iterations_without_report:
        ByHand<FourBar<f32>>, Compensated, 9, 8;
    four_bar_by_hand_precise: ByHand<FourBar<f32>>, Precise, 9, 8;
    four_bar_automatic_plain, four_bar_automatic_plain_without_report: FourBar<f32>, Plain, 9, 8;
    four_bar_automatic_compensated: FourBar<f32>, Compensated, 9, 8;
}
