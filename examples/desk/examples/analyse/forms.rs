//! The systems of the tests in other forms.

use mechanisms::{
    Both, Breathing, GearPetzold, IndexOne, Kepler, LaggingMotor, LinearImplicit, Pencil, Problem52, ProtheroRobinson,
    RobotArm, Sine, SteeringWheel, Transformed, Turning,
};
use taut::linalg::{Matrix, Vector};
use taut::method::RungeKutta4;
use taut::scalar::Real;
use taut::structure;
use taut::system::SemiExplicit;
use taut::trajectory::{SMOOTH, Trajectory};

use crate::compare;
use crate::rows::Answers;

// The equations of the source texts that no form holds.
#[path = "../../../../tests/structure/texts.rs"]
mod texts;

/// y' = f(y) of the perturbed Kepler problem.
struct KeplerRate;

impl SemiExplicit<4, 0> for KeplerRate {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 4>, _z: &Vector<S, 0>) -> Vector<S, 4> {
        Kepler::<f64>::rate(y)
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 4>, _z: &Vector<S, 0>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

/// The path of the robot arm's hand, from (1.5, 2.6).
struct HandPath;

impl Trajectory<2> for HandPath {
    type Base = f64;
    const CONTINUITY: usize = SMOOTH;

    fn duration(&self) -> f64 {
        f64::INFINITY
    }
    fn within<S: Real<Base = f64>>(&self, t: S) -> Vector<S, 2> {
        Vector::from([t.sin() * 0.5 + 1.5, t.cos() * 0.5 + 1.5])
    }
}

/// Adds a system in a form, with a comparison of the methods for it.
macro_rules! add {
    ($all:ident, $name:literal, $form:ident, $system:expr, $t:expr, $point:expr $(, $more:expr)?) => {{
        let (system, point) = (&$system, $point);
        let advice = || compare::$form(system, $t, &point $(, $more)?);
        $all.add($name, &structure::$form(system), $t, &[&point], advice);
    }};
}

/// Adds all of them.
pub fn add(all: &mut Answers) {
    let classical = RungeKutta4::new();
    let (q, v) = ([0.6, 0.0, -0.8], [0.54, 1.5, -0.095]);
    let point = [&q[..], &v, &[0.0]].concat();
    add!(all, "breathing-index-three", index_three, Breathing::<f64>::new(), 0.0, point.clone());
    add!(all, "breathing-2", semi_explicit, Breathing::<f64, 2>::new(), 0.0, point.clone(), &[&classical]);
    add!(all, "breathing-1", semi_explicit, Breathing::<f64, 1>::new(), 0.0, point.clone(), &[&classical]);
    add!(all, "breathing-implicit-2", implicit, Breathing::<f64, 2>::new(), 0.0, point.clone());
    add!(all, "breathing-implicit-1", implicit, Breathing::<f64, 1>::new(), 0.0, point);
    let (p, q) = Problem52::<f64>::exact(1.0);
    let point = [&p[..], &q, &[0.0; 2]].concat();
    add!(all, "problem-5-2", index_three, Problem52::<f64>::new(), 1.0, point);
    add!(all, "steering-wheel-1", semi_explicit, SteeringWheel::<f64, 1>::new(), 0.0, [0.0; 3], &[&classical]);
    // Not every point of the circle has a z that keeps y on it.
    let point = [f64::cos(0.5), -f64::sin(0.5), 1.0];
    add!(all, "steering-wheel-2", semi_explicit, SteeringWheel::<f64, 2>::new(), 0.0, point, &[&classical]);
    let (a, b) = (
        Matrix::from([[1.0, 0.5, 0.0], [0.0, 1.0, -0.5], [0.3, 0.0, 1.0]]),
        Matrix::from([[1.0, 0.0, 0.4], [-0.2, 1.0, 0.0], [0.0, 0.6, 1.0]]),
    );
    add!(all, "transformed-1", implicit, Transformed::<f64, 1> { a, b }, 0.0, [0.0; 3]);
    add!(all, "transformed-2", implicit, Transformed::<f64, 2> { a, b }, 0.0, [0.8, -0.6, 1.0]);
    add!(all, "index-one", semi_explicit, IndexOne, 0.0, [1.0, 1.0], &[&classical]);
    let both = Both { mix: [[1.0, 0.5], [-2.0, 1.0]], broken: 0.0 };
    add!(all, "both", semi_explicit, both, 0.4, Both::exact(0.4), &[]);
    let arm = RobotArm::<_, 3> { path: HandPath };
    add!(all, "robot-arm", semi_explicit, arm, 0.0, [0.2, 0.9, 1.9, 0.0, 0.0], &[&classical]);
    let start: [f64; 4] = Kepler::<f64>::start().into();
    add!(all, "kepler", semi_explicit, KeplerRate, 0.0, start, &[&classical]);
    let linear = LinearImplicit { mass: [1.0, 0.0], force: Matrix::from([[-1.0, 2.0], [1.0, 1.0]]) };
    add!(all, "linear-implicit", implicit, linear, 0.0, [0.0; 2]);
    add!(all, "gear-petzold", implicit, GearPetzold { eta: -0.4 }, 0.5, [0.0; 3]);
    add!(all, "nilpotent", implicit, Pencil::nilpotent(), 0.3, [0.0; 3]);
    add!(all, "exercise-iv-5-1", implicit, Pencil::exercise_iv_5_1(), 0.0, [-10.0, -10.0]);
    add!(all, "optimality", implicit, Pencil::optimality(0.1), 0.0, [0.0; 5]);
    add!(all, "optimality-singular", implicit, Pencil::optimality(0.0), 0.0, [0.0; 5]);
    add!(all, "prothero-robinson", implicit, ProtheroRobinson, 0.0, [1.0]);
    add!(all, "turning", hessenberg, Turning, 0.3, [0.0; 5]);
    add!(all, "lagging-motor", hessenberg, LaggingMotor::standard(Sine), 0.3, [0.0; 6]);
    let not_stepped = || "none: no method steps equations in this form".to_owned();
    all.add("derivative-chain", &texts::Chain, 0.4, &[], not_stepped);
    all.add("dummy-example-1", &texts::Example1, 0.3, &[], not_stepped);
    all.add("dummy-example-5", &texts::Example5, 0.7, &[], not_stepped);
}
