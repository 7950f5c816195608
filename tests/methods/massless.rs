//! Massless parts: M is singular, but injective on the kernel of G (Hairer & Wanner VII.2, exercise 2, and the remark after (1.46e)).
//!
//! A slider without mass hangs on a pendulum. Its equation of motion has no inertia, 0 = force − λ₂, so the multiplier of the connection is the
//! force on the slider at every time, and the pendulum moves as if that force pulled at it directly.

use crate::variants::{Any, Claim, every_variant, every_variant_for_any_mass, seconds};
use mechanisms::{Connector, Lever};
use nalgebra::vector;
use proptest::prelude::*;
use taut::control::{Feedforward, InverseDynamics, inertia_at_motors};
use taut::linalg::{FactorError, Matrix, Semidefinite, Vector};
use taut::method::{Bdf2, ImplicitEuler, LocalRungeKutta4, Partitioned, RadauIia, Rattle, RungeKutta4, Step};
use taut::project::{ProjectError, Projection};
use taut::scalar::Real;
use taut::start::{Start, StartError, State, resume};
use taut::system::{Diagonal, Massless, Mechanical, Varying};
use taut::trajectory::Nonic;

/// As the source has it: s = y.
const STRAIGHT: Connector = Connector::STRAIGHT;
/// Its Jacobian changes with the position and with the time.
const BENT: Connector = Connector { mass: 0.0, pull: 2.0, curved: 0.7, moving: 0.4 };

/// The same with a mass that varies, as far as the methods know.
#[derive(Clone, Copy, Debug)]
struct Unknown(Connector);

impl Mechanical<3, 2> for Unknown {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 3>) -> Matrix<S, 3, 3> {
        self.0.mass_matrix(q)
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        self.0.constraint(t, q)
    }
}

/// The pendulum without the slider; its force is that of the slider along the gradient of the connection.
#[derive(Clone, Copy, Debug)]
struct Alone(Connector);

impl Mechanical<2, 1> for Alone {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0, 1.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        let Connector { pull, curved, moving, .. } = self.0;
        vector![(q.x * curved + t.sin() * moving) * pull, S::from(-9.81 + pull)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.x * q.x + q.y * q.y - S::one()) * 0.5]
    }
}

type At<const N: usize, const M: usize> = State<f64, N, M>;

fn starts<System: Mechanical<3, 2, Base = f64>>(system: &System, connector: Connector, h: f64) -> (At<3, 2>, At<2, 1>) {
    let clock = || seconds(h).at_time(0.3);
    let (q, v) = ([0.6, -0.8, 0.0], [0.8, 0.6, 0.0]);
    // Methods on other levels drift by O(h).
    let slider = Start::at(system, clock(), q).limit(0.1).moving(v).unwrap();
    (slider, Start::at(&Alone(connector), clock(), [q[0], q[1]]).limit(0.1).moving([v[0], v[1]]).unwrap())
}

/// Positions and velocities to round-off; and the slider where it must be, if the method `holds` positions.
fn same(name: &str, holds: bool, connector: Connector, slider: &At<3, 2>, alone: &At<2, 1>) {
    let (q, v) = (slider.position(), slider.velocity());
    let t = slider.clock().time();
    let off = (q.fixed_rows::<2>(0) - alone.position()).amax().max((v.fixed_rows::<2>(0) - alone.velocity()).amax());
    // Newton iterations of other matrices end elsewhere within their last correction.
    assert!(off < 1e-11, "{name}: {off:e}");
    // Where nothing holds the constraint, the connection drifts like the rod.
    let place = q.y + q.x * q.x * connector.curved / 2.0 + q.x * t.sin() * connector.moving;
    assert!(!holds || (q.z - place).abs() < 1e-13, "{name}");
}

/// Steps both with one method; the multipliers must agree in each step.
fn compare<System: Mechanical<3, 2, Base = f64>>(
    slider_method: &Any<System, f64, 3, 2>,
    alone_method: &Any<Alone, f64, 2, 1>,
    system: &System,
    connector: Connector,
) {
    let name = slider_method.name();
    let (mut slider, mut alone) = starts(system, connector, 1e-3);
    for _ in 0..200 {
        let found = slider_method.step(system, &mut slider).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = alone_method.step(&Alone(connector), &mut alone).unwrap();
        // Position constraints make multipliers with an error of ε v/h, a few hundred times in the iterated matrix.
        let off =
            (found.multipliers[0] - expected.multipliers[0]).abs().max((found.multipliers[1] - connector.pull).abs());
        assert!(off < 1e-8, "{name}: {off:e} {} {}", found.multipliers, expected.multipliers);
    }
    same(name, Claim::of(name).positions, connector, &slider, &alone);
    let (found, expected) = (slider.multipliers(system).unwrap(), alone.multipliers(&Alone(connector)).unwrap());
    assert!((found - vector![expected[0], connector.pull]).amax() < 1e-10, "{name}: {found} {expected}");
}

#[test]
fn a_slider_without_mass_moves_with_its_pendulum_in_every_method() {
    for connector in [STRAIGHT, BENT] {
        for weight in [0.2, 1.0, 30.0] {
            let system = Massless::new(connector, weight).unwrap();
            let mut index = 0;
            every_variant(&mut |method: &Any<_, f64, 3, 2>| {
                let mut other = 0;
                every_variant(&mut |alone: &Any<_, f64, 2, 1>| {
                    if other == index {
                        compare(method, alone, &system, connector);
                    }
                    other += 1;
                });
                index += 1;
            });
            assert!(index > taut::method::NAMES.len());
        }
    }
}

#[test]
fn and_with_a_mass_that_varies() {
    let system = Massless::new(Unknown(BENT), 1.0).unwrap();
    let mut index = 0;
    every_variant_for_any_mass(&mut |method: &Any<_, f64, 3, 2>| {
        let mut other = 0;
        every_variant_for_any_mass(&mut |alone: &Any<_, f64, 2, 1>| {
            if other == index {
                compare(method, alone, &system, BENT);
            }
            other += 1;
        });
        index += 1;
    });
}

#[test]
fn bdf_2_and_local_coordinates_agree_too() {
    let system = Massless::new(BENT, 1.0).unwrap();
    let (slider, alone) = starts(&system, BENT, 1e-3);
    let method = Bdf2::new();
    let mut slider = method.begin(&system, slider).unwrap();
    let mut alone = method.begin(&Alone(BENT), alone).unwrap();
    for _ in 0..200 {
        let found = method.step(&system, &mut slider).unwrap();
        let expected = method.step(&Alone(BENT), &mut alone).unwrap();
        let off = (found.multipliers - vector![expected.multipliers[0], BENT.pull]).amax();
        assert!(off < 1e-8, "{off:e}");
    }
    same("bdf_2", true, BENT, slider.state(), alone.state());

    let (tangent, partitioned) = (LocalRungeKutta4::tangent(), LocalRungeKutta4::partitioned());
    let (mut slider, mut alone) = starts(&system, BENT, 1e-3);
    for _ in 0..200 {
        let found = tangent.step(&system, &mut slider).unwrap().multipliers;
        let expected = tangent.step(&Alone(BENT), &mut alone).unwrap().multipliers;
        assert!((found - vector![expected[0], BENT.pull]).amax() < 1e-10, "{found} {expected}");
    }
    same("tangent", true, BENT, &slider, &alone);

    let (slider, alone) = starts(&system, BENT, 1e-3);
    let (mut slider, mut alone) = (Partitioned::new(slider), Partitioned::new(alone));
    for _ in 0..200 {
        let found = partitioned.step(&system, &mut slider).unwrap().multipliers;
        let expected = partitioned.step(&Alone(BENT), &mut alone).unwrap().multipliers;
        assert!((found - vector![expected[0], BENT.pull]).amax() < 1e-10, "{found} {expected}");
    }
    same("partitioned", true, BENT, slider.state(), alone.state());
}

/// The connector with its connection twice, the second time in other units: M is singular, and G has not full rank.
struct Twice(Connector);

impl Mechanical<3, 3> for Twice {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        self.0.mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 3> {
        let g = self.0.constraint(t, q);
        vector![g[0], g[1], g[1] * 3.0]
    }
}

/// Exercise 2 b, the second half: G need not have full rank.
#[test]
fn dependent_constraints_may_hold_a_part_without_mass() {
    type OfTwice<'a> = &'a Any<Massless<Twice, f64>, f64, 3, 3, Semidefinite<f64, 3>>;
    type OfAlone<'a> = &'a Any<Alone, f64, 2, 1>;
    let pairs: [(OfTwice, OfAlone); 4] = [
        (&Rattle::new(), &Rattle::new()),
        (&RungeKutta4::new(), &RungeKutta4::new()),
        (&ImplicitEuler::new(), &ImplicitEuler::new()),
        (&RadauIia::order_three(), &RadauIia::order_three()),
    ];
    for connector in [STRAIGHT, BENT] {
        let system = Massless::new(Twice(connector), 1.0).unwrap();
        let start = Start::at(&system, seconds(1e-3).at_time(0.3), [0.6, -0.8, 0.0]).redundant().limit(0.1);
        let slider = start.moving([0.8, 0.6, 0.0]).unwrap();
        let (_, alone) = starts(&Massless::new(connector, 1.0).unwrap(), connector, 1e-3);
        for (method, other) in pairs {
            let (name, mut slider, mut alone) = (method.name(), slider, alone);
            for _ in 0..200 {
                let report = method.step(&system, &mut slider).unwrap_or_else(|error| panic!("{name}: {error}"));
                let expected = other.step(&Alone(connector), &mut alone).unwrap();
                assert_eq!(report.rank, 2, "{name}");
                // Only the force of both connections together is determined.
                let force = vector![report.multipliers[0], report.multipliers[1] + report.multipliers[2] * 3.0];
                let off = (force - vector![expected.multipliers[0], connector.pull]).amax();
                assert!(off < 1e-8, "{name}: {off:e}");
            }
            // Newton iterations of other matrices end elsewhere within their last correction.
            let off = (slider.position().fixed_rows::<2>(0) - alone.position()).amax();
            assert!(off < 1e-11, "{name}: {off:e}");
        }
    }
}

#[test]
fn projections_move_the_slider_freely() {
    let (system, projection) = (Massless::new(BENT, 1.0).unwrap(), Projection::new());
    let projected = Projection::new();
    let off = vector![0.61, -0.82, 0.4];
    let q = projection.onto_positions(&system, 0.3, &off).unwrap();
    let alone = projected.onto_positions(&Alone(BENT), 0.3, &vector![off.x, off.y]).unwrap();
    // What the slider was off costs nothing: the pendulum moves as it would alone.
    assert!((q.fixed_rows::<2>(0) - alone).amax() < 1e-14);
    let v = projection.onto_velocities(&system, 0.3, &q, &vector![1.0, 2.0, -7.0]).unwrap();
    let alone = projected.onto_velocities(&Alone(BENT), 0.3, &alone, &vector![1.0, 2.0]).unwrap();
    assert!((v.fixed_rows::<2>(0) - alone).amax() < 1e-14);
}

#[test]
fn a_motion_without_mass_is_refused_with_its_coordinate() {
    let clock = || seconds(1e-3);
    // Without the model for it, every mass must be positive.
    let error = Start::at(&STRAIGHT, clock(), [0.6, -0.8, -0.8]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Mass(FactorError::SmallPivot { index: 2, pivot: 0.0, .. })), "{error}");

    /// A slider that no constraint holds, and one that both hold.
    struct Loose;
    impl Mechanical<3, 1> for Loose {
        type Base = f64;
        type Mass = Diagonal<f64, 3>;
        fn mass(&self) -> Diagonal<f64, 3> {
            Diagonal::new([1.0, 0.0, 0.0])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
            Vector::from([S::zero(); 3])
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
            vector![q.y * 3.0 + q.z - q.x]
        }
    }
    let loose = Massless::new(Loose, 1.0).unwrap();
    let error = Start::at(&loose, clock(), [0.0; 3]).at_rest().unwrap_err();
    // y and z can move against each other.
    assert!(matches!(error, StartError::Mass(FactorError::SmallPivot { index: 2, .. })), "{error}");
    assert!(error.to_string().contains("constraints and `Massless`"), "{error}");
    let error = Projection::new().onto_positions(&loose, 0.0, &Vector::zeros()).unwrap_err();
    assert!(matches!(error, ProjectError::Mass(FactorError::SmallPivot { index: 2, .. })), "{error}");

    // A negative mass is no massless part, even where the constraint would hide it.
    for mass in [-0.1, f64::NAN, f64::INFINITY] {
        let broken = Massless::new(Connector { mass, ..STRAIGHT }, 10.0).unwrap();
        let error = Start::at(&broken, clock(), [0.6, -0.8, -0.8]).at_rest().unwrap_err();
        let index = match error {
            StartError::Mass(FactorError::SmallPivot { index, .. } | FactorError::NonFinite { index }) => index,
            _ => panic!("{error}"),
        };
        assert_eq!(index, 2);
    }
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Massless::new(STRAIGHT, weight).is_err());
    }
    // A model that loses its mass during a run: the step says so, and the state stays.
    let system = Massless::new(STRAIGHT, 1.0).unwrap();
    let mut state = Start::at(&system, clock(), [0.6, -0.8, -0.8]).at_rest().unwrap();
    let before = *state.position();
    let broken = Massless::new(Connector { pull: f64::NAN, ..STRAIGHT }, 1.0).unwrap();
    assert!(Rattle::new().step(&broken, &mut state).is_err());
    assert_eq!(*state.position(), before);
    // A resume with another model computes everything anew.
    resume(&Massless::new(BENT, 2.0).unwrap(), &mut state).unwrap();
}

#[test]
fn inverse_dynamics_need_no_mass_of_the_lever() {
    let path = || Nonic::point_to_point([0.0], [1.0], 2.0).unwrap();
    let system = Massless::new(Lever, 1.0).unwrap();
    let plan = InverseDynamics::new(system, path(), 1e-3, [0.0; 3]).unwrap();
    let bare = InverseDynamics::new(Lever, path(), 1e-3, [0.0; 3]).unwrap();
    let (mut state, mut other) = (plan.start().unwrap(), bare.start().unwrap());
    for tick in 0..2_000 {
        let (reference, bare) = (plan.at(&mut state, tick).unwrap(), bare.at(&mut other, tick).unwrap());
        // u x' = T': (3 + 2² · 0.5) x'', of which the load has the half.
        let expected = 5.0 * reference.acceleration[2] / 2.0;
        assert!((reference.inputs[0] - expected).abs() < 1e-12);
        assert!((reference.inputs - bare.inputs).amax() < 1e-12);
        assert!((reference.multipliers - bare.multipliers).amax() < 1e-12);
    }
    let [inertia] = inertia_at_motors(&plan).unwrap();
    assert!((inertia - 5.0).abs() < 1e-12);
    assert!(inertia_at_motors(&bare).is_err());
}

proptest! {
    /// Any weight, any pull, any shape of the connection; RATTLE with plain, compensated and precise states.
    #[test]
    fn weights_and_shapes_change_round_off_only(
        exponent in -3.0..3.0_f64,
        pull in -20.0..20.0,
        curved in -2.0..2.0,
        moving in -2.0..2.0,
    ) {
        let connector = Connector { mass: 0.0, pull, curved, moving };
        let system = Massless::new(connector, exponent.exp()).unwrap();
        let start = || Start::at(&system, seconds(1e-3).at_time(0.3), [0.6, -0.8, 0.0]);
        let alone = Alone(connector);
        let start_alone = || Start::at(&alone, seconds(1e-3).at_time(0.3), [0.6, -0.8]);
        let (v, w) = ([0.8, 0.6, 0.0], [0.8, 0.6]);
        macro_rules! check {
            ($($digits:ident)*) => {$(
                let mut slider = start().$digits().moving(v).unwrap();
                let mut alone_state = start_alone().$digits().moving(w).unwrap();
                for _ in 0..50 {
                    let found = Rattle::new().step(&system, &mut slider).unwrap().multipliers;
                    let expected = Rattle::new().step(&alone, &mut alone_state).unwrap().multipliers;
                    // ε v/h times the weight, whose part of λ is subtracted again.
                    prop_assert!((found - vector![expected[0], pull]).amax() < 1e-8, "{} {}", found, expected);
                }
                prop_assert!((slider.position().fixed_rows::<2>(0) - alone_state.position()).amax() < 1e-12);
                prop_assert!((slider.velocity().fixed_rows::<2>(0) - alone_state.velocity()).amax() < 1e-11);
            )*};
        }
        check!(plain compensated precise);
    }

    /// The state stays and nothing panics, whatever the numbers.
    #[test]
    fn hostile_numbers_are_refused(
        numbers in prop::array::uniform4(prop::num::f64::ANY),
        weight in prop::num::f64::ANY,
        guess in prop::array::uniform3(prop::num::f64::ANY),
    ) {
        let [mass, pull, curved, moving] = numbers;
        let Ok(system) = Massless::new(Connector { mass, pull, curved, moving }, weight) else { return Ok(()) };
        if let Ok(mut state) = Start::at(&system, seconds(1e-3), guess).at_rest() {
            let before = *state.position();
            if Rattle::new().step(&system, &mut state).is_err() {
                prop_assert_eq!(*state.position(), before);
            } else {
                prop_assert!(state.position().iter().chain(state.velocity()).all(|x| x.is_finite()));
            }
        }
    }
}
