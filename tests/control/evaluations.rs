//! What a control tick of the five-bar linkage evaluates: each pose once, and no more poses than the method needs. A pose of this model
//! takes two sines and cosines, which a constraint alone takes as well.

use std::cell::RefCell;

use mechanisms::FiveBar;
use taut::control::{Actuated, ComputedTorque, Controller, Feedforward, InverseDynamics, Reference, Sensed, Target};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Equations, Mechanical, Pattern, Varying};
use taut::trajectory::Circle;

type Linkage = FiveBar<f32>;

/// The linkage, which notes what is evaluated where. A copy notes in the same place.
#[derive(Clone, Copy)]
struct Noted<'a> {
    linkage: Linkage,
    notes: &'a RefCell<Vec<(&'static str, [u32; 2])>>,
}

impl Noted<'_> {
    /// The angles say which sines are needed.
    fn note<S: Real<Base = f32>>(&self, what: &'static str, q: &Vector<S, 4>) {
        self.notes.borrow_mut().push((what, [q[0].value().to_bits(), q[1].value().to_bits()]));
    }
}

impl Mechanical<4, 2> for Noted<'_> {
    type Base = f32;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 4] = Linkage::ANGLES;
    const PATTERN: Pattern<4, 2> = Linkage::PATTERN;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f32>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 4> {
        self.note("mass", q);
        self.linkage.mass_matrix(q)
    }
    fn force<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.note("force", q);
        self.linkage.force(t, q, v)
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.note("constraint", q);
        self.linkage.constraint(t, q)
    }
    fn jacobian(&self, t: f32, q: &Vector<f32, 4>) -> Matrix<f32, 2, 4> {
        self.note("jacobian", q);
        self.linkage.jacobian(t, q)
    }
    fn acceleration_terms(&self, t: f32, q: &Vector<f32, 4>, v: &Vector<f32, 4>) -> Vector<f32, 2> {
        self.note("acceleration terms", q);
        self.linkage.acceleration_terms(t, q, v)
    }
    fn equations<'a>(&'a self, t: f32, q: &'a Vector<f32, 4>) -> impl Equations<f32, 4, 2> {
        self.note("equations", q);
        self.linkage.equations(t, q)
    }
}

impl Actuated<4, 2, 2> for Noted<'_> {
    const OUTPUT_PATTERN: Pattern<4, 2> = Linkage::OUTPUT_PATTERN;
    const ACTUATION_PATTERN: Pattern<4, 2> = Linkage::ACTUATION_PATTERN;

    fn actuation<S: Real<Base = f32>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 2> {
        self.linkage.actuation(q)
    }
    fn output<S: Real<Base = f32>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.linkage.output(q)
    }
}

impl Sensed<4, 2, 2> for Noted<'_> {
    fn sensors<S: Real<Base = f32>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.linkage.sensors(q)
    }
}

/// Two Newton iterations of the plan and the equations where they end. The geometry of the controller at its prediction, two iterations
/// that move the estimate onto the constraints, and the equations there. Seven poses, fourteen sines and cosines.
#[test]
fn a_control_tick_of_the_five_bar_takes_fourteen_sines_and_cosines() {
    let notes = RefCell::default();
    let noted = Noted { linkage: Linkage::standard(), notes: &notes };
    let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, 1e-3).unwrap();
    let guess = noted.linkage.elbows_out([0.03, 0.17].into());
    let plan = InverseDynamics::new(noted, circle, 1e-3, guess).unwrap();
    let controller = ComputedTorque::<f32, 4, 2, 2>::new([100.0; 2], 1e-3, 230.0).unwrap();
    let mut state = plan.start().unwrap();
    let first: Reference<f32, 4, 2, 2> = *plan.at(&mut state, 0).unwrap();
    let mut observer = Controller::<Noted<'_>, f32, 4, 2, 2, 2>::start(&controller, &first);
    for tick in 1..100 {
        notes.take();
        let Reference { position, velocity, acceleration, inputs, .. } = *plan.at(&mut state, tick).unwrap();
        let target = Target { shafts: noted.sensor_motion(&position, &velocity, &acceleration), inputs };
        // Encoders of 12 bits.
        let readings = noted.sensors(&position).map(|angle| (angle * 652.0).round() / 652.0);
        let wanted = controller.follow(&mut observer, &noted, tick, &target, &readings).unwrap();
        Controller::<Noted<'_>, f32, 4, 2, 2, 2>::applied(&controller, &mut observer, &wanted, &wanted);
        let (what, poses): (Vec<_>, Vec<_>) = notes.take().into_iter().unzip();
        let of_plan = ["constraint", "constraint", "equations"];
        let of_controller = ["equations", "constraint", "constraint", "equations"];
        assert_eq!(what, [&of_plan[..], &of_controller].concat(), "tick {tick}");
        assert_eq!(f32::NEWTON_ITERATIONS, 2);
        // No sine is evaluated twice, except where the iterations of the plan or of the estimate have converged to the last bit.
        assert_ne!(poses[3], poses[4], "tick {tick}");
        assert!(poses[..3].iter().all(|pose| !poses[3..].contains(pose)), "tick {tick}: {poses:?}");
    }
}
