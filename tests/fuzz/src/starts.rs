//! Starts, saved states and projections.

use mechanisms::{BodyInvariants, DoublePendulum, FiveBar, Kepler, Pendulum};
use nalgebra::vector;
use taut::linalg::{Ldlt, Matrix, SymmetricFactors, Vector};
use taut::method::{Chart, Rattle, RungeKutta4, Step, StepError};
use taut::project::{
    Invariant, MinimalCoordinates, OnManifold, Projection, onto_determinant, onto_invariant, onto_orthogonal,
};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Coordinates, ManifoldState, Precision, Saved, Start, State, check, resume};
use taut::system::Mechanical;

use crate::all_finite;
use crate::bytes::Bytes;

/// Asserts that a state is finite and on its constraints, up to their round-off.
fn assert_on_constraints<System, T, F, P, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F, P>,
    round_off: f64,
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    assert!(all_finite(state.position().iter().chain(state.velocity())), "{state:?}");
    assert!(all_finite(state.limits()), "{state:?}");
    for (g, limit) in check(system, state).position_residual.iter().zip(state.limits()) {
        let near = g.to_f64().abs() <= limit.to_f64() + round_off;
        assert!(near, "residual {g:e}, limit {limit:e}: {state:?}");
    }
}

/// A pendulum and a linkage from any guess, limit and time; then resumed with another model.
pub fn starts(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let ([mass, length, gravity], t) = (bytes.numbers([1.0, 1.0, 9.81]), bytes.number(0.0));
    let Ok(clock) = Clock::at_rate(bytes.number::<f32>(1e3)) else { return 1 };
    let clock = clock.at_tick(bytes.bits(8)).at_time(t);
    let (q, v) = (bytes.numbers([0.6, -0.8]), bytes.numbers([0.8, 0.6]));
    let limit = bytes.number(f64::from(f32::ROOT_EPSILON));
    let mut pendulum = Pendulum { mass, length, gravity };
    let mut calls = 2;
    if let Ok(mut state) = Start::at(&pendulum, clock, q).limit(limit).moving(v) {
        let round_off = |pendulum: &Pendulum<f32>, state: &State<f32, 2, 1>| {
            4.0 * f64::from(f32::EPSILON)
                * (f64::from(pendulum.length).powi(2) + f64::from(state.position().norm_squared()))
        };
        assert_on_constraints(&pendulum, &state, round_off(&pendulum, &state));
        let before = format!("{state:?}");
        pendulum.length = bytes.number(1.1);
        match resume(&pendulum, &mut state) {
            Ok(()) => assert_on_constraints(&pendulum, &state, round_off(&pendulum, &state)),
            Err(_) => assert_eq!(before, format!("{state:?}")),
        }
        calls += 1;
    }
    let five_bar = FiveBar::<f32>::standard();
    let linkage = five_bar.elbows_out(bytes.numbers([0.0, 0.17]).into());
    for guess in [linkage, Vector::from(bytes.numbers([0.5, 2.6, 0.0, 0.17]))] {
        if let Ok(state) = Start::at(&five_bar, clock, guess).at_rest() {
            assert_on_constraints(&five_bar, &state, 1e-6);
        }
    }
    calls + 3
}

/// A saved state with any bits in it is refused, or restored as it is and good for steps.
pub fn saved(data: &[u8]) -> u64 {
    let (mut bytes, pendulum) = (Bytes(data), Pendulum::<f32>::standard());
    let clock = Clock::at_rate(1_000.0).expect("a rate");
    let mut state = Start::at(&pendulum, clock, [0.6, -0.8]).precise().moving([0.8, 0.6]).expect("a start");
    for _ in 0..bytes.below(4) {
        Rattle::new().step(&pendulum, &mut state).expect("a step");
    }
    let mut saved = state.save();
    let mut parts = [*saved.q.rounded(), saved.q.low(), *saved.v.rounded(), saved.v.low()];
    while bytes.more() {
        let field = bytes.below(16);
        let number = match field {
            0..8 => &mut parts[field / 2][field % 2],
            8 => &mut saved.multipliers[0],
            9 => &mut saved.next_multipliers_weight,
            10 => &mut saved.limits[0],
            11 => &mut saved.step,
            12 => &mut saved.origin,
            13 => &mut saved.limit,
            _ => {
                (saved.tick, saved.period) = (saved.tick ^ 1 << (bytes.byte() % 64), bytes.bits(8));
                continue;
            }
        };
        *number = match bytes.byte() {
            bit @ 0..128 => f32::from_bits(number.to_bits() ^ 1 << (bit % 32)),
            _ => bytes.number(f64::from(*number)),
        };
    }
    let [high, low, fast, slow] = parts;
    (saved.q, saved.v) = (Coordinates::from_parts(high, low), Coordinates::from_parts(fast, slow));
    let text = |saved: &Saved<f32, 2, 1, _>| format!("{saved:?}");
    // Without a seal, any change is refused.
    let changed = text(&saved) != text(&state.save());
    assert_eq!(saved.restore(&pendulum).is_err(), changed, "{saved:?}");
    let saved = saved.sealed();
    let Ok(mut restored) = saved.restore(&pendulum) else {
        assert!(changed, "its own bits");
        return 4;
    };
    // The epoch moves by whole periods.
    let expected = Saved { epoch: restored.save().epoch, ..saved }.sealed();
    assert_eq!(text(&restored.save()), text(&expected));
    for calls in 4..8 {
        let before = restored;
        let Ok(report) = Rattle::new().step(&pendulum, &mut restored) else {
            assert_eq!(format!("{before:?}"), format!("{restored:?}"));
            return calls;
        };
        let numbers = restored.position().iter().chain(restored.velocity()).chain(&report.multipliers);
        assert!(all_finite(numbers), "{report:?} from {before:?}");
    }
    7
}

pub fn projections(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [mass, length, gravity] = bytes.numbers([1.0, 1.0, 9.81]);
    let pendulum = Pendulum::<f64> { mass, length, gravity };
    let (q, v) = (Vector::from(bytes.numbers([0.6001, 0.8003])), Vector::from(bytes.numbers([1.0, 2.0])));
    let (t, limit, iterations) = (bytes.number(0.0), bytes.number::<f64>(1.5e-8), bytes.below(12));
    let projection = Projection::<f64, 1, Ldlt<f64, 1>>::new().iterations(iterations).limit(limit);
    let finite = |found: &Vector<f64, 2>| all_finite(found);
    if let Ok(found) = projection.onto_positions(&pendulum, t, &q) {
        // The gradient is as long as the given position.
        let round_off = 4.0 * f64::EPSILON * (length * length + found.norm_squared());
        let off = pendulum.constraint(t, &found)[0].abs();
        let near = off <= limit * q.norm() * 1.001 + round_off;
        assert!(finite(&found) && near, "{q:?} to {found:?}, off by {off:e}, limit {limit:e}");
    }
    if let Ok(found) = projection.onto_velocities(&pendulum, t, &q, &v) {
        assert!(finite(&found), "{v:?} to {found:?} at {q:?}");
    }
    let redundant = Projection::<f64, 1>::redundant().iterations(iterations);
    if let Ok(found) = redundant.onto_positions(&pendulum, t, &q) {
        assert!(finite(&found), "{q:?} to {found:?}");
    }
    let (body, y) = (BodyInvariants::<f64, 2>(bytes.numbers([1.0, 1.0])), bytes.numbers([0.7, 0.4, 1.1]).into());
    if let Ok(found) = onto_invariant(&body, &y, iterations) {
        assert!(all_finite(&found), "{y:?} to {found:?}");
    }
    let matrix =
        Matrix::<f64, 3, 3>::from_column_slice(&bytes.numbers([0.9, 0.1, 0.0, -0.1, 1.1, 0.0, 0.05, 0.0, 1.0]));
    if let Ok(found) = onto_orthogonal(&matrix, iterations) {
        assert!((found.transpose() * found).is_identity(1e-7), "{matrix} to {found}");
    }
    if let Ok(found) = onto_determinant(&matrix, bytes.number(1.0), iterations) {
        assert!(all_finite(&found), "{matrix} to {found}");
    }
    minimal(&mut bytes);
    8 + charts(&mut bytes)
}

/// The Kepler problem on its energy, in every chart but the one of the sphere; and the wind on the globe in every chart.
fn charts(bytes: &mut Bytes) -> u64 {
    let (kepler, y) = (Kepler { energy: bytes.number(-0.578125) }, bytes.numbers([0.4, 0.0, 0.0, 2.0]));
    let Ok(clock) = Clock::with_step(bytes.number::<f64>(1e-3)) else { return 1 };
    if let Ok(start) = ManifoldState::start(&kepler, clock, y) {
        let methods: [&dyn OnChart<Kepler<f64>, 4>; 3] = [&RungeKutta4::new(), &Chart::Projected, &Chart::Tangent];
        walk(&kepler, start, &methods);
    }
    let globe = Globe { size: bytes.number(1.0), wind: bytes.numbers([0.1, 0.2, 1.0, 0.0]) };
    if let Ok(start) = ManifoldState::start(&globe, clock, bytes.numbers([0.6, 0.0, 0.8])) {
        walk(&globe, start, &[&RungeKutta4::new(), &Chart::Projected, &Chart::Tangent, &Chart::Stereographic]);
    }
    30
}

/// A sphere of any size. The wind turns around an axis, and may blow off the ground.
struct Globe {
    size: f64,
    wind: [f64; 4],
}

impl Invariant<3, 1> for Globe {
    type Base = f64;

    fn residual<S: Real<Base = f64>>(&self, y: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(y.dot(y) - self.size) * 0.5]
    }
}

impl OnManifold<3, 1> for Globe {
    fn rate(&self, t: f64, y: &Vector<f64, 3>) -> Vector<f64, 3> {
        let [a, b, c, off] = self.wind;
        vector![a, b, c].cross(y) * (1.0 + t) + y * off
    }
}

/// A method on a manifold in `N` dimensions.
trait OnChart<System, const N: usize>: Step<System, ManifoldState<f64, N, 1>, Report = (), Error = StepError<f64>> {}

impl<System, M, const N: usize> OnChart<System, N> for M where
    M: Step<System, ManifoldState<f64, N, 1>, Report = (), Error = StepError<f64>>
{
}

/// Four steps with each method: an error leaves the state, after a success the point is finite and on the manifold.
fn walk<System: OnManifold<N, 1, Base = f64>, const N: usize>(
    system: &System,
    start: ManifoldState<f64, N, 1>,
    methods: &[&dyn OnChart<System, N>],
) {
    for method in methods {
        let mut state = start;
        for _ in 0..4 {
            let before = state;
            if let Err(error) = method.step(system, &mut state) {
                assert_eq!(state, before, "{}: {error}", method.name());
                break;
            }
            assert!(all_finite(state.point()), "{}: {before:?} to {state:?}", method.name());
        }
    }
}

/// Minimal coordinates of a double pendulum, here and elsewhere: the independent ones are as given, the others on the constraints.
fn minimal(bytes: &mut Bytes) {
    let [length, gravity] = bytes.numbers::<f64, 2>([1.0, 9.81]);
    let double = DoublePendulum { length, gravity, ..DoublePendulum::standard() };
    let (t, q) = (bytes.number(0.0), Vector::from(bytes.numbers([1.0, 0.0, 2.0, 0.0])));
    let nu = Vector::from(bytes.numbers([0.1, 0.2]));
    let Ok(here) = MinimalCoordinates::<f64, 4, 2, 2>::at(&double, t, &q) else { return };
    let judge = |at: &MinimalCoordinates<f64, 4, 2, 2>| {
        let [first, second] = at.independent();
        assert!(first < second && second < 4 && all_finite(at.basis()), "{at:?}");
        let acceleration = at.acceleration(&double, &nu);
        assert!(acceleration.is_ok_and(|found| all_finite(&found)) || acceleration.is_err(), "{at:?}");
        assert!(!all_finite(&nu) || at.of(&at.velocity(&double, &nu)) == nu, "{at:?}");
    };
    judge(&here);
    let eta = Vector::from(bytes.numbers(here.of(&q).into()));
    if let Ok(there) = here.moved(&double, &eta) {
        judge(&there);
        assert_eq!((there.of(there.position()), there.independent()), (eta, here.independent()));
        // Newton's method stops at √ε of each gradient: that of the second rod is √2 times the distance of its ends, at most 2 |q|.
        let (off, reach) =
            (double.constraint(t, there.position()).amax(), q.norm() + there.position().norm() + length.abs());
        assert!(off <= 3e-8 * reach + 8.0 * f64::EPSILON * reach * reach, "{off:e}: {here:?} to {there:?}");
    }
}
