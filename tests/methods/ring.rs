//! The ring of six corner pieces of Hairer's "Solving Differential Equations on Manifolds", Example I.3.2: 18 constraints
//! whose rank is 17 everywhere on the closed curve of configurations, so that one of them is redundant, and no fixed one.
//!
//! It starts at the configuration a of Exercise I.4.7, the flexible one (the text has a and b swapped). Reference values: the
//! reduced equation with one degree of freedom, and RATTLE with the pseudo-inverse. Unit masses, gravity along −z.

use mechanisms::Ring;
use taut::linalg::{FactorError, Semidefinite, Vector};
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::start::{Clock, Start, StartError, State};
use taut::system::Mechanical;

type Redundant = State<f64, 18, 18, Semidefinite<f64, 18>>;

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

fn start(ring: &Ring<f64>, h: f64, speed: f64) -> Redundant {
    let velocity = Ring::<f64>::tangent().map(|component| speed * component);
    Start::at(ring, clock(h), Ring::position()).redundant().moving(velocity).unwrap()
}

/// Makes `n` steps; every report must have rank 17, pivots away from zero and residuals near round-off: six
/// iterations shrink 5e-4 by a factor of 0.02 each at h = 0.02.
fn run(ring: &Ring<f64>, state: &mut Redundant, n: usize) {
    let rattle = Rattle::new();
    for _ in 0..n {
        let report = rattle.step(ring, state).unwrap();
        assert_eq!(report.rank, 17);
        // F.curve.sv17min: the smallest singular value of G on the curve is 0.2397, its square bounds the pivots.
        assert!(report.smallest_pivot > 0.057, "{:e}", report.smallest_pivot);
        assert!(report.position_residual.amax() < 1e-13, "{:e}", report.position_residual.amax());
        assert!(report.velocity_residual.amax() < 1e-13, "{:e}", report.velocity_residual.amax());
    }
}

/// The largest difference from (q₃, q₄, q₅).
fn error(of: &Vector<f64, 18>, reference: &[f64; 9]) -> f64 {
    (0..9).map(|i| (of[6 + i] - reference[i]).abs()).fold(0.0, f64::max)
}

/// F.fixed.q.T2, F.fixed.vel.T2: (q₃, q₄, q₅) and their velocities at T = 2, from 0.3 times the unit tangent.
const FIXED_POSITION: [f64; 9] = [
    0.0,
    0.9348792231640151,
    -0.35496596751836323,
    0.6257021645014221,
    1.211774703350138,
    0.37429783549857765,
    0.17963324935646063,
    0.5718377343605099,
    1.0,
];
const FIXED_VELOCITY: [f64; 9] = [
    0.0,
    -0.05581490412332053,
    -0.1470005549337196,
    0.7618047191372912,
    -0.15805001021759357,
    -0.7618047191372904,
    0.5243908330629398,
    0.752298734304741,
    0.0,
];

#[test]
fn the_start_is_on_the_curve_and_knows_the_rank() {
    let ring = Ring::fixed();
    let state = start(&ring, 0.02, 0.3);
    // Nothing had to be corrected: a is on the constraints and the tangent satisfies G v = 0.
    assert_eq!(state.position(), &Vector::from(Ring::<f64>::position()));
    let tangent = Vector::from(Ring::<f64>::tangent());
    assert!((state.velocity() - tangent * 0.3).amax() < 1e-15);
    // F.leftnull.a: the redundancy is w with wᵀ G = 0. Minimum-norm multipliers have no part along it.
    let redundancy =
        Vector::from([1., 0., 1., -1., 0., 0., 0., 0., -1., 0., -0.5, 0., 0., 0., -1., -1., 0., 1.]).normalize();
    assert!((ring.jacobian(0.0, state.position()).transpose() * redundancy).amax() < 1e-15);
    let multipliers = state.multipliers(&ring).unwrap();
    assert!(multipliers.norm() > 0.1);
    assert!(multipliers.dot(&redundancy).abs() < 1e-13);
}

#[test]
fn rattle_follows_the_ring_with_order_two() {
    let ring = Ring::fixed();
    // F.fixed.RATTLE.pinv.N100.err, N200, N800; to 0.5%.
    let table = [(100, 2.8646413146593552e-05), (200, 7.1614828666133334e-06), (800, 4.4759031669894256e-07)];
    let mut errors = [0.0; 3];
    for (k, (n, reference)) in table.into_iter().enumerate() {
        let mut state = start(&ring, 2.0 / n as f64, 0.3);
        run(&ring, &mut state, n);
        errors[k] = error(state.position(), &FIXED_POSITION);
        assert!((errors[k] / reference - 1.0).abs() < 0.005, "N = {n}: {:e}, not {reference:e}", errors[k]);
        // The velocity converges alike; its constant is a few times larger.
        assert!(error(state.velocity(), &FIXED_VELOCITY) < 10.0 * errors[k]);
    }
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 2.0).abs() < 0.01, "from N = 100 to 200: {order}");
    let order = (errors[1] / errors[2]).log2() / 2.0;
    assert!((order - 2.0).abs() < 0.01, "from N = 200 to 800: {order}");
}

#[test]
fn compositions_and_symplectic_euler_take_redundant_constraints_too() {
    let ring = Ring::fixed();
    let suzuki = Composition::suzuki();
    let mut state = start(&ring, 0.02, 0.3);
    for _ in 0..100 {
        assert_eq!(suzuki.step(&ring, &mut state).unwrap().rank, 17);
    }
    let suzuki_error = error(state.position(), &FIXED_POSITION);
    assert!(suzuki_error < 1e-7, "order 4 against RATTLE's 2.9e-5: {suzuki_error:e}");
    let euler = SymplecticEuler::new();
    let mut state = start(&ring, 0.02, 0.3);
    for _ in 0..100 {
        assert_eq!(euler.step(&ring, &mut state).unwrap().rank, 17);
    }
    let euler_error = error(state.position(), &FIXED_POSITION);
    assert!(euler_error < 0.05, "order 1: {euler_error:e}");
}

#[test]
fn a_piece_that_moves_takes_the_ring_with_it() {
    // (q₆, q₁, q₂) turned about the x axis by 0.3 sin t.
    let ring = Ring { swing: 0.3 };
    // F.moving.v0: the nearest to 0.3 times the tangent would not be it; the reference adds the minimum-norm velocity of
    // the prescribed motion to the whole of the tangent. Given that, `start` leaves it as it is.
    let mut velocity = [0.0; 18];
    velocity[8] = 0.1941640786499874;
    velocity[9] = 0.1058359213500128;
    velocity[10] = -0.19416407864998728;
    velocity[11] = 0.19416407864998736;
    velocity[13] = -0.19416407864998733;
    velocity[16] = -0.3;
    let mut state = Start::at(&ring, clock(0.01), Ring::position()).redundant().moving(velocity).unwrap();
    assert!((state.velocity() - Vector::from(velocity)).amax() < 1e-12);

    run(&ring, &mut state, 200);
    // F.moving.q.T2, F.moving.RATTLE.pinv.N200.err; to 0.5%.
    let reference = [
        0.0,
        0.9949332971267544,
        -0.10053722827134907,
        0.7626011945370635,
        1.0599677068305402,
        0.5430542132854228,
        0.30039442468359456,
        0.41868964665483627,
        1.1555306221689885,
    ];
    let error = error(state.position(), &reference);
    assert!((error / 7.483174538858162e-06 - 1.0).abs() < 0.005, "{error:e}");
    // The prescribed corner is where it is prescribed.
    let angle = 0.3 * 2.0_f64.sin();
    assert!((state.position()[16] + angle.sin()).abs() < 1e-14);
    assert!((state.position()[17] - angle.cos()).abs() < 1e-14);
}

#[test]
fn the_minimum_norm_start_of_the_moving_piece() {
    // F.moving.v0 from rest: the prescribed motion alone, without the part along the tangent.
    let ring = Ring { swing: 0.3 };
    let state = Start::at(&ring, clock(0.01), Ring::position()).redundant().at_rest().unwrap();
    let tangent = Vector::from(Ring::<f64>::tangent());
    assert!(state.velocity().dot(&tangent).abs() < 1e-15);
    assert!((state.velocity()[16] + 0.3).abs() < 1e-15);
    // v0 of the reference less 0.3 times the tangent.
    assert!((state.velocity()[8] - (0.1941640786499874 - 0.3 * tangent[8])).abs() < 1e-12);
    assert!((state.velocity()[9] - (0.1058359213500128 - 0.3 * tangent[9])).abs() < 1e-12);
}

#[test]
fn the_ring_goes_round_its_closed_curve() {
    // Twice the tangent carries it round the closed curve, where every fixed choice of 17 rows is the wrong one somewhere:
    // without row 1 it fails at step 347, without row 11 at step 147.
    let ring = Ring::fixed();
    let mut state = start(&ring, 0.01, 2.0);
    let energy = ring.energy(state.position(), state.velocity());
    let tangent = Vector::from(Ring::<f64>::tangent());
    let (mut largest, mut travelled) = (0.0_f64, 0.0);
    let mut home = 0;
    for _ in 0..1_500 {
        let before = *state.position();
        run(&ring, &mut state, 1);
        largest = largest.max((ring.energy(state.position(), state.velocity()) - energy).abs());
        travelled += (state.position() - before).norm();
        // Back at a, going the same way.
        let off = state.position() - Vector::from(Ring::<f64>::position());
        if off.norm() < 0.02 && travelled > 1.0 && state.velocity().dot(&tangent) > 0.0 {
            home += 1;
        }
    }
    // F2.loop.pinv.maxdE, F2.loop.pinv.q; F.curve.length is 16.19.
    assert!((largest - 0.0003361796548615459).abs() < 3.4e-7, "{largest:e}");
    let reference = [
        0.0,
        -0.5256216547357034,
        0.850718447004002,
        -0.34421903348504257,
        0.2731088555927127,
        1.3442190334850426,
        0.42184833036405367,
        0.8159293148901856,
        1.0,
    ];
    assert!(error(state.position(), &reference) < 1e-6, "{:e}", error(state.position(), &reference));
    assert!(travelled > 16.19, "{travelled}");
    assert!(home > 0, "it has passed its start");
}

#[test]
fn the_solver_for_full_rank_refuses_the_ring() {
    let ring = Ring::<f64>::fixed();
    let refused = Start::at(&ring, clock(0.01), Ring::position()).at_rest().unwrap_err();
    let StartError::Constraints(FactorError::SmallPivot { index, pivot, limit }) = refused else {
        panic!("{refused}");
    };
    // A row that depends on those before it: one of F.droppable.a, counted from zero.
    assert!([0, 2, 3, 8, 10, 14, 15, 17].contains(&index), "row {index}");
    assert!(pivot <= limit && limit < 1e-13);
    let message = refused.to_string();
    assert!(message.contains(&format!("row {index}")) && message.contains("use `redundant`"), "{message}");
}
