//! Limits of travel and of nearness to singular poses: in every plan, in a rehearsal, and before a re-plan.

use mechanisms::{Crane, FiveBar, TwoMasses};
use taut::control::{
    ControlError, Feedforward, FlatInverse, InverseDynamics, ProjectedInverse, Reference, Singularity, rehearse,
};
use taut::trajectory::{Circle, MinimumJerk, Nonic, Septic};

const TICK: f32 = 1e-3;

type Linkage = InverseDynamics<FiveBar<f32>, MinimumJerk<f32, 2>, 4, 2, 2>;

/// From (0.05, 0.12) up by 3 cm, at rest at both ends.
fn linkage() -> Linkage {
    let model = FiveBar::standard();
    let path = MinimumJerk::point_to_point([0.05, 0.12], [0.05, 0.15], 0.5).unwrap();
    InverseDynamics::new(model, path, TICK, model.elbows_out([0.05, 0.12].into())).unwrap()
}

/// Nothing is limited but one coordinate.
fn only<T: taut::scalar::Float, const N: usize>(coordinate: usize, travel: (T, T)) -> [(T, T); N] {
    let mut limits = [(-T::MAX, T::MAX); N];
    limits[coordinate] = travel;
    limits
}

/// The tip is to go from (0.05, 0.12) to (0.05, −0.15). Both are within reach, but there is a motor at (0.05, 0), and nearer to it than the
/// rods differ, 0.06 m, the tip cannot be.
#[test]
fn a_target_behind_a_singular_pose_is_refused_before_the_machine_moves() {
    let plan = linkage();
    for reachable in [[0.05, 0.12], [0.05, -0.15]] {
        assert!(FiveBar::<f32>::standard().elbows_out(reachable.into()).iter().all(|x| x.is_finite()));
    }
    let behind = MinimumJerk::point_to_point([0.05, 0.12], [0.05, -0.15], 1.0).unwrap();
    // Without a look ahead the re-plan is accepted, and the machine is led half-way.
    let mut state = plan.start().unwrap();
    plan.replan(&mut state, behind, 0).unwrap();
    let stopped = (0..1_000).find_map(|tick| plan.at(&mut state, tick).err().map(|error| (tick, error)));
    let (tick, found) = stopped.unwrap();
    let last = <Linkage as Feedforward>::last(&state).position;
    assert!((300..500).contains(&tick) && last[3] < 0.07, "{tick} {last}");

    // With it, the same error is found before the first tick, and the state is as it was.
    let state = plan.start().unwrap();
    let before = state;
    assert_eq!(plan.look_ahead(&state, behind, 0), Err(found));
    assert_eq!(state, before);

    // A limit of the pivots stops it further away.
    let careful = plan.with_pivot_limit(0.05).unwrap();
    let state = careful.start().unwrap();
    let refused = careful.look_ahead(&state, behind, 0).unwrap_err();
    let ControlError::Singular { tick: early, kind: Singularity::Reach, .. } = refused else { panic!("{refused}") };
    assert!(early < tick, "{early} {tick}");

    // What can be followed is accepted, and tells what it takes.
    let back = MinimumJerk::point_to_point([0.05, 0.12], [0.0, 0.17], 0.5).unwrap();
    let demand = careful.look_ahead(&state, back, 0).unwrap();
    assert!(demand.inputs.amax() < 0.5 && demand.position[3] >= 0.169, "{demand:?}");
}

/// At a tick in the future: the present path is followed until there. The re-plan at that tick then gives what was foreseen.
#[test]
fn a_re_plan_in_the_future_is_looked_at_from_there() {
    let plan = linkage();
    let mut state = plan.start().unwrap();
    let departing = |state: &<Linkage as Feedforward>::State, to| {
        MinimumJerk::departing(state.path(), state.time(200), to, 0.5).unwrap()
    };
    let far = departing(&state, [0.0, 0.30]);
    let refused = plan.look_ahead(&state, far, 200).unwrap_err();
    let near = departing(&state, [0.0, 0.17]);
    let foreseen = plan.look_ahead(&state, near, 200).unwrap();
    let mut seen = Reference::<f32, 4, 2, 2>::at_rest([0.0; 4]);
    for tick in 0..=701 {
        if tick == 200 {
            plan.replan(&mut state, near, 200).unwrap();
        }
        let now = *plan.at(&mut state, tick).unwrap();
        if tick >= 200 {
            seen.inputs = seen.inputs.zip_map(&now.inputs, |a, b| a.max(b.abs()));
        }
    }
    assert_eq!(foreseen.inputs, seen.inputs);
    assert!(
        matches!(
            refused,
            ControlError::Unreachable { tick: 201.., .. }
                | ControlError::NotContracting { tick: 201.., .. }
                | ControlError::Singular { tick: 201.., .. }
        ),
        "{refused}"
    );
}

/// All three plans, and the rehearsal of each.
#[test]
fn a_position_beyond_its_travel_is_refused() {
    let exceeded = |error: ControlError<f32>| match error {
        ControlError::Exceeded { what: "position", index, value, limit, tick } => (index, value, limit, tick),
        other => panic!("{other}"),
    };
    // The tip may go up to 0.14, the path goes to 0.15.
    let low = linkage().with_position_limits(only(3, (0.0, 0.14))).unwrap();
    let (index, value, limit, tick) = exceeded(rehearse(&low, 0..=500).unwrap_err());
    assert!(index == 3 && limit == 0.14 && value > 0.14 && value < 0.1402 && (250..350).contains(&tick), "{value}");
    let state = low.start().unwrap();
    let path = MinimumJerk::point_to_point([0.05, 0.12], [0.0, 0.17], 0.5).unwrap();
    assert_eq!(exceeded(low.look_ahead(&state, path, 0).unwrap_err()).0, 3);
    // The same path is accepted by wider limits, and a start outside of them is refused.
    assert!(rehearse(&linkage().with_position_limits(only(3, (0.0, 0.151))).unwrap(), 0..=500).is_ok());
    let (_, value, limit, _) =
        exceeded(linkage().with_position_limits(only(3, (0.13, 0.2))).unwrap().start().err().unwrap());
    assert!(value < limit && limit == 0.13);

    // The trolley of the crane has a rail of 4 m.
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).unwrap();
    let crane = FlatInverse::new(Crane::standard(), path, TICK).unwrap();
    let short = crane.with_position_limits(only(2, (-1.0, 4.0))).unwrap();
    assert_eq!(exceeded(rehearse(&short, 0..=6_000).unwrap_err()).0, 2);

    let path = Septic::point_to_point([0.0], [0.5_f64], 1.0).unwrap();
    let masses = ProjectedInverse::new(TwoMasses::standard(), path, 1e-3).unwrap();
    let short = masses.with_position_limits(only(1, (-0.1, 0.4))).unwrap();
    let refused = rehearse(&short, 0..=1_000).unwrap_err();
    assert!(matches!(refused, ControlError::Exceeded { what: "position", index: 1, limit: 0.4, .. }), "{refused}");
}

/// A periodic path is looked at over its period.
#[test]
fn a_circle_is_looked_at_all_round() {
    let model = FiveBar::<f32>::standard();
    let circle = |radius| Circle::around([0.0, 0.17], radius, 2, 1_000, TICK).unwrap();
    let guess = model.elbows_out([0.03, 0.17].into());
    let plan = InverseDynamics::<_, _, 4, 2, 2>::new(model, circle(0.03), TICK, guess).unwrap();
    let plan = plan.with_position_limits(only(2, (-0.029, 0.04))).unwrap();
    let state = plan.start().unwrap();
    let refused = plan.look_ahead(&state, circle(0.03), 0).unwrap_err();
    // Half-way round.
    assert!(matches!(refused, ControlError::Exceeded { what: "position", index: 2, tick: 200..=250, .. }), "{refused}");
}

#[test]
fn invalid_limits_are_refused() {
    for bad in [(0.2, 0.1), (f32::NAN, 0.1), (0.1, f32::NAN), (f32::NEG_INFINITY, 0.1), (0.1, f32::INFINITY)] {
        assert!(linkage().with_position_limits(only(0, bad)).is_err(), "{bad:?}");
    }
    for bad in [0.0, -0.1, 1.1, 1e-5, f32::NAN, f32::INFINITY] {
        let refused = linkage().with_pivot_limit(bad).unwrap_err();
        assert!(matches!(refused, ControlError::OutOfRange { what: "limit of a pivot", .. }), "{bad}");
    }
}
