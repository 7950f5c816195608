//! Transversals, offsets and blocks of a signature matrix.

use std::vec;
use std::vec::Vec;

/// σ: the highest derivative of each unknown in each equation, `signature[equation][unknown]`; `None` where it does not occur.
pub(super) type Signature = Vec<Vec<Option<usize>>>;

/// Equations that use fewer unknowns than they are, and these unknowns.
pub(super) type Excess = (Vec<usize>, Vec<usize>);

/// c, d, and the equation of each unknown on the transversal.
pub(super) type Offsets = (Vec<usize>, Vec<usize>, Vec<usize>);

/// Gives an equation an unknown; others may get another one for it (Duff, Erisman and Reid, *Direct methods for sparse matrices*). If
/// that fails, `seen` has all unknowns that could be reached.
fn assign(
    equation: usize,
    uses: &dyn Fn(usize, usize) -> bool,
    owner: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for unknown in 0..owner.len() {
        if uses(equation, unknown) && !seen[unknown] {
            seen[unknown] = true;
            if owner[unknown].is_none_or(|other| assign(other, uses, owner, seen)) {
                owner[unknown] = Some(equation);
                return true;
            }
        }
    }
    false
}

/// The positions where a mask is set.
fn set(mask: &[bool]) -> Vec<usize> {
    (0..mask.len()).filter(|&i| mask[i]).collect()
}

/// The smallest c, d with d_j − c_i ≥ σ_ij and equality on a transversal, and the equation of each unknown on it.
///
/// That is Pantelides' algorithm: an equation that finds no unknown at its highest derivative is differentiated, together with all equations that
/// own what it could have had. c counts the differentiations.
pub(super) fn offsets(signature: &Signature) -> Result<Offsets, Excess> {
    let n = signature.len();
    let mut owner = vec![None; n];
    for equation in 0..n {
        let mut seen = vec![false; n];
        if !assign(equation, &|i, j| signature[i][j].is_some(), &mut owner, &mut seen) {
            let unknowns = set(&seen);
            let mut equations: Vec<usize> = unknowns.iter().filter_map(|&j| owner[j]).chain([equation]).collect();
            equations.sort_unstable();
            return Err((equations, unknowns));
        }
    }
    let mut c = vec![0; n];
    let mut d: Vec<usize> = (0..n).map(|j| signature.iter().filter_map(|row| row[j]).max().unwrap_or(0)).collect();
    owner.fill(None);
    for equation in 0..n {
        loop {
            let mut seen = vec![false; n];
            let is_highest = |i: usize, j: usize| signature[i][j].is_some_and(|order| order + c[i] == d[j]);
            if assign(equation, &is_highest, &mut owner, &mut seen) {
                break;
            }
            c[equation] += 1;
            for j in set(&seen) {
                d[j] += 1;
                if let Some(other) = owner[j] {
                    c[other] += 1;
                }
            }
        }
    }
    Ok((c, d, owner.into_iter().flatten().collect()))
}

/// Equations that are solved together for as many unknowns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The equations.
    pub equations: Vec<usize>,
    /// The unknowns.
    pub unknowns: Vec<usize>,
}

/// The strongly connected components of a square pattern with a transversal, each after those that it uses.
pub(super) fn blocks(uses: &dyn Fn(usize, usize) -> bool, owner: &[usize]) -> Vec<Block> {
    let n = owner.len();
    // Which unknowns each one needs, directly or through others.
    let mut needs: Vec<Vec<bool>> = owner.iter().map(|&i| (0..n).map(|j| uses(i, j)).collect()).collect();
    for middle in 0..n {
        let through = needs[middle].clone();
        for row in needs.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&through).for_each(|(needs, through)| *needs |= through);
        }
    }
    let mut found: Vec<(usize, Block)> = Vec::new();
    for first in 0..n {
        let unknowns: Vec<usize> = (0..n).filter(|&j| needs[first][j] && needs[j][first]).collect();
        if unknowns.first() == Some(&first) {
            let mut equations: Vec<usize> = unknowns.iter().map(|&j| owner[j]).collect();
            equations.sort_unstable();
            found.push((set(&needs[first]).len(), Block { equations, unknowns }));
        }
    }
    // What a block needs, needs less than the block.
    found.sort_by_key(|(needed, _)| *needed);
    found.into_iter().map(|(_, block)| block).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The smallest feasible offsets by trying all c up to a bound; `None` if no transversal exists.
    fn by_force(signature: &Signature) -> Option<Vec<usize>> {
        let n = signature.len();
        let (mut best, mut weight) = (Vec::new(), None);
        let mut order: Vec<usize> = (0..n).collect();
        permutations(&mut order, 0, &mut |permutation| {
            let total: Option<usize> = (0..n).map(|i| signature[i][permutation[i]]).sum();
            if total > weight {
                (best, weight) = (permutation.to_vec(), total);
            }
        });
        weight?;
        // Any transversal of maximal weight has equality; c ≤ n max σ (each equation is differentiated at most so often).
        let bound = 3 * n;
        let mut smallest: Option<Vec<usize>> = None;
        for code in 0..(bound + 1).pow(n as u32) {
            let c: Vec<usize> = (0..n).map(|i| code / (bound + 1).pow(i as u32) % (bound + 1)).collect();
            let d = |j: usize| {
                c[best.iter().position(|&k| k == j).unwrap()]
                    + signature[best.iter().position(|&k| k == j).unwrap()][j].unwrap()
            };
            if (0..n).all(|i| (0..n).all(|j| signature[i][j].is_none_or(|s| d(j) >= c[i] + s))) {
                let least = smallest.get_or_insert_with(|| c.clone());
                least.iter_mut().zip(&c).for_each(|(least, c)| *least = (*least).min(*c));
            }
        }
        smallest
    }

    fn permutations(order: &mut Vec<usize>, from: usize, show: &mut impl FnMut(&[usize])) {
        if from == order.len() {
            return show(order);
        }
        for k in from..order.len() {
            order.swap(from, k);
            permutations(order, from + 1, show);
            order.swap(from, k);
        }
    }

    fn signatures(n: usize) -> impl Strategy<Value = Signature> {
        let entry = prop_oneof![Just(None), (0..=2_usize).prop_map(Some)];
        proptest::collection::vec(proptest::collection::vec(entry, n), n)
    }

    proptest! {
        #[test]
        fn offsets_are_feasible_and_minimal(signature in (1..=3_usize).prop_flat_map(signatures)) {
            match offsets(&signature) {
                Err((equations, unknowns)) => {
                    prop_assert_eq!(by_force(&signature), None);
                    prop_assert_eq!(equations.len(), unknowns.len() + 1);
                    for &i in &equations {
                        prop_assert!((0..signature.len()).all(|j| signature[i][j].is_none() || unknowns.contains(&j)));
                    }
                }
                Ok((c, d, owner)) => {
                    for (i, row) in signature.iter().enumerate() {
                        for (j, order) in row.iter().enumerate() {
                            prop_assert!(order.is_none_or(|order| d[j] >= c[i] + order));
                            prop_assert!(owner[j] != i || order.is_some_and(|order| d[j] == c[i] + order));
                        }
                    }
                    prop_assert_eq!(by_force(&signature), Some(c));
                }
            }
        }

        #[test]
        fn blocks_are_triangular(signature in (1..=7_usize).prop_flat_map(signatures)) {
            if let Ok((_, _, owner)) = offsets(&signature) {
                let blocks = blocks(&|i, j| signature[i][j].is_some(), &owner);
                let mut known = Vec::new();
                for block in &blocks {
                    prop_assert_eq!(block.equations.len(), block.unknowns.len());
                    known.extend(&block.unknowns);
                    for &i in &block.equations {
                        prop_assert!((0..signature.len()).all(|j| signature[i][j].is_none() || known.contains(&j)));
                    }
                }
                prop_assert_eq!(known.len(), signature.len());
            }
        }
    }

    #[test]
    fn a_triangle_has_blocks_of_one() {
        let entries = [[true, false, false], [true, true, false], [false, true, true]];
        let found = blocks(&|i, j| entries[2 - i][j], &[2, 1, 0]);
        let expected = [(2, 0), (1, 1), (0, 2)];
        assert_eq!(found, expected.map(|(i, j)| Block { equations: vec![i], unknowns: vec![j] }));
    }
}
