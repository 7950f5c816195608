//! The counted steps: RATTLE in single precision with two Newton iterations, in states with more digits also with their default of four, and
//! Runge–Kutta of order 4. The caller uses only `is_ok`, so the report costs nothing, except in `chain_10_with_report`.
//!
//! Each step is a separate function that is called through a pointer. It reads model, method and state from memory.

use mechanisms::{HangingChain, Mobile, PinnedBars, SuspendedChain};
use taut::method::{Rattle, RungeKutta4, SerialReport, Step, StepError};
use taut::start::{Clock, Compensated, Precise, SerialState};

use crate::cost::{Case, print_start, print_steps};

/// Whether floating-point arithmetic is in software. What then takes more than a round of the counter, a million instructions, is left out.
const SOFTWARE: bool = cfg!(all(target_arch = "arm", not(target_abi = "eabihf")));

/// So small that its square underflows to zero.
const VANISHING: f32 = 1e-30;

/// Defines the steps: the name of the step, of the row of its start, the type of the system, and its sizes.
macro_rules! steps {
    ($($step:ident, $start:ident: $system:ty, $n:literal, $d:literal, $e:literal;)*) => {
        $(
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $step(system: &$system, method: &Rattle<2>, state: &mut SerialState<f32, $n, $d, $e>) -> bool {
                method.step(system, state).is_ok()
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $start(system: &$system, guess: &[[f32; $d]; $n], clock: Clock<f32>) -> Option<SerialState<f32, $n, $d, $e>> {
                SerialState::at_rest(system, clock, *guess).ok()
            }
        )*

        /// Prints every row, in the order of the table.
        pub fn print_all() {
            $(
                if !SOFTWARE || $n < 64 {
                    print_steps(
                        stringify!($step),
                        $step as fn(&$system, &Rattle<2>, &mut SerialState<f32, $n, $d, $e>) -> bool,
                        &Rattle::new().iterations(),
                        |state, _| Ok(state),
                    );
                }
                if !SOFTWARE || $n <= 8 {
                    print_start(stringify!($start), $start as fn(&$system, &[[f32; $d]; $n], Clock<f32>) -> _);
                }
            )*
            print_steps(
                "chain_10_with_report",
                chain_10_with_report as fn(&HangingChain<f32, 10>, &Rattle, &mut SerialState<f32, 10, 2, 1>) -> Result<_, _>,
                &Rattle::new(),
                |state, _| Ok(state),
            );
            if SOFTWARE {
                return;
            }
            print_steps(
                "chain_16_runge_kutta_4",
                chain_16_runge_kutta_4 as fn(&HangingChain<f32, 16>, &RungeKutta4<f32>, &mut SerialState<f32, 16, 2, 1>) -> bool,
                &RungeKutta4::new(),
                |state, _| Ok(state),
            );
            print_steps(
                "chain_32_runge_kutta_4",
                chain_32_runge_kutta_4 as fn(&Chain32, &RungeKutta4<f32>, &mut SerialState<f32, 32, 2, 1>) -> bool,
                &RungeKutta4::new(),
                |state, _| Ok(state),
            );
            print_steps(
                "chain_32_compensated",
                chain_32_compensated as fn(&Chain32, &Rattle<2>, &mut SerialState<f32, 32, 2, 1, Compensated>) -> bool,
                &Rattle::new().iterations(),
                SerialState::compensated,
            );
            print_steps(
                "chain_32_precise",
                chain_32_precise as fn(&Chain32, &Rattle<2>, &mut SerialState<f32, 32, 2, 1, Precise>) -> bool,
                &Rattle::new().iterations(),
                SerialState::precise,
            );
            print_steps(
                "chain_32_compensated_four_iterations",
                chain_32_compensated_four_iterations as fn(&Chain32, &Rattle, &mut SerialState<f32, 32, 2, 1, Compensated>) -> bool,
                &Rattle::new().iterations(),
                SerialState::compensated,
            );
            print_steps(
                "chain_32_precise_four_iterations",
                chain_32_precise_four_iterations as fn(&Chain32, &Rattle, &mut SerialState<f32, 32, 2, 1, Precise>) -> bool,
                &Rattle::new().iterations(),
                SerialState::precise,
            );
        }
    };
}

steps! {
    chain_8, chain_8_start: HangingChain<f32, 8>, 8, 2, 1;
    chain_16, chain_16_start: HangingChain<f32, 16>, 16, 2, 1;
    chain_32, chain_32_start: HangingChain<f32, 32>, 32, 2, 1;
    chain_64, chain_64_start: HangingChain<f32, 64>, 64, 2, 1;
    suspended_chain_31, suspended_chain_31_start: SuspendedChain<f32, 31>, 31, 2, 1;
    ring_of_15_bars, ring_of_15_bars_start: PinnedBars<f32, 15, true>, 15, 3, 2;
    mobile_15, mobile_15_start: Mobile<f32, 15>, 15, 2, 1;
    mobile_31, mobile_31_start: Mobile<f32, 31>, 31, 2, 1;
}

// A length of its own, so that it shares no code with a step without report.
#[inline(never)]
#[unsafe(no_mangle)]
fn chain_10_with_report(
    system: &HangingChain<f32, 10>,
    method: &Rattle,
    state: &mut SerialState<f32, 10, 2, 1>,
) -> Result<SerialReport<f32, 10, 1>, StepError<f32>> {
    method.step(system, state)
}

type Chain32 = HangingChain<f32, 32>;

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_16_runge_kutta_4(
    system: &HangingChain<f32, 16>,
    method: &RungeKutta4<f32>,
    state: &mut SerialState<f32, 16, 2, 1>,
) -> bool {
    method.step(system, state).is_ok()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_32_runge_kutta_4(system: &Chain32, method: &RungeKutta4<f32>, state: &mut SerialState<f32, 32, 2, 1>) -> bool {
    method.step(system, state).is_ok()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_32_compensated(
    system: &Chain32,
    method: &Rattle<2>,
    state: &mut SerialState<f32, 32, 2, 1, Compensated>,
) -> bool {
    method.step(system, state).is_ok()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_32_precise(system: &Chain32, method: &Rattle<2>, state: &mut SerialState<f32, 32, 2, 1, Precise>) -> bool {
    method.step(system, state).is_ok()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_32_compensated_four_iterations(
    system: &Chain32,
    method: &Rattle,
    state: &mut SerialState<f32, 32, 2, 1, Compensated>,
) -> bool {
    method.step(system, state).is_ok()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn chain_32_precise_four_iterations(
    system: &Chain32,
    method: &Rattle,
    state: &mut SerialState<f32, 32, 2, 1, Precise>,
) -> bool {
    method.step(system, state).is_ok()
}

impl<const N: usize> Case<N, 2, 1> for HangingChain<f32, N> {
    fn case(index: usize) -> Option<(Self, [[f32; 2]; N], [[f32; 2]; N])> {
        let (chain, straight) = (Self::standard(), Self::position());
        let hanging = core::array::from_fn(|i| [0.0, -0.1 * (i + 1) as f32]);
        let turning = straight.map(|[x, y]| [-3.0 * y, 3.0 * x]);
        Some(match index {
            0 => (chain, straight, [[0.0; 2]; N]),
            1 => (chain, hanging, [[0.0; 2]; N]),
            2 => (Self { gravity: 0.0, ..chain }, straight, turning),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Self> {
        let mut chain = Self::standard();
        match index {
            0 => chain.gravity = f32::NAN,
            1 => chain.gravity = f32::INFINITY,
            2 => chain.gravity = 1e30,
            3 => chain.links[N - 1].length = 0.11,
            4 => chain.links[0].length = f32::NAN,
            5 => chain.gravity = 1e6,
            _ => return None,
        }
        Some(chain)
    }
}

impl<const N: usize> Case<N, 2, 1> for Mobile<f32, N> {
    fn case(index: usize) -> Option<(Self, [[f32; 2]; N], [[f32; 2]; N])> {
        let (standard, spread) = (Self::standard(), Self::position());
        let weightless = Self { gravity: 0.0, ..standard };
        let (turning, rest) = (spread.map(|[x, y]| [-3.0 * y, 3.0 * x]), [[0.0; 2]; N]);
        // All rods down, each pair on top of each other; then up.
        let depth = |i: usize| (i + 1).ilog2() as f32 + 1.0;
        let hanging = core::array::from_fn(|i| [0.0, -0.1 * depth(i)]);
        let standing = core::array::from_fn(|i| [0.0, 0.1 * depth(i)]);
        Some(match index {
            0 => (standard, spread, rest),
            1 => (weightless, spread, turning),
            2 => (weightless, spread, [[VANISHING, 0.0]; N]),
            3 => (standard, hanging, rest),
            4 => (standard, standing, [[VANISHING, 0.0]; N]),
            5 => (standard, hanging, hanging.map(|[_, y]| [-3.0 * y, 0.0])),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Self> {
        let standard = Self::standard();
        Some(match index {
            0 => Self { gravity: f32::NAN, ..standard },
            1 => Self { gravity: 1e6, ..standard },
            2 => Self { length: 0.11, ..standard },
            _ => return None,
        })
    }
}

impl<const N: usize> Case<N, 2, 1> for SuspendedChain<f32, N> {
    fn case(index: usize) -> Option<(Self, [[f32; 2]; N], [[f32; 2]; N])> {
        let (standard, sagging) = (Self::standard(), Self::guess());
        let weightless = Self { chain: HangingChain { gravity: 0.0, ..standard.chain }, ..standard };
        let rest = [[0.0; 2]; N];
        Some(match index {
            0 => (standard, sagging, rest),
            // An arch, which falls through.
            1 => (standard, sagging.map(|[x, y]| [x, -y]), rest),
            2 => (standard, sagging, [[1.0, 0.0]; N]),
            3 => (weightless, sagging, [[0.0, 3.0]; N]),
            4 => (weightless, sagging, [[VANISHING, 0.0]; N]),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Self> {
        let standard = Self::standard();
        Some(match index {
            0 => Self { span: standard.span + 0.01, ..standard },
            1 => Self { last_length: f32::NAN, ..standard },
            _ => return None,
        })
    }
}

impl<const N: usize> Case<N, 3, 2> for PinnedBars<f32, N, true> {
    fn case(index: usize) -> Option<(Self, [[f32; 3]; N], [[f32; 3]; N])> {
        let (standard, arc) = (Self::standard(), Self::guess());
        let weightless = Self { gravity: 0.0, ..standard };
        let rest = [[0.0; 3]; N];
        Some(match index {
            0 => (standard, arc, rest),
            1 => (standard, arc.map(|[x, y, angle]| [x, -y, -angle]), rest),
            // Damped, on a support that swings.
            2 => (Self { damping: 0.05, swing: 0.02, ..standard }, arc, rest),
            3 => (weightless, arc, [[0.0, 3.0, 0.0]; N]),
            4 => (weightless, arc, [[VANISHING, 0.0, 0.0]; N]),
            _ => return None,
        })
    }

    fn failing(index: usize) -> Option<Self> {
        let standard = Self::standard();
        Some(match index {
            0 => Self { damping: f32::NAN, ..standard },
            1 => Self { span: standard.span + 0.01, ..standard },
            _ => return None,
        })
    }
}
