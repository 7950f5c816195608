//! Runs every library on the same systems: `peers [--quick] [SYSTEM…]` prints a line for each run, and for the system `chains` a line for
//! each length. `cargo xtask compare` makes tables and plots from them.

mod chains;
mod equations;
mod judge;
mod ours;
mod with_differential_equations;
mod with_diffsol;
mod with_rapier;

use std::time::Duration;

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::method::Composition;
use taut::start::{Compensated, Plain};

use crate::equations::{Elimination, Form, Index};
use crate::judge::{Blind, Contestant, Judge};
use crate::ours::{InC, Taut, judge_every_method};
use crate::with_differential_equations::DifferentialEquations;
use crate::with_diffsol::Diffsol;
use crate::with_rapier::{Joints, Rapier};

/// The step size of the reference, of order 6 in double precision: `cargo xtask methods` shows that it is good to 1e-11.
const REFERENCE: f64 = 5e-5;

/// How much is tried.
struct Effort {
    /// Of methods with a fixed step, in seconds.
    steps: &'static [f64],
    /// Of those that choose their step.
    tolerances: &'static [f64],
    /// How long runs are repeated to find their quickest.
    patience: Duration,
}

const THOROUGH: Effort = Effort {
    steps: &[2e-1, 1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4],
    tolerances: &[1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11],
    patience: Duration::from_millis(40),
};

const QUICK: Effort =
    Effort { steps: &[1e-2, 1e-3], tolerances: &[1e-4, 1e-6, 1e-8], patience: Duration::from_millis(4) };

/// Lets every contestant run a system.
macro_rules! race {
    ($effort:expr, $system:ident, $n:literal, $m:literal) => {{
        type Double = ByHand<$system<f64>>;
        let effort: &Effort = $effort;
        let reference = Taut::<Double, Plain, $n, $m> { method: &Composition::kahan_li(), step: REFERENCE };
        let reference = reference.run(&mut Blind).expect("the reference is computed").position;
        let judge = Judge::<Double, $n, $m>::new(reference, effort.patience);
        let form = Form::<Double, $n, $m>::of_index(Index::One);
        judge.note_evaluation(form.seconds_of_an_evaluation(effort.patience));
        for step in effort.steps.iter().copied() {
            judge.judge(&InC::<$system<f32>, $m>::with_step(step));
            judge.judge(&InC::<$system<f64>, $m>::with_step(step));
            judge_every_method::<ByHand<$system<f32>>, Plain, _, $n, $m>(&judge, step);
            judge_every_method::<ByHand<$system<f32>>, Compensated, _, $n, $m>(&judge, step);
            judge_every_method::<ByHand<$system<f64>>, Plain, _, $n, $m>(&judge, step);
            for joints in [Joints::Impulse, Joints::Multibody] {
                judge.judge(&Rapier::<$system<f64>>::new(joints, step));
            }
        }
        for tolerance in effort.tolerances.iter().copied() {
            for solver in [with_diffsol::Solver::Bdf, with_diffsol::Solver::Esdirk34, with_diffsol::Solver::Tsit45] {
                judge.judge(&Diffsol::<Double, $n, $m>::new(solver, tolerance));
            }
            use with_differential_equations::Solver;
            type Theirs = DifferentialEquations<Double, $n, $m, { 2 * $n + $m }, { 2 * $n }>;
            for solver in [Solver::Radau5Index1, Solver::Radau5Index2, Solver::Dop853] {
                judge.judge(&Theirs::new(solver, tolerance));
            }
            // The explicit methods again, with taut's accelerations.
            let explicit = Diffsol::<Double, $n, $m>::new(with_diffsol::Solver::Tsit45, tolerance);
            judge.judge(&explicit.eliminated(Elimination::Structured));
            judge.judge(&Theirs::new(Solver::Dop853, tolerance).eliminated(Elimination::Structured));
        }
    }};
}

fn main() {
    let mut effort = &THOROUGH;
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    names.retain(|name| {
        let quick = name == "--quick";
        if quick {
            effort = &QUICK;
        }
        !quick
    });
    if names.is_empty() {
        names = ["pendulum", "double_pendulum", "four_bar", "chains"].map(str::to_owned).to_vec();
    }
    for name in names {
        match name.as_str() {
            "pendulum" => race!(effort, Pendulum, 2, 1),
            "double_pendulum" => race!(effort, DoublePendulum, 4, 2),
            "four_bar" => race!(effort, FourBar, 9, 8),
            "chains" => chains::print(effort.patience),
            _ => panic!("there is no system {name}"),
        }
    }
}
