//! Index and dimension of the dynamics of M u' = F, from the ranks of the powers of E = (A + c M)⁻¹ M (Hairer & Wanner VII.1, theorem 1.1 and
//! its proof; Hairer, *Solving Differential Equations on Manifolds*, IV.1).

use crate::clock;
use mechanisms::{GearPetzold, Pencil};
use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::control::Hessenberg;
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{RadauIia, Step};
use taut::scalar::{Float, Real};
use taut::start::{Clock, ImplicitState, PencilIndex, StartError};
use taut::system::Implicit;

fn found<T: Float, const N: usize>(mass: Matrix<f64, N, N>, a: Matrix<f64, N, N>) -> PencilIndex<N> {
    let system = Pencil { mass: mass.map(T::from_f64), a: a.map(T::from_f64) };
    PencilIndex::at(&system, T::from_f64(0.3), &Vector::zeros()).unwrap()
}

/// In both precisions.
fn check<const N: usize>(mass: Matrix<f64, N, N>, a: Matrix<f64, N, N>, ranks: [usize; N], index: usize, label: &str) {
    for pencil in [found::<f64, N>(mass, a), found::<f32, N>(mass, a)] {
        assert_eq!((pencil.ranks(), pencil.index(), pencil.dynamics()), (&ranks, index, ranks[N - 1]), "{label}");
    }
}

#[test]
fn ranks_and_index_of_linear_systems() {
    let Pencil { mass, a } = Pencil::nilpotent();
    check(mass, a, [2, 1, 0], 3, "Hairer & Wanner (1.12)");
    let Pencil { mass, a } = Pencil::exercise_iv_5_1();
    check(mass, a, [1, 1], 1, "Hairer, IV.5, exercise 1");
    for (r, ranks, index) in [(1.0, [4, 4, 4, 4, 4], 1), (0.1, [4, 4, 4, 4, 4], 1), (0.0, [4, 3, 2, 2, 2], 3)] {
        let Pencil { mass, a } = Pencil::optimality(r);
        check(mass, a, ranks, index, "Hairer IV.3, (3.4)");
    }
    check(Matrix::<f64, 2, 2>::identity(), matrix![0.0, 1.0; 0.0, 0.0], [2, 2], 0, "differential equations");
    check(Matrix::<f64, 2, 2>::zeros(), matrix![0.0, 1.0; 1.0, 0.0], [0, 0], 1, "nothing but constraints");
}

#[test]
fn stiff_systems_keep_their_dimension() {
    // Time constants of 1 s and 1 µs, and a constraint whose multiplier the derivative determines.
    let mass = Matrix::<f64, 4, 4>::from_diagonal(&vector![1.0, 1.0, 1.0, 0.0]);
    let a = |fast: f64| matrix![1.0, 0.0, 0.0, 0.0; 1.0, fast, 0.0, 0.0; 1.0, 0.0, 1.0, 1.0; 0.0, 0.0, 1.0, 0.0];
    let pencil = found::<f64, 4>(mass, a(1e6));
    assert_eq!((pencil.ranks(), pencil.index(), pencil.dynamics()), (&[3, 2, 2, 2], 2, 2));
    let pencil = found::<f32, 4>(mass, a(1e3));
    assert_eq!((pencil.ranks(), pencil.index(), pencil.dynamics()), (&[3, 2, 2, 2], 2, 2));
}

/// x' = v, v' = (0, −9.81) − λ x, 0 = (|x|² − 1)/2.
struct Pendulum;

impl Implicit<5> for Pendulum {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 5, 5> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 1.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, u: &Vector<S, 5>) -> Vector<S, 5> {
        let [x, y, v, w, lambda] = u.data.0[0];
        vector![v, w, -lambda * x, -lambda * y - S::from(9.81), (x * x + y * y - S::one()) * 0.5]
    }
}

#[test]
fn a_pendulum_has_index_three_and_two_free_values() {
    let u = vector![0.6, -0.8, 0.4, 0.3, 8.098];
    let pencil = PencilIndex::at(&Pendulum, 0.0, &u).unwrap();
    assert_eq!((pencil.ranks(), pencil.index(), pencil.dynamics()), (&[4, 3, 2, 2, 2], 3, 2));
    // The start says why it cannot solve the hidden constraints.
    assert_eq!(ImplicitState::start(&Pendulum, clock(), u).unwrap_err(), StartError::Index { found: 3, largest: 2 });
    // From given values, the state tells.
    let system = GearPetzold { eta: -0.4 };
    let state = ImplicitState::given(&system, clock().at_time(0.5), system.exact(0.5)).unwrap();
    assert_eq!(state.index(&system).unwrap().index(), 3);
}

#[test]
fn a_singular_pencil_is_refused_with_its_row() {
    let singular = Pencil { mass: matrix![1.0, 2.0; 2.0, 4.0], a: matrix![1.0, 2.0; 0.5, 1.0] };
    let error = PencilIndex::at(&singular, 0.0, &Vector::zeros()).unwrap_err();
    assert!(matches!(error, StartError::Pencil(FactorError::SmallPivot { index: 1, .. })), "{error}");
    let broken = Pencil { mass: matrix![1.0, f64::NAN; 0.0, 0.0], a: Matrix::identity() };
    let error = PencilIndex::at(&broken, 0.0, &Vector::zeros()).unwrap_err();
    assert!(matches!(error, StartError::Pencil(FactorError::NonFinite { .. })), "{error}");
}

/// Hairer, IV.5, exercise 1: u₁ = C e^(−t/3) + t² + 2 t − 12, u₂ = C e^(−t/3) − t² + 5 t − 12.
#[test]
fn exercise_iv_5_1_starts_where_both_values_agree() {
    let system = Pencil::exercise_iv_5_1();
    let clock = Clock::with_step(0.05).unwrap();
    assert!(matches!(ImplicitState::given(&system, clock, [-10.0, -9.9]), Err(StartError::NotAssembled { .. })));
    // The guess keeps u₁ + 2 u₂ = −30, which the differential equation contains.
    let mut state = ImplicitState::start(&system, clock, [-12.0, -9.0]).unwrap();
    assert!((state.variables() - vector![-10.0, -10.0]).amax() < 1e-14, "{}", state.variables());
    assert_eq!(state.index(&system).unwrap().dynamics(), 1);
    for _ in 0..20 {
        RadauIia::order_five().step(&system, &mut state).unwrap();
    }
    // C = 2; the error constant of order five times h⁵ and the fifth derivative, 2/3⁵ e^(−1/3).
    let decayed = 2.0 * (-1.0_f64 / 3.0).exp();
    assert!((state.variables() - vector![decayed - 9.0, decayed - 8.0]).amax() < 1e-11, "{}", state.variables());
}

/// Hairer, *Solving Differential Equations on Manifolds*, (1.6): N z' + z = δ has z₁ = δ₁ − δ₂' + δ₃'' − …, the signs alternating.
#[test]
fn a_nilpotent_block_is_solved_by_derivatives_with_alternating_signs() {
    let t: f64 = 0.7;

    /// z₂' + z₁ = sin 2t, z₃' + z₂ = exp t, z₃ = sin 3t: in Hessenberg form with the unknowns z₂, z₃ and the input z₁.
    struct Three;
    impl Hessenberg<3, 3, 1> for Three {
        type Base = f64;
        const SIZES: [usize; 3] = [1, 1, 1];
        fn matrix<S: Real<Base = f64>>(&self, _t: S) -> Matrix<S, 3, 3> {
            let (o, l) = (S::zero(), S::one());
            matrix![o, o, -l; -l, o, o; o, l, o]
        }
        fn input<S: Real<Base = f64>>(&self, t: S) -> Vector<S, 3> {
            vector![(t * 2.0).sin(), t.exp(), -(t * 3.0).sin()]
        }
    }
    let found = Three.state_space(t).unwrap().consistent(&Vector::zeros());
    let z2 = t.exp() - 3.0 * (3.0 * t).cos();
    let z1 = (2.0 * t).sin() - t.exp() - 9.0 * (3.0 * t).sin();
    assert!((found - vector![z2, (3.0 * t).sin(), z1]).amax() < 1e-14, "{found}");

    /// Two rows of it: z₂' + z₁ = sin 2t, z₂ = exp t.
    struct Block;
    impl Implicit<2> for Block {
        type Base = f64;
        fn mass(&self) -> Matrix<f64, 2, 2> {
            matrix![0.0, 1.0; 0.0, 0.0]
        }
        fn force<S: Real<Base = f64>>(&self, t: S, z: &Vector<S, 2>) -> Vector<S, 2> {
            vector![(t * 2.0).sin() - z[0], t.exp() - z[1]]
        }
    }
    let state = ImplicitState::start(&Block, clock().at_time(t), [0.0, 0.0]).unwrap();
    let expected = vector![(2.0 * t).sin() - t.exp(), t.exp()];
    assert!((state.variables() - expected).amax() < 1e-14, "{}", state.variables());
}

/// A matrix close to a multiple of the identity: its inverse has entries of the same size.
fn dominant(entries: [f64; 25]) -> Matrix<f64, 5, 5> {
    Matrix::from_row_slice(&entries) + Matrix::identity() * 6.0
}

proptest! {
    /// The canonical form, transformed: P diag(I, N) Q and P diag(C, I) Q.
    #[test]
    fn the_index_is_that_of_the_canonical_form_in_any_variables_and_units(
        p in prop::array::uniform25(-1.0..1.0),
        q in prop::array::uniform25(-1.0..1.0),
        c in prop::array::uniform25(-1.0..1.0),
        dynamics in 0_usize..6,
        cuts in prop::array::uniform5(any::<bool>()),
        units in prop::array::uniform5(-6_i32..7),
        stiff in 0_i32..2,
    ) {
        let (mut mass, mut a) = (Matrix::<f64, 5, 5>::identity(), Matrix::<f64, 5, 5>::identity());
        let (mut index, mut length) = (0, 0);
        for i in 0..5 {
            for j in 0..5 {
                if i < dynamics && j < dynamics {
                    a[(i, j)] = dominant(c)[(i, j)];
                }
            }
            if i < dynamics {
                // One eigenvalue that is larger by powers of ten.
                if i == 0 {
                    a[(0, 0)] *= 10.0_f64.powi(stiff);
                }
                continue;
            }
            mass[(i, i)] = 0.0;
            length += 1;
            index = index.max(length);
            // Each link of a chain costs digits: up to index 3, that of mechanisms.
            if i + 1 < 5 && !cuts[i] && length < 3 {
                mass[(i, i + 1)] = 1.0;
            } else {
                length = 0;
            }
        }
        let units = Matrix::from_diagonal(&Vector::from(units.map(|power| 2.0_f64.powi(power))));
        let (p, q) = (units * dominant(p), dominant(q));
        let pencil = found::<f64, 5>(p * mass * q, p * a * q);
        prop_assert_eq!((pencil.index(), pencil.dynamics()), (index, dynamics), "{:?}", pencil);
    }

    #[test]
    fn any_pencil_has_an_index_or_is_refused(
        mass in prop::array::uniform9(prop::num::f32::ANY),
        a in prop::array::uniform9(prop::num::f32::ANY),
    ) {
        let system = Pencil { mass: Matrix::from_row_slice(&mass), a: Matrix::<f32, 3, 3>::from_row_slice(&a) };
        if let Ok(pencil) = PencilIndex::at(&system, 0.0, &Vector::zeros()) {
            prop_assert!(pencil.index() <= 3 && pencil.dynamics() <= 3);
        }
    }
}
