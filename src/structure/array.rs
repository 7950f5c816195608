//! Derivative arrays: a model and its time derivatives as equations for u', u'', … and u.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::analysis::{check_finite, signature};
use super::elimination::{eliminate, norm, solve};
use super::error::StructureError;
use super::forms::FirstOrder;
use super::{Dae, values};
use crate::scalar::{Dual, Float, Lifted, Taylor};

/// The most differentiations that are tried.
const MOST: usize = 6;
/// The most equations of an array.
const MOST_ROWS: usize = 720;
/// Units of time, in seconds. In one as long as the motion takes, derivatives of every order have the same size; those of a fast mechanism
/// by the second have 1e3 times the size of the order before, and neither converge nor show their ranks.
const UNITS: [f64; 4] = [1.0, 0.1, 0.01, 0.001];
/// Gauss–Newton iterations. From a guess that is a length off, about ten are needed.
const ITERATIONS: usize = 40;

type Series = Taylor<f64, MOST>;

/// The equations F(t, u, u') = 0 and their first m time derivatives, G(u', w, u) = 0 with w = (u'', …, u⁽ᵐ⁺¹⁾), at a solution (Hairer and
/// Wanner, *Solving Ordinary Differential Equations II*, VII.2, (2.29)). Derivatives above the first are unknowns of their own: u of a
/// mechanical system is (q, q', λ), ordered by coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivativeArray {
    /// m.
    pub differentiations: usize,
    /// The number of equations, (m + 1) n.
    pub rows: usize,
    /// The rank of (G_u', G_w).
    pub rank: usize,
    /// The rank of G_w.
    pub rank_of_higher: usize,
    /// Unknowns whose rates do not follow: were they known, all others would.
    pub undetermined: Vec<usize>,
    /// Whether (G_u', G_w, G_u) has full row rank: no equation depends on others.
    pub has_full_row_rank: bool,
    /// The number of constraints on u, hidden ones included.
    pub constraints: usize,
    /// u_b: the unknowns whose values may be chosen.
    pub free: Vec<usize>,
    /// The names of u.
    pub names: Vec<String>,
    /// u.
    pub values: Vec<f64>,
    /// u', as far as it is determined.
    pub rates: Vec<f64>,
}

impl DerivativeArray {
    /// With m differentiations, at the solution near a guess: `point[k]` has the derivatives k of the model's unknowns; those not given are
    /// zero. The best-conditioned choice of u_b keeps the values of the guess.
    pub fn of<System: Dae>(system: &System, t: f64, point: &[&[f64]], m: usize) -> Result<Self, StructureError> {
        Search::new(system, t, point)?.array(m, None)
    }

    /// The same with a choice of u_b that keep their values, such as the [free](Self::free) ones of another point.
    pub fn holding<System: Dae>(
        system: &System,
        t: f64,
        point: &[&[f64]],
        m: usize,
        held: &[usize],
    ) -> Result<Self, StructureError> {
        Search::new(system, t, point)?.array(m, Some(held))
    }

    /// With the least number of differentiations that makes it 1-full: the differentiation index.
    pub fn least<System: Dae>(system: &System, t: f64, point: &[&[f64]]) -> Result<Self, StructureError> {
        let search = Search::new(system, t, point)?;
        let mut unknowns = Vec::new();
        for m in 0..=MOST {
            let array = search.array(m, None)?;
            if array.is_one_full() {
                return Ok(array);
            }
            unknowns = array.undetermined.iter().map(|&j| array.names[j].clone()).collect();
        }
        Err(StructureError::NotDetermined { differentiations: MOST, unknowns })
    }

    /// Whether u' follows from u: (G_u', G_w) (Δu', Δw) = 0 only with Δu' = 0.
    pub fn is_one_full(&self) -> bool {
        self.undetermined.is_empty()
    }
}

/// A model of first order and a guess.
struct Search<'a, System> {
    model: FirstOrder<'a, System>,
    t: f64,
    guess: Vec<f64>,
}

impl<'a, System: Dae> Search<'a, System> {
    fn new(system: &'a System, t: f64, point: &[&[f64]]) -> Result<Self, StructureError> {
        let (signature, at) = (signature(system, t, point)?, values(system, t, point)?);
        let order = |j: usize| signature.iter().filter_map(|row| row[j]).max().unwrap_or(0).max(1);
        let orders: Vec<usize> = (0..system.size()).map(order).collect();
        let guess = orders.iter().enumerate().flat_map(|(j, orders)| (0..*orders).map(move |order| (j, order)));
        let guess = guess.map(|(j, order)| at(j, order)).collect();
        Ok(Self { model: FirstOrder { system, orders }, t, guess })
    }

    /// In the first unit of time in which the iterations converge.
    fn array(&self, m: usize, held: Option<&[usize]>) -> Result<DerivativeArray, StructureError> {
        let mut found = Err(StructureError::NotConverged { residual: f64::INFINITY });
        for unit in UNITS {
            if let Err(StructureError::NotConverged { .. }) = found {
                found = self.array_in(unit, m, held);
            }
        }
        found
    }

    /// Solves the array for (u', w, u_a) by Gauss–Newton iterations. What the equations leave open keeps its value: u_b that of the guess,
    /// w_b zero. (By their lemma 2.3, u' and u_a do not depend on w_b.)
    fn array_in(&self, unit: f64, m: usize, held: Option<&[usize]>) -> Result<DerivativeArray, StructureError> {
        let n = self.model.size();
        for (size, limit) in [(m, MOST), ((m + 1) * n, MOST_ROWS)] {
            if size > limit {
                return Err(StructureError::TooLarge { size, limit });
            }
        }
        let mut u = vec![vec![0.0; n]; MOST + 2];
        u[0].clone_from(&self.guess);
        let mut residual = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let mut columns = self.columns(&u, unit, m)?;
            let norms: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
            // The blocks of (2.31), those of w first: their ranks tell whether u' is determined without it.
            let w = eliminate(&mut columns, &norms, (2 * n..(m + 2) * n).collect(), 0);
            let rates = eliminate(&mut columns, &norms, (n..2 * n).collect(), w.len());
            let rank = w.len() + rates.len();
            let may_change = (0..n).filter(|j| held.is_none_or(|held| !held.contains(j)));
            let dependent = eliminate(&mut columns, &norms, may_change.collect(), rank);
            let taken = [&w[..], &rates, &dependent].concat();
            let right = columns.len() - 1;
            let changes = solve(&columns, &taken, right);
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (column, step) in taken.iter().zip(changes) {
                let entry = &mut u[column / n][column % n];
                *entry -= step;
                (change, size) = (change.max(step.abs()), size.max(entry.abs()));
            }
            residual = norms[right];
            if change <= 1e-11 * (1.0 + size) {
                // What no unknown can change must be zero as well.
                residual = norm(&columns[right][taken.len()..]);
                if residual > f64::ROOT_EPSILON * (1.0 + size) {
                    break;
                }
                return Ok(DerivativeArray {
                    differentiations: m,
                    rows: (m + 1) * n,
                    rank,
                    rank_of_higher: w.len(),
                    undetermined: (0..n).filter(|j| !rates.contains(&(n + j))).collect(),
                    has_full_row_rank: taken.len() == (m + 1) * n,
                    constraints: dependent.len(),
                    free: (0..n).filter(|j| !dependent.contains(j)).collect(),
                    names: (0..n).map(|j| self.model.unknown(j)).collect(),
                    rates: u.swap_remove(1).into_iter().map(|rate| rate / unit).collect(),
                    values: u.swap_remove(0),
                });
            }
        }
        Err(StructureError::NotConverged { residual })
    }

    /// The columns of (G_u, G_u', G_w), derivative by derivative, and the residual of the array; all derivatives are by t / `unit`.
    fn columns(&self, u: &[Vec<f64>], unit: f64, m: usize) -> Result<Vec<Vec<f64>>, StructureError> {
        let n = self.model.size();
        let mut columns = vec![vec![0.0; (m + 1) * n]; (m + 2) * n + 1];
        for j in 0..n {
            for order in 0..=1 {
                let x = |unknown: usize, derivative: usize| {
                    let mut series = Series::constant(u[derivative][unknown]);
                    let mut factorial = 1.0;
                    for (k, coefficient) in series.coefficients.iter_mut().enumerate() {
                        factorial *= (k + 1) as f64;
                        *coefficient = u.get(derivative + k + 1).map_or(0.0, |u| u[unknown] / factorial);
                    }
                    let slope = if (unknown, derivative) == (j, order) { 1.0 } else { 0.0 };
                    let rate = if derivative == 0 { 1.0 } else { 1.0 / unit };
                    Lifted::new(Dual::<Series, 1, f64>::new(series * rate, [Series::constant(slope * rate)]))
                };
                let mut time = Series::variable(self.t);
                time.coefficients[0] = unit;
                let rows = self.model.residual(Lifted::new(Dual::constant(time)), &x);
                for (i, row) in rows.iter().enumerate() {
                    let Dual { value, partials: [slope], .. } = row.double();
                    let (residuals, slopes) = (derivatives(&value), derivatives(&slope));
                    check_finite(&self.model, (0..n).map(|k| if k == i { residuals[m] + slopes[m] } else { 0.0 }))?;
                    for l in 0..=m {
                        columns[(m + 2) * n][l * n + i] = residuals[l];
                        // Leibniz: the derivative l of F has the factor C(l, s) d^s(∂F/∂u^(order))/dt^s at the derivative order + l − s of u.
                        let mut binomial = 1.0;
                        for s in 0..=l {
                            columns[(order + l - s) * n + j][l * n + i] += binomial * slopes[s];
                            binomial *= (l - s) as f64 / (s + 1) as f64;
                        }
                    }
                }
            }
        }
        Ok(columns)
    }
}

/// A series as derivatives, the value first.
fn derivatives(series: &Series) -> [f64; MOST + 1] {
    let higher = series.derivatives();
    core::array::from_fn(|k| if k == 0 { series.value } else { higher[k - 1] })
}
