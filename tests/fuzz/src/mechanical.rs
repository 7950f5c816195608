//! Steps of every method from states of mechanical systems.

use core::num::NonZeroU64;

use mechanisms::Driven;
use nalgebra::vector;
use taut::linalg::{SymmetricFactors, Vector};
use taut::method::{AnyMethod, Bdf2, LocalRungeKutta4, Partitioned, Report, Step, StepError, every_method};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Precision, Start, StartError, State};
use taut::system::{Diagonal, Mechanical};

use crate::all_finite;
use crate::bytes::Bytes;
use crate::variants::good::flaw;
use crate::variants::{Any, Outcome, every_variant};

/// A driven pendulum with every method and variant. Model and clock may change between steps. A step that succeeds is correct.
pub fn steps<T: Float>(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [h, x, y, u, v] = bytes.numbers([1e-3, 0.6, -0.8, 0.8, 0.6]);
    let mut system = driven(&mut bytes);
    let Ok(clock) = Clock::<T>::with_step(h) else { return 1 };
    let Ok(mut state) = Start::at(&system, clock, [x, y, T::zero()]).moving([u, v, T::one()]) else { return 2 };
    let (mut calls, mut methods) = (2, 0);
    every_variant(&mut |_: &Any<Driven<T>, T, 3, 1>| methods += 1);
    for _ in 0..8 {
        let (before, chosen, mut index) = (state, bytes.below(methods), 0);
        every_variant(&mut |method: &Any<Driven<T>, T, 3, 1>| {
            let (mut after, name) = (before, method.name());
            let result = method.step(&system, &mut after);
            assert!(result.is_ok() || same(&before, &after), "{name} failed and changed {before:?} to {after:?}");
            let found = flaw(&system, &before, &Outcome { name, result, after });
            assert!(found.is_none(), "{} from {before:?}", found.unwrap_or_default());
            state = if index == chosen { after } else { state };
            index += 1;
        });
        calls += methods as u64;
        if !bytes.more() {
            break;
        }
        disturb(&mut bytes, state.clock_mut());
        if bytes.byte() & 3 == 3 {
            system = driven(&mut bytes);
        }
    }
    calls
}

pub fn driven<T: Float>(bytes: &mut Bytes<'_>) -> Driven<T> {
    let [length, torque, push] = bytes.numbers([1.0, 0.0, 0.0]);
    Driven { length, torque, push }
}

/// Uses the clock as a program may, with any numbers.
pub fn disturb<T: Float>(bytes: &mut Bytes<'_>, clock: &mut Clock<T>) {
    let (before, time) = (*clock, clock.time());
    match bytes.byte() % 8 {
        4 => clock.set_epoch(bytes.number(0.0)),
        5 => clock.set_period(NonZeroU64::new(bytes.bits(2))),
        6 => {
            let refused = clock.set_step(bytes.number(1e-3)).is_err();
            let good = if refused { *clock == before } else { clock.time() == time };
            assert!(good || !time.is_finite(), "{before:?} to {clock:?}");
        }
        _ => {}
    }
}

/// Whether nothing has changed. The text has every bit, also of private parts, but takes long.
fn same<T, F, P, const N: usize, const M: usize>(one: &State<T, N, M, F, P>, other: &State<T, N, M, F, P>) -> bool
where
    T: Float,
    F: Copy + core::fmt::Debug,
    P: Precision,
{
    one.save() == other.save() || format!("{one:?}") == format!("{other:?}")
}

/// Two constraints on three coordinates, with any coefficients: linear, quadratic, one of time, constant.
#[derive(Clone, Copy, Debug)]
pub struct AnyModel<T> {
    masses: [T; 3],
    forces: [T; 6],
    rows: [[T; 8]; 2],
}

impl AnyModel<f32> {
    /// With `repeats`, the constraints depend on each other.
    pub fn read(bytes: &mut Bytes<'_>, repeats: bool) -> Self {
        let (masses, forces) = (bytes.numbers([1.0; 3]), bytes.numbers([9.81, 0.0, 0.1, 0.0, 0.0, 0.0]));
        let circle = bytes.numbers([0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, -0.5]);
        let plane = if repeats { circle } else { bytes.numbers([-1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) };
        Self { masses, forces, rows: [circle, plane] }
    }
}

impl<T: Float> Mechanical<3, 2> for AnyModel<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new(self.masses)
    }
    fn force<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let [gravity, spring, damping, coupling, drive, cubic] = self.forces;
        let first = q.x * -spring + v.y * coupling + t.sin() * drive;
        vector![first, v.y * -damping - v.x * coupling - gravity, v.z * v.z * v.z * -cubic - v.z * damping]
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        Vector::from(self.rows.map(|[a, b, c, d, e, f, g, k]| {
            q.x * a + q.y * b + q.z * c + q.x * q.x * d + q.y * q.y * e + q.x * q.z * f + t.sin() * g + k
        }))
    }
}

/// What is called with a method for any model.
pub type Show<'a, System, F, P> = &'a mut dyn FnMut(&AnyMethod<System, f32, 3, 2, F, P>);

/// A model and the methods that step it.
pub trait Stepped: Mechanical<3, 2, Base = f32> {
    fn methods<F: SymmetricFactors<f32, 2>, P: Precision>(show: Show<'_, Self, F, P>);
}

impl Stepped for AnyModel<f32> {
    fn methods<F: SymmetricFactors<f32, 2>, P: Precision>(show: Show<'_, Self, F, P>) {
        every_method(show);
    }
}

/// A start of a model with three coordinates.
pub type AnyStart<'a, System> = Start<'a, System, 3, 2>;

/// Models with any coefficients, in plain and precise states; in the third kind the constraints may depend on each other.
pub fn any_model(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let kind = bytes.byte() % 4;
    let model = AnyModel::read(&mut bytes, kind == 3);
    let Some((start, v)) = start(&model, &mut bytes) else { return 1 };
    match kind {
        0 => walk(&model, start.plain().moving(v), bytes),
        1 => walk(&model, start.precise().moving(v), bytes),
        _ => walk(&model, start.redundant().plain().moving(v), bytes),
    }
}

/// A start at any place and time with any limit, and a velocity; `None` if there is no such step.
pub fn start<'a, System: Mechanical<3, 2, Base = f32>>(
    model: &'a System,
    bytes: &mut Bytes<'_>,
) -> Option<(AnyStart<'a, System>, [f32; 3])> {
    let (q, v) = (bytes.numbers([0.6, -0.8, 0.6]), bytes.numbers([0.8, 0.6, 0.8]));
    let (h, limit) = (bytes.number(1e-3), bytes.number(f64::from(f32::ROOT_EPSILON)));
    let clock = Clock::with_step(h).ok()?.at_time(bytes.number(0.0));
    Some((Start::at(model, clock, q).limit(limit), v))
}

/// Every method from each of a few states, which a method of the input leads to.
pub fn walk<System: Stepped, F: SymmetricFactors<f32, 2>, P: Precision>(
    model: &System,
    start: Result<State<f32, 3, 2, F, P>, StartError<f32>>,
    mut bytes: Bytes<'_>,
) -> u64 {
    let Ok(mut state) = start else { return 2 };
    assert!(all_finite(state.position().iter().chain(state.velocity())), "{state:?}");
    let (mut calls, mut methods) = (2, 0);
    System::methods(&mut |_: &AnyMethod<System, f32, 3, 2, F, P>| methods += 1);
    // The tangent and the partitioned coordinates.
    methods += 2;
    for _ in 0..4 {
        let (before, chosen, mut index) = (state, bytes.below(methods), 0);
        let mut judge = |name, result, after: &State<f32, 3, 2, F, P>| {
            assert_good(name, result, [&before, after]);
            state = if index == chosen { *after } else { state };
            index += 1;
        };
        System::methods(&mut |method: &AnyMethod<System, f32, 3, 2, F, P>| {
            let mut after = before;
            judge(method.name(), method.step(model, &mut after), &after);
        });
        let mut after = before;
        judge("tangent", LocalRungeKutta4::tangent().step(model, &mut after), &after);
        let mut after = Partitioned::new(before);
        let result = LocalRungeKutta4::partitioned().step(model, &mut after);
        judge("partitioned", result, after.state());
        if let Ok(mut nodes) = Bdf2::new().begin(model, before) {
            let first = *nodes.state();
            let result = Bdf2::new().step(model, &mut nodes);
            assert_good("bdf_2", result, [&first, nodes.state()]);
        }
        calls += 2;
        calls += methods as u64;
        if !bytes.more() {
            break;
        }
        disturb(&mut bytes, state.clock_mut());
    }
    calls
}

/// A step that fails leaves the state. After one that succeeds all numbers are finite, and the constraints hold.
fn assert_good<F: SymmetricFactors<f32, 2>, P: Precision>(
    name: &str,
    result: Result<Report<f32, 2>, StepError<f32>>,
    [before, after]: [&State<f32, 3, 2, F, P>; 2],
) {
    match result {
        Err(_) => assert!(same(before, after), "{name} failed and changed {before:?} to {after:?}"),
        Ok(report) => {
            let numbers = after.position().iter().chain(after.velocity()).chain(&report.multipliers);
            assert!(all_finite(numbers), "{name}: {report:?}, {after:?}");
            assert_eq!(after.clock().tick(), before.clock().tick() + 1, "{name}");
            let held = report.position_residual.iter().zip(before.limits()).all(|(g, limit)| g.abs() <= *limit);
            assert!(held, "{name}: {report:?}, limits {:?}", before.limits());
        }
    }
}
