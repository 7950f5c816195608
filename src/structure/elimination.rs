//! Householder reflections with column pivoting within a part of the columns.

use std::vec::Vec;

use crate::scalar::Float;

/// The Euclidean norm.
pub(super) fn norm(entries: &[f64]) -> f64 {
    libm::sqrt(entries.iter().map(|entry| entry * entry).sum())
}

/// Makes the columns `columns[j][row]` triangular from row `from` on: takes candidates, largest first, until what is left of each is less than √ε
/// of its `norms`. Returns those taken, in this order. All other columns are reflected as well.
pub(super) fn eliminate(
    columns: &mut [Vec<f64>],
    norms: &[f64],
    mut candidates: Vec<usize>,
    from: usize,
) -> Vec<usize> {
    let mut taken = Vec::new();
    let rows = columns.first().map_or(0, Vec::len);
    for k in from..rows {
        let mut best = None;
        for &j in &candidates {
            let left = norm(&columns[j][k..]);
            if left > norms[j] * f64::ROOT_EPSILON && best.is_none_or(|(size, _)| left > size) {
                best = Some((left, j));
            }
        }
        let Some((size, chosen)) = best else { break };
        let mut w = columns[chosen][k..].to_vec();
        let signed = size.copysign(w[0]);
        w[0] += signed;
        let inverse_square = 1.0 / (size * w[0].abs());
        for column in columns.iter_mut() {
            let rest = &mut column[k..];
            let along: f64 = w.iter().zip(rest.iter()).map(|(w, entry)| w * entry).sum();
            if along != 0.0 {
                rest.iter_mut().zip(&w).for_each(|(entry, w)| *entry -= along * inverse_square * w);
            }
        }
        columns[chosen][k] = -signed;
        columns[chosen][k + 1..].fill(0.0);
        candidates.retain(|&j| j != chosen);
        taken.push(chosen);
    }
    taken
}

/// Solves the triangle of the columns taken for one more column.
pub(super) fn solve(columns: &[Vec<f64>], taken: &[usize], right: usize) -> Vec<f64> {
    let mut x = columns[right][..taken.len()].to_vec();
    for k in (0..taken.len()).rev() {
        x[k] /= columns[taken[k]][k];
        for i in 0..k {
            x[i] -= columns[taken[k]][i] * x[k];
        }
    }
    x
}
