//! Loops with motors that pass ±π, where a model that reads an angle by `atan2` jumps by a turn.

use std::f64::consts::{PI, TAU};

use taut::control::{
    Actuated, Actuators, ComputedTorque, Controller, Feedforward, InverseDynamics, MotorLimits, Pid, Sensed,
};
use taut::device::{Machine, Plant};
use taut::linalg::Vector;
use taut::method::RungeKutta4;
use taut::parts::Mechanism;
use taut::start::{Clock, Start, State};
use taut::supervise::{EncoderLimits, LoopState, Request, State as Doing, Supervisor, Watch, Why};
use taut::trajectory::MinimumJerk;

const TICK: f64 = 1e-3;
/// The frequency of the PID controllers. They control each motor on its own, and the motors of folded arms are coupled: their stiffest
/// motion has a fraction of the inertia that each motor sees.
const PID: f64 = 20.0;

taut::mechanism! {
    /// An upper arm and a forearm, each with a motor.
    struct Points in plane, arms as points {
        o: Fixed { at: [0.0, 0.0] },
        upper: Arm(o) { length: 0.3, mass: 1.0 } near 2.5,
        fore: Arm(upper) { length: 0.2, mass: 0.5 } near 3.0,
        elbow: Elbow(upper, fore) { offset: 0.0 },
    }
    motors upper, elbow;
    encoders upper, elbow;
    output upper, elbow;
}

taut::mechanism! {
    /// The same with angles, which count turns by themselves.
    struct Angles in plane, arms as angles {
        o: Fixed { at: [0.0, 0.0] },
        upper: Arm(o) { length: 0.3, mass: 1.0 } near 2.5,
        fore: Arm(upper) { length: 0.2, mass: 0.5 } near 3.0,
        elbow: Elbow(upper, fore) { offset: 0.0 },
    }
    motors upper, elbow;
    encoders upper, elbow;
    output upper, elbow;
}

taut::mechanism! {
    /// A wheel with a weight at its side, on a hinge in space.
    struct Wheel in space {
        axle: Fixed { at: [0.0, 0.0, 0.0] },
        wheel: Body { mass: 1.0, centre: [0.1, 0.0, 0.0], moments: [2e-3, 4e-3, 3e-3] } near [0.0, 0.0, 0.0],
        bearing: Hinge(axle, wheel) { axis: [0.0, 1.0, 0.0] },
    }
    motors bearing;
    encoders bearing;
    output bearing;
}

type Plan<System, const N: usize, const M: usize, const U: usize> =
    InverseDynamics<System, MinimumJerk<f64, U>, N, M, U>;
type Simulated<System, const N: usize, const M: usize, const U: usize> =
    Plant<System, RungeKutta4<f64>, State<f64, N, M>, f64, U, U>;

/// A loop on its path, and its machine, which is where the path begins.
struct Bench<System, Law, const N: usize, const M: usize, const U: usize>
where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U> + Copy,
    Law: Controller<System, f64, N, M, U, U>,
{
    supervisor: Supervisor<Plan<System, N, M, U>, Law, U>,
    state: LoopState<Plan<System, N, M, U>, Law, U>,
    plant: Simulated<System, N, M, U>,
}

impl<System, Law, const N: usize, const M: usize, const U: usize> Bench<System, Law, N, M, U>
where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U> + Copy,
    Law: Controller<System, f64, N, M, U, U>,
{
    /// From one position of the motors to another, in two seconds.
    fn new(
        (system, guess): (System, Vector<f64, N>),
        [from, to]: [[f64; U]; 2],
        law: impl Fn(&Plan<System, N, M, U>, &Watch<f64, U, U>) -> Law,
    ) -> Self {
        let path = MinimumJerk::point_to_point(from, to, 2.0).unwrap();
        let plan = InverseDynamics::new(system, path, TICK, guess).unwrap();
        // At most 15/8 of 2π/2 s = 5.9 rad/s.
        let encoder = EncoderLimits { resolution: 1e-6, top_speed: 12.0, largest_error: 0.1 };
        let watch = Watch::new(Actuators::new([100.0; U]).unwrap(), [encoder; U]);
        let (law, clock) = (law(&plan, &watch), Clock::with_step(TICK).unwrap());
        let begin = plan.at(&mut plan.start().unwrap(), 0).unwrap().position;
        let machine = Start::at(&system, clock, begin).at_rest().unwrap();
        let begin = plan.start().unwrap();
        let supervisor = Supervisor::new(plan, law, watch).unwrap();
        let state = supervisor.start_on_path(begin, 0).unwrap();
        Self { supervisor, state, plant: Plant::new(system, machine, RungeKutta4::new()) }
    }

    /// A tick: the efforts.
    fn tick(&mut self) -> Vector<f64, U> {
        self.supervisor.step(&mut self.state, &mut self.plant);
        assert!(self.state.latched().is_none(), "{:?}", self.state.latched());
        self.plant.tick().unwrap();
        self.state.record().efforts
    }

    /// Follows the path to its end: the largest error, and the largest change of an effort in a tick.
    fn run(&mut self) -> (f64, f64) {
        let (mut error, mut change, mut last) = (0.0_f64, 0.0_f64, None);
        for _ in 0..2_100 {
            let efforts = self.tick();
            change = change.max((efforts - last.unwrap_or(efforts)).amax());
            error = error.max(self.state.record().errors.amax());
            last = Some(efforts);
        }
        (error, change)
    }
}

/// A turn of each motor.
fn a_turn<System, Law, const N: usize, const M: usize, const U: usize>(
    built: (System, Vector<f64, N>),
    way: [[f64; U]; 2],
    law: impl Fn(&Plan<System, N, M, U>, &Watch<f64, U, U>) -> Law,
) where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U> + Copy,
    Law: Controller<System, f64, N, M, U, U>,
{
    let mut bench = Bench::new(built, way, law);
    let (error, change) = bench.run();
    // Efforts change by up to 5 N m · 5.9 rad/s = 30 N m/s with the weights, and three times that with their inertia: 0.1 N m in a tick.
    // Errors are those of efforts that are held for a tick, half of that: J ω² ε = 0.05 N m with ω = 20/s and J ≥ 0.007 kg m², 2e-2 rad.
    // A jump would be 2π rad, and 2π J ω² = 18 N m or more.
    assert!(error < 2e-2 && change < 0.2, "error {error}, change {change}");
    // The machine has made the turns, and its encoders and the loop have counted them.
    let (readings, target) = (bench.plant.read().unwrap(), bench.state.record().target);
    for motor in 0..U {
        assert!((readings[motor] - way[1][motor]).abs() < 1e-3, "{readings:?}");
        assert!((target[motor] - way[1][motor]).abs() < 1e-9, "{target:?}");
    }
}

/// Where the arms begin, and a turn later: the elbow turns backwards.
const TURN: [[f64; 2]; 2] = [[2.5, 0.5], [2.5 + TAU, 0.5 - TAU]];

#[test]
fn arms_as_points_turn_without_a_jump() {
    let built = Points::<f64>::new().build().unwrap();
    let built = (built, built.assembled());
    a_turn(built, TURN, |plan, watch| ComputedTorque::<f64, 4, 2, 2>::by_rule(plan, [60.0; 2], watch).unwrap());
    a_turn(built, TURN, |plan, _| Pid::by_rule(plan, [PID; 2]).unwrap());
}

#[test]
fn a_hinge_in_space_turns_without_a_jump() {
    let built = Wheel::<f64>::new().build().unwrap();
    assert_eq!(<Mechanism<Wheel<f64>, 12, 11> as Sensed<12, 11, 1>>::WRAPS, [true]);
    let built = (built, built.assembled());
    let way = [[0.0], [TAU]];
    a_turn(built, way, |plan, watch| ComputedTorque::<f64, 12, 11, 1>::by_rule(plan, [60.0], watch).unwrap());
    a_turn(built, way, |plan, _| Pid::by_rule(plan, [PID]).unwrap());
}

/// What homing does after a path to `end`: where the motors are afterwards, or the motor that is too far away.
fn home<System, const N: usize, const M: usize>(
    (system, guess): (System, Vector<f64, N>),
    end: [f64; 2],
) -> Result<[f64; 2], Why>
where
    System: Actuated<N, M, 2, Base = f64> + Sensed<N, M, 2> + Copy,
{
    let law = |plan: &Plan<System, N, M, 2>, watch: &Watch<f64, 2, 2>| {
        ComputedTorque::<f64, N, M, 2>::by_rule(plan, [60.0; 2], watch).unwrap()
    };
    let mut bench = Bench::new((system, guess), [TURN[0], end], law);
    bench.run();
    let Bench { supervisor, state, .. } = &mut bench;
    supervisor.request(state, Request::Hold).unwrap();
    supervisor.request(state, Request::Home).map_err(|refusal| refusal.why)?;
    for _ in 0..3_000 {
        bench.tick();
    }
    assert_eq!(bench.state.state(), Doing::Hold);
    Ok(bench.plant.read().unwrap())
}

/// The coordinates do not decide where homing goes: back by the way that the motors came, and not back over a turn.
#[test]
fn homing_counts_the_turns_of_points_as_those_of_angles() {
    let points = Points::<f64>::new().build().unwrap();
    let angles = Angles::<f64>::new().build().unwrap();
    let begin = Vector::from([2.5, 3.0]);
    // 1.1 rad, over ±π.
    let near = [3.6, 0.5];
    for home in [home((points, points.assembled()), near), home((angles, begin), near)] {
        let [upper, elbow] = home.unwrap();
        assert!((upper - 2.5).abs() < 1e-3 && (elbow - 0.5).abs() < 1e-3, "{upper} {elbow}");
    }
    for home in [home((points, points.assembled()), TURN[1]), home((angles, begin), TURN[1])] {
        assert_eq!(home, Err(Why::TooFar { motor: 0 }));
    }
}

/// An elbow between arms that point to both sides of −x: its angle is small, although that of one arm less the other is not.
#[test]
fn an_elbow_starts_on_its_first_turn() {
    let points = Points::<f64>::new().build().unwrap();
    let (upper, fore) = ((PI - 0.1).sin_cos(), (0.2 - PI).sin_cos());
    let elbow = Vector::from([0.3 * upper.1, 0.3 * upper.0]);
    let hand = elbow + Vector::from([0.2 * fore.1, 0.2 * fore.0]);
    let q = Vector::from([elbow[0], elbow[1], hand[0], hand[1]]);
    let state = Start::at(&points, Clock::with_step(TICK).unwrap(), q).at_rest().unwrap();
    let [_, reading] = Plant::new(points, state, RungeKutta4::new()).read().unwrap();
    assert!((reading - 0.3).abs() < 1e-9, "{reading}");
}

/// The positions of steppers go on, tick by tick.
#[test]
fn steppers_count_their_turns() {
    let points = Points::<f64>::new().build().unwrap();
    let path = MinimumJerk::point_to_point(TURN[0], TURN[1], 2.0).unwrap();
    let plan = InverseDynamics::new(points, path, TICK, points.assembled()).unwrap();
    let limits = MotorLimits::new([6.0; 2], [10.0; 2]).unwrap();
    let (mut state, mut last) = (plan.start().unwrap(), Vector::from(TURN[0]));
    for tick in 0..=2_000 {
        let motors = limits.at(&plan, &mut state, tick).unwrap().map(|motor| motor.value);
        let next = Mechanism::<Points<f64>, 4, 2>::on_turns_of(&last, motors);
        // 5.9 rad/s in a tick.
        assert!((next - last).amax() < 6e-3, "{tick}: {last} to {next}");
        last = next;
    }
    assert!((last - Vector::from(TURN[1])).amax() < 1e-9, "{last}");
}
