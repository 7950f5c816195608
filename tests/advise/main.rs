//! A study of a model finds the orders of the theory, and recommends the cheapest method.

#![cfg(feature = "std")]

use mechanisms::{ByHand, FourBar, Pendulum, SliderCrank};
use nalgebra::vector;
use taut::advise::{Advice, Digits, Study, StudyError, Trial, Unit, Wanted, Way};
use taut::linalg::{Matrix, Vector};
use taut::method::{NAMES, Rattle, RungeKutta4, StepError};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Mechanical, Varying};

/// The errors of a way, by rate.
fn errors(advice: &Advice, base: &'static str, digits: Digits, method: &'static str) -> Vec<f64> {
    let way = Way { base, digits, method };
    let trials = advice.trials.iter().filter(|trial| trial.way == way);
    trials.map(|trial| trial.accuracy.as_ref().expect("a run to its end").position).collect()
}

/// Whether errors fall with the rate to this power, by doublings.
fn assert_order(errors: &[f64], order: f64, tolerance: f64) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < tolerance, "slope {slope}, errors {errors:?}");
    }
}

#[test]
fn errors_fall_with_the_order_of_the_method() {
    let pendulum = Pendulum::<f64>::standard();
    let study = Study::of(&pendulum, [1.0, 0.0]).at_rates([100.0, 200.0, 400.0]);
    let advice = study.with_energy(|q, v| Pendulum::<f64>::standard().energy(q, v), 9.81).run().unwrap();
    // Halving the step of a method of order 4 at 1.6 kHz, as in `cargo xtask methods`, changes less than that.
    assert!(advice.reference.uncertainty < 1e-11, "{:?}", advice.reference);
    for digits in Digits::ALL {
        // The next term of an error is h or h² of the first: 5% at 100 Hz and a frequency of a few radians a second.
        assert_order(&errors(&advice, "f64", digits, "rattle"), 2.0, 0.05);
        assert_order(&errors(&advice, "f64", digits, "symplectic_euler"), 1.0, 0.05);
        assert_order(&errors(&advice, "f64", digits, "half_explicit_3"), 3.0, 0.1);
        assert_order(&errors(&advice, "f64", digits, "runge_kutta_4"), 4.0, 0.2);
        assert_order(&errors(&advice, "f64", digits, "yoshida"), 4.0, 0.2);
    }
    let rattle = &advice.trials[0];
    // 3.7e-4 at 100 Hz in the documentation of the methods.
    let energy = rattle.accuracy.as_ref().unwrap().energy.unwrap();
    assert!(energy > 3e-4 && energy < 4e-4, "{energy}");
    let Some(Unit::Relative { to, .. }) = advice.unit else { panic!("{:?}", advice.unit) };
    assert_eq!((to, rattle.cost), (rattle.way, Some(1.0)));
}

/// A model for `f32` only has a reference of its own equations: that of a model for `f64` with the parameters as they were rounded.
#[test]
fn the_reference_of_a_single_precision_model_has_the_digits_of_a_double() {
    // The model multiplies its parameters in its base: the weight is exact, the square of the length is not.
    let single = Pendulum { mass: 0.25_f32, length: 0.7, gravity: 9.81 };
    let square = f64::from(0.7_f32 * 0.7_f32);
    let double = Pendulum { mass: 0.25, length: square.sqrt(), gravity: f64::from(9.81_f32) };
    let in_single = Study::of(&single, [0.7, 0.0]).at_rates([100.0, 1_000.0]).run().unwrap();
    let in_double = Study::of(&double, [square.sqrt(), 0.0]).at_rates([100.0, 1_000.0]).run().unwrap();
    for (left, right) in in_single.reference.position.iter().zip(&in_double.reference.position) {
        assert!((left - right).abs() < 1e-11, "{left} {right}");
    }
    // In f32, plain states end at their round-off, and precise ones follow the method further.
    let [plain, precise] =
        [Digits::Plain, Digits::Precise].map(|digits| errors(&in_single, "f32", digits, "rattle")[1]);
    let exact = errors(&in_double, "f64", Digits::Plain, "rattle")[1];
    assert!((precise - exact).abs() < 0.05 * exact, "{precise} {exact}");
    assert!((plain - exact).abs() > 2.0 * (precise - exact).abs(), "{plain} {precise} {exact}");
}

#[test]
fn the_cheapest_is_the_minimum_over_all_trials() {
    let pendulum = Pendulum::<f32>::standard();
    let advice = Study::of(&pendulum, [1.0, 0.0]).at_rates([50.0, 100.0, 200.0, 500.0]).run().unwrap();
    // Fixed costs, because measured ones vary.
    let place = |method| NAMES.iter().position(|name| *name == method);
    let advice = advice.with_costs("parts", |way| Some((place(way.method)? * 3 + way.digits as usize + 1) as f64));
    for wanted in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        for slowest in [0.0, 100.0, 500.0] {
            let good = |trial: &&Trial| {
                let error = trial.accuracy.as_ref().map_or(f64::INFINITY, |accuracy| accuracy.position);
                error.max(advice.reference.uncertainty) <= wanted && trial.rate >= slowest
            };
            let costs = advice.trials.iter().filter(good).map(|trial| trial.cost_per_second().unwrap());
            let least = costs.reduce(f64::min);
            let choice = advice.cheapest(&Wanted::error(wanted).rates(slowest..));
            assert_eq!(choice.map(|choice| choice.cost_per_second().unwrap()), least, "{wanted} from {slowest} Hz");
            assert!(choice.is_none_or(|choice| good(&choice)));
        }
    }
    let text = advice.to_string();
    assert!(text.contains("Cost of a step: parts.") && text.contains("500 Hz"), "{text}");
}

/// The table on the first page of the documentation has the same failures: for the linkage at 100 Hz a step of order 1 is too coarse,
/// and so is Yoshida's middle stage, which is 1.7 steps long, in a plain state.
#[test]
fn failures_are_kept_with_their_errors() {
    let four_bar = ByHand(FourBar::<f32>::standard());
    let assembled = Start::at(&four_bar, Clock::at_rate(100.0).unwrap(), FourBar::guess()).at_rest().unwrap();
    let q = *assembled.position();
    let advice = Study::of(&four_bar, q).moving(FourBar::turning(&q)).at_rates([100.0]).run().unwrap();
    for trial in &advice.trials {
        let failed = matches!(trial.accuracy, Err(StepError::NotConverged { .. }));
        let is_too_coarse = match trial.way.method {
            "half_explicit_1" => true,
            // Two iterations are too few for its middle stage; states with more digits make four.
            "yoshida" => matches!(trial.way.digits, Digits::Plain),
            // The crank turns by 0.1 rad in a step. A frozen Jacobian contracts by as much, at the edge of what its few iterations allow.
            "radau_iia_3" | "radau_iia_5" => failed,
            _ => false,
        };
        assert_eq!(failed, is_too_coarse, "{trial:?}");
        assert_eq!(failed, trial.cost.is_none());
    }
    assert!(advice.to_string().contains("NotConverged"));
    assert!(advice.front().iter().all(|trial| trial.accuracy.is_ok()));
}

/// Two turns of the crank: without the turns, ends would differ by 2π.
#[test]
fn whole_turns_are_counted() {
    let slider_crank = SliderCrank::<f32>::standard();
    let study = Study::of(&slider_crank, SliderCrank::position()).moving(SliderCrank::velocity());
    let advice = study.lasting(3.0).at_rates([1_000.0]).run().unwrap();
    assert!(advice.reference.position[0] > 4.0 * core::f64::consts::PI, "{:?}", advice.reference);
    assert!(errors(&advice, "f32", Digits::Compensated, "runge_kutta_4")[0] < 1e-5);
}

/// A unit mass in polar coordinates (r, φ) on a circle: r is constrained.
struct Polar;

impl Mechanical<2, 1> for Polar {
    type Base = f32;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f32>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        Matrix::<S, 2, 2>::new(S::one(), S::zero(), S::zero(), q.x * q.x)
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        let (sin, cos) = q.y.sin_cos();
        vector![q.x * v.y * v.y + cos * 9.81, q.x * v.x * v.y * -2.0 - q.x * sin * 9.81]
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.x - 1.0]
    }
}

/// A pendulum whose length is constrained twice.
struct Twice;

impl Mechanical<2, 2> for Twice {
    type Base = f32;
    type Mass = Diagonal<f32, 2>;

    fn mass(&self) -> Diagonal<f32, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(-9.81)]
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        let g = (q.dot(q) - 1.0) * 0.5;
        vector![g, g * 3.0]
    }
}

/// The same swing in three descriptions.
#[test]
fn masses_that_vary_and_constraints_that_depend_on_each_other() {
    let pendulum = Pendulum::<f32>::standard();
    let reference = Study::of(&pendulum, [1.0, 0.0]).at_rates([200.0]).run().unwrap().reference.position;
    let twice = Study::of(&Twice, [1.0, 0.0]).redundant().at_rates([200.0]).run().unwrap();
    assert!((twice.reference.position[0] - reference[0]).abs() < 1e-10);
    assert!(errors(&twice, "f32", Digits::Compensated, "runge_kutta_4")[0] < 1e-5);

    let quarter = core::f32::consts::FRAC_PI_2;
    let polar = Study::of(&Polar, [1.0, quarter]).at_rates([50.0, 100.0]).run_any_mass().unwrap();
    // A quarter turn in f32 is 4e-8 off.
    assert!((polar.reference.position[1].sin() - reference[0]).abs() < 1e-6, "{:?}", polar.reference);
    assert_order(&errors(&polar, "f32", Digits::Precise, "half_explicit_2"), 2.0, 0.1);
    let relatives = ["rattle", "yoshida", "suzuki", "kahan_li", "symplectic_euler"];
    assert!(polar.trials.iter().all(|trial| !relatives.contains(&trial.way.method)));
    // Nine methods, three precisions, two rates.
    assert_eq!(polar.trials.len(), 9 * 3 * 2);
}

/// The errors are those of a study of all methods; the costs are for the caller to give.
#[test]
fn some_methods_are_tried_without_the_code_of_others() {
    let pendulum = Pendulum::<f64>::standard();
    let study = || Study::of(&pendulum, [1.0, 0.0]).lasting(0.1).at_rates([100.0, 200.0]).untimed();
    let some = study().run_plain_with(&[&Rattle::new(), &RungeKutta4::new()]).unwrap();
    let all = study().run_plain().unwrap();
    assert_eq!((some.unit.as_ref(), all.unit.as_ref()), (None, None));
    let listed = |trial: &&Trial| ["rattle", "runge_kutta_4"].contains(&trial.way.method);
    assert_eq!(some.trials, all.trials.iter().filter(listed).cloned().collect::<Vec<_>>());
    assert_eq!((some.trials.len(), some.cheapest(&Wanted::error(1.0))), (4, None));
    let counted = some.with_costs("stages", |way| Some(if way.method == "rattle" { 1.0 } else { 4.0 }));
    let choice = counted.cheapest(&Wanted::error(1e-9)).unwrap();
    assert_eq!((choice.way.method, choice.rate), ("runge_kutta_4", 100.0));
}

#[test]
fn rates_that_do_not_end_with_the_run_are_refused() {
    let pendulum = Pendulum::<f32>::standard();
    let refused = |rates: &[f64], duration| {
        let study = Study::of(&pendulum, [1.0, 0.0]).lasting(duration).at_rates(rates.iter().copied());
        match study.run() {
            Err(StudyError::Rate { rate, .. }) => rate,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&[100.0, 333.0], 0.5), 333.0);
    assert_eq!(refused(&[-100.0], 1.0), -100.0);
    assert_eq!(refused(&[f64::INFINITY], 1.0), f64::INFINITY);
    assert_eq!(refused(&[100.0], f64::NAN), 100.0);
    assert!(refused(&[], 1.0).is_nan());
    assert!(matches!(Study::of(&pendulum, [0.0, 0.0]).run(), Err(StudyError::Start(_))));
}
