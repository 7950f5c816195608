//! differential-equations: variable step; it allocates. Radau takes constraints as their first derivative (index 2) or their
//! second, explicit methods know none.

use std::time::{Duration, Instant};

use differential_equations::prelude::*;
use taut::system::{Inertia, Mechanical};

use crate::equations::{Elimination, Equations, Form, Index};
use crate::judge::{Blind, Contestant, Finish, Witness};

/// Its methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// The implicit Runge–Kutta method Radau IIA of order 5 on (q, v, λ), the constraint as its first derivative.
    Radau5Index2,
    /// The same, the constraint as its second derivative.
    Radau5Index1,
    /// The explicit Runge–Kutta method of Dormand and Prince of order 8 on (q, v), the multipliers eliminated by us.
    Dop853,
}

/// A method with a relative tolerance; the absolute one is a tenth of it. `Y` is 2 N + M, `X` is 2 N.
pub struct DifferentialEquations<
    System: Mechanical<N, M>,
    const N: usize,
    const M: usize,
    const Y: usize,
    const X: usize,
> {
    form: Form<System, N, M>,
    solver: Solver,
    tolerance: f64,
}

impl<System: Equations<N, M>, const N: usize, const M: usize, const Y: usize, const X: usize>
    DifferentialEquations<System, N, M, Y, X>
where
    System::Mass: Inertia<f64, N>,
{
    /// With this method and tolerance.
    pub fn new(solver: Solver, tolerance: f64) -> Self {
        let index = if solver == Solver::Radau5Index2 { Index::Two } else { Index::One };
        Self { form: Form::of_index(index), solver, tolerance }
    }

    /// The explicit method with this elimination of the multipliers.
    pub fn eliminated(self, elimination: Elimination) -> Self {
        Self { form: self.form.eliminated(elimination), ..self }
    }
}

impl<System: Equations<N, M>, const N: usize, const M: usize, const Y: usize, const X: usize> DAE<f64, [f64; Y]>
    for DifferentialEquations<System, N, M, Y, X>
where
    System::Mass: Inertia<f64, N>,
{
    fn diff(&self, _: f64, y: &[f64; Y], f: &mut [f64; Y]) {
        self.form.right_hand_side(y, f);
    }

    fn mass(&self, mass: &mut Matrix<f64>) {
        for i in 0..Y {
            mass[(i, i)] = if i < X { 1.0 } else { 0.0 };
        }
    }

    fn jacobian(&self, _: f64, y: &[f64; Y], jacobian: &mut Matrix<f64>) {
        for j in 0..Y {
            let (mut direction, mut column) = ([0.0; Y], [0.0; Y]);
            direction[j] = 1.0;
            self.form.derivative(y, &direction, &mut column);
            for i in 0..Y {
                jacobian[(i, j)] = column[i];
            }
        }
    }
}

impl<System: Equations<N, M>, const N: usize, const M: usize, const Y: usize, const X: usize> ODE<f64, [f64; X]>
    for DifferentialEquations<System, N, M, Y, X>
where
    System::Mass: Inertia<f64, N>,
{
    fn diff(&self, _: f64, y: &[f64; X], f: &mut [f64; X]) {
        let (q, v) = (std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[N + k]));
        f[..N].copy_from_slice(&v);
        f[N..].copy_from_slice(&self.form.motion(&q, &v).0);
    }
}

impl<System: Equations<N, M>, const N: usize, const M: usize, const Y: usize, const X: usize> Contestant<N>
    for DifferentialEquations<System, N, M, Y, X>
where
    System::Mass: Inertia<f64, N>,
{
    fn name(&self) -> String {
        let prefix = if self.form.elimination() == Elimination::Structured { "structured-" } else { "" };
        format!("differential-equations/{prefix}{:?}", self.solver).to_lowercase()
    }

    fn setting(&self) -> String {
        format!("rtol={:e}", self.tolerance)
    }

    fn evaluations(&self) -> Option<u64> {
        let dense = self.form.elimination() == Elimination::Dense;
        (dense && self.solver == Solver::Dop853).then(|| self.form.evaluations(|| self.run(&mut Blind)))
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        let start = self.form.start();
        let (relative, absolute) = (self.tolerance, self.tolerance / 10.0);
        match self.solver {
            Solver::Radau5Index1 | Solver::Radau5Index2 => {
                let mut method = ImplicitRungeKutta::radau5().rtol(relative).atol(absolute).max_steps(1_000_000);
                if self.solver == Solver::Radau5Index2 {
                    method = method.index2_equations((X..Y).collect::<Vec<_>>());
                }
                let y: [f64; Y] = std::array::from_fn(|k| start[k]);
                let begun = Instant::now();
                let solution = IVP::dae(self, 0.0, System::DURATION, y).method(method).solve().ok()?;
                shown(&solution.y, begun.elapsed(), witness)
            }
            Solver::Dop853 => {
                let method = ExplicitRungeKutta::dop853().rtol(relative).atol(absolute).max_steps(1_000_000);
                let y: [f64; X] = std::array::from_fn(|k| start[k]);
                let begun = Instant::now();
                let solution = IVP::ode(self, 0.0, System::DURATION, y).method(method).solve().ok()?;
                shown(&solution.y, begun.elapsed(), witness)
            }
        }
    }
}

/// Shows the steps afterwards.
fn shown<const N: usize, const Y: usize>(
    steps: &[[f64; Y]],
    time: Duration,
    witness: &mut impl Witness<N>,
) -> Option<Finish<N>> {
    for y in steps {
        witness.see(std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[N + k]));
    }
    let last = steps.last()?;
    Some(Finish { position: std::array::from_fn(|k| last[k]), time })
}
