//! How a state begins: assembly onto the branch of the guess, corrections that are the smallest in the metric of the mass
//! (Hairer & Wanner VII.2, (2.10)–(2.11)), multipliers of the acceleration level (VII.1), and a clear error where there is
//! no state.

use nalgebra::vector;
use systems::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{Composition, Rattle, StepSize, SymplecticEuler};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Coordinates, Start, StartError, check, resume};
use taut::system::{Full, Inertia, Lumped, Mechanical, Varying, verify};

/// Any number of linear constraints on two coordinates: rows (a, b, c, d) stand for a x + b y = c + d t.
struct Lines<const M: usize> {
    rows: [[f64; 4]; M],
    masses: [f64; 2],
}

impl<const M: usize> Mechanical<2, M> for Lines<M> {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new(self.masses)
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(1.0), S::from(2.0)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, M> {
        Vector::from_fn(|i, _| {
            let [a, b, c, d] = self.rows[i];
            q.x * a + q.y * b - c - t * d
        })
    }
}

fn four_bar_is_assembled<T: Float>(tolerance: f64) {
    let four_bar = FourBar::<T> { gravity: T::zero() };
    // The joint of coupler and rocker, from the two circles about the crank's end (0, 0.2) and the pivot (0.8, 0).
    let above = [0.5974437901063459, 0.5647751604253838];
    let below = [0.3554973863642423, -0.40301045454303075];
    for (guess, joint) in [(FourBar::<T>::guess(), above), (FourBar::guess_below(), below)] {
        // The guess is off by up to 0.1 in any direction.
        for k in 0..64_u32 {
            let rough: [T; 9] = core::array::from_fn(|i| {
                let push = if (k >> (i % 6)) & 1 == 1 { 0.05 } else { -0.05 };
                // The crank's angle stays where it is, so that the result is one point of the branch.
                if i % 3 == 2 { guess[i] } else { guess[i] + T::from_f64(push) }
            });
            let state = Start::at(&four_bar, rough).at_rest().unwrap();
            let q = state.position().map(Float::to_f64);
            let end = [q[3] + 0.35 * q[5].cos(), q[4] + 0.35 * q[5].sin()];
            let off = (end[0] - joint[0]).hypot(end[1] - joint[1]);
            // The crank may turn a little on the way, and the joint moves with it.
            assert!(off < 0.1, "{end:?} is not near {joint:?}");
            for residual in check(&four_bar, &state, T::one()).position_residual {
                assert!(residual.to_f64().abs() < tolerance, "{residual:e}");
            }
        }
    }
}

#[test]
fn a_four_bar_is_assembled_on_the_branch_of_the_guess() {
    four_bar_is_assembled::<f64>(1e-14);
    four_bar_is_assembled::<f32>(1e-6);
    let q = Vector::from(FourBar::<f64>::guess());
    assert_eq!(verify(&ByHand(FourBar::standard()), 0.0, &q, &q, 1e-14), Ok(()));
}

#[test]
fn the_four_bar_has_its_kinetic_energy() {
    // 1.641 J with the crank at 90° and 10 rad/s, the coupler above. Assembly turns the light crank away from the guess, so
    // its angle is prescribed here by one more constraint.
    struct Held(FourBar<f64>);
    impl Mechanical<9, 9> for Held {
        type Base = f64;
        type Mass = Lumped<f64, 9>;
        fn mass(&self) -> Lumped<f64, 9> {
            self.0.mass()
        }
        fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 9>, v: &Vector<S, 9>) -> Vector<S, 9> {
            self.0.force(t, q, v)
        }
        fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 9>) -> Vector<S, 9> {
            let joints = self.0.constraint(t, q);
            let angle = q[2] - core::f64::consts::FRAC_PI_2 - t * 10.0;
            Vector::from_fn(|i, _| if i < 8 { joints[i] } else { angle })
        }
    }
    let held = Held(FourBar { gravity: 0.0 });
    // At rest as far as the prescribed motion allows: at 10 rad/s.
    let state = Start::at(&held, FourBar::guess()).at_rest().unwrap();
    assert!((state.velocity() - Vector::from(FourBar::turning(state.position()))).amax() < 1e-12);
    let kinetic = held.0.energy(state.position(), state.velocity());
    assert!((kinetic - 1.641).abs() < 5e-4, "{kinetic} J");
}

#[test]
fn a_pose_out_of_reach_is_an_error() {
    /// A mass on two rods of one metre between pivots three metres apart.
    struct Short;
    impl Mechanical<2, 2> for Short {
        type Base = f64;
        type Mass = Lumped<f64, 2>;
        fn mass(&self) -> Lumped<f64, 2> {
            Lumped::new([1.0; 2])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
            Vector::zeros()
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
            let x = q.x - 3.0;
            vector![(q.dot(q) - 1.0) * 0.5, (x * x + q.y * q.y - 1.0) * 0.5]
        }
    }
    for guess in [[1.5, 0.3], [1.4, -2.0], [0.5, 0.1], [10.0, 7.0]] {
        let error = Start::at(&Short, guess).at_rest().unwrap_err();
        assert!(matches!(error, StartError::NotAssembled { .. }), "{guess:?}: {error}");
        let error = Start::at(&Short, guess).redundant().at_rest().unwrap_err();
        let StartError::NotAssembled { residual, iterations } = error else { panic!("{guess:?}: {error}") };
        assert_eq!(residual.level, Level::Position);
        assert!(residual.residual.abs() > residual.limit && iterations > 0);
        assert!(error.to_string().contains("not assembled"), "{error}");
    }
}

#[test]
fn contradictory_constraints_are_an_error() {
    let contradictory = Lines { rows: [[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]], masses: [1.0; 2] };
    let error = Start::at(&contradictory, [0.3, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 1, .. })), "{error}");
    // Redundant rows may depend on each other, but they must agree.
    let error = Start::at(&contradictory, [0.3, 0.0]).redundant().at_rest().unwrap_err();
    let StartError::NotAssembled { residual, .. } = error else { panic!("{error}") };
    // In the mean of the two, x = 1/2.
    assert!((residual.residual.abs() - 0.5).abs() < 1e-12, "{error}");
    let agreeing = Lines { rows: [[1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 2.0, 0.0]], masses: [1.0; 2] };
    let state = Start::at(&agreeing, [0.3, 0.0]).redundant().at_rest().unwrap();
    assert!((state.position().x - 1.0).abs() < 1e-15);
}

#[test]
fn contradictory_velocities_are_an_error() {
    // x = 0 and x = 0 now, but one of them moves away.
    let contradictory = Lines { rows: [[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0]], masses: [1.0; 2] };
    let error = Start::at(&contradictory, [0.3, 0.0]).redundant().at_rest().unwrap_err();
    let StartError::Velocity(residual) = error else { panic!("{error}") };
    assert_eq!(residual.level, Level::Velocity);
    assert!((residual.residual.abs() - 0.5).abs() < 1e-12, "{error}");
    assert!(error.to_string().contains("velocity"), "{error}");
    let agreeing = Lines { rows: [[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 2.0]], masses: [1.0; 2] };
    let state = Start::at(&agreeing, [0.3, 0.0]).redundant().at_rest().unwrap();
    assert!((state.velocity() - vector![1.0, 0.0]).amax() < 1e-15);
}

#[test]
fn a_guess_without_a_gradient_is_an_error() {
    let error = Start::at(&Pendulum::<f64>::standard(), [0.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 0, .. })), "{error}");
    let error = Start::at(&DoublePendulum::<f32>::standard(), [1.0, 0.0, 1.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 1, .. })), "{error}");
    // A hair off is enough to know the direction.
    let state = Start::at(&Pendulum::<f64>::standard(), [1e-3, 0.0]).at_rest().unwrap();
    assert_eq!(state.position(), &vector![1.0, 0.0]);
}

#[test]
fn assembly_does_not_leap_over_a_turning_point() {
    /// sin q = 1/2, which has a root on each branch of the sine.
    struct Sine;
    impl Mechanical<1, 1> for Sine {
        type Base = f64;
        type Mass = Lumped<f64, 1>;
        fn mass(&self) -> Lumped<f64, 1> {
            Lumped::new([1.0])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
            vector![S::zero()]
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
            vector![q[0].sin() - 0.5]
        }
    }
    // Near the top of the sine the full step is long: from 1.56 it would land at -44.
    for guess in [0.0, 1.0, 1.5, 1.54, 1.56] {
        let state = Start::at(&Sine, [guess]).at_rest().unwrap();
        assert!(
            (state.position()[0] - std::f64::consts::FRAC_PI_6).abs() < 1e-14,
            "from {guess}: {}",
            state.position()[0]
        );
    }
}

#[test]
fn limits_are_finite_and_positive_and_survive_a_save() {
    let pendulum = Pendulum::<f64>::standard();
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Start::at(&pendulum, [1.0, 0.0]).limit(limit).at_rest().unwrap_err();
        assert!(matches!(error, StartError::InvalidLimit { .. }), "{error}");
    }
    let saved = Start::at(&pendulum, [1.0, 0.0]).limit(1e-2).at_rest().unwrap().save();
    let restored = Start::restore(&pendulum, &saved).unchanged(1e-3).unwrap();
    assert_eq!(restored.limits()[0], 1e-2);
}

#[test]
fn multipliers_that_overflow_are_an_error() {
    // λ = v²/l² is beyond the largest f32.
    let fast = Start::at(&Pendulum::<f32>::standard(), [1.0, 0.0]).moving([0.0, 2.2e19]);
    assert_eq!(fast.unwrap_err(), StartError::NonFinite { index: 0 });
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    let pendulum = Pendulum::<f64>::standard();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = |state: Result<_, StartError<f64>>| match state {
            Err(StartError::NonFinite { index }) => index,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{bad} was accepted"),
        };
        assert_eq!(error(Start::at(&pendulum, [1.0, bad]).at_rest()), 1);
        assert_eq!(error(Start::at(&pendulum, [1.0, 0.0]).moving([bad, 0.0])), 0);
        assert_eq!(error(Start::at(&pendulum, [1.0, 0.0]).at_time(bad).at_rest()), 0);
        // A force.
        let heavy = Pendulum { gravity: bad, ..pendulum };
        assert_eq!(error(Start::at(&heavy, [1.0, 0.0]).at_rest()), 1);
        // What was saved.
        let mut saved = Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap().save();
        saved.v = Coordinates::new(vector![0.0, bad]);
        assert_eq!(error(Start::restore(&pendulum, &saved).unchanged(1e-3)), 1);
        saved = Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap().save();
        saved.origin = bad;
        assert_eq!(error(Start::restore(&pendulum, &saved).unchanged(1e-3)), 0);
    }
    // A constraint that is not a number.
    let error = Start::at(&Pendulum { length: f64::NAN, ..pendulum }, [1.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { .. }), "{error}");
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
    let state = Start::at(&line, [0.0, 0.0]).at_rest().unwrap();
    assert!((state.position() - vector![0.75, 0.25]).amax() < 1e-15);
    // The line moves by 1/2 a second: x' + y' = 1/2 from rest, in the same proportion.
    assert!((state.velocity() - vector![0.375, 0.125]).amax() < 1e-15);

    // (v − ṽ)ᵀ M w = 0 for every w that the constraints allow, with a mass matrix that is not diagonal.
    let relative = Relative::new();
    let wanted = vector![0.3, -1.0, 2.0, 0.7];
    let state = Start::at(&relative, [0.6, -0.8, 0.8, 0.6]).moving(wanted).unwrap();
    let q = state.position();
    let momentum = relative.mass.momentum(&(state.velocity() - wanted));
    assert!(momentum.norm() > 0.1);
    for allowed in [vector![-q[1], q[0], 0.0, 0.0], vector![0.0, 0.0, -q[3], q[2]]] {
        assert!(momentum.dot(&allowed).abs() < 1e-15);
    }
    // Hence independent of the coordinates: the same velocity as in those of the masses.
    let double = DoublePendulum::<f64>::standard();
    let absolute = Start::at(&double, [0.6, -0.8, 1.4, -0.2]).moving([0.3, -1.0, 2.3, -0.3]).unwrap();
    assert!((Relative::coordinates(absolute.velocity()) - state.velocity()).amax() < 1e-15);
}

#[test]
fn a_full_mass_steps_like_a_diagonal_one_in_other_coordinates() {
    // RATTLE is invariant under linear changes of coordinates.
    let (relative, double) = (Relative::new(), DoublePendulum::<f64>::standard());
    let rattle = Rattle::with_step(StepSize::seconds(1e-3).unwrap());
    let mut absolute = Start::at(&double, [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    let mut state = Start::at(&relative, [1.0, 0.0, 1.0, 0.0]).at_rest().unwrap();
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
fn a_mass_that_varies_starts() {
    let state = Start::at(&Polar { weighed: true }, [1.3, 0.4]).moving([2.0, 3.0]).unwrap();
    assert_eq!(state.position(), &vector![1.0, 0.4]);
    assert_eq!(state.velocity(), &vector![0.0, 3.0]);
    // The tension of the rod: m l φ'² + m g cos φ.
    let tension = 2.0 * (9.0 + 9.81 * 0.4_f64.cos());
    assert!((state.multipliers()[0] - tension).abs() < 1e-13);
    // A matrix that is not positive definite is refused.
    let error = Start::at(&Polar { weighed: false }, [1.0, 0.4]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Mass(FactorError::SmallPivot { index: 0, .. })), "{error}");
    assert!(error.to_string().contains("mass matrix"), "{error}");
}

#[test]
fn masses_must_be_positive() {
    for bad in [0.0, -1.0, -3.0, f64::NAN] {
        // With one constraint, whose G M⁻¹ Gᵀ may well be positive, and with none.
        let line = Lines { rows: [[1.0, 1.0, 1.0, 0.0]], masses: [1.0, bad] };
        let error = Start::at(&line, [0.0, 0.0]).at_rest().unwrap_err();
        assert!(matches!(error, StartError::Mass(_)), "{bad}: {error}");
        let free = Lines { rows: [], masses: [1.0, bad] };
        let error = Start::at(&free, [0.0, 0.0]).at_rest().unwrap_err();
        assert!(matches!(error, StartError::Mass(_)), "{bad}, free: {error}");
    }
}

/// A bead on a straight wire through the origin that turns with 3 rad/s: g = y cos 3t − x sin 3t.
struct Bead;

impl Mechanical<2, 1> for Bead {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let (sin, cos) = (t * 3.0).sin_cos();
        vector![q.y * cos - q.x * sin]
    }
}

#[test]
fn multipliers_are_those_of_the_acceleration_level() {
    // A pendulum: λ l² = q · f + m |v|².
    let pendulum = Pendulum { mass: 2.0, length: 0.5, gravity: 9.81 };
    let state = Start::at(&pendulum, [0.3, -0.4]).moving([0.8, 0.6]).unwrap();
    assert!((state.multipliers()[0] - (0.4 * 19.62 + 2.0) / 0.25).abs() < 1e-12);

    // The bead: λ is minus the Coriolis force, 2 m ω r' (g_qt), with the wire at any angle.
    for t in [0.0, 0.3, 100.0] {
        let (sin, cos) = (3.0 * t).sin_cos();
        let velocity = vector![0.7 * cos - 3.0 * 1.5 * sin, 0.7 * sin + 3.0 * 1.5 * cos];
        let state = Start::at(&Bead, [1.5 * cos, 1.5 * sin]).at_time(t).moving(velocity).unwrap();
        assert!((state.velocity() - velocity).amax() < 1e-13);
        assert!((state.multipliers()[0] + 2.0 * 2.0 * 3.0 * 0.7).abs() < 1e-12, "{}", state.multipliers()[0]);
    }

    // A table that accelerates upwards, y = 3 t² (g_tt): the weight and the force that lifts.
    struct Lift;
    impl Mechanical<1, 1> for Lift {
        type Base = f64;
        type Mass = Lumped<f64, 1>;
        fn mass(&self) -> Lumped<f64, 1> {
            Lumped::new([2.0])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
            vector![S::from(-19.62)]
        }
        fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
            vector![q.x - t * t * 3.0]
        }
    }
    let state = Start::at(&Lift, [0.0]).at_time(0.5).at_rest().unwrap();
    assert!((state.position()[0] - 0.75).abs() < 1e-15 && (state.velocity()[0] - 3.0).abs() < 1e-15);
    assert!((state.multipliers()[0] + 2.0 * (9.81 + 6.0)).abs() < 1e-13);
}

#[test]
fn check_looks_and_changes_nothing() {
    let mut pendulum = Pendulum::<f64>::standard();
    let state = Start::at(&pendulum, [0.6, -0.8]).moving([0.8, 0.6]).unwrap();
    let before = state.save();
    let consistency = check(&pendulum, &state, 1e-3);
    assert!(consistency.position_residual[0].abs() < 1e-15 && consistency.velocity_residual[0].abs() < 1e-15);
    pendulum.length = 2.0;
    assert_eq!(check(&pendulum, &state, 1e-3).position_residual[0], -1.5);
    assert_eq!(state.save(), before);
    // Moving constraints are looked at at the state's time: at tick 100 of 0.01 s the bead's wire has turned by 3 rad.
    let mut saved = Start::at(&Bead, [1.5, 0.0]).at_rest().unwrap().save();
    assert_eq!(saved.epoch, 0);
    let state = Start::restore(&Bead, &saved).unchanged(0.01).unwrap();
    assert_eq!(check(&Bead, &state, 0.01).position_residual[0], 0.0);
    saved.tick = 100;
    let error = Start::restore(&Bead, &saved).unchanged(0.01).unwrap_err();
    let StartError::NotAssembled { residual, iterations: 0 } = error else { panic!("{error}") };
    assert!((residual.residual + 1.5 * 3.0_f64.sin()).abs() < 1e-15);
}

#[test]
fn resume_is_the_way_back() {
    let mut pendulum = Pendulum::<f64>::standard();
    let rattle = Rattle::with_step(StepSize::seconds(1e-3).unwrap());
    let mut state = Start::at(&pendulum, [1.0, 0.0]).at_tick(40).at_rest().unwrap();
    for _ in 0..300 {
        let _ = rattle.step(&pendulum, &mut state).unwrap();
    }
    pendulum.length = 1.1;
    let before = state.save();
    rattle.step(&pendulum, &mut state).unwrap_err();
    resume(&pendulum, &mut state, 1e-3).unwrap();
    // Along the rod to the new length, as the mass is the same in both directions; the tick stays.
    let place = before.q.rounded();
    assert!((state.position() - place * (1.1 / place.norm())).amax() < 1e-15);
    assert!((state.velocity() - before.v.rounded()).amax() < 1e-14, "the velocity was tangential already");
    assert_eq!((state.tick(), state.save().epoch), (340, 40));
    let _ = rattle.step(&pendulum, &mut state).unwrap();

    // Where there is no way back the state stays as it is.
    pendulum.length = f64::NAN;
    let before = state.save();
    let multipliers = *state.multipliers();
    resume(&pendulum, &mut state, 1e-3).unwrap_err();
    assert_eq!((state.save(), *state.multipliers()), (before, multipliers));
}

#[test]
fn what_is_saved_goes_on_with_the_same_bits() {
    let double = DoublePendulum::<f32>::standard();
    let rattle = Rattle::with_step(StepSize::seconds(1e-3_f32).unwrap());
    let mut state = Start::at(&double, [1.0, 0.0, 2.0, 0.0]).at_tick(7).at_time(0.5).at_rest().unwrap();
    for _ in 0..500 {
        let _ = rattle.step(&double, &mut state).unwrap();
    }
    let saved = state.save();
    assert_eq!((saved.tick, saved.epoch, saved.origin), (507, 7, 0.5));
    let mut restored = Start::restore(&double, &saved).unchanged(1e-3).unwrap();
    assert_eq!(restored.save(), saved);
    for _ in 0..500 {
        let _ = rattle.step(&double, &mut state).unwrap();
        let _ = rattle.step(&double, &mut restored).unwrap();
        assert_eq!(restored.save(), state.save());
    }
}

#[test]
fn what_is_corrupted_is_not_restored() {
    let pendulum = Pendulum::<f64>::standard();
    let good = Start::at(&pendulum, [0.6, -0.8]).moving([0.8, 0.6]).unwrap().save();
    let restore = |saved| Start::restore(&pendulum, &saved).unchanged(1e-3);
    assert!(restore(good).is_ok());

    // A position off by ten times the limit, and within it.
    let mut saved = good;
    saved.q = Coordinates::new(good.q.rounded() * (1.0 + 1.5e-7));
    let error = restore(saved).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 0, .. }), "{error}");
    saved.q = Coordinates::new(good.q.rounded() * (1.0 + 1e-9));
    assert!(restore(saved).is_ok());

    // A velocity that is not tangential.
    let mut saved = good;
    saved.v = Coordinates::new(vector![0.8, 0.6 + 1e-6]);
    assert!(matches!(restore(saved).unwrap_err(), StartError::Velocity(residual) if residual.row == 0));

    // Flipped bits.
    for bit in 52..63 {
        let mut saved = good;
        saved.q = Coordinates::new(vector![f64::from_bits(0.6_f64.to_bits() ^ (1 << bit)), -0.8]);
        assert!(restore(saved).is_err(), "bit {bit}");
    }
}

/// A free particle under gravity: no constraints.
struct Free;

impl Mechanical<2, 0> for Free {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(0.0), S::from(-19.62)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

#[test]
fn without_constraints_everything_works() {
    let size = StepSize::seconds(0.01).unwrap();
    let start = Start::at(&Free, [1.0, 2.0]).moving([3.0, 4.0]).unwrap();
    assert_eq!((start.position(), start.velocity()), (&vector![1.0, 2.0], &vector![3.0, 4.0]));
    // RATTLE is then the Störmer–Verlet method, exact on a parabola.
    let (mut state, mut composed, mut euler_state) = (start, start, start);
    let (rattle, suzuki, euler) =
        (Rattle::with_step(size), Composition::suzuki(size), SymplecticEuler::with_step(size));
    for _ in 0..100 {
        let report = rattle.step(&Free, &mut state).unwrap();
        assert_eq!((report.rank, report.smallest_pivot), (0, f64::INFINITY));
        let _ = suzuki.step(&Free, &mut composed).unwrap();
        let _ = euler.step(&Free, &mut euler_state).unwrap();
    }
    let end = vector![4.0, 6.0 - 9.81 / 2.0];
    assert!((state.position() - end).amax() < 1e-13);
    assert!((composed.position() - end).amax() < 1e-13);
    assert!((state.velocity() - vector![3.0, 4.0 - 9.81]).amax() < 1e-13);
    // Symplectic Euler is h t g/2 off.
    assert!((euler_state.position() - end - vector![0.0, -0.01 * 9.81 / 2.0]).amax() < 1e-13);
    assert_eq!(state.tick(), 100);
}
