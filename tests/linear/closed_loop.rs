//! The regulator of least quadratic cost around a posture and around a path, on mechanisms with other masses than those of the model.

use mechanisms::{CartPole, Connector, Crane, FiveBar};
use nalgebra::{matrix, vector};
use taut::control::{
    Actuated, Driven, Feedforward, FlatInverse, GainTable, LinearQuadratic, QuadraticError, Reference, linearise,
};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::project::MinimalCoordinates;
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Massless, Mechanical};
use taut::trajectory::Nonic;

type Around<const X: usize, const U: usize> = (Matrix<f64, X, X>, Matrix<f64, X, U>);

/// ν' at a posture near another one: the reference for derivatives.
fn acceleration<System, const N: usize, const M: usize, const U: usize, const K: usize>(
    system: &System,
    here: &MinimalCoordinates<f64, N, M, K>,
    eta: Vector<f64, K>,
    nu: Vector<f64, K>,
    inputs: Vector<f64, U>,
) -> Vector<f64, K>
where
    System: Actuated<N, M, U, Base = f64> + Copy,
{
    let driven = Driven { inputs, ..Driven::new(*system) };
    here.moved(&driven, &eta).unwrap().acceleration(&driven, &nu).unwrap()
}

/// Compares A and B with central differences of the accelerations in minimal coordinates.
fn compare<System, const N: usize, const M: usize, const U: usize, const K: usize, const X: usize>(
    system: &System,
    q: Vector<f64, N>,
    nu: Vector<f64, K>,
    inputs: Vector<f64, U>,
) where
    System: Actuated<N, M, U, Base = f64> + Copy,
{
    let here = MinimalCoordinates::<f64, N, M, K>::at(system, 0.0, &q).unwrap();
    let (a, b): Around<X, U> = linearise(system, &here, 0.0, &nu, &inputs).unwrap();
    let eta = here.of(&q);
    // The remainder is d² times a third derivative, the round-off ε/d times a force.
    let d = 1e-5;
    let difference = |up: Vector<f64, K>, down: Vector<f64, K>| (up - down) / (2.0 * d);
    for k in 0..K {
        let mut e = Vector::<f64, K>::zeros();
        e[k] = d;
        let at = |eta, nu| acceleration(system, &here, eta, nu, inputs);
        let by_position = difference(at(eta + e, nu), at(eta - e, nu));
        let by_velocity = difference(at(eta, nu + e), at(eta, nu - e));
        let size = 1.0 + a.amax();
        assert!((a.fixed_view::<K, 1>(K, k) - by_position).amax() < 1e-7 * size, "{a} {by_position}");
        assert!((a.fixed_view::<K, 1>(K, K + k) - by_velocity).amax() < 1e-7 * size, "{a} {by_velocity}");
        assert!(a.fixed_view::<K, 1>(0, k).amax() == 0.0 && a[(k, K + k)] == 1.0);
    }
    for input in 0..U {
        let mut e = Vector::<f64, U>::zeros();
        e[input] = d;
        let at = |inputs| acceleration(system, &here, eta, nu, inputs);
        let by_input = difference(at(inputs + e), at(inputs - e));
        assert!((b.fixed_view::<K, 1>(K, input) - by_input).amax() < 1e-7 * (1.0 + b.amax()), "{b} {by_input}");
    }
}

/// At rest and in motion, with constant and with varying masses.
#[test]
fn the_linearisation_is_the_derivative_of_the_accelerations() {
    let cart = CartPole::standard();
    compare::<_, 3, 1, 1, 2, 4>(&cart, cart.tilted(0.3), vector![0.4, -0.7], vector![3.0]);
    let crane = Crane::standard();
    compare::<_, 4, 1, 2, 3, 6>(&crane, vector![3.0, -4.0, 0.0, 5.0], vector![0.3, 0.2, -0.1], vector![5.0, -900.0]);
    let five_bar = FiveBar::standard();
    let pose = five_bar.elbows_out([0.03, 0.17].into());
    compare::<_, 4, 2, 2, 2, 4>(&five_bar, pose, vector![1.0, -2.0], vector![0.1, -0.2]);
}

/// A pendulum that a motor pushes along (1, x). With `SLIDER`, one without mass hangs on it; else only the force of that slider
/// acts.
#[derive(Clone, Copy, Debug)]
struct Pushed<const SLIDER: bool>(Connector);

impl Mechanical<3, 2> for Pushed<true> {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        self.0.mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        self.0.constraint(t, q)
    }
}

impl Mechanical<2, 1> for Pushed<false> {
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

macro_rules! along_x {
    ($($slider:literal, $n:literal, $m:literal;)*) => {$(
        impl Actuated<$n, $m, 1> for Pushed<$slider> {
            fn actuation<S: Real<Base = f64>>(&self, q: &Vector<S, $n>) -> Matrix<S, $n, 1> {
                Matrix::from_fn(|i, _| [S::one(), q.x, S::zero()][i])
            }
            fn output<S: Real<Base = f64>>(&self, q: &Vector<S, $n>) -> Vector<S, 1> {
                vector![q.x]
            }
        }
    )*};
}
along_x!(true, 3, 2; false, 2, 1;);

/// In motion, M + ρ Gᵀ G and f − ρ Gᵀ a both change with the position; at times that matter the first with the time, too. The accelerations
/// and A and B are those of the pendulum without a slider.
#[test]
fn parts_without_mass_change_no_linearisation() {
    let (t, nu, inputs) = (0.3, vector![0.9], vector![2.0]);
    for connector in [Connector::STRAIGHT, Connector { mass: 0.0, pull: 2.0, curved: 0.7, moving: 0.4 }] {
        // So low that all weights choose x.
        let (x, y) = (0.1, -f64::sqrt(0.99));
        let place = y + x * x / 2.0 * connector.curved + x * f64::sin(t) * connector.moving;
        let alone = Pushed::<false>(connector);
        let plain = MinimalCoordinates::<f64, 2, 1, 1>::at(&alone, t, &vector![x, y]).unwrap();
        let expected: Around<2, 1> = linearise(&alone, &plain, t, &nu, &inputs).unwrap();
        for weight in [0.2, 1.0, 30.0] {
            let system = Massless::new(Pushed::<true>(connector), weight).unwrap();
            let here = MinimalCoordinates::<f64, 3, 2, 1>::at(&system, t, &vector![x, y, place]).unwrap();
            assert_eq!((here.independent(), plain.independent()), ([0], [0]));
            // Round-off of the weight and of forces of some g.
            let limit = 10.0 * f64::EPSILON * (10.0 + weight);
            let off = here.acceleration(&system, &nu).unwrap() - plain.acceleration(&alone, &nu).unwrap();
            assert!(off.amax() < limit, "{weight}: {off}");
            let [moved, other] = [
                here.moved(&system, &vector![0.15]).unwrap().acceleration(&system, &nu).unwrap(),
                plain.moved(&alone, &vector![0.15]).unwrap().acceleration(&alone, &nu).unwrap(),
            ];
            assert!((moved - other).amax() < limit, "{weight}: {moved} {other}");
            let found: Around<2, 1> = linearise(&system, &here, t, &nu, &inputs).unwrap();
            let off = (found.0 - expected.0).amax().max((found.1 - expected.1).amax());
            assert!(off < limit, "{weight}: {off:e} {} {}", found.0, expected.0);
        }
    }
}

/// m g/M towards the side on which the bob falls, (1 + m/M) g/l for the bob.
#[test]
fn the_upright_pendulum_on_a_cart() {
    let cart = CartPole::<f64>::standard();
    let upright = MinimalCoordinates::<_, 3, 1, 2>::at(&cart, 0.0, &cart.tilted(0.0)).unwrap();
    assert_eq!(upright.independent(), [0, 1]);
    let (a, b): Around<4, 1> = linearise(&cart, &upright, 0.0, &vector![0.0, 0.0], &vector![0.0]).unwrap();
    let (g, o) = (9.81, 0.0);
    let expected = matrix![o, o, 1.0, o; o, o, o, 1.0; g, -g, o, o; -2.0 * g, 2.0 * g, o, o];
    // x − s has the rate 3 g (x − s) − F/2, and s'' = −g (x − s) + F/2: x'' = 2 g (x − s).
    assert!((a - expected).amax() < 1e-13, "{a}");
    assert!((b - matrix![o; o; 0.5; o]).amax() < 1e-15, "{b}");
}

/// Gains of an endless run: those at the beginning of a long one.
fn endless<const X: usize, const U: usize>(
    (dynamics, actuation): Around<X, U>,
    state_weight: [f64; X],
    input_weight: [f64; U],
) -> Matrix<f64, U, X> {
    let problem = LinearQuadratic {
        dynamics,
        actuation,
        state_weight: Matrix::from_diagonal(&Vector::from(state_weight)),
        input_weight: Matrix::from_diagonal(&Vector::from(input_weight)),
    };
    let table = GainTable::<f64, X, U, 3>::solve(|_| Ok(problem), Matrix::zeros(), 20.0, 10_000).unwrap();
    assert!((table.gains[0] - table.gains[1]).amax() < 1e-9 * table.gains[0].amax(), "the run is long enough");
    table.gains[0]
}

/// Cart and bob 5% off the model, from 0.3 rad and half a metre away: it stands, at zero.
#[test]
fn a_pendulum_on_a_cart_with_wrong_masses_stands() {
    let model = CartPole::<f64>::standard();
    let upright = MinimalCoordinates::<_, 3, 1, 2>::at(&model, 0.0, &model.tilted(0.0)).unwrap();
    let around = linearise(&model, &upright, 0.0, &vector![0.0, 0.0], &vector![0.0]).unwrap();
    let gains = endless::<4, 1>(around, [10.0, 10.0, 1.0, 1.0], [0.1]);
    for (cart, bob) in [(1.0, 1.0), (1.05, 0.95), (0.95, 1.05), (1.05, 1.05), (0.95, 0.95)] {
        let machine = CartPole { cart: model.cart * cart, bob: model.bob * bob, ..model };
        let clock = Clock::at_rate(1_000.0).unwrap();
        let mut driven = Driven::new(machine);
        let begin = machine.tilted(0.3) + vector![0.5, 0.5, 0.0];
        let mut state = Start::at(&driven, clock, begin).at_rest().unwrap();
        let mut largest = 0.0_f64;
        for _ in 0..10_000 {
            let (q, v) = (upright.of(state.position()), upright.of(state.velocity()));
            driven.inputs = -(gains * vector![q[0], q[1], v[0], v[1]]);
            largest = largest.max(driven.inputs[0].abs());
            RungeKutta4::new().step(&driven, &mut state).unwrap();
        }
        let tilt = (state.position()[1] - state.position()[0]).abs();
        // What is left falls by about e^1.5 a second.
        let cart = state.position()[0].abs();
        assert!(tilt < 1e-6 && cart < 1e-5 && state.position()[2] > 0.0 && largest < 50.0, "{tilt} {cart} {largest}");
    }
}

/// Each mass 5% off the model, alone and together, on a path of 5 m × 3 m in 6 s that its inverse feeds forward: gains at 61 times of the
/// path hold the load.
#[test]
fn a_crane_with_wrong_masses_follows_its_path() {
    let (model, h) = (Crane::<f64>::standard(), 1e-3);
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).unwrap();
    let plan = FlatInverse::new(model, path, h).unwrap();
    let reference = |tick: u64| -> Reference<f64, 4, 1, 2> { *plan.at(&mut plan.start().unwrap(), tick).unwrap() };
    let problem = |t: f64| -> Result<LinearQuadratic<f64, 6, 2>, QuadraticError<f64, 6>> {
        let now = reference((t / h).round() as u64);
        let here = MinimalCoordinates::<f64, 4, 1, 3>::at(&model, 0.0, &now.position)?;
        assert_eq!(here.independent(), [0, 1, 2]);
        let (dynamics, actuation) = linearise(&model, &here, 0.0, &here.of(&now.velocity), &now.inputs)?;
        let state_weight = Matrix::from_diagonal(&vector![1e4, 1e6, 1e4, 1e3, 1e3, 1e3]);
        Ok(LinearQuadratic { dynamics, actuation, state_weight, input_weight: Matrix::identity() * 1e-2 })
    };
    // S at the end is that of an endless run there.
    let end = GainTable::<f64, 6, 2, 2>::solve(|_| problem(6.0), Matrix::zeros(), 20.0, 20_000).unwrap().cost;
    let table = GainTable::<f64, 6, 2, 61>::solve(problem, end, 0.1, 50).unwrap();
    let references: Vec<_> = (0..8_000).map(reference).collect();
    let run = |[load, trolley, winch]: [f64; 3], feedback: f64| {
        let machine =
            Crane { load: model.load * load, trolley: model.trolley * trolley, winch: model.winch * winch, ..model };
        let mut driven = Driven::new(machine);
        let clock = Clock::at_rate(1_000.0).unwrap();
        let mut state = Start::at(&driven, clock, [0.0, -4.0, 0.0, 4.0]).at_rest().unwrap();
        let (mut largest, mut end) = (0.0_f64, Vector::<f64, 2>::zeros());
        for (tick, now) in references.iter().enumerate() {
            let (dq, dv) = (state.position() - now.position, state.velocity() - now.velocity);
            let x = vector![dq[0], dq[1], dq[2], dv[0], dv[1], dv[2]];
            driven.inputs = now.inputs + table.input(tick as f64 * h, &x) * feedback;
            end = vector![dq[0], dq[1]];
            largest = largest.max(end.norm());
            if RungeKutta4::new().step(&driven, &mut state).is_err() {
                return (f64::INFINITY, end, table.gains[60]);
            }
        }
        (largest, end, table.gains[60])
    };
    // Less than 0.1 mm with the right masses, by the gains between two times and the tick's hold.
    let (exact, _, gains) = run([1.0; 3], 1.0);
    assert!(exact < 1e-4, "{exact}");
    let off = [0.95, 1.05];
    let alone = off.into_iter().flat_map(|x| [[x, 1.0, 1.0], [1.0, x, 1.0], [1.0, 1.0, x]]);
    let together = (0..8).map(|k: usize| [k & 1, k >> 1 & 1, k >> 2].map(|side| off[side]));
    for masses in alone.chain(together) {
        let (largest, end, _) = run(masses, 1.0);
        // What stays is the missing weight over the gain of the height: the other masses have no weight.
        let missing = 1.0 - masses[0];
        let sag = (missing * 981.0 / gains[(1, 1)]).copysign(missing);
        assert!((end[1] - sag).abs() < 1e-6 && end[0].abs() < 1e-5, "{end}, {sag}");
        // Little more on the way. 5% of the trolley or the winch take 0.7 N at 1.3 m/s², over a gain of about 1 N/mm.
        assert!(largest < 1.2 * sag.abs() + 1e-3, "{masses:?}: {largest}");
    }
    // Without feedback the load sinks.
    assert!(run([1.05, 1.0, 1.0], 0.0).1[1] < -10.0);
}

#[test]
fn a_posture_that_cannot_be_linearised_is_refused() {
    let cart = CartPole::<f64>::standard();
    assert!(MinimalCoordinates::<_, 3, 1, 2>::at(&cart, 0.0, &Vector::zeros()).is_err());
}
