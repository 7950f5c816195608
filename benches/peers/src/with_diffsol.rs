//! diffsol: variable step, variable order or Runge–Kutta; it allocates. It solves systems of index 1, so the constraint is replaced by its
//! second derivative, and the solution drifts off the constraint.

use std::time::Instant;

use diffsol::{NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquations, OdeSolverMethod, OdeSolverStopReason};
use taut::system::{Inertia, Mechanical};

use crate::equations::{Elimination, Equations, Form, Index};
use crate::judge::{Blind, Contestant, Finish, Witness};

/// Its methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Backward differentiation formulae on (q, v, λ).
    Bdf,
    /// A singly diagonally implicit Runge–Kutta method of order 4 on (q, v, λ).
    Esdirk34,
    /// The explicit Runge–Kutta method of Tsitouras on (q, v), the multipliers eliminated by us.
    Tsit45,
}

/// A method with a relative tolerance; the absolute one is a tenth of it.
pub struct Diffsol<System: Mechanical<N, M>, const N: usize, const M: usize> {
    form: Form<System, N, M>,
    solver: Solver,
    tolerance: f64,
}

impl<System: Equations<N, M>, const N: usize, const M: usize> Diffsol<System, N, M>
where
    System::Mass: Inertia<f64, N>,
{
    /// With this method and tolerance.
    pub fn new(solver: Solver, tolerance: f64) -> Self {
        Self { form: Form::of_index(Index::One), solver, tolerance }
    }

    /// The explicit method with this elimination of the multipliers.
    pub fn eliminated(self, elimination: Elimination) -> Self {
        Self { form: self.form.eliminated(elimination), ..self }
    }

    /// Steps to the end of the system.
    fn steps<'a, E>(mut solver: impl OdeSolverMethod<'a, E>, witness: &mut impl Witness<N>) -> Option<Finish<N>>
    where
        E: OdeEquations<T = f64, V = NalgebraVec<f64>> + 'a,
    {
        let begun = Instant::now();
        solver.set_stop_time(System::DURATION).ok()?;
        loop {
            let reason = solver.step().ok()?;
            let y = solver.state().y.batch_as_slice(0);
            witness.see(std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[N + k]));
            if let OdeSolverStopReason::TstopReached = reason {
                break;
            }
        }
        let time = begun.elapsed();
        let y = solver.state().y.batch_as_slice(0);
        Some(Finish { position: std::array::from_fn(|k| y[k]), time })
    }
}

impl<System: Equations<N, M>, const N: usize, const M: usize> Contestant<N> for Diffsol<System, N, M>
where
    System::Mass: Inertia<f64, N>,
{
    fn name(&self) -> String {
        let prefix = if self.form.elimination() == Elimination::Structured { "structured-" } else { "" };
        format!("diffsol/{prefix}{:?}", self.solver).to_lowercase()
    }

    fn setting(&self) -> String {
        format!("rtol={:e}", self.tolerance)
    }

    fn evaluations(&self) -> Option<u64> {
        let dense = self.form.elimination() == Elimination::Dense;
        (dense && self.solver == Solver::Tsit45).then(|| self.form.evaluations(|| self.run(&mut Blind)))
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        let (form, start) = (&self.form, self.form.start());
        let builder = OdeBuilder::<NalgebraMat<f64>>::new().rtol(self.tolerance).atol([self.tolerance / 10.0]);
        if self.solver == Solver::Tsit45 {
            let problem = builder
                .rhs(|y, _, _, f| {
                    let (q, v) = (std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[N + k]));
                    f[..N].copy_from_slice(&v);
                    f[N..].copy_from_slice(&form.motion(&q, &v).0);
                })
                .init(|_, _, y| y.copy_from_slice(&start[..2 * N]), 2 * N)
                .build()
                .ok()?;
            return Self::steps(problem.tsit45().ok()?, witness);
        }
        let mut problem = builder
            .rhs_implicit(
                |y, _, _, f| form.right_hand_side(y, f),
                |y, _, _, direction, derivative| form.derivative(y, direction, derivative),
            )
            .mass(|x, _, _, beta, y| {
                for k in 0..y.len() {
                    y[k] = beta * y[k] + if k < 2 * N { x[k] } else { 0.0 };
                }
            })
            .init(|_, _, y| y.copy_from_slice(&start), 2 * N + M)
            .build()
            .ok()?;
        // It counts them over the whole run, and a linkage that turns for a second has more than the usual 50.
        problem.ode_options.max_nonlinear_solver_failures = usize::MAX;
        match self.solver {
            Solver::Bdf => Self::steps(problem.bdf::<NalgebraLU<f64>>().ok()?, witness),
            _ => Self::steps(problem.esdirk34::<NalgebraLU<f64>>().ok()?, witness),
        }
    }
}
