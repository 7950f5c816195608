//! Starts and steps of serial mechanisms: open and closed, with redundant constraints, with every number of digits.

use mechanisms::HangingChain;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, SerialReport, Step, StepError};
use taut::scalar::Real;
use taut::start::{
    Carried, Clock, Compensated, Coordinates, Plain, Precise, Precision, SavedSerial, SerialState, StartError,
};
use taut::system::Serial;

use crate::all_finite;
use crate::bytes::Bytes;
use crate::mechanical::disturb;

/// Three elements (x, y, θ) whose joints have constraints with any coefficients: linear, quadratic, of the angles, constant.
#[derive(Clone, Copy, Debug)]
struct AnyChain<const E: usize, const CLOSED: bool> {
    masses: [f32; 3],
    /// Gravity, damping, spring.
    forces: [f32; 3],
    rows: [[f32; 7]; E],
    /// The swing of the near ground, and the place of the far one.
    ground: [f32; 2],
}

impl<const E: usize, const CLOSED: bool> Serial<3, 3, E> for AnyChain<E, CLOSED> {
    type Base = f32;

    const CLOSED: bool = CLOSED;
    const ANGLES: [bool; 3] = [false, false, true];
    // Two constraints at each joint of a closed chain: one of those of the angles follows from the others.
    const REDUNDANT: bool = E == 2 && CLOSED;

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
            x * along + y * up + z * turn + (x * x + y * y) * square + b.z.sin() * sine + a.z.cos() * cosine + constant
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
fn chain<const E: usize, const CLOSED: bool>(bytes: &mut Bytes<'_>) -> AnyChain<E, CLOSED> {
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

/// Any chain with any state. The first byte chooses its form and its digits.
pub fn steps(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    match bytes.byte() % 7 {
        0 => plain::<1, false>(bytes),
        1 => plain::<1, true>(bytes),
        2 => plain::<2, true>(bytes),
        3 => begin::<2, false, Compensated>(bytes, SerialState::compensated, &[]),
        4 => begin::<1, true, Precise>(bytes, SerialState::precise, &[]),
        5 => begin::<2, true, Compensated>(bytes, SerialState::compensated, &[]),
        _ => begin::<2, true, Precise>(bytes, SerialState::precise, &[]),
    }
}

fn plain<const E: usize, const CLOSED: bool>(bytes: Bytes<'_>) -> u64 {
    begin::<E, CLOSED, Plain>(bytes, |state, _| Ok(state), &[&RungeKutta4::new()])
}

/// Starts with these digits. Besides RATTLE, the given methods step.
fn begin<const E: usize, const CLOSED: bool, P: Precision>(
    mut bytes: Bytes<'_>,
    digits: Digits<AnyChain<E, CLOSED>, E, P>,
    more: &[Method<'_, AnyChain<E, CLOSED>, E, P>],
) -> u64 {
    let mut system = chain::<E, CLOSED>(&mut bytes);
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
fn check<const D: usize, const E: usize, P: Precision>(state: &SerialState<f32, 3, D, E, P>) {
    let saved = state.save();
    for x in saved.q.iter().chain(&saved.v) {
        assert!(all_finite(x.rounded()) && all_finite(&x.low()), "{saved:?}");
    }
    for joint in saved.joints.iter().chain([&saved.closing]) {
        assert!(all_finite(&joint.multipliers) && all_finite(&joint.last_residual.kept()), "{saved:?}");
    }
}

/// Whether nothing has changed that a step uses. The text tells 0 from −0 and equals itself where the time is NaN.
fn same<const D: usize, const E: usize, P: Precision>(
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

/// A saved chain with one bit changed is refused. Sealed anew it is refused, too, or good for steps.
pub fn saved(data: &[u8]) -> u64 {
    let (mut bytes, chain) = (Bytes(data), HangingChain::<f32, 3>::standard());
    let clock = Clock::at_rate(1_000.0).expect("a rate");
    let plain = SerialState::at_rest(&chain, clock, HangingChain::<f32, 3>::position()).expect("a start");
    let mut state = plain.precise(&chain).expect("its digits");
    for _ in 0..bytes.below(4) {
        Rattle::new().step(&chain, &mut state).expect("a step");
    }
    let whole = state.save();
    assert!(whole.restore(&chain).is_ok_and(|restored| same(&restored, &state)), "its own bits: {whole:?}");
    let mut calls = 2;
    while bytes.more() && calls < 100 {
        let mut damaged = whole;
        flip(&mut damaged, &mut bytes);
        assert!(damaged.restore(&chain).is_err(), "{damaged:?} of {whole:?}");
        calls += 1;
        let Ok(mut restored) = damaged.sealed().restore(&chain) else { continue };
        check(&restored);
        for _ in 0..2 {
            let before = restored;
            let result = Rattle::new().step(&chain, &mut restored);
            assert!(result.is_ok() || same(&before, &restored), "{before:?} to {restored:?}");
            check(&restored);
            calls += 1;
        }
    }
    calls
}

/// Changes one bit of any field.
fn flip(saved: &mut SavedSerial<f32, 3, 2, 1, Precise>, bytes: &mut Bytes<'_>) {
    let (field, element, k, bit) = (bytes.below(17), bytes.below(3), bytes.below(2), bytes.byte());
    let number = |x: &mut f32| *x = f32::from_bits(x.to_bits() ^ 1 << (bit % 32));
    let joint = if field < 10 { &mut saved.joints[element] } else { &mut saved.closing };
    match field {
        0..4 => {
            let coordinates = if field < 2 { &mut saved.q[element] } else { &mut saved.v[element] };
            let (mut high, mut low) = (*coordinates.rounded(), coordinates.low());
            number(if field % 2 == 0 { &mut high[k] } else { &mut low[k] });
            *coordinates = Coordinates::from_parts(high, low);
        }
        4 | 10 => number(&mut joint.multipliers[0]),
        5 | 11 => number(&mut joint.limits[0]),
        6 | 12 => {
            let mut residual = joint.last_residual.kept();
            number(&mut residual[0]);
            joint.last_residual = Carried::keep(residual);
        }
        7 => saved.turns[(k, element)] ^= 1 << (bit % 32),
        8 => number(&mut saved.next_multipliers_weight),
        9 => number(&mut saved.step),
        13 => number(&mut saved.origin),
        14 => {
            let ticks = [&mut saved.tick, &mut saved.epoch, &mut saved.period];
            *ticks.into_iter().nth(element).expect("one of three") ^= 1 << (bit % 64);
        }
        15 => saved.version ^= 1 << (bit % 32),
        _ => saved.checksum ^= 1 << (bit % 32),
    }
}
