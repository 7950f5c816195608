//! Consistent starts of M u' = F(t, u) from a guess, in any variables: they agree with those of the equivalent semi-explicit form, which
//! differs by a linear transformation (Hairer, *Solving Differential Equations on Manifolds*, V, (1.7)–(1.10)).

use crate::clock;
use mechanisms::{GearPetzold, LinearImplicit, SteeringWheel, Transformed};
use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, Step};
use taut::scalar::{Float, Real};
use taut::start::{Clock, ImplicitState, Part, SemiExplicitState, StartError};
use taut::system::Implicit;

/// A rotation by three angles.
fn rotation([a, b, c]: [f64; 3]) -> Matrix<f64, 3, 3> {
    let ((sa, ca), (sb, cb), (sc, cc)) = (a.sin_cos(), b.sin_cos(), c.sin_cos());
    matrix![ca, -sa, 0.0; sa, ca, 0.0; 0.0, 0.0, 1.0]
        * matrix![1.0, 0.0, 0.0; 0.0, cb, -sb; 0.0, sb, cb]
        * matrix![cc, 0.0, sc; 0.0, 1.0, 0.0; -sc, 0.0, cc]
}

/// (y, z), or the error.
type Found<T> = Result<Vector<f64, 3>, StartError<T>>;

/// Both starts from the same guess, in the same variables.
fn both<T: Float, const INDEX: usize>(
    a: Matrix<f64, 3, 3>,
    b: Matrix<f64, 3, 3>,
    (y, z): ([f64; 2], f64),
) -> (Found<T>, Found<T>) {
    let t = T::from_f64(0.3);
    let wheel = SteeringWheel::<T, INDEX>::new();
    let plain = SemiExplicitState::start(&wheel, clock().at_time(t), y.map(T::from_f64), [T::from_f64(z)]);
    let plain = plain.map(|state| vector![state.differential()[0], state.differential()[1], state.algebraic()[0]]);
    let system = Transformed::<T, INDEX> { a: a.map(T::from_f64), b: b.map(T::from_f64) };
    let guess = (b.try_inverse().unwrap() * vector![y[0], y[1], z]).map(T::from_f64);
    let found =
        ImplicitState::start(&system, clock().at_time(t), guess).map(|state| b * state.variables().map(T::to_f64));
    (plain.map(|x| x.map(T::to_f64)), found)
}

proptest! {
    #[test]
    fn in_rotated_variables_it_is_the_start_of_the_semi_explicit_form(
        angles in prop::array::uniform3(-3.0..3.0),
        rows in prop::array::uniform3(-3.0..3.0),
        scales in prop::array::uniform3(-2.0_f64..2.0),
        radius in 0.6..1.6,
        angle in -3.0_f64..3.0,
        off in -0.15..0.15,
    ) {
        // Equations mixed in any way and in any units; what is nearest is the same in rotated variables.
        let (a, b) = (rotation(rows) * Matrix::from_diagonal(&Vector::from(scales.map(f64::exp))), rotation(angles));
        let y = [radius * angle.cos(), radius * angle.sin()];
        // Index 1: one z for every y. Index 2: near one of those with which y stays, where g_y f_z is not small.
        let (plain, found) = both::<f64, 1>(a, b, (y, off));
        prop_assert!((plain.unwrap() - found.unwrap()).amax() < 1e-12);
        let unit = vector![angle.cos(), angle.sin()];
        let needed: f64 = -2.1 * unit[0] * unit[1];
        let z = (needed.asin() - unit[1].atan2(unit[0])) / 2.5;
        if needed.abs() < 0.8 {
            let (plain, found) = both::<f64, 2>(a, b, (y, z + off));
            prop_assert!((plain.unwrap() - found.unwrap()).amax() < 1e-11);
            let (plain, found) = both::<f32, 2>(a, b, (y, z + off));
            prop_assert!((plain.unwrap() - found.unwrap()).amax() < 1e-4);
        }
    }

    #[test]
    fn what_m_keeps_stays_and_the_constraint_holds_in_any_variables(
        a in prop::array::uniform9(-1.0..1.0),
        b in prop::array::uniform9(-1.0..1.0),
        guess in prop::array::uniform3(-1.0..1.0),
    ) {
        // Well-conditioned, but far from orthogonal.
        let dominant = |entries: [f64; 9]| Matrix::<f64, 3, 3>::from_row_slice(&entries) + Matrix::identity() * 3.0;
        let (a, b, guess) = (dominant(a), dominant(b), Vector::from(guess));
        let system = Transformed::<f64, 1> { a, b };
        let state = ImplicitState::start(&system, clock().at_time(0.3), guess).unwrap();
        let u = state.variables();
        prop_assert!((system.mass() * (u - guess)).amax() < 1e-12);
        let force = a.try_inverse().unwrap() * system.force(0.3, u);
        prop_assert!(force[2].abs() < 1e-12, "{force}");
        // u' solves the equations, and the constraint's derivative along it vanishes.
        let slope = state.derivative(&system).unwrap();
        prop_assert!((system.mass() * slope - system.force(0.3, u)).amax() < 1e-9);
        let h = 1e-6;
        let later = a.try_inverse().unwrap() * system.force(0.3 + h, &(u + slope * h));
        prop_assert!(later[2].abs() < 1e-9, "{later}");
    }

    #[test]
    fn any_guess_is_made_consistent_or_refused(
        guess in prop::array::uniform3(prop::num::f32::ANY),
        t in prop::num::f32::ANY,
    ) {
        let (a, b) = (rotation([0.3, -1.0, 2.0]).map(|x| x as f32), rotation([1.0, 0.5, -2.0]).map(|x| x as f32));
        if let Ok(state) = ImplicitState::start(&Transformed::<f32, 1> { a, b }, clock().at_time(t), guess) {
            prop_assert!(state.variables().iter().all(|u| u.is_finite()));
        }
        if let Ok(state) = ImplicitState::start(&Transformed::<f32, 2> { a, b }, clock().at_time(t), guess) {
            // Up to √ε (1 + |u|) in each u, and the constraint has the slope 2 on the circle.
            let y = b * state.variables();
            let limit = 3.5e-4 * (1.0 + state.variables().amax());
            prop_assert!(limit > 0.01 || (y[0] * y[0] + y[1] * y[1] - 1.0).abs() < 20.0 * limit);
        }
    }
}

/// y₁' = z₁ + y₂, y₂' = z₂, y₃' = y₁; 0 = y₁ − sin t (index 2, z₁ is hidden), 0 = z₂ − y₃ z₁ (index 1), and the two equations mixed.
struct Mixed;

impl Implicit<5> for Mixed {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 5, 5> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 0.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 5>) -> Vector<S, 5> {
        let [y1, y2, y3, z1, z2] = u.data.0[0];
        let (path, told) = (y1 - t.sin(), z2 - y3 * z1);
        vector![z1 + y2, z2, y1, path + told, path * 2.0 - told]
    }
}

#[test]
fn constraints_of_index_one_and_two_start_together() {
    let state =
        ImplicitState::start(&Mixed, Clock::with_step(0.01).unwrap().at_time(0.5), [0.4, 0.7, -0.3, 0.0, 0.0]).unwrap();
    let (sin, cos) = 0.5_f64.sin_cos();
    // y₁ onto its path, z₁ = cos t − y₂ so that it stays there, z₂ = y₃ z₁; y₂ and y₃ stay as guessed.
    let expected = vector![sin, 0.7, -0.3, cos - 0.7, -0.3 * (cos - 0.7)];
    assert!((state.variables() - expected).amax() < 1e-15, "{}", state.variables());
    let slope = state.derivative(&Mixed).unwrap();
    assert!((slope.fixed_rows::<3>(0) - vector![cos, expected[4], sin]).amax() < 1e-14, "{slope}");
    // And the state can be stepped.
    let mut state = state;
    let euler = ImplicitEuler::new();
    for _ in 0..100 {
        euler.step(&Mixed, &mut state).unwrap();
    }
    assert!((state.variables()[0] - 1.5_f64.sin()).abs() < 1e-13);
}

#[test]
fn systems_of_index_zero_to_two_start() {
    let check = |mass, force, expected: [f64; 2]| {
        let state = ImplicitState::start(&LinearImplicit { mass, force }, clock().at_time(0.5), [0.2, 0.9]).unwrap();
        assert!((state.variables() - Vector::from(expected)).amax() < 1e-15, "{}", state.variables());
    };
    // An ordinary differential equation: nothing to change. Nothing but a constraint: all is solved for.
    check([2.0, 1.0], matrix![0.0, 1.0; 1.0, 0.0], [0.2, 0.9]);
    check([0.0, 0.0], matrix![0.0, 1.0; 1.0, 0.0], [0.5, 0.0]);
    // u₁' = u₁, 0 = u₁ + 2 u₂ − t.
    check([1.0, 0.0], matrix![1.0, 0.0; 1.0, 2.0], [0.2, 0.15]);
    // u₁' = u₂, 0 = u₁ − t.
    check([1.0, 0.0], matrix![0.0, 1.0; 1.0, 0.0], [0.5, 1.0]);
}

#[test]
fn units_of_the_equations_change_nothing() {
    for power in [-40, 40] {
        let scale = 2.0_f64.powi(power);
        let scaled = |force: Matrix<f64, 2, 2>| LinearImplicit {
            mass: [scale, 0.0],
            force: Matrix::from_diagonal(&vector![scale, 1.0]) * force,
        };
        let found =
            ImplicitState::start(&scaled(matrix![0.0, 1.0; 1.0, 0.0]), clock().at_time(0.5), [0.2, 0.9]).unwrap();
        assert_eq!(*found.variables(), vector![0.5, 1.0]);
    }
}

/// u₁' = u₂², 0 = u₁² + offset − t: index 2 with g_y f_z = 4 u₁ u₂.
struct Squares {
    offset: f64,
}

impl Implicit<2> for Squares {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 2, 2> {
        Matrix::from_diagonal(&vector![1.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        vector![u[1] * u[1], u[0] * u[0] + self.offset - t]
    }
}

#[test]
fn a_system_without_a_unique_solution_is_refused() {
    // No s makes M − s F regular: the second column is zero.
    let pencil = LinearImplicit { mass: [1.0, 0.0], force: matrix![1.0, 0.0; 1.0, 0.0] };
    assert!(matches!(ImplicitState::start(&pencil, clock(), [0.0, 0.0]), Err(StartError::Pencil(_))));
    assert!(matches!(
        ImplicitState::start(&GearPetzold { eta: -1.0 }, clock().at_time(0.5), [0.0; 3]),
        Err(StartError::Pencil(_))
    ));
    // Index 3: the hidden constraint does not determine what is left, g_y f_z = 0.
    assert_eq!(
        ImplicitState::start(&GearPetzold { eta: -0.4 }, clock().at_time(0.5), [0.0; 3]),
        Err(StartError::Index { found: 3, largest: 2 })
    );
    // g_y or f_z vanishes at the guess, and with it the determinant of the pencil; neither does.
    for guess in [[0.0, 1.0], [0.5, 0.0]] {
        assert!(matches!(
            ImplicitState::start(&Squares { offset: 0.0 }, clock().at_time(0.25), guess),
            Err(StartError::Pencil(_))
        ));
    }
    let state = ImplicitState::start(&Squares { offset: 0.0 }, clock().at_time(0.25), [0.4, 0.8]).unwrap();
    assert!((state.variables() - vector![0.5, 1.0]).amax() < 1e-15); // 2 u₁ u₂² = 1
    // u₁² = −1 has no solution.
    let error = ImplicitState::start(&Squares { offset: 1.25 }, clock().at_time(0.25), [0.4, 0.8]).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 32, .. } | StartError::Constraints(_)), "{error}");
    for bad in [f64::NAN, f64::INFINITY] {
        let squares = Squares { offset: 0.0 };
        assert_eq!(
            ImplicitState::start(&squares, clock(), [0.5, bad]),
            Err(StartError::NonFinite { part: Part::Variable, index: 1 })
        );
        assert_eq!(
            ImplicitState::start(&squares, clock().at_time(bad), [0.5, 1.0]),
            Err(StartError::NonFinite { part: Part::Time, index: 0 })
        );
        let broken = LinearImplicit { mass: [bad, 0.0], force: matrix![1.0, 0.0; 1.0, 1.0] };
        assert!(matches!(ImplicitState::start(&broken, clock(), [0.0, 0.0]), Err(StartError::Pencil(_))));
    }
}
