//! Two masses and a spring: a servo constraint of index 5, by its flat output (index 1) and projected (index 3).
//!
//! Values G.two.* of the reference: m₁ = 1, m₂ = 0.5, k = 200, F = 1.5 γ'' + 0.0025 γ''''.

use mechanisms::TwoMasses;
use nalgebra::vector;
use taut::control::{ControlError, Feedforward, FlatInverse, ProjectedInverse, Reference};
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::trajectory::{Circle, Motion, Nonic, QuinticSpline, Septic, Trajectory, TrajectoryError, Waypoint};

use crate::running::{Run, run};

const H: f64 = 1e-3;

/// γ = 0.5 c₉(t).
fn blend<T: Float>() -> Nonic<T, 1> {
    Nonic::point_to_point([T::zero()], [T::from_f64(0.5)], T::one()).unwrap()
}

/// γ = 0.5 (1 − cos π t): in motion from the start, with γ''(0) = π²/2.
fn cosine() -> Circle<f64, 1> {
    Circle::ellipse([0.5], [-0.5], [0.0], 1, 2_000, H).unwrap()
}

fn exact<Path: Trajectory<1, Base = f64>>(path: &Path, t: f64) -> f64 {
    let motion = path.motion(t);
    1.5 * motion.acceleration[0] + 0.0025 * motion.snap[0]
}

#[test]
fn the_flat_form_is_exact() {
    // G.two.poly9.exactF, tolerance 1e-12 N; the last one of the table carries half of that.
    let table = [
        (100, 1.605744),
        (250, 5.675537109375),
        (400, 4.608576000000044),
        (600, -4.608575999999966),
        (800, -4.427135999999513),
    ];
    let mut feedforward = run(FlatInverse::new(TwoMasses::<f64>::standard(), blend(), H)).unwrap();
    for (tick, force) in table {
        let found = feedforward.at(tick).unwrap().inputs[0];
        assert!((found - force).abs() < 1e-12, "tick {tick}: {found}, not {force}");
    }
    // G.two.poly9.exactx1v1.t0.25 and G.two.cos.exactx1v1.t0.25.
    let there = feedforward.at(250).unwrap();
    assert!((there.position[0] - 0.034845733642578126).abs() < 1e-13);
    assert!((there.velocity[0] - 0.4308563232421875).abs() < 1e-13);
    let there = run(FlatInverse::new(TwoMasses::<f64>::standard(), cosine(), H)).unwrap().at(250).unwrap();
    assert!((there.position[0] - 0.15517018965627483).abs() < 1e-13);
    assert!((there.velocity[0] - 1.0833147989146086).abs() < 1e-13);
}

/// The root mean square of what is in F besides the force at the same time in f64.
fn noise<T: Float, F, G>(mut feedforward: Run<F>, mut reference: Run<G>) -> f64
where
    F: Feedforward<Base = T, Reference = Reference<T, 2, 0, 1>>,
    G: Feedforward<Base = f64, Reference = Reference<f64, 2, 0, 1>>,
{
    let mut sum = 0.0;
    for tick in 1..=800 {
        let here = feedforward.at(tick).unwrap().inputs[0].to_f64();
        sum += (here - reference.at(tick).unwrap().inputs[0]).powi(2);
    }
    (sum / 800.0).sqrt()
}

/// A path evaluated in f64 at exact ticks and rounded: what is left is the noise of the servo constraint alone.
#[derive(Clone, Copy)]
struct Rounded<Path>(Path);

impl<Path: Trajectory<1, Base = f64>> Trajectory<1> for Rounded<Path> {
    type Base = f32;
    const CONTINUITY: usize = 4;

    fn continuity(&self) -> usize {
        4
    }
    fn duration(&self) -> f32 {
        self.0.duration() as f32
    }
    fn within<S: Real<Base = f32>>(&self, t: S) -> Vector<S, 1> {
        self.motion(t.value()).position.map(S::from)
    }
    fn motion(&self, t: f32) -> Motion<f32, 1> {
        let motion = self.0.motion((f64::from(t) / H).round() * H);
        let [position, velocity, acceleration, jerk, snap] =
            [0, 1, 2, 3, 4].map(|order| motion.derivative(order).map(|x| x as f32));
        Motion { position, velocity, acceleration, jerk, snap }
    }
}

fn check_noise<Path: Trajectory<1, Base = f64> + Copy>(path: Path, of_flat: f64, of_projected: f64) {
    let (single, double, h) = (TwoMasses::<f32>::standard(), TwoMasses::<f64>::standard(), H as f32);
    let flat = noise(
        run(FlatInverse::new(single, Rounded(path), h)).unwrap(),
        run(FlatInverse::new(double, path, H)).unwrap(),
    );
    let projected = noise(
        run(ProjectedInverse::new(single, Rounded(path), h)).unwrap(),
        run(ProjectedInverse::new(double, path, H)).unwrap(),
    );
    assert!(flat < 5.0 * of_flat, "{flat:e}, not {of_flat:e}");
    assert!(projected > of_projected / 5.0 && projected < of_projected * 5.0, "{projected:e}, not {of_projected:e}");
}

#[test]
fn noise_in_single_precision_is_that_of_the_index() {
    // G.two.poly9.h0.001.f32noise and G.two.cos.h0.001.f32noise: index 1 and projected index 3, within a factor of 5, and of index 1
    // no harm if it is less.
    check_noise(blend(), 7.591016899510805e-07, 0.018187062928752048);
    check_noise(cosine(), 8.263253015172722e-07, 0.040503126531974416);
    // With the blend in f32 too: its snap is a sum of terms up to 1.2e5 at t = 0.8, ε/2 of which times 0.0025 is 1.8e-5 N.
    let whole = noise(
        run(FlatInverse::new(TwoMasses::<f32>::standard(), blend(), H as f32)).unwrap(),
        run(FlatInverse::new(TwoMasses::<f64>::standard(), blend(), H)).unwrap(),
    );
    assert!(whole < 1.8e-5, "{whole:e}");
}

/// F_n − F(t_n) of the projected form: at tick 1 from exact values, from the consistent start, at 2 and 3, and the largest from 3 on.
fn errors<Path: Trajectory<1, Base = f64> + Copy>(path: Path) -> ([f64; 4], f64) {
    let mut feedforward = run(ProjectedInverse::new(TwoMasses::<f64>::standard(), path, H)).unwrap();
    let mut error = |tick: u64| {
        let reference = feedforward.at(tick).unwrap();
        (reference, reference.inputs[0] - exact(&path, tick as f64 * H))
    };
    let (start, _) = error(0);
    let (first, consistent) = error(1);
    // From exact values, the first difference of velocities is with v(0) itself; only m₁ = 1 is pushed.
    let from_exact = (first.velocity[0] - start.velocity[0]) / H - first.acceleration[0] + consistent;
    let (second, third) = (error(2).1, error(3).1);
    let largest = (4..=800).fold(third.abs(), |largest, tick| error(tick).1.abs().max(largest));
    ([from_exact, consistent, second, third], largest)
}

#[test]
fn the_projected_form_has_the_errors_of_the_reference() {
    // G.two.cos.h0.001.proj3 and G.two.poly9.h0.001.proj3: first3err (relative 1e-4, absolute 1e-8), maxerr (relative 1e-3).
    // Round-off of ε/h², 1e-10 of positions of a metre, is in them.
    let ([from_exact, consistent, second, third], largest) = errors(cosine());
    for (found, expected) in
        [(from_exact, -2.406498646297811), (second, 6.729542725114612e-05), (third, 0.00011479721726015413)]
    {
        assert!((found - expected).abs() < 1e-4 * expected.abs() + 1e-8, "{found:e}, not {expected:e}");
    }
    assert!((largest - 0.015120588972795636).abs() < 1e-3 * largest, "{largest:e}");
    // From the consistent start the first tick is as good as the others.
    assert!(consistent.abs() < largest, "{consistent:e}");

    let ([from_exact, consistent, second, third], largest) = errors(blend());
    for (found, expected) in
        [(from_exact, -0.015578478931869644), (second, -0.01837627883910924), (third, -0.01801896409323414)]
    {
        assert!((found - expected).abs() < 1e-4 * expected.abs() + 1e-8, "{found:e}, not {expected:e}");
    }
    assert!((largest - 0.032287122029367454).abs() < 1e-3 * largest, "{largest:e}");
    assert!(consistent.abs() < largest, "{consistent:e}");
}

#[test]
fn the_first_force_is_right() {
    // G.two.cos.*.first: from rest in the middle of an acceleration the index-5 form is off by 6,000 N, the projected one by 2.4 N.
    let path = cosine();
    let first = run(FlatInverse::new(TwoMasses::<f64>::standard(), path, H)).unwrap().at(0).unwrap();
    assert!((first.inputs[0] - exact(&path, 0.0)).abs() < 1e-13);
    // Order 1: h times a derivative of F, at most π³/2 · 1.5 N/s.
    let first = run(ProjectedInverse::new(TwoMasses::<f64>::standard(), path, H)).unwrap().at(0).unwrap();
    assert!((first.inputs[0] - exact(&path, 0.0)).abs() < 0.024, "{}", first.inputs[0]);
}

#[test]
fn the_force_is_right_after_every_re_plan() {
    let first = blend::<f64>();
    let mut flat = run(FlatInverse::new(TwoMasses::<f64>::standard(), first, H)).unwrap();
    let mut projected = run(ProjectedInverse::new(TwoMasses::<f64>::standard(), first, H)).unwrap();
    let before = [flat.at(300).unwrap().inputs[0], flat.at(301).unwrap().inputs[0]];
    for tick in 0..300 {
        projected.at(tick).unwrap();
    }
    let second = Nonic::departing(&first, flat.time(300), [-0.2], 1.5).unwrap();
    flat.replan(second, 300).unwrap();
    projected.replan(second, 300).unwrap();
    // No jump: to round-off at the tick, and after it by no more than the force changes in one.
    assert!((flat.at(300).unwrap().inputs[0] - before[0]).abs() < 1e-10);
    assert!((flat.at(301).unwrap().inputs[0] - before[0]).abs() < 2.0 * (before[1] - before[0]).abs());
    for tick in 300..1_800 {
        let exact = exact(&second, (tick - 300) as f64 * H);
        assert!((flat.at(tick).unwrap().inputs[0] - exact).abs() < 1e-10);
        // Order 1, with the largest error that the reference has for a motion as fast.
        let found = projected.at(tick).unwrap().inputs[0];
        assert!((found - exact).abs() < 0.033 * 1.4, "tick {tick}: {found}, not {exact}");
    }
}

#[test]
fn a_force_that_passes_through_zero_is_accepted() {
    // Where γ'' vanishes so do all forces, and what balances the spring is the last digit of its length.
    for ticks in [200, 2_000, 20_000] {
        let h = 2.0 / ticks as f32;
        let swing = Circle::ellipse([0.5], [-0.5], [0.0], 1, ticks, h).unwrap();
        let mut feedforward = run(FlatInverse::new(TwoMasses::<f32>::standard(), swing, h)).unwrap();
        assert!((0..ticks).all(|tick| feedforward.at(tick).is_ok()), "{ticks} ticks");
        let h = f64::from(h);
        let swing = Circle::ellipse([0.5], [-0.5], [0.0], 1, ticks, h).unwrap();
        let mut feedforward = run(FlatInverse::new(TwoMasses::<f64>::standard(), swing, h)).unwrap();
        assert!((0..ticks).all(|tick| feedforward.at(tick).is_ok()), "{ticks} ticks");
    }
}

#[test]
fn a_re_plan_that_jumps_is_refused_and_nothing_changes() {
    let first = blend::<f64>();
    let mut feedforward = run(FlatInverse::new(TwoMasses::<f64>::standard(), first, H)).unwrap();
    let before = feedforward.state;
    let rest = Nonic::point_to_point([first.at(0.3)[0]], [0.1], 1.0).unwrap();
    let refused = feedforward.replan(rest, 300).unwrap_err();
    assert!(
        matches!(refused, ControlError::Trajectory(TrajectoryError::Jump { derivative: 1, index: 0, .. })),
        "{refused}"
    );
    assert_eq!(feedforward.state, before);
}

#[test]
fn too_few_derivatives_are_refused_before_the_first_tick() {
    let masses = TwoMasses::<f64>::standard();
    // A spline of degree 5 has four inside, but ends with two.
    let points = [(0.0, 0.0), (1.0, 0.3), (2.0, 0.5)].map(|(t, x)| Waypoint::new(t, [x]));
    let spline = QuinticSpline::<f64, 1, 4>::through(&points.into_iter().collect()).unwrap();
    let refused = FlatInverse::new(masses, spline.clone(), H).unwrap_err();
    assert_eq!(refused, ControlError::Trajectory(TrajectoryError::TooFewDerivatives { asked: 4, continuous: 2 }));
    let refused = ProjectedInverse::new(masses, spline, H).unwrap_err();
    assert_eq!(refused, ControlError::Trajectory(TrajectoryError::TooFewDerivatives { asked: 3, continuous: 2 }));
    // One that does not end at rest cannot be held.
    let moving = Motion { velocity: vector![1.0], ..Motion::at_rest([1.0]) };
    let through = Nonic::between(&Motion::at_rest([0.0]), &moving, 1.0).unwrap();
    let refused = FlatInverse::new(masses, through, H).unwrap_err();
    assert_eq!(refused, ControlError::Trajectory(TrajectoryError::TooFewDerivatives { asked: 4, continuous: 0 }));
    assert!(ProjectedInverse::new(masses, Septic::point_to_point([0.0], [1.0], 1.0).unwrap(), H).is_ok());
}

#[test]
fn force_or_velocity_above_its_limit_is_reported() {
    let mut feedforward =
        run(FlatInverse::new(TwoMasses::<f64>::standard(), blend(), H).unwrap().with_input_limits([5.0])).unwrap();
    let (tick, refused) = (0..1_000).find_map(|tick| feedforward.at(tick).err().map(|error| (tick, error))).unwrap();
    let ControlError::Exceeded { tick: reported, what: "input", index: 0, value: input, limit: 5.0 } = refused else {
        panic!("{refused}")
    };
    assert!(reported == tick && input > 5.0 && input < 5.1, "{refused}");

    let mut feedforward =
        run(FlatInverse::new(TwoMasses::<f64>::standard(), blend(), H).unwrap().with_velocity_limits([1.0, 2.0]))
            .unwrap();
    let refused = (0..1_000).find_map(|tick| feedforward.at(tick).err()).unwrap();
    assert!(matches!(refused, ControlError::Exceeded { what: "velocity", index: 0, limit: 1.0, .. }), "{refused}");

    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(feedforward.plan.with_input_limits([bad]).is_err());
        assert!(feedforward.plan.with_velocity_limits([1.0, bad]).is_err());
        assert!(FlatInverse::new(TwoMasses::<f64>::standard(), blend(), bad).is_err());
    }
}
