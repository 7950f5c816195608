//! Numerically consistent values in mid-run (Arévalo, (3.3) and (4.2b)): after a restart and after a new target, the multiplier of
//! implicit Euler on the position level is right from the first step. Without the correction its error is O(1) for any step size; these
//! tests would see it.

use mechanisms::{Pendulum, Problem51};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, Step};
use taut::scalar::Real;
use taut::start::{Clock, IndexThreeState, Start, StartError, State, resume};
use taut::system::{Diagonal, IndexThree, Mechanical};

const STEPS: [f64; 3] = [2e-3, 1e-3, 5e-4];

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

const EULER: ImplicitEuler = ImplicitEuler::new();

/// Order 1: it halves with the step.
fn assert_first_order(what: &str, errors: [f64; 3]) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - 1.0).abs() < 0.1, "{what}: slope {slope}, errors {errors:?}");
    }
}

/// O(1): it does not decrease with the step, and has about this size.
fn assert_spike(what: &str, errors: [f64; 3], expected: f64) {
    for error in errors {
        assert!((error / expected - 1.0).abs() < 0.1, "{what}: errors {errors:?}, not {expected}");
    }
}

/// Problem 5.1 after half a second.
fn problem_5_1(h: f64) -> State<f64, 2, 1> {
    let (q, v, _) = Problem51::exact(0.0);
    let mut state = Start::at(&Problem51::new(), clock(h), q).limit(0.1).moving(v).unwrap();
    EULER.make_consistent(&Problem51::new(), &mut state).unwrap();
    for _ in 0..(0.5 / h).round() as u32 {
        let _ = EULER.step(&Problem51::new(), &mut state).unwrap();
    }
    state
}

/// The error of the first multiplier against λ = |v|², that of the acceleration level.
fn first_error(state: &mut State<f64, 2, 1>) -> f64 {
    let report = EULER.step(&Problem51::new(), state).unwrap();
    let exact = Start::at(&Problem51::new(), *state.clock(), *state.position()).moving(*state.velocity()).unwrap();
    (report.multipliers[0] - exact.multipliers(&Problem51::new()).unwrap()[0]).abs()
}

#[test]
fn a_restart_in_mid_run_needs_the_correction() {
    // The velocities of the method are off their constraint by O(h), and a start puts them onto it.
    let restart = |h: f64| {
        let state = problem_5_1(h);
        Start::at(&Problem51::new(), *state.clock(), *state.position()).moving(*state.velocity()).unwrap()
    };
    assert_first_order("uninterrupted", STEPS.map(|h| first_error(&mut problem_5_1(h))));
    // Half of λ = 9, as in Table 5.1.
    assert_spike("without the correction", STEPS.map(|h| first_error(&mut restart(h))), 4.5);
    assert_first_order(
        "with the correction",
        STEPS.map(|h| {
            let mut state = restart(h);
            EULER.make_consistent(&Problem51::new(), &mut state).unwrap();
            first_error(&mut state)
        }),
    );
    // It changes only the velocity, by O(h).
    let (before, mut state) = (restart(1e-3), restart(1e-3));
    EULER.make_consistent(&Problem51::new(), &mut state).unwrap();
    assert_eq!((state.position(), state.clock().tick()), (before.position(), before.clock().tick()));
    let change = (state.velocity() - before.velocity()).norm();
    assert!((1e-3..1e-2).contains(&change), "{change}");
    // The error of the second step is O(h) in any case.
    assert_first_order(
        "second step",
        STEPS.map(|h| {
            let mut state = restart(h);
            let _ = EULER.step(&Problem51::new(), &mut state).unwrap();
            first_error(&mut state)
        }),
    );
}

#[test]
fn the_correction_in_mid_run_needs_no_resume() {
    // A step leaves the velocity off its constraint by O(h). The correction begins with a projection.
    let corrected = |h: f64, times: usize| {
        let mut state = problem_5_1(h);
        for _ in 0..times {
            EULER.make_consistent(&Problem51::new(), &mut state).unwrap();
        }
        state
    };
    assert_first_order("once", STEPS.map(|h| first_error(&mut corrected(h, 1))));
    assert_first_order("twice", STEPS.map(|h| first_error(&mut corrected(h, 2))));
    for h in STEPS {
        // The gradients at both ends of the step differ by O(h), the correction is O(h): |v| is 3, its curvature 9.
        let change = (corrected(h, 2).velocity() - corrected(h, 1).velocity()).amax();
        assert!(change < 3.0 * 9.0 * h * h, "h = {h}: {change}");
    }
    // In f32, where √ε is larger than the O(h) by which the velocity is off; precise, for the multiplier of one step.
    let pendulum = Pendulum::<f32>::standard();
    let clock = Clock::with_step(1e-4_f32).unwrap();
    let mut state = Start::at(&pendulum, clock, [0.6, -0.8]).precise().moving([0.8, 0.6]).unwrap();
    EULER.make_consistent(&pendulum, &mut state).unwrap();
    for _ in 0..100 {
        let before = EULER.step(&pendulum, &mut state).unwrap().multipliers[0];
        EULER.make_consistent(&pendulum, &mut state).unwrap();
        EULER.make_consistent(&pendulum, &mut state).unwrap();
        let after = EULER.step(&pendulum, &mut state).unwrap().multipliers[0];
        assert!((after - before).abs() < 1e-2 * before.abs(), "{before} {after}");
    }
}

#[test]
fn a_restored_state_needs_no_correction() {
    for h in STEPS {
        let mut state = problem_5_1(h);
        // The limit of the start is wide enough for velocities that are off by O(h); the default one is not.
        let mut saved = state.save();
        let mut restored = saved.restore(&Problem51::new()).unwrap();
        let expected = EULER.step(&Problem51::new(), &mut state).unwrap();
        let report = EULER.step(&Problem51::new(), &mut restored).unwrap();
        assert!((report.multipliers - expected.multipliers).amax() < 1e-7, "{}", report.multipliers);
        saved.limit = 1e-8;
        let error = saved.sealed().restore(&Problem51::new()).unwrap_err();
        assert!(matches!(error, StartError::Velocity(_)), "{error}");
    }
}

/// A load of 2 kg on a rope that a winch winds: its length is `length` + `speed` t + `acceleration` t²/2.
#[derive(Clone, Copy)]
struct Winch {
    length: f64,
    speed: f64,
    acceleration: f64,
}

impl Mechanical<2, 1> for Winch {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![v.x * -0.3, v.y * -0.3 - 19.62]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let length = t * self.speed + t * t * (self.acceleration / 2.0) + self.length;
        vector![(q.dot(q) - length * length) * 0.5]
    }
}

/// The time at which the target changes.
const CHANGE: f64 = 0.4;

/// The winch pulls with −1 m/s² until the change.
fn lifted(h: f64) -> (Winch, State<f64, 2, 1>) {
    let winch = Winch { length: 2.0, speed: 0.0, acceleration: -1.0 };
    let mut state = Start::at(&winch, clock(h), [1.2, -1.6]).moving([0.8, 0.6]).unwrap();
    EULER.make_consistent(&winch, &mut state).unwrap();
    for _ in 0..(CHANGE / h).round() as u32 {
        let _ = EULER.step(&winch, &mut state).unwrap();
    }
    // From here on time counts from the change.
    state.clock_mut().set_epoch(0.0);
    (Winch { length: 2.0 - CHANGE * CHANGE / 2.0, speed: -CHANGE, acceleration: -1.0 }, state)
}

/// λ of the acceleration level at a state, with its velocity made consistent.
fn multiplier(winch: &Winch, state: &State<f64, 2, 1>) -> f64 {
    let start = Start::at(winch, *state.clock(), *state.position());
    start.moving(*state.velocity()).unwrap().multipliers(winch).unwrap()[0]
}

/// The error of the multiplier in the first step after the change from the old to the new target.
fn after_change(h: f64, target: impl Fn(Winch) -> Winch, prepare: impl Fn(&Winch, &mut State<f64, 2, 1>)) -> f64 {
    let (old, mut state) = lifted(h);
    let new = target(old);
    prepare(&new, &mut state);
    let report = EULER.step(&new, &mut state).unwrap();
    (report.multipliers[0] - multiplier(&new, &state)).abs()
}

/// For a position that may be off the new constraint, too.
fn resumed_and_consistent(winch: &Winch, state: &mut State<f64, 2, 1>) {
    resume(winch, state).unwrap();
    EULER.make_consistent(winch, state).unwrap();
}

#[test]
fn a_new_acceleration_needs_the_correction() {
    let brake = |winch: Winch| Winch { acceleration: 4.0, ..winch };
    // The old motion left half of its acceleration in the velocity, the new one starts with half of its own:
    // the multiplier of the first step is the mean of the two.
    let (old, state) = lifted(1e-4);
    let jump = (multiplier(&brake(old), &state) - multiplier(&old, &state)).abs();
    assert!(jump > 4.0, "{jump}");
    assert_spike("as it is", STEPS.map(|h| after_change(h, brake, |_, _| ())), jump / 2.0);
    // `resume` alone makes the velocity right, but not the multiplier.
    let resumed = STEPS.map(|h| after_change(h, brake, |winch, state| resume(winch, state).unwrap()));
    assert!(resumed.iter().all(|error| *error > 1.0), "{resumed:?}");
    let corrected = STEPS.map(|h| after_change(h, brake, |winch, state| EULER.make_consistent(winch, state).unwrap()));
    assert_first_order("the correction", corrected);
    assert_first_order("both", STEPS.map(|h| after_change(h, brake, resumed_and_consistent)));
}

#[test]
fn a_new_velocity_needs_the_correction() {
    let stop = |winch: Winch| Winch { speed: 0.0, acceleration: 0.5, ..winch };
    // 0.4 m/s in one step: an impulse, which the multiplier shows as 1/h.
    let spike = STEPS.map(|h| h * after_change(h, stop, |_, _| ()));
    assert_spike("as it is, times h", spike, spike[2]);
    assert!(spike[2] > 0.1, "{spike:?}");
    let corrected = STEPS.map(|h| after_change(h, stop, |winch, state| EULER.make_consistent(winch, state).unwrap()));
    assert_first_order("the correction", corrected);
    assert_first_order("both", STEPS.map(|h| after_change(h, stop, resumed_and_consistent)));
}

/// A cart of half a kilogram with friction, on a belt of speed sin t, that follows a path `place` + `speed` s + `acceleration` s²/2,
/// s = t − `begin`. The belt is U_t of (4.2b).
#[derive(Clone, Copy)]
struct Cart {
    begin: f64,
    place: f64,
    speed: f64,
    acceleration: f64,
}

impl IndexThree<1, 1, 1> for Cart {
    type Base = f64;

    fn rate<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
        vector![q[0] + t.sin()]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, q: &Vector<S, 1>) -> Vector<S, 1> {
        vector![q[0] * -0.3]
    }
    fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
        matrix![S::from(2.0)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 1>) -> Vector<S, 1> {
        let s = t - self.begin;
        vector![p[0] - s * self.speed - s * s * (self.acceleration / 2.0) - self.place]
    }
}

impl Cart {
    /// The path's place and speed, and the cart's velocity on the belt.
    fn exact(&self, t: f64) -> [f64; 3] {
        let s = t - self.begin;
        let speed = self.speed + self.acceleration * s;
        [self.place + self.speed * s + self.acceleration * s * s / 2.0, speed, speed - t.sin()]
    }

    /// q' = −0.3 q + 2 Λ.
    fn multiplier(&self, t: f64) -> f64 {
        (self.acceleration - t.cos() + 0.3 * self.exact(t)[2]) / 2.0
    }

    fn start(&self, h: f64, t: f64) -> IndexThreeState<f64, 1, 1, 1> {
        let [place, _, velocity] = self.exact(t);
        IndexThreeState::start(self, clock(h).at_time(t), [place], [velocity]).unwrap()
    }
}

#[test]
fn a_new_target_of_the_general_form_needs_the_correction() {
    let old = Cart { begin: 1.0, place: 0.2, speed: 0.5, acceleration: -1.0 };
    let change = 1.0 + CHANGE;
    let [place, speed, _] = old.exact(change);
    let new = Cart { begin: change, place, speed, acceleration: 3.0 };
    let error = |h: f64, mut state: IndexThreeState<f64, 1, 1, 1>| {
        let multipliers = EULER.step(&new, &mut state).unwrap();
        (multipliers[0] - new.multiplier(change + h)).abs()
    };
    // In mid-run, the state of the old target goes on with the new one: half of the jump of Λ, which is 2.
    let going_on = STEPS.map(|h| {
        let mut state = old.start(h, 1.0);
        EULER.make_consistent(&old, &mut state).unwrap();
        for n in 1..=(CHANGE / h).round() as u32 {
            let multipliers = EULER.step(&old, &mut state).unwrap();
            let off = (multipliers[0] - old.multiplier(1.0 + h * f64::from(n))).abs();
            assert!(off < 2.0 * h, "h = {h}, step {n}: {off}, right from the first step");
        }
        error(h, state)
    });
    assert_spike("going on", going_on, 1.0);
    // The correction of that state is enough. Twice is the same, because the gradient is constant.
    assert_first_order(
        "corrected in mid-run",
        STEPS.map(|h| {
            let mut state = old.start(h, 1.0);
            for _ in 0..(CHANGE / h).round() as u32 {
                let _ = EULER.step(&old, &mut state).unwrap();
            }
            EULER.make_consistent(&new, &mut state).unwrap();
            let once = state;
            EULER.make_consistent(&new, &mut state).unwrap();
            assert!((state.velocity() - once.velocity()).amax() < 1e-14);
            error(h, state)
        }),
    );
    // A restart on the new path: half of the path's acceleration is missing, 3/4 of Λ. Not that of the belt.
    assert_spike("without the correction", STEPS.map(|h| error(h, new.start(h, change))), 0.75);
    assert_first_order(
        "with the correction",
        STEPS.map(|h| {
            let mut state = new.start(h, change);
            EULER.make_consistent(&new, &mut state).unwrap();
            error(h, state)
        }),
    );
}
