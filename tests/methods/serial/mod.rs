//! Serial mechanisms: the same motion as the dense methods, in linear memory and time; one claim a module.
//!
//! The reference is the dense method on the same equations: [`Dense`] turns a serial mechanism into a mechanical system.

mod digits;
mod motion;
mod redundant;
mod refusals;
mod saved;
mod tree;

use taut::linalg::{Ldlt, Vector};
use taut::method::{Report, SerialReport, Step, StepError};
use taut::scalar::Real;
use taut::start::{Clock, Plain, Precision, SerialState, Start, State};
use taut::system::{Diagonal, Mechanical, Serial};

/// A serial mechanism of `N` elements as a system with `C` coordinates and `M` constraints.
pub struct Dense<System, const N: usize, const D: usize, const E: usize>(pub System);

impl<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize> Mechanical<C, M>
    for Dense<System, N, D, E>
where
    System: Serial<N, D, E, Base = f64>,
{
    type Base = f64;
    type Mass = Diagonal<f64, C>;
    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const ANGLES: [bool; C] = {
        let (mut angles, mut i) = ([false; C], 0);
        while i < C {
            angles[i] = System::ANGLES[i % D];
            i += 1;
        }
        angles
    };

    fn mass(&self) -> Diagonal<f64, C> {
        Diagonal::new(core::array::from_fn(|i| self.0.mass(i / D)[i % D]))
    }

    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, C>, v: &Vector<S, C>) -> Vector<S, C> {
        let mut force = Vector::<S, C>::zeros();
        for i in 0..N {
            let of = self.0.force(i, t, &element::<S, C, D>(q, i), &element::<S, C, D>(v, i));
            (0..D).for_each(|k| force[i * D + k] = of[k]);
        }
        force
    }

    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, C>) -> Vector<S, M> {
        let mut g = Vector::<S, M>::zeros();
        for joint in 0..M / E {
            let parent = if joint < N { System::PARENTS.before(joint) } else { N.checked_sub(1) };
            let before = parent.map_or_else(|| self.0.ground(t), |parent| element(q, parent));
            let behind = if joint == N { self.0.far_ground(t) } else { element(q, joint) };
            let of = self.0.constraint(joint, &before, &behind);
            (0..E).for_each(|k| g[joint * E + k] = of[k]);
        }
        g
    }
}

fn element<S: Real, const C: usize, const D: usize>(q: &Vector<S, C>, i: usize) -> Vector<S, D> {
    Vector::from_fn(|k, _| q[i * D + k])
}

pub fn clock() -> Clock<f64> {
    Clock::at_rate(1_000.0).unwrap()
}

/// A state of the dense form.
type DenseState<const C: usize, const M: usize, P> = State<f64, C, M, Ldlt<f64, M>, P>;

/// A method for both forms.
pub trait Both<System, P: Precision, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>:
    Step<System, SerialState<f64, N, D, E, P>, Report = SerialReport<f64, N, E>, Error = StepError<f64>>
    + Step<Dense<System, N, D, E>, DenseState<C, M, P>, Report = Report<f64, M>, Error = StepError<f64>>
{
}

impl<Method, System, P, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>
    Both<System, P, N, D, E, C, M> for Method
where
    P: Precision,
    Method: Step<System, SerialState<f64, N, D, E, P>, Report = SerialReport<f64, N, E>, Error = StepError<f64>>
        + Step<Dense<System, N, D, E>, DenseState<C, M, P>, Report = Report<f64, M>, Error = StepError<f64>>,
{
}

/// Runs a mechanism beside its dense form. Returns the largest difference of positions, velocities and turns; multipliers
/// and residuals are compared on the way.
pub fn difference<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>(
    system: System,
    guess: [[f64; D]; N],
    velocity: [[f64; D]; N],
    method: &impl Both<System, Plain, N, D, E, C, M>,
    steps: usize,
) -> f64
where
    System: Serial<N, D, E, Base = f64>,
{
    let state = SerialState::moving(&system, clock(), guess, velocity).unwrap();
    let dense = Dense::<System, N, D, E>(system);
    let flat = |x: [[f64; D]; N]| Vector::<f64, C>::from_fn(|i, _| x[i / D][i % D]);
    let reference = Start::<_, C, M>::at(&dense, clock(), flat(guess)).plain().moving(flat(velocity)).unwrap();
    difference_between(&dense, state, reference, method, steps)
}

/// The same from these two states.
pub fn difference_between<System, P, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>(
    dense: &Dense<System, N, D, E>,
    mut state: SerialState<f64, N, D, E, P>,
    mut reference: DenseState<C, M, P>,
    method: &impl Both<System, P, N, D, E, C, M>,
    steps: usize,
) -> f64
where
    P: Precision,
    System: Serial<N, D, E, Base = f64>,
{
    for step in 0..steps {
        let expected = method.step(dense, &mut reference).unwrap();
        let report = method.step(&dense.0, &mut state).unwrap();
        for row in 0..M {
            let joint = report.joints.get(row / E).unwrap_or(&report.closing);
            let (multiplier, other) = (joint.multipliers[row % E], expected.multipliers[row]);
            assert!((multiplier - other).abs() < 1e-6 * (1.0 + other.abs()), "{row} of {step}: {multiplier}, {other}");
            assert!((joint.position_residual[row % E] - expected.position_residual[row]).abs() < 1e-13);
            assert!((joint.velocity_residual[row % E] - expected.velocity_residual[row]).abs() < 1e-12);
        }
        // Pivots depend on the order of the elimination, and a tree has one of its own.
        if System::PARENTS.is_row() {
            assert!((report.smallest_pivot / expected.smallest_pivot - 1.0).abs() < 1e-6);
        }
    }
    assert_eq!(state.clock().tick(), reference.clock().tick());
    let mut largest = 0.0_f64;
    for i in 0..C {
        let q = state.position(i / D).unwrap()[i % D] - reference.position()[i];
        let v = state.velocity(i / D).unwrap()[i % D] - reference.velocity()[i];
        let turns = state.turns(i / D).unwrap()[i % D] - reference.turns()[i];
        largest = largest.max(q.abs()).max(v.abs()).max(f64::from(turns.abs()));
    }
    largest
}

pub const REST: [f64; 2] = [0.0; 2];

/// The state before, as bits: an error must not change it.
pub fn bits<const N: usize, const D: usize, const E: usize, P: Precision>(
    state: &SerialState<f64, N, D, E, P>,
) -> Vec<u64> {
    let numbers = |i| {
        let (q, v) = (state.full_position(i).unwrap(), state.full_velocity(i).unwrap());
        [*q.rounded(), q.low(), *v.rounded(), v.low()]
            .map(|x| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .concat()
    };
    (0..N).flat_map(numbers).chain([state.clock().tick()]).collect()
}
