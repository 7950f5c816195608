//! Starts and steps of serial mechanisms: rows and trees, open and closed, with redundant constraints, with every number of digits.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, SerialReport, Step, StepError};
use taut::scalar::Real;
use taut::start::{Carried, Clock, Compensated, Plain, Precise, Precision, SerialState, StartError};
use taut::system::{Parents, Serial};

use crate::all_finite;
use crate::bytes::Bytes;
use crate::mechanical::disturb;

/// What a form has; the sum of these, zero for a row.
const CLOSED: u8 = 1;
const REDUNDANT: u8 = 2;
const RELATIVE: u8 = 4;
/// The second and third element hang from the first.
const TREE: u8 = 8;
/// The second element hangs from the ground, the third from the first.
const FOREST: u8 = 16;

/// Three elements (x, y, θ) whose joints have constraints with any coefficients: linear, quadratic, of the angles, constant. Relative
/// ones use the difference of the angles.
#[derive(Clone, Copy, Debug)]
struct AnyChain<const E: usize, const FORM: u8> {
    masses: [f32; 3],
    /// Gravity, damping, spring.
    forces: [f32; 3],
    rows: [[f32; 7]; E],
    /// The swing of the near ground, and the place of the far one.
    ground: [f32; 2],
}

impl<const E: usize, const FORM: u8> Serial<3, 3, E> for AnyChain<E, FORM> {
    type Base = f32;

    const CLOSED: bool = FORM & CLOSED != 0;
    const ANGLES: [bool; 3] = [false, false, true];
    const REDUNDANT: bool = FORM & REDUNDANT != 0;
    const RELATIVE: bool = FORM & RELATIVE != 0;
    const PARENTS: Parents<3> = match FORM & (TREE | FOREST) {
        0 => Parents::row(),
        TREE => Parents::of([None, Some(0), Some(0)]),
        _ => Parents::of([None, None, Some(0)]),
    };

    fn mass(&self, element: usize) -> Vector<f32, 3> {
        Vector::repeat(self.masses[element])
    }
    fn force<S: Real<Base = f32>>(&self, element: usize, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let [gravity, damping, spring] = self.forces;
        let mass = self.masses[element];
        vector![v.x * -damping - q.x * spring, v.y * -damping - gravity * mass, v.z * -damping + t.sin() * spring]
    }
    fn constraint<S: Real<Base = f32>>(&self, _joint: usize, a: &Vector<S, 3>, b: &Vector<S, 3>) -> Vector<S, E> {
        let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z);
        Vector::from(self.rows.map(|[along, up, turn, square, sine, cosine, constant]| {
            let (near, far) = if Self::RELATIVE { (z, z) } else { (a.z, b.z) };
            x * along + y * up + z * turn + (x * x + y * y) * square + far.sin() * sine + near.cos() * cosine + constant
        }))
    }
    fn ground<S: Real<Base = f32>>(&self, t: S) -> Vector<S, 3> {
        vector![t.sin() * self.ground[0], S::zero(), S::zero()]
    }
    fn far_ground<S: Real<Base = f32>>(&self, _t: S) -> Vector<S, 3> {
        vector![S::from(self.ground[1]), S::zero(), S::zero()]
    }
}

/// Reads a chain of rods, whose angles stay equal if there is a second constraint.
fn chain<const E: usize, const FORM: u8>(bytes: &mut Bytes<'_>) -> AnyChain<E, FORM> {
    let (rod, angle) = ([0.0, 0.0, 0.0, 0.5, 0.0, 0.0, -0.5], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    AnyChain {
        masses: bytes.numbers([1.0; 3]),
        forces: bytes.numbers([9.81, 0.1, 0.0]),
        rows: core::array::from_fn(|row| bytes.numbers(if row == 0 { rod } else { angle })),
        ground: bytes.numbers([0.0, 2.0]),
    }
}

/// A state of three elements with these digits.
type State<const E: usize, P> = SerialState<f32, 3, 3, E, P>;

/// A method for such a state.
type Method<'a, System, const E: usize, P> =
    &'a dyn Step<System, State<E, P>, Report = SerialReport<f32, 3, E>, Error = StepError<f32>>;

/// Gives a plain state more digits.
type Digits<System, const E: usize, P> = fn(State<E, Plain>, &System) -> Result<State<E, P>, StartError<f32>>;

/// Any row with any state. The first byte chooses its form and its digits. In a closed one with two constraints at each joint, one of those
/// of the angles follows from the others.
pub fn steps(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    match bytes.byte() % 7 {
        0 => plain::<1, 0>(bytes),
        1 => plain::<1, CLOSED>(bytes),
        2 => plain::<2, { CLOSED | REDUNDANT }>(bytes),
        3 => begin::<2, 0, Compensated>(bytes, SerialState::compensated, &[]),
        4 => begin::<1, CLOSED, Precise>(bytes, SerialState::precise, &[]),
        5 => begin::<2, { CLOSED | REDUNDANT }, Compensated>(bytes, SerialState::compensated, &[]),
        _ => begin::<2, { CLOSED | REDUNDANT }, Precise>(bytes, SerialState::precise, &[]),
    }
}

/// The same of trees, and of constraints that use only differences.
pub fn trees(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    match bytes.byte() % 8 {
        0 => plain::<1, TREE>(bytes),
        1 => plain::<1, { FOREST | CLOSED }>(bytes),
        2 => plain::<2, { TREE | CLOSED | REDUNDANT }>(bytes),
        3 => plain::<2, { TREE | RELATIVE }>(bytes),
        4 => plain::<2, { CLOSED | RELATIVE | REDUNDANT }>(bytes),
        5 => begin::<2, { TREE | CLOSED | RELATIVE }, Compensated>(bytes, SerialState::compensated, &[]),
        6 => begin::<1, { FOREST | RELATIVE }, Precise>(bytes, SerialState::precise, &[]),
        _ => begin::<2, { TREE | RELATIVE | REDUNDANT }, Precise>(bytes, SerialState::precise, &[]),
    }
}

fn plain<const E: usize, const FORM: u8>(bytes: Bytes<'_>) -> u64 {
    begin::<E, FORM, Plain>(bytes, |state, _| Ok(state), &[&RungeKutta4::new()])
}

/// Starts with these digits. Besides RATTLE, the given methods step.
fn begin<const E: usize, const FORM: u8, P: Precision>(
    mut bytes: Bytes<'_>,
    digits: Digits<AnyChain<E, FORM>, E, P>,
    more: &[Method<'_, AnyChain<E, FORM>, E, P>],
) -> u64 {
    let mut system = chain::<E, FORM>(&mut bytes);
    let guess = [[0.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 0.0, 0.0]].map(|usual| bytes.numbers(usual));
    let velocity = [[0.0; 3]; 3].map(|usual| bytes.numbers(usual));
    let Ok(clock) = Clock::with_step(bytes.number(1e-3)) else { return 1 };
    let started = SerialState::moving(&system, clock.at_time(bytes.number(0.0)), guess, velocity);
    let Ok(mut state) = started.and_then(|state| digits(state, &system)) else { return 2 };
    check(&state);
    let (two, four) = (Rattle::new(), Rattle::new().iterations::<4>());
    let methods: Vec<Method<'_, _, E, P>> = [&two as Method<'_, _, E, P>, &four].iter().chain(more).copied().collect();
    let mut calls = 2;
    for _ in 0..6 {
        let (before, chosen) = (state, bytes.below(methods.len()));
        for (index, method) in methods.iter().enumerate() {
            let (mut after, name) = (before, method.name());
            match method.step(&system, &mut after) {
                Err(error) => unchanged(&system, *method, &before, &after, &error),
                Ok(report) => {
                    check(&after);
                    let (limits, joints) = (after.save(), report.joints.iter().chain([&report.closing]));
                    for (joint, limits) in joints.zip(limits.joints.iter().chain([&limits.closing])) {
                        assert!(all_finite(&joint.multipliers), "{name}: {report:?}, {after:?}");
                        let mut held = joint.position_residual.iter().zip(&limits.limits);
                        assert!(held.all(|(g, limit)| g.abs() <= *limit), "{name}: {report:?}, {limits:?}");
                    }
                    assert_eq!(after.clock().tick(), before.clock().tick().wrapping_add(1), "{name}");
                    assert!(usize::from(report.rank) <= 4 * E, "{name}: {report:?}");
                }
            }
            state = if index == chosen { after } else { state };
        }
        calls += methods.len() as u64;
        if !bytes.more() {
            break;
        }
        disturb(&mut bytes, state.clock_mut());
        match bytes.byte() & 7 {
            6 => {
                let (before, resumed) = (state, state.resume(&system));
                assert!(resumed.is_ok() || same(&before, &state), "resume failed and changed {before:?} to {state:?}");
            }
            7 => system = chain(&mut bytes),
            _ => {}
        }
        if let Ok(restored) = state.save().restore(&system) {
            assert!(same(&restored, &state), "{restored:?} from {state:?}");
        }
    }
    calls
}

/// All numbers of a state are finite.
pub fn check<const D: usize, const E: usize, P: Precision>(state: &SerialState<f32, 3, D, E, P>) {
    let saved = state.save();
    for x in saved.q.iter().chain(&saved.v) {
        assert!(all_finite(x.rounded()) && all_finite(&x.low()), "{saved:?}");
    }
    for joint in saved.joints.iter().chain([&saved.closing]) {
        assert!(all_finite(&joint.multipliers) && all_finite(&joint.last_residual.kept()), "{saved:?}");
    }
}

/// Whether nothing has changed that a step uses. The text tells 0 from −0 and equals itself where the time is NaN.
pub fn same<const D: usize, const E: usize, P: Precision>(
    one: &SerialState<f32, 3, D, E, P>,
    other: &SerialState<f32, 3, D, E, P>,
) -> bool {
    let (one, other) = (one.save(), other.save());
    one.checksum == other.checksum && (one == other || format!("{one:?}") == format!("{other:?}"))
}

/// A step that failed has changed nothing that the next one uses.
fn unchanged<System, const E: usize, P: Precision>(
    system: &System,
    method: Method<'_, System, E, P>,
    before: &State<E, P>,
    after: &State<E, P>,
    error: &StepError<f32>,
) {
    let name = method.name();
    assert!(same(before, after), "{name} failed with {error} and changed {before:?} to {after:?}");
    let mut again = *after;
    let second = method.step(system, &mut again);
    assert!(second.is_err_and(|second| format!("{second:?}") == format!("{error:?}")), "{name}: first {error}");
}
