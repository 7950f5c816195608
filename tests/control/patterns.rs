//! The patterns of outputs and inputs: they change neither the motion nor what is refused.

use mechanisms::FiveBar;
use nalgebra::vector;
use taut::control::{Actuated, ControlError, Feedforward, InverseDynamics, Singularity};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Mechanical, Pattern, Varying};
use taut::trajectory::{Circle, Nonic};

const H: f64 = 1e-3;

/// The five-bar linkage with patterns of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Other<const KIND: usize>(FiveBar<f64>);

/// Dense, or without the first entry of the constraints, the outputs or the inputs.
const DENSE: usize = 0;
const CONSTRAINTS: usize = 1;
const OUTPUTS: usize = 2;
const INPUTS: usize = 3;

impl<const KIND: usize> Mechanical<4, 2> for Other<KIND> {
    type Base = f64;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const PATTERN: Pattern<4, 2> = if KIND == CONSTRAINTS { Pattern::rows(["..xx", ".xxx"]) } else { Pattern::dense() };

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 4> {
        self.0.mass_matrix(q)
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.0.constraint(t, q)
    }
}

impl<const KIND: usize> Actuated<4, 2, 2> for Other<KIND> {
    const OUTPUT_PATTERN: Pattern<4, 2> =
        if KIND == OUTPUTS { Pattern::rows(["xx..", "...x"]) } else { Pattern::dense() };
    const ACTUATION_PATTERN: Pattern<4, 2> =
        if KIND == INPUTS { Pattern::rows(["..xx", ".x.."]) } else { Pattern::dense() };

    fn actuation<S: Real<Base = f64>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 2> {
        self.0.actuation(q)
    }
    fn output<S: Real<Base = f64>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.0.output(q)
    }
}

/// Where a motion is refused: the last tip before it, and in which way the next pose is singular.
fn refused<System: Actuated<4, 2, 2, Base = f64>>(
    system: System,
    linkage: FiveBar<f64>,
    (from, to): ([f64; 2], [f64; 2]),
    limit: f64,
) -> (Vector<f64, 2>, Option<Singularity>) {
    let path = Nonic::point_to_point(from, to, 1.0).unwrap();
    let plan = InverseDynamics::new(system, path, H, linkage.elbows_out(from.into())).unwrap();
    let plan = plan.with_pivot_limit(limit).unwrap();
    let mut state = plan.start().unwrap();
    let error = (0..=1_000).find_map(|tick| plan.at(&mut state, tick).err()).unwrap();
    let kind = if let ControlError::Singular { kind, .. } = error { Some(kind) } else { None };
    let last = InverseDynamics::<System, Nonic<f64, 2>, 4, 2, 2>::last(&state).position;
    (vector![last[2], last[3]], kind)
}

/// Without patterns there is one block, the whole matrix. With them the pivots are others, but small in the same poses.
#[test]
fn singular_poses_are_refused_alike() {
    let standard = FiveBar::standard();
    let short = FiveBar { distal: 0.14, ..standard };
    let up = (standard, ([0.0, 0.2], [0.0, 0.3]));
    let behind = (standard, ([0.05, 0.12], [0.05, -0.15]));
    let aside = (standard, ([0.0, 0.2], [0.2, 0.2]));
    // The distal rods are in line where the elbows are 0.28 m apart: cos θ = 0.9.
    let in_line = (short, ([0.0, 0.15], [0.0, 0.1 * (1.0_f64 - 0.81).sqrt()]));
    let compare = |(linkage, way), limit: f64, distance: f64| {
        let (tip, kind) = refused(linkage, linkage, way, limit);
        let (dense_tip, dense_kind) = refused(Other::<DENSE>(linkage), linkage, way, limit);
        assert!((tip - dense_tip).norm() <= distance, "{limit}: {tip} {dense_tip}");
        assert_eq!(kind, dense_kind, "{limit}");
        kind
    };
    for limit in [f64::EPSILON.sqrt() * 1.01, 1e-3, 1e-2] {
        for way in [up, behind, aside] {
            compare(way, limit, 1e-12);
        }
        assert_eq!(compare(in_line, limit, 1e-12), Some(Singularity::Actuation));
    }
    // Far from a singular pose, the order of the elimination matters by half a millimetre.
    for limit in [0.03, 0.05] {
        assert_eq!(compare(up, limit, 1e-12), Some(Singularity::Reach));
        assert_eq!(compare(behind, limit, 1e-12), Some(Singularity::Reach));
    }
    assert_eq!(compare(aside, 0.05, 1e-3), Some(Singularity::Reach));
}

/// The same references to a few roundings.
#[test]
fn the_motion_is_that_of_the_whole_matrices() {
    let linkage = FiveBar::standard();
    let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, H).unwrap();
    let guess = linkage.elbows_out([0.03, 0.17].into());
    let blocks = InverseDynamics::new(linkage, circle, H, guess).unwrap();
    let whole = InverseDynamics::new(Other::<DENSE>(linkage), circle, H, guess).unwrap();
    let (mut a, mut b) = (blocks.start().unwrap(), whole.start().unwrap());
    for tick in 0..1_000 {
        let (a, b) = (blocks.at(&mut a, tick).unwrap(), whole.at(&mut b, tick).unwrap());
        // Torques of 0.3 N m, multipliers of 30 N/m, accelerations of 400 rad/s².
        assert!((a.position - b.position).amax() < 1e-14 && (a.velocity - b.velocity).amax() < 1e-12, "{tick}");
        assert!((a.acceleration - b.acceleration).amax() < 1e-10, "{tick}");
        assert!((a.inputs - b.inputs).amax() < 1e-13 && (a.multipliers - b.multipliers).amax() < 1e-11, "{tick}");
    }
}

#[test]
fn a_pattern_that_misses_an_entry_is_refused() {
    let linkage = FiveBar::standard();
    let path = Nonic::point_to_point([0.0, 0.2], [0.0, 0.17], 1.0).unwrap();
    let guess = linkage.elbows_out([0.0, 0.2].into());
    let missed = |error: Option<ControlError<f64>>| match error {
        Some(ControlError::Pattern { what, row, column }) => (what, row, column),
        other => panic!("{other:?}"),
    };
    let plan = InverseDynamics::new(Other::<CONSTRAINTS>(linkage), path, H, guess);
    assert_eq!(missed(plan.err()), ("constraint", 0, 0));
    let plan = InverseDynamics::new(Other::<OUTPUTS>(linkage), path, H, guess);
    assert_eq!(missed(plan.err()), ("output", 0, 2));
    let plan = InverseDynamics::new(Other::<INPUTS>(linkage), path, H, guess);
    assert_eq!(missed(plan.err()), ("input", 0, 0));
}
