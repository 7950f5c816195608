//! Kinds of mass: corrections that are the smallest in the metric of the mass (Hairer & Wanner VII.2, (2.10)–(2.11)), full
//! matrices, varying ones, and invalid ones.

use mechanisms::{DoublePendulum, Lines};
use nalgebra::vector;
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{Rattle, Step};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Start, StartError};
use taut::system::{ConstantMass, Diagonal, Full, Inertia, Mechanical, Uniform, Varying};

/// A kilohertz.
fn clock<T: Float>() -> Clock<T> {
    Clock::at_rate(T::from_f64(1_000.0)).unwrap()
}

/// Two masses of one kilogram on rods, the second given by its distance from the first: M = ((2, 1), (1, 1)).
struct Relative {
    mass: Full<f64, 4>,
}

impl Relative {
    fn new() -> Self {
        let matrix = nalgebra::matrix![
            2.0, 0.0, 1.0, 0.0;
            0.0, 2.0, 0.0, 1.0;
            1.0, 0.0, 1.0, 0.0;
            0.0, 1.0, 0.0, 1.0
        ];
        Self { mass: Full::new(matrix).unwrap() }
    }

    /// From (x₁, y₁, x₂, y₂).
    fn coordinates(q: &Vector<f64, 4>) -> Vector<f64, 4> {
        vector![q[0], q[1], q[2] - q[0], q[3] - q[1]]
    }
}

impl Mechanical<4, 2> for Relative {
    type Base = f64;
    type Mass = Full<f64, 4>;

    const VELOCITY_DEPENDENT: bool = false;

    fn mass(&self) -> Full<f64, 4> {
        self.mass
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        vector![S::from(0.0), S::from(-19.62), S::from(0.0), S::from(-9.81)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        vector![(q[0] * q[0] + q[1] * q[1] - 1.0) * 0.5, (q[2] * q[2] + q[3] * q[3] - 1.0) * 0.5]
    }
}

#[test]
fn corrections_are_the_smallest_in_the_metric_of_the_mass() {
    // x + y = 1 with masses 1 and 3: the light coordinate moves three times as far. From (0, 0) to (3/4, 1/4).
    let line = Lines { rows: [[1.0, 1.0, 1.0, 0.5]], masses: [1.0, 3.0] };
    let state = Start::at(&line, clock(), [0.0, 0.0]).at_rest().unwrap();
    assert!((state.position() - vector![0.75, 0.25]).amax() < 1e-15);
    // The line moves by 1/2 a second: x' + y' = 1/2 from rest, in the same proportion.
    assert!((state.velocity() - vector![0.375, 0.125]).amax() < 1e-15);

    // (v − ṽ)ᵀ M w = 0 for every w that the constraints allow, with a mass matrix that is not diagonal.
    let relative = Relative::new();
    let wanted = vector![0.3, -1.0, 2.0, 0.7];
    let state = Start::at(&relative, clock(), [0.6, -0.8, 0.8, 0.6]).moving(wanted).unwrap();
    let q = state.position();
    let momentum = relative.mass.momentum(&(state.velocity() - wanted));
    assert!(momentum.norm() > 0.1);
    for allowed in [vector![-q[1], q[0], 0.0, 0.0], vector![0.0, 0.0, -q[3], q[2]]] {
        assert!(momentum.dot(&allowed).abs() < 1e-15);
    }
    // Hence independent of the coordinates: the same velocity as in those of the masses.
    let double = DoublePendulum::<f64>::standard();
    let absolute = Start::at(&double, clock(), [0.6, -0.8, 1.4, -0.2]).moving([0.3, -1.0, 2.3, -0.3]).unwrap();
    assert!((Relative::coordinates(absolute.velocity()) - state.velocity()).amax() < 1e-15);
}

#[test]
fn a_full_mass_steps_like_a_diagonal_one_in_other_coordinates() {
    // RATTLE is invariant under linear changes of coordinates.
    let (relative, double) = (Relative::new(), DoublePendulum::<f64>::standard());
    let rattle = Rattle::new();
    let mut absolute = Start::at(&double, clock(), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    let mut state = Start::at(&relative, clock(), [1.0, 0.0, 1.0, 0.0]).at_rest().unwrap();
    for _ in 0..2_000 {
        let expected = rattle.step(&double, &mut absolute).unwrap();
        let report = rattle.step(&relative, &mut state).unwrap();
        assert!((report.multipliers - expected.multipliers).amax() < 1e-6);
    }
    assert!((Relative::coordinates(absolute.position()) - state.position()).amax() < 1e-11);
    assert!((absolute.position() - vector![1.0, 0.0, 2.0, 0.0]).amax() > 0.5);
}

/// A pendulum in polar coordinates (r, φ), φ from below, its mass depending on r, with r = 1 as a constraint.
struct Polar {
    weighed: bool,
}

impl Mechanical<2, 1> for Polar {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        let mass = if self.weighed { 2.0 } else { 0.0 };
        Matrix::from_diagonal(&vector![S::from(mass), q[0] * q[0] * mass])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        let (sin, cos) = q[1].sin_cos();
        let (r, radial, angular) = (q[0], v[0], v[1]);
        vector![
            r * angular * angular * 2.0 + cos * 19.62,
            -(r * sin * 19.62) - r * radial * angular * 4.0 // Coriolis and weight
        ]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[0] - 1.0]
    }
}

#[test]
fn a_system_with_a_varying_mass_starts() {
    let polar = Polar { weighed: true };
    let state = Start::at(&polar, clock(), [1.3, 0.4]).moving([2.0, 3.0]).unwrap();
    assert_eq!(state.position(), &vector![1.0, 0.4]);
    assert_eq!(state.velocity(), &vector![0.0, 3.0]);
    // The tension of the rod: m l φ'² + m g cos φ.
    let tension = 2.0 * (9.0 + 9.81 * 0.4_f64.cos());
    assert!((state.multipliers(&polar).unwrap()[0] - tension).abs() < 1e-13);
    // A matrix that is not positive definite is refused.
    let error = Start::at(&Polar { weighed: false }, clock(), [1.0, 0.4]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Mass(FactorError::SmallPivot { index: 0, .. })), "{error}");
    assert!(error.to_string().contains("mass matrix"), "{error}");
}

#[test]
fn masses_must_be_positive() {
    for bad in [0.0, -1.0, -3.0, f64::NAN] {
        // With one constraint, whose G M⁻¹ Gᵀ may well be positive, and with none.
        let line = Lines { rows: [[1.0, 1.0, 1.0, 0.0]], masses: [1.0, bad] };
        let error = Start::at(&line, clock(), [0.0, 0.0]).at_rest().unwrap_err();
        assert!(matches!(error, StartError::Mass(_)), "{bad}: {error}");
        let free = Lines { rows: [], masses: [1.0, bad] };
        let error = Start::at(&free, clock(), [0.0, 0.0]).at_rest().unwrap_err();
        assert!(matches!(error, StartError::Mass(_)), "{bad}, free: {error}");
    }
}

/// A bob on a ring around the origin, whose constraint is written in any unit.
struct Ring<Mass> {
    mass: Mass,
    unit: f32,
}

impl<Mass: ConstantMass<f32, 2>> Mechanical<2, 1> for Ring<Mass> {
    type Base = f32;
    type Mass = Mass;

    fn mass(&self) -> Mass {
        self.mass
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.x.square() + q.y.square() - 1.0) * 0.5 * self.unit]
    }
}

#[test]
fn one_mass_for_all_coordinates_steps_like_one_for_each() {
    let rattle = Rattle::new();
    let (mut uniform, mut diagonal) =
        (Ring { mass: Uniform::new(3.0).unwrap(), unit: 1.0 }, Ring { mass: Diagonal::new([3.0; 2]), unit: 1.0 });
    let moving = [0.0, 2.0];
    let mut one = Start::at(&uniform, clock(), [1.0, 0.0]).moving(moving).unwrap();
    let mut each = Start::at(&diagonal, clock(), [1.0, 0.0]).moving(moving).unwrap();
    for _ in 0..1_000 {
        // Without a force there is nothing in which they could round differently.
        assert_eq!(rattle.step(&uniform, &mut one).unwrap(), rattle.step(&diagonal, &mut each).unwrap());
    }
    assert_eq!(one.save(), each.save());
    assert!((one.multipliers(&uniform).unwrap()[0] - 12.0).abs() < 1e-3);

    // At rest the ring holds exactly, in any unit. But the square of its gradient may underflow or overflow, and is then refused,
    // although no mass can make it negative.
    for unit in [1e-30, 1e30, f32::MAX, f32::INFINITY, f32::NAN, 0.0] {
        (uniform.unit, diagonal.unit) = (1.0, 1.0);
        let mut one = Start::at(&uniform, clock(), [1.0, 0.0]).plain().at_rest().unwrap();
        let mut each = Start::at(&diagonal, clock(), [1.0, 0.0]).plain().at_rest().unwrap();
        (uniform.unit, diagonal.unit) = (unit, unit);
        let before = one.save();
        let (refused, expected) =
            (rattle.step(&uniform, &mut one).unwrap_err(), rattle.step(&diagonal, &mut each).unwrap_err());
        assert_eq!(format!("{refused:?}"), format!("{expected:?}"), "{unit}");
        assert_eq!(one.save(), before);
    }

    for bad in [0.0, -1.0, 1e-40, f32::INFINITY, f32::NAN] {
        let error = Uniform::new(bad).unwrap_err();
        assert!(matches!(error, FactorError::SmallPivot { index: 0, .. } | FactorError::NonFinite { .. }), "{error}");
    }
}
