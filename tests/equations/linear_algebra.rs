//! The factorisations against nalgebra's LU and SVD in f64, over random, graded, nearly singular and rank-deficient
//! matrices.
//!
//! Backward stability is the claim: ‖A x − b‖ ≤ c N ε (‖A‖ ‖x‖ + ‖b‖) with a modest c (Higham, Accuracy and Stability of
//! Numerical Algorithms, ch. 9, 10, 19). c = 40 covers the growth factors of partial pivoting at these sizes.
//!
//! Conditions and ranks are judged by nalgebra's SVD, solutions by its LU, on matrices whose factors of full rank are
//! known: nalgebra's singular vectors are good to 1e-6 only in some of these cases (its singular values are fine).

use nalgebra::{DMatrix, SMatrix};
use proptest::prelude::*;
use taut::linalg::{FactorError, Ldlt, Lu, Matrix, Qr, Semidefinite, SymmetricFactors, Vector};
use taut::scalar::Float;

const CONSTANT: f64 = 40.0;

fn entries<const N: usize>() -> impl Strategy<Value = [f64; N]> {
    prop::collection::vec(-1.0..1.0_f64, N).prop_map(|entries| entries.try_into().unwrap())
}

/// Random orthogonal-ish mixing times powers of ten: graded rows and columns.
fn matrices<const R: usize, const C: usize>(grade: i32) -> impl Strategy<Value = SMatrix<f64, R, C>> {
    let entries = prop::collection::vec(-1.0..1.0_f64, R * C);
    let rows = prop::collection::vec(-grade..=grade, R);
    (entries, rows).prop_map(|(entries, rows)| SMatrix::from_fn(|i, j| entries[i * C + j] * 10.0_f64.powi(rows[i])))
}

fn cast<T: Float, const R: usize, const C: usize>(a: &SMatrix<f64, R, C>) -> Matrix<T, R, C> {
    Matrix::from_fn(|i, j| T::from_f64(a[(i, j)]))
}

fn wide<T: Float, const R: usize, const C: usize>(a: &Matrix<T, R, C>) -> DMatrix<f64> {
    DMatrix::from_fn(R, C, |i, j| a[(i, j)].to_f64())
}

fn singular_values(a: &DMatrix<f64>) -> Vec<f64> {
    let mut values = a.clone().svd(false, false).singular_values.as_slice().to_vec();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

fn smallest(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::INFINITY)
}

/// ‖A x − b‖ relative to ‖A‖ ‖x‖ + ‖b‖, in units of N ε of `T`, computed in f64.
fn backward_error<T: Float, const R: usize, const C: usize>(
    a: &Matrix<T, R, C>,
    x: &Vector<T, C>,
    b: &Vector<T, R>,
) -> f64 {
    let (a, x, b) = (wide(a), wide(x), wide(b));
    let scale = a.norm() * x.norm() + b.norm();
    if scale == 0.0 { 0.0 } else { (a * x - b).norm() / scale / (R.max(C) as f64 * T::EPSILON.to_f64()) }
}

fn check_lu<T: Float, const N: usize>(a: &SMatrix<f64, N, N>, b: &[f64; N]) -> Result<(), TestCaseError> {
    let a: Matrix<T, N, N> = cast(a);
    let b = Vector::<T, N>::from_fn(|i, _| T::from_f64(b[i]));
    match Lu::factor(a) {
        Ok(factors) => {
            let x = factors.solve(b);
            prop_assert!(backward_error(&a, &x, &b) <= CONSTANT);
            prop_assert!(factors.smallest_pivot() > T::zero());
        }
        Err(FactorError::SmallPivot { pivot, limit, .. }) => {
            prop_assert!(pivot <= limit);
            // nalgebra's SVD must agree that the matrix is nearly singular, its columns brought to one scale.
            let mut a = wide(&a);
            for mut column in a.column_iter_mut() {
                let scale = column.amax().max(f64::MIN_POSITIVE);
                column /= scale;
            }
            let values = singular_values(&a);
            prop_assert!(smallest(&values) <= 100.0 * N as f64 * T::EPSILON.to_f64() * values[0]);
        }
        Err(error) => prop_assert!(false, "{error}"),
    }
    Ok(())
}

fn check_ldlt<T: Float, const N: usize>(g: &SMatrix<f64, N, N>, b: &[f64; N]) -> Result<(), TestCaseError> {
    // G Gᵀ plus a little of its diagonal: positive definite, graded like G.
    let product = g * g.transpose();
    let a: Matrix<T, N, N> = cast(&(product + SMatrix::from_diagonal(&product.diagonal()) * 1e-2));
    let b = Vector::<T, N>::from_fn(|i, _| T::from_f64(b[i]));
    let Ok(factors) = Ldlt::factor(a) else { return Err(TestCaseError::fail("refused a positive definite matrix")) };
    let x = factors.solve(b);
    prop_assert!(backward_error(&a, &x, &b) <= CONSTANT);
    // Elimination only takes away from a diagonal entry.
    prop_assert!(factors.smallest_pivot().to_f64() <= wide(&a).diagonal().min() * 1.001);
    if T::EPSILON.to_f64() < 1e-10 {
        let reference = wide(&a).lu().solve(&wide(&b)).unwrap();
        let values = singular_values(&wide(&a));
        let condition = values[0] / smallest(&values);
        let difference = (wide(&x) - &reference).norm();
        prop_assert!(difference <= CONSTANT * N as f64 * f64::EPSILON * condition * reference.norm());
    }
    Ok(())
}

/// A = G Gᵀ with G of RANK columns, its rows scaled: semidefinite of rank RANK.
fn check_semidefinite<T: Float, const N: usize, const RANK: usize>(
    g: &SMatrix<f64, N, RANK>,
    z: &[f64; N],
) -> Result<(), TestCaseError> {
    // The rank must be numerically clear for a judgement: what G has in its weakest direction, rows normalised.
    prop_assume!(g.row_iter().all(|row| row.norm() > 1e-3));
    let normalised = DMatrix::from_fn(N, RANK, |i, j| g[(i, j)] / g.row(i).norm());
    prop_assume!(smallest(&singular_values(&normalised)) > 0.1);
    let a: Matrix<T, N, N> = cast(&(g * g.transpose()));
    let z = Vector::<T, N>::from_fn(|i, _| T::from_f64(z[i]));
    let factors = Semidefinite::factor(a).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(factors.rank(), RANK);

    // Of all x with A x = A z, the shortest is the projection of z onto the range of A, which is that of G.
    let exact = DMatrix::from_fn(N, RANK, |i, j| g[(i, j)]);
    let gram = (exact.transpose() * &exact).lu();
    let reference = &exact * gram.solve(&(exact.transpose() * wide(&z))).unwrap();
    let values = singular_values(&(&exact * exact.transpose()));
    let condition = values[0] / values[RANK - 1];
    let x = wide(&factors.solve(a * z));
    // A relative error e of A and of the right-hand side moves x by κ e ‖z‖, and by the ratio of the rows' scales more: entries
    // of small rows are rounded relative to themselves, and what they say of the null space is divided by their scale.
    let norms: Vec<f64> = g.row_iter().map(|row| row.norm()).collect();
    let ratio = norms.iter().copied().fold(0.0, f64::max) / norms.iter().copied().fold(f64::INFINITY, f64::min);
    let bound = CONSTANT * N as f64 * T::EPSILON.to_f64() * condition * ratio * wide(&z).norm();
    prop_assert!((&x - &reference).norm() <= bound, "{x} is not {reference}, bound {bound}");
    Ok(())
}

/// `range` spans the range of `a`.
fn check_qr<T: Float, const R: usize, const C: usize, const RANK: usize>(
    a: &SMatrix<f64, R, C>,
    range: &SMatrix<f64, R, RANK>,
    b: &[f64; R],
) -> Result<(), TestCaseError> {
    let a: Matrix<T, R, C> = cast(a);
    let b = Vector::<T, R>::from_fn(|i, _| T::from_f64(b[i]));
    let factors = Qr::factor(a).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(factors.rank(), RANK);

    // Least squares: the residual is orthogonal to every column.
    let x = factors.solve_least_squares(b);
    let (wide_a, wide_x, wide_b) = (wide(&a), wide(&x), wide(&b));
    let gradient = wide_a.transpose() * (&wide_a * &wide_x - &wide_b);
    let scale = wide_a.norm() * (wide_a.norm() * wide_x.norm() + wide_b.norm());
    prop_assert!(gradient.norm() <= CONSTANT * R.max(C) as f64 * T::EPSILON.to_f64() * scale);

    // Of all x with Aᵀ x = Aᵀ b, the shortest is the projection of b onto the range of A.
    let c = a.transpose() * b;
    let x = factors.solve_transposed(c);
    prop_assert!(backward_error(&a.transpose(), &x, &c) <= CONSTANT);
    let range = DMatrix::from_fn(R, RANK, |i, j| range[(i, j)]);
    let gram = (range.transpose() * &range).lu();
    let reference = &range * gram.solve(&(range.transpose() * &wide_b)).unwrap();
    let values = singular_values(&wide_a);
    let condition = values[0] / values[RANK - 1];
    let bound = CONSTANT * R.max(C) as f64 * T::EPSILON.to_f64() * condition * wide_b.norm();
    prop_assert!((wide(&x) - &reference).norm() <= bound);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 1_000_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn lu_of_random_and_graded_matrices(a in matrices::<5, 5>(3), b in entries::<5>()) {
        check_lu::<f64, 5>(&a, &b)?;
        check_lu::<f32, 5>(&a, &b)?;
        check_lu::<f64, 1>(&a.fixed_view::<1, 1>(0, 0).into_owned(), &[b[0]])?;
        check_lu::<f64, 3>(&a.fixed_view::<3, 3>(1, 1).into_owned(), &[b[0], b[1], b[2]])?;
    }

    #[test]
    fn lu_of_nearly_singular_matrices(mut a in matrices::<4, 4>(0), b in entries::<4>(), exponent in -18..0) {
        // The last row is a combination of the others up to 10^exponent.
        let noise = a.row(3) * 10.0_f64.powi(exponent);
        let combination = a.row(0) * 0.5 - a.row(1) * 2.0 + a.row(2) + noise;
        a.set_row(3, &combination);
        check_lu::<f64, 4>(&a, &b)?;
        check_lu::<f32, 4>(&a, &b)?;
    }

    #[test]
    fn exactly_singular_matrices_are_refused(mut a in matrices::<4, 4>(0), factor in 0_usize..4) {
        a.set_column(3, &(a.column(0) * [1.0, 2.0, -0.5, 0.0][factor]));
        let refused = matches!(Lu::factor(a), Err(FactorError::SmallPivot { .. }));
        prop_assert!(refused);
        let gram = a.transpose() * a;
        let refused = matches!(Ldlt::factor(gram), Err(FactorError::SmallPivot { .. }));
        prop_assert!(refused);
    }

    #[test]
    fn ldlt_of_random_and_graded_matrices(g in matrices::<6, 6>(3), b in entries::<6>()) {
        check_ldlt::<f64, 6>(&g, &b)?;
        check_ldlt::<f32, 6>(&g, &b)?;
        check_ldlt::<f64, 2>(&g.fixed_view::<2, 2>(0, 0).into_owned(), &[b[0], b[1]])?;
        check_ldlt::<f32, 4>(&g.fixed_view::<4, 4>(1, 1).into_owned(), &[b[0], b[1], b[2], b[3]])?;
    }

    #[test]
    fn semidefinite_of_every_rank(g in matrices::<5, 5>(0), b in entries::<5>()) {
        match g[(0, 0)].to_bits() % 5 {
            0 => check_semidefinite::<f64, 5, 1>(&g.fixed_columns::<1>(0).into_owned(), &b)?,
            1 => check_semidefinite::<f64, 5, 2>(&g.fixed_columns::<2>(0).into_owned(), &b)?,
            2 => check_semidefinite::<f32, 5, 3>(&g.fixed_columns::<3>(0).into_owned(), &b)?,
            3 => check_semidefinite::<f32, 5, 4>(&g.fixed_columns::<4>(0).into_owned(), &b)?,
            _ => check_semidefinite::<f64, 5, 5>(&g, &b)?,
        }
    }

    #[test]
    fn semidefinite_of_graded_rows(g in matrices::<5, 3>(2), mild in matrices::<5, 3>(1), b in entries::<5>()) {
        check_semidefinite::<f64, 5, 3>(&g, &b)?;
        check_semidefinite::<f32, 5, 3>(&mild, &b)?;
    }

    #[test]
    fn qr_of_tall_and_square_matrices(a in matrices::<6, 4>(0), b in entries::<6>()) {
        prop_assume!(smallest(&singular_values(&wide(&a))) > 1e-2);
        check_qr::<f64, 6, 4, 4>(&a, &a, &b)?;
        check_qr::<f32, 6, 4, 4>(&a, &a, &b)?;
        let square = a.fixed_rows::<4>(0).into_owned();
        prop_assume!(smallest(&singular_values(&wide(&square))) > 1e-2);
        check_qr::<f64, 4, 4, 4>(&square, &square, &[b[0], b[1], b[2], b[3]])?;
    }

    #[test]
    fn qr_of_rank_deficient_matrices(left in matrices::<6, 2>(0), right in matrices::<2, 4>(0), b in entries::<6>()) {
        prop_assume!(smallest(&singular_values(&wide(&left))) > 0.1);
        prop_assume!(smallest(&singular_values(&wide(&right))) > 0.1);
        prop_assume!(right.column_iter().all(|column| column.norm() > 0.1));
        check_qr::<f64, 6, 4, 2>(&(left * right), &left, &b)?;
        check_qr::<f32, 6, 4, 2>(&(left * right), &left, &b)?;
    }

    #[test]
    fn qr_of_wide_matrices(a in matrices::<3, 5>(0), b in entries::<3>()) {
        prop_assume!(smallest(&singular_values(&wide(&a))) > 1e-2);
        check_qr::<f64, 3, 5, 3>(&a, &SMatrix::identity(), &b)?;
    }
}
