//! Multipliers in `f32`: implicit Euler on the position level amplifies round-off by 1/h², and the precise mode removes the
//! round-off.

use core::marker::PhantomData;

use mechanisms::{Problem52, SliderCrank};
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{ImplicitEuler, Step};
use taut::scalar::{Float, Real};
use taut::start::{Clock, IndexThreeState, Precision, Start, State};
use taut::system::{Diagonal, Mechanical};

/// Arévalo's Problem 5.1 in our sign, λ = 4 (1 + t)²; with the constraint (x² + y² − 1)/2, or √(x² + y²) − 1, which has the
/// same gradient where it holds.
struct Problem51<T, const ROOT: bool>(PhantomData<T>);

impl<T: Float, const ROOT: bool> Mechanical<2, 1> for Problem51<T, ROOT> {
    type Base = T;
    type Mass = Diagonal<T, 2>;
    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([T::one(); 2])
    }
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.y * S::constant(2.0), q.x * S::constant(-2.0)]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![if ROOT { q.dot(q).sqrt() - T::one() } else { (q.dot(q) - T::one()) * S::constant(0.5) }]
    }
}

fn clock<T: Float>(h: T) -> Clock<T> {
    Clock::with_step(h).unwrap()
}

const STEPS: [f32; 3] = [1e-3, 5e-4, 1e-4];

/// The multipliers of 200 steps from numerically consistent values.
fn multipliers<System, T, P, const N: usize, const M: usize>(
    system: &System,
    mut state: State<T, N, M, Ldlt<T, M>, P>,
) -> Vec<[f64; M]>
where
    T: Float,
    P: Precision,
    System: Mechanical<N, M, Base = T>,
{
    let euler = ImplicitEuler::new();
    euler.make_consistent(system, &mut state).unwrap();
    let mut step = || euler.step(system, &mut state).unwrap().multipliers.map(Float::to_f64).data.0[0];
    (0..200).map(|_| step()).collect()
}

/// The largest difference in steps 101 to 200.
fn noise<const M: usize>(ours: &[[f64; M]], reference: &[[f64; M]]) -> f64 {
    let pairs = ours.iter().flatten().zip(reference.iter().flatten()).skip(100 * M);
    pairs.map(|(ours, reference)| (ours - reference).abs()).fold(0.0, f64::max)
}

/// The noise in `f32` against `f64` with the same step: plain, compensated and precise.
macro_rules! noises {
    ($h:expr, $single:expr, $double:expr, $q:expr, $v:expr) => {{
        let (single, double, q, v) = ($single, $double, $q, $v);
        let reference = multipliers(&double, Start::at(&double, clock(f64::from($h)), q).plain().moving(v).unwrap());
        let start = || Start::at(&single, clock($h), q.map(|x| x as f32));
        let v = v.map(|x| x as f32);
        [
            noise(&multipliers(&single, start().plain().moving(v).unwrap()), &reference),
            noise(&multipliers(&single, start().compensated().moving(v).unwrap()), &reference),
            noise(&multipliers(&single, start().precise().moving(v).unwrap()), &reference),
        ]
    }};
}

/// From the requirement: at most 5e-6 on a multiplier of about 4, some twenty times ε, for any step size. The other two show
/// why the modes exist: ε/h² (5.7 at 1e-4 in the reference, half of that is asked for here, as it is one sample of
/// noise), and ε v/h with v = 2, of which 20 make the bound.
fn assert_noises(h: f32, [plain, compensated, precise]: [f64; 3]) {
    let epsilon = f64::from(f32::EPSILON) / 2.0;
    let h = f64::from(h);
    assert!(plain > epsilon / (h * h) / 2.0, "h = {h}: {plain} in plain arithmetic");
    assert!(compensated < 20.0 * 2.0 * epsilon / h, "h = {h}: {compensated} compensated");
    assert!(precise <= 5e-6, "h = {h}: {precise} precise");
}

#[test]
fn precise_multipliers_have_no_noise_with_products() {
    let (sin, cos) = 1.0_f64.sin_cos();
    for h in STEPS {
        let (single, double) = (Problem51::<f32, false>(PhantomData), Problem51::<f64, false>(PhantomData));
        assert_noises(h, noises!(h, single, double, [sin, cos], [2.0 * cos, -2.0 * sin]));
    }
}

#[test]
fn precise_multipliers_have_no_noise_with_a_square_root() {
    let (sin, cos) = 1.0_f64.sin_cos();
    for h in STEPS {
        let (single, double) = (Problem51::<f32, true>(PhantomData), Problem51::<f64, true>(PhantomData));
        assert_noises(h, noises!(h, single, double, [sin, cos], [2.0 * cos, -2.0 * sin]));
    }
}

#[test]
fn precise_multipliers_have_no_noise_with_sines_and_cosines() {
    // Multipliers of up to 21 here, where those of Problem 5.1 are about 4: the same digits are 5e-6 · 21/4.
    for h in STEPS {
        let (single, double) = (SliderCrank::<f32>::standard(), SliderCrank::<f64>::standard());
        let [plain, compensated, precise] =
            noises!(h, single, double, SliderCrank::<f64>::position(), SliderCrank::<f64>::velocity());
        assert!(plain > 1e-2 && compensated < plain / 100.0, "h = {h}: {plain}, {compensated}");
        assert!(precise <= 2e-5, "h = {h}: {precise}");
    }
}

#[test]
fn consistent_columns_of_both_tables_in_single_precision() {
    // A.T5.1.*.consIV and A.T5.2.*.consIV: the errors of λ in the first steps. One per cent of them is asked for.
    let assert_errors = |problem: &str, h: f32, errors: Vec<f64>, expected: &[f64]| {
        for (error, expected) in errors.iter().zip(expected) {
            assert!((error - expected).abs() < 0.01 * expected, "{problem}, h = {h}: {errors:?}, not {expected}");
        }
    };
    let later = |h: f32, step: usize| 1.0 + f64::from(h) * (step + 1) as f64;
    for (h, expected) in [
        (0.0005_f32, &[0.004_003, 0.004_008_508, 0.004_018_538, 0.004_028_588][..]),
        (0.001, &[0.008_012, 0.008_034_064][..]),
    ] {
        let system = Problem51::<f32, false>(PhantomData);
        let (sin, cos) = 1.0_f64.sin_cos();
        let velocity = [2.0 * cos, -2.0 * sin].map(|v| v as f32);
        let state = Start::at(&system, clock(h), [sin as f32, cos as f32]).precise().moving(velocity).unwrap();
        let multipliers = multipliers(&system, state);
        let errors = (0..expected.len()).map(|step| (multipliers[step][0] - 4.0 * later(h, step).powi(2)).abs());
        assert_errors("5.1", h, errors.collect(), expected);
    }
    for (h, expected) in [
        (0.0005_f32, &[0.004_799_534_7, 0.005_612_469_7, 0.005_557_267_8, 0.005_502_762_5][..]),
        (0.001, &[0.009_585_950_6, 0.011_061_957_1][..]),
    ] {
        let system = Problem52::new();
        let (p, q) = Problem52::<f64>::exact(1.0);
        let mut state =
            IndexThreeState::start_precise(&system, clock(h).at_time(1.0), p.map(|x| x as f32), q.map(|x| x as f32))
                .unwrap();
        let euler = ImplicitEuler::new();
        euler.make_consistent(&system, &mut state).unwrap();
        let errors = (0..expected.len()).map(|step| {
            let multiplier = f64::from(euler.step(&system, &mut state).unwrap()[0]);
            (multiplier + 2.0 * later(h, step).powi(2)).abs()
        });
        assert_errors("5.2", h, errors.collect(), expected);
    }
}
