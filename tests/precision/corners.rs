//! Models with corners work in every precision: the end of a trajectory between two ticks, a guide with a kink, angles far
//! outside of a turn.

use crate::clock;
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{Composition, ImplicitEuler, Rattle, RungeKutta4, Step};
use taut::scalar::{Float, Real};
use taut::start::{Precision, Start, State};
use taut::system::{Diagonal, Mechanical};
use taut::trajectory::{Cubic, Limits, MinimumJerk, SCurve, Trajectory};

/// A mass that is led along a trajectory.
struct Led<Path>(Path);

impl<T: Float, Path: Trajectory<1, Base = T>> Mechanical<1, 1> for Led<Path> {
    type Base = T;
    type Mass = Diagonal<T, 1>;
    const VELOCITY_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<T, 1> {
        Diagonal::new([T::one()])
    }
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
        vector![q.x - self.0.at(t).x]
    }
}

/// Follows the path to its end and beyond, at 1 kHz; its end must lie between two ticks.
fn follow<T: Float, P: Precision, Path: Trajectory<1, Base = T>>(
    name: &str,
    system: &Led<Path>,
    start: State<T, 1, 1, Ldlt<T, 1>, P>,
) {
    let (rattle, suzuki) = (Rattle::new(), Composition::suzuki());
    let (euler, runge_kutta) = (ImplicitEuler::new(), RungeKutta4::new());
    let ticks = (system.0.duration().to_f64() * 1e3) as usize + 50;
    let [mut first, mut second, mut third, mut fourth] = [start; 4];
    for tick in 0..ticks {
        let said = |result: Result<(), String>| result.unwrap_or_else(|error| panic!("{name}, tick {tick}: {error}"));
        said(rattle.step(system, &mut first).map(drop).map_err(|error| error.to_string()));
        said(suzuki.step(system, &mut second).map(drop).map_err(|error| error.to_string()));
        said(euler.step(system, &mut third).map(drop).map_err(|error| error.to_string()));
        said(runge_kutta.step(system, &mut fourth).map(drop).map_err(|error| error.to_string()));
    }
    // At rest at the end, up to the round-off of an evaluation there.
    for state in [first, second, third, fourth] {
        let off = (state.position().x - system.0.at(T::from_f64(1e3)).x).abs();
        assert!(off <= T::from_f64(4.0) * T::EPSILON, "{name}: {off:e}");
    }
}

fn all_precisions<T: Float, Path: Trajectory<1, Base = T>>(name: &str, path: Path) {
    let system = Led(path);
    let start = || Start::at(&system, clock(), [T::zero()]);
    follow(&format!("{name}, plain"), &system, start().plain().at_rest().unwrap());
    follow(&format!("{name}, compensated"), &system, start().compensated().at_rest().unwrap());
    follow(&format!("{name}, precise"), &system, start().precise().at_rest().unwrap());
}

fn trajectories_end_between_two_ticks<T: Float>() {
    let number = T::from_f64;
    let (from, to, duration) = ([T::zero()], [number(0.5)], number(0.5003));
    all_precisions("cubic", Cubic::point_to_point(from, to, duration).unwrap());
    all_precisions("minimum jerk", MinimumJerk::point_to_point(from, to, duration).unwrap());
    let limits = Limits::new(number(1.3), number(7.0), number(90.0)).unwrap();
    all_precisions("S-curve", SCurve::point_to_point(T::zero(), number(0.5), &limits).unwrap());
}

#[test]
fn trajectories_end_between_two_ticks_in_f32() {
    trajectories_end_between_two_ticks::<f32>();
}

#[test]
fn trajectories_end_between_two_ticks_in_f64() {
    trajectories_end_between_two_ticks::<f64>();
}

/// A guide that is level up to x = 0.1 and rises from there.
struct Kinked;

impl Mechanical<2, 1> for Kinked {
    type Base = f32;
    type Mass = Diagonal<f32, 2>;
    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<f32, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let rise = if q.x.value() > 0.1 { (q.x - 0.1) * 0.5 } else { S::from(0.0) };
        vector![q.y - rise]
    }
}

fn pass_the_kink<P: Precision>(mut state: State<f32, 2, 1, Ldlt<f32, 1>, P>) {
    let rattle = Rattle::new();
    for _ in 0..200 {
        rattle.step(&Kinked, &mut state).unwrap();
    }
    let q = state.position();
    assert!(q.x > 0.15 && (q.y - (q.x - 0.1) * 0.5).abs() < 2.0 * f32::EPSILON, "{q:?}");
}

#[test]
fn a_kink_in_a_guide_is_passed() {
    let start = || Start::at(&Kinked, clock(), [0.0, 0.0]);
    pass_the_kink(start().plain().moving([1.0, 0.0]).unwrap());
    pass_the_kink(start().compensated().moving([1.0, 0.0]).unwrap());
    pass_the_kink(start().precise().moving([1.0, 0.0]).unwrap());
}

/// x = cos θ, without forces: at rest the multiplier is zero.
struct Wheel;

impl Mechanical<2, 1> for Wheel {
    type Base = f32;
    type Mass = Diagonal<f32, 2>;
    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 2] = [true, false];

    fn mass(&self) -> Diagonal<f32, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.y - q.x.cos()]
    }
}

#[test]
fn the_start_brings_angles_into_one_turn() {
    for angle in [4.0_f32, 40.0, -1_000.0] {
        let mut state = Start::at(&Wheel, clock(), [angle, angle.cos()]).precise().at_rest().unwrap();
        let (inside, turns) = (state.position().x, state.turns()[0]);
        assert!(inside.abs() <= core::f32::consts::PI);
        // Assembly moves the guess by the rounding error of the cosine.
        let whole = f64::from(inside) + core::f64::consts::TAU * f64::from(turns);
        assert!((whole - f64::from(angle)).abs() < 1e-6, "{angle}: {inside} and {turns} turns");
        let rattle = Rattle::new();
        for _ in 0..20 {
            let multiplier = rattle.step(&Wheel, &mut state).unwrap().multipliers[0];
            // The error of the double-float, 2⁻⁴⁴ of the cosine, over h².
            assert!(multiplier.abs() < 1e-6, "{angle}: {multiplier:e}");
        }
    }
}
