//! The structure of a model at a point: which equations to differentiate, which derivatives to replace.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::elimination::{eliminate, norm};
use super::error::StructureError;
use super::offsets::{Block, Signature, blocks, offsets};
use super::{Dae, values};
use crate::scalar::{Dual, Lifted, Orders, Real};

/// The structure of a model: what follows from which derivative occurs in which equation, and from the Jacobian of the highest ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// σ: the highest derivative of each unknown in each equation, `signature[equation][unknown]`; `None` where it does not occur.
    pub signature: Vec<Vec<Option<usize>>>,
    /// ν: how often each equation must be differentiated, the c of the offsets.
    pub differentiations: Vec<usize>,
    /// The highest derivative of each unknown afterwards, the d of the offsets.
    pub orders: Vec<usize>,
    /// The derivatives of the differentiated equations by the highest derivatives, `jacobian[equation][unknown]`.
    pub jacobian: Vec<Vec<f64>>,
    /// The blocks that are solved one after the other for the highest derivatives.
    pub blocks: Vec<Block>,
    /// The dummy derivatives, (unknown, order), chosen for a well-conditioned Jacobian at the point.
    pub dummies: Vec<(usize, usize)>,
    /// The initial values that may be chosen, (unknown, order): all others follow from the equations.
    pub free: Vec<(usize, usize)>,
    /// The names of the equations.
    pub equations: Vec<String>,
    /// The names of the unknowns.
    pub unknowns: Vec<String>,
}

impl Structure {
    /// Analyses a model at a time and a point: `point[k]` has the derivatives k of all unknowns; those not given are zero.
    ///
    /// The analysis finds the branch that the equations take at this point, and chooses dummy derivatives for it. Where the Jacobian is singular,
    /// it refuses: then ask the [derivative array](super::DerivativeArray).
    pub fn of<System: Dae>(system: &System, t: f64, point: &[&[f64]]) -> Result<Self, StructureError> {
        let signature = signature(system, t, point)?;
        let n = signature.len();
        let equations: Vec<String> = (0..n).map(|i| system.equation(i)).collect();
        let unknowns: Vec<String> = (0..n).map(|j| system.unknown(j)).collect();
        let named = |places: &[usize], names: &[String]| places.iter().map(|&i| names[i].clone()).collect();
        let (c, d, owner) = offsets(&signature).map_err(|(rows, columns)| StructureError::TooFewUnknowns {
            equations: named(&rows, &equations),
            unknowns: named(&columns, &unknowns),
        })?;
        let uses = |i: usize, j: usize| signature[i][j].is_some_and(|order| order + c[i] == d[j]);
        let jacobian = jacobian(system, t, point, &signature, &uses)?;
        let blocks = blocks(&uses, &owner);
        let mut dummies = Vec::new();
        for block in &blocks {
            let singular = |rank| StructureError::Singular { equations: named(&block.equations, &equations), rank };
            let chosen = independent(&jacobian, &block.equations, &block.unknowns);
            if chosen.len() < block.equations.len() {
                return Err(singular(chosen.len()));
            }
            let (mut rows, mut columns) = (block.equations.clone(), block.unknowns.clone());
            for level in 0.. {
                rows.retain(|&i| c[i] > level);
                columns = independent(&jacobian, &rows, &columns);
                if columns.len() < rows.len() {
                    return Err(singular(columns.len()));
                }
                if rows.is_empty() {
                    break;
                }
                dummies.extend(columns.iter().map(|&j| (j, d[j] - level)));
            }
        }
        let every = (0..n).flat_map(|j| (0..d[j]).map(move |order| (j, order)));
        let free = every.filter(|&(j, order)| !dummies.contains(&(j, order + 1))).collect();
        Ok(Self { signature, differentiations: c, orders: d, jacobian, blocks, dummies, free, equations, unknowns })
    }

    /// The structural index: the most differentiations, and one more if an unknown remains algebraic. Forms with second derivatives
    /// count as written: a pendulum has 3.
    pub fn index(&self) -> usize {
        let most = self.differentiations.iter().max().copied().unwrap_or(0);
        most + usize::from(self.orders.contains(&0))
    }

    /// The number of unknowns, and of equations, of the system of index 1 with dummy derivatives (Mattsson and Söderlind, section 3, step 6).
    pub fn augmented(&self) -> usize {
        self.unknowns.len() + self.differentiations.iter().sum::<usize>()
    }

    /// The same without superfluous differentiations: in a block without an algebraic unknown, the last one is left out (example 2).
    pub fn reduced(&self) -> usize {
        let differential = self.blocks.iter().filter(|block| block.unknowns.iter().all(|&j| self.orders[j] > 0));
        let last = differential.flat_map(|block| &block.equations).filter(|&&i| self.differentiations[i] > 0);
        self.augmented() - last.count()
    }
}

/// σ, from the model on a scalar that records orders.
pub(super) fn signature<System: Dae>(system: &System, t: f64, point: &[&[f64]]) -> Result<Signature, StructureError> {
    let n = system.size();
    let at = values(system, t, point)?;
    if n > Orders::MAX_UNKNOWNS {
        return Err(StructureError::TooLarge { size: n, limit: Orders::MAX_UNKNOWNS });
    }
    let beyond = core::cell::Cell::new(0);
    let x = |unknown: usize, order: usize| {
        beyond.set(order.max(beyond.get()));
        Lifted::new(Orders::derivative(at(unknown, order), unknown, order.min(Orders::MAX_ORDER)))
    };
    let rows = system.residual(Lifted::new(Orders::time(t)), &x);
    if rows.len() != n {
        return Err(StructureError::NotSquare { equations: rows.len(), unknowns: n });
    }
    if beyond.get() > Orders::MAX_ORDER {
        return Err(StructureError::TooLarge { size: beyond.get(), limit: Orders::MAX_ORDER });
    }
    check_finite(system, rows.iter().map(|row| row.double().value()))?;
    Ok(rows.iter().map(|row| (0..n).map(|j| row.double().highest(j)).collect()).collect())
}

/// Refuses equations that are NaN or infinite.
pub(super) fn check_finite<System: Dae>(
    system: &System,
    rows: impl Iterator<Item = f64>,
) -> Result<(), StructureError> {
    match rows.map(f64::is_finite).position(|finite| !finite) {
        Some(i) => Err(StructureError::NonFinite { equation: system.equation(i) }),
        None => Ok(()),
    }
}

/// ∂f_i/∂x_j^(σ_ij) where d_j − c_i = σ_ij, else zero.
fn jacobian<System: Dae>(
    system: &System,
    t: f64,
    point: &[&[f64]],
    signature: &Signature,
    uses: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<Vec<f64>>, StructureError> {
    let n = signature.len();
    let at = values(system, t, point)?;
    let mut jacobian = vec![vec![0.0; n]; n];
    for j in 0..n {
        let highest = |i: usize| if uses(i, j) { signature[i][j] } else { None };
        for wanted in 0..=(0..n).filter_map(highest).max().unwrap_or(0) {
            let x = |unknown: usize, order: usize| {
                let slope = if (unknown, order) == (j, wanted) { 1.0 } else { 0.0 };
                Lifted::new(Dual::<f64, 1>::new(at(unknown, order), [slope]))
            };
            let rows = system.residual(Lifted::new(Dual::constant(t)), &x);
            check_finite(system, rows.iter().map(|row| row.double().partials[0]))?;
            for i in (0..n).filter(|&i| highest(i) == Some(wanted)) {
                jacobian[i][j] = rows[i].double().partials[0];
            }
        }
    }
    Ok(jacobian)
}

/// The columns that make the rows of a matrix independent.
fn independent(matrix: &[Vec<f64>], rows: &[usize], columns: &[usize]) -> Vec<usize> {
    let mut part: Vec<Vec<f64>> = columns.iter().map(|&j| rows.iter().map(|&i| matrix[i][j]).collect()).collect();
    let norms: Vec<f64> = part.iter().map(|column| norm(column)).collect();
    let taken = eliminate(&mut part, &norms, (0..columns.len()).collect(), 0);
    taken.into_iter().map(|k| columns[k]).collect()
}
