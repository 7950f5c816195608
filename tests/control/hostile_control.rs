//! Loops in the hands of those who give them anything: readings, limits, ticks and targets that make no sense, motors that fail.

use core::fmt::Debug;

use mechanisms::{Crane, FiveBar, TwoMasses};
use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::control::{
    Actuated, Actuators, ComputedTorque, ControlError, Controller, Feedforward, FlatInverse, Gains, InverseDynamics,
    Pendulous, Pid, ProjectedInverse, Reference, SwingDamping,
};
use taut::device::{Friction, Machine, Plant, PlantError, PlantFor, Sensor};
use taut::linalg::{Matrix, Vector};
use taut::method::RungeKutta4;
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Output, Reason, Watch};
use taut::system::{Diagonal, Mechanical};
use taut::trajectory::{Circle, Limits, Nonic, SCurve, Trajectory, TrajectoryError};

use crate::running::{Loop, Run, run};

const TICK: f32 = 1e-3;
const TORQUE: f32 = 1.0;

type Linkage = FiveBar<f32>;
type Inverse = InverseDynamics<Linkage, Circle<f32, 2>, 4, 2, 2>;
type Torque = ComputedTorque<f32, 4, 2, 2>;

fn feedforward(h: f32) -> Inverse {
    let linkage = Linkage::standard();
    let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, h).unwrap();
    InverseDynamics::new(linkage, circle, h, linkage.elbows_out(circle.at(0.0))).unwrap()
}

fn motors() -> Actuators<f32, 2> {
    Actuators::new([TORQUE; 2]).unwrap()
}

const ENCODER: EncoderLimits<f32> = EncoderLimits { resolution: 1e-4, top_speed: 20.0, largest_error: 0.5 };

fn watch() -> Watch<f32, 2, 2> {
    Watch::new(motors(), [ENCODER; 2])
}

fn computed_torque(h: f32) -> Torque {
    ComputedTorque::new([100.0; 2], h, 230.0).unwrap()
}

fn follow<Law: Controller<Linkage, f32, 4, 2, 2, 2>>(
    law: Law,
    watch: Watch<f32, 2, 2>,
) -> Result<Loop<Inverse, Law, 2>, ControlError<f32>> {
    Loop::on_path(feedforward(TICK), law, watch)
}

fn plant() -> PlantFor<Inverse, RungeKutta4<f32>, 2> {
    let first = run(Ok(feedforward(TICK))).unwrap().at(0).unwrap();
    let state = Start::at(&Linkage::standard(), Clock::at_rate(1_000.0).unwrap(), first.position)
        .moving(first.velocity)
        .unwrap();
    Plant::new(Linkage::standard(), state, RungeKutta4::new())
}

/// A machine whose motors cannot be driven at some ticks.
struct Failing<M>(M, core::ops::Range<u32>, u32);

impl<M: Machine<f32, 2, 2, Error = PlantError<f32>>> Machine<f32, 2, 2> for Failing<M> {
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; 2], PlantError<f32>> {
        self.0.read()
    }
    fn drive(&mut self, efforts: &[f32; 2], speeds: &[f32; 2]) -> Result<(), PlantError<f32>> {
        self.2 += 1;
        if self.1.contains(&(self.2 - 1)) {
            Err(PlantError::Effort { index: 1 })
        } else {
            self.0.drive(efforts, speeds)
        }
    }
}

/// It cannot be held either: it is switched off, at once and for as long as that fails, too.
#[test]
fn a_motor_that_cannot_be_driven_is_switched_off() {
    let mut tracking = follow(computed_torque(TICK), watch()).unwrap();
    let mut machine = Failing(plant(), 200..203, 0);
    for tick in 0..400 {
        let report = tracking.tick(&mut machine);
        let refused = Some(PlantError::Effort { index: 1 });
        match tick {
            0..200 => assert_eq!((report.device, report.record.output), (None, Output::Following)),
            // Two of the three refusals are in this tick: the effort, and switching off.
            200 => assert_eq!((report.device, report.record.output), (refused, Output::Off)),
            201 => assert_eq!((report.device, report.record.output), (refused, Output::Off)),
            _ => assert_eq!((report.device, report.record.output), (None, Output::Off)),
        }
        assert_eq!(tracking.fault(), (tick >= 200).then_some(Reason::Device));
        machine.0.tick().unwrap();
    }
    let latched = tracking.state.latched().unwrap();
    assert_eq!(
        latched.to_string(),
        "loop tick 200: running stopped: a device could not be read or driven; the tick returned its error"
    );
}

#[test]
fn ticks_of_another_length_are_refused() {
    let refused = follow(computed_torque(2e-3), watch()).err().unwrap();
    assert_eq!(refused, ControlError::OtherTick { what: "controller", given: 2e-3, expected: TICK });
    assert_eq!(refused.to_string(), "the controller is made for ticks of 2e-3 s, the loop has 1e-3 s: use one length");
    let gains = Gains { proportional: 20.0, integral: 0.0, derivative: 0.4 };
    assert!(follow(Pid::new([gains; 2], 2e-3, 500.0).unwrap(), watch()).is_err());
}

#[test]
fn invalid_limits_of_a_watch_are_refused() {
    let refused = |watch| follow(computed_torque(TICK), watch).err();
    assert_eq!(refused(watch()), None);
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let encoder = |bad| Watch { encoders: [ENCODER, bad], ..watch() };
        for (watch, what) in [
            (encoder(EncoderLimits { resolution: bad, ..ENCODER }), "resolution of an encoder"),
            (encoder(EncoderLimits { top_speed: bad, ..ENCODER }), "top speed of an encoder"),
            (encoder(EncoderLimits { largest_error: bad, ..ENCODER }), "largest error"),
            (Watch { stuck_travel: [0.1, bad], ..watch() }, "travel of a target"),
            (Watch { off_travel: Some([0.1, bad]), ..watch() }, "travel of a motor that is off"),
            (Watch { braking: bad, ..watch() }, "braking time"),
            (Watch { stopping_distance: [1.0, bad], ..watch() }, "stopping distance"),
            (Watch { homing_speed: [1.0, bad], ..watch() }, "speed of homing"),
            (Watch { homing_distance: [1.0, bad], ..watch() }, "distance of homing"),
        ] {
            let named = match refused(watch) {
                Some(ControlError::NotPositive { what, .. } | ControlError::OutOfRange { what, .. }) => what,
                other => panic!("{what} {bad}: {other:?}"),
            };
            assert_eq!(named, what, "{bad}");
        }
    }
    // A target that moves by less than six counts says nothing about its encoder.
    let coarse = Watch::new(motors(), [EncoderLimits { resolution: 0.03, ..ENCODER }; 2]);
    let expected = ControlError::OutOfRange {
        what: "travel of a target",
        given: 0.125,
        smallest: 2.0 * (3.0 * 0.03),
        largest: f32::MAX,
    };
    assert_eq!(refused(coarse), Some(expected));
    // The crane's third encoder has no motor; those that have one do not need a reading at rest.
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).unwrap();
    let crane = |rest: [f32; 3]| {
        let feedforward = FlatInverse::new(Crane::<f32>::standard(), path, TICK).unwrap();
        let law = ComputedTorque::<f32, 4, 1, 2>::new([20.0; 2], TICK, 46.0).unwrap();
        let watch = Watch { rest, ..Watch::new(Actuators::new([400.0, 2_000.0]).unwrap(), [ENCODER; 3]) };
        Loop::<_, _, 3>::on_path(feedforward, law, watch)
    };
    assert!(crane([f32::NAN, f32::NAN, 0.0]).is_ok());
    let refused = crane([0.0, 0.0, f32::NAN]).err().unwrap();
    assert_eq!(refused, ControlError::NonFinite { tick: 0, what: "reading at rest", index: 2 });
}

#[test]
fn invalid_gains_are_refused() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(Torque::new([100.0, bad], TICK, 500.0).is_err(), "{bad}");
        assert!(Torque::new([100.0; 2], bad, 500.0).is_err() && Torque::new([100.0; 2], TICK, bad).is_err(), "{bad}");
        let rope = Pendulous { motor: 0, encoder: 1, length: 2.0, gravity: 9.81 };
        let around = |rope, decay| SwingDamping::around(computed_torque(TICK), rope, decay, TICK, 100.0);
        assert!(around(rope, bad).is_err() && around(Pendulous { length: bad, ..rope }, 1.5).is_err(), "{bad}");
        assert!(around(Pendulous { gravity: bad, ..rope }, 1.5).is_err(), "{bad}");
        // Its fourth power overflows.
        assert!(around(rope, 1e12).is_err());
    }
    // Rounding leaves nothing of it: such an observer would never listen.
    assert!(Pid::new([Gains { proportional: 1.0, integral: 0.0, derivative: 0.0 }], TICK, 1e-6).is_err());
}

/// An observer slower than its loop makes it unstable; one faster than the ticks smooths nothing.
#[test]
fn observers_too_slow_or_too_fast_are_refused() {
    let range = |error: ControlError<f32>| match error {
        ControlError::OutOfRange { what: "bandwidth of the observer", given, smallest, largest } => {
            assert!((largest - 6_283.185).abs() < 1e-2, "{error}");
            (given, smallest)
        }
        other => panic!("{other}"),
    };
    let rope = Pendulous { motor: 0, encoder: 1, length: 2.0, gravity: 9.81 };
    let damped = |bandwidth| SwingDamping::around(computed_torque(TICK), rope, 1.5, TICK, bandwidth);
    let gains = Gains { proportional: 20.0, integral: 0.0, derivative: 0.4 };
    for bandwidth in [1e-6, 1.0, 99.9, 6_284.0, 1e6, 1e30] {
        let error = Torque::new([20.0, 100.0], TICK, bandwidth).unwrap_err();
        assert_eq!(range(error), (bandwidth, 100.0));
    }
    assert_eq!(range(damped(1.4).unwrap_err()), (1.4, 1.5));
    for bandwidth in [6_284.0, 1e6] {
        assert_eq!(range(damped(bandwidth).unwrap_err()), (bandwidth, 1.5));
        assert_eq!(range(Pid::new([gains; 2], TICK, bandwidth).unwrap_err()), (bandwidth, 0.0));
    }
    assert_eq!(
        Torque::new([20.0, 100.0], TICK, 50.0).unwrap_err().to_string(),
        "bandwidth of the observer is 5e1: it must be from 1e2 to 6.283185e3"
    );
    for bandwidth in [100.0, 6_283.0] {
        assert!(Torque::new([20.0, 100.0], TICK, bandwidth).is_ok(), "{bandwidth}");
        assert!(Pid::new([gains; 2], TICK, bandwidth).is_ok() && damped(bandwidth).is_ok(), "{bandwidth}");
    }
}

#[test]
fn swing_damping_refuses_missing_motors_and_encoders() {
    for (motor, encoder, what) in [(2, 1, "motor"), (0, 2, "encoder"), (usize::MAX, 0, "motor")] {
        let rope = Pendulous { motor, encoder, length: 2.0, gravity: 9.81 };
        let law = SwingDamping::around(computed_torque(TICK), rope, 1.5, TICK, 100.0).unwrap();
        let mut tracking = follow(law, watch()).unwrap();
        let index = if what == "motor" { motor } else { encoder };
        let refused = ControlError::NoSuch { what, index, count: 2 };
        assert_eq!(tracking.tick(&mut plant()).record.output, Output::Off);
        assert_eq!(tracking.fault(), Some(Reason::Control(refused)));
    }
}

/// A mass that is pushed along a line, without constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cart;

impl Mechanical<1, 0> for Cart {
    type Base = f64;
    type Mass = Diagonal<f64, 1>;

    fn mass(&self) -> Diagonal<f64, 1> {
        Diagonal::new([2.0])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
        vector![S::zero()]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

impl Actuated<1, 0, 1> for Cart {
    fn actuation<S: Real<Base = f64>>(&self, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
        matrix![S::one()]
    }
    fn output<S: Real<Base = f64>>(&self, q: &Vector<S, 1>) -> Vector<S, 1> {
        *q
    }
}

#[test]
fn a_plan_that_takes_no_time_does_not_stop_a_motion() {
    let limits = Limits::new(1.0, 2.0, 10.0).unwrap();
    let there = SCurve::point_to_point(0.0, 1.0, &limits).unwrap();
    let mut feedforward = run(InverseDynamics::<_, _, 1, 0, 1>::new(Cart, there, 1e-3, [0.0])).unwrap();
    let moving = feedforward.at(600).unwrap();
    assert!(moving.velocity[0] > 0.5);
    let stop = SCurve::point_to_point(moving.position[0], moving.position[0], &limits).unwrap();
    let before = feedforward.state;
    let refused = feedforward.replan(stop, 600).unwrap_err();
    assert!(
        matches!(refused, ControlError::Trajectory(TrajectoryError::Jump { derivative: 1, after: 0.0, .. })),
        "{refused}"
    );
    assert_eq!(feedforward.state, before);
    // Braking is a plan.
    let brake = SCurve::departing(&there, feedforward.time(600), 0.6, &limits).unwrap();
    feedforward.replan(brake, 600).unwrap();
    let after = feedforward.at(600).unwrap();
    assert!((after.inputs - moving.inputs).amax() < 1e-9 && (after.position - moving.position).amax() < 1e-15);
}

fn both<Plan: Feedforward>(first: Plan, last: Plan) -> (Run<Plan>, Run<Plan>)
where
    Plan::Base: Debug,
{
    (run(Ok(first)).unwrap(), run(Ok(last)).unwrap())
}

#[test]
fn the_largest_tick_is_passed() {
    let begin = u64::MAX - 500;
    let late = |tick: u64| begin.wrapping_add(tick);
    let (mut first, mut last) = both(feedforward(TICK), feedforward(TICK).beginning_at(begin));
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).unwrap();
    let crane = || FlatInverse::new(Crane::<f64>::standard(), path, 1e-3).unwrap();
    let (mut first_flat, mut last_flat) = both(crane(), crane().beginning_at(begin));
    let push = Nonic::point_to_point([0.0], [0.5], 1.0).unwrap();
    let masses = || ProjectedInverse::new(TwoMasses::<f64>::standard(), push, 1e-3).unwrap();
    let (mut first_projected, mut last_projected) = both(masses(), masses().beginning_at(begin));
    for tick in 0..1_000 {
        assert_eq!(first.at(tick), last.at(late(tick)));
        assert_eq!(first_flat.at(tick), last_flat.at(late(tick)));
        assert_eq!(first_projected.at(tick), last_projected.at(late(tick)));
    }
    // Before it begins, a trajectory is where it begins.
    assert_eq!(last_flat.at(begin - 7), first_flat.at(0));
}

/// Numbers that sensors may give when they fail, and ordinary ones.
fn any_reading() -> impl Strategy<Value = f32> {
    let special = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e20, -1e20, 1e-40, 0.0, -0.0];
    prop_oneof![4 => -4.0..4.0_f32, 1 => prop::sample::select(special), 1 => any::<f32>()]
}

/// Reads what it is told to, and keeps what it was driven with.
struct Told {
    readings: [f32; 2],
    efforts: Option<[f32; 2]>,
}

impl Machine<f32, 2, 2> for Told {
    type Error = ();

    fn read(&mut self) -> Result<[f32; 2], ()> {
        Ok(self.readings)
    }
    fn drive(&mut self, efforts: &[f32; 2], _: &[f32; 2]) -> Result<(), ()> {
        self.efforts = Some(*efforts);
        Ok(())
    }
}

/// Whatever is read: what is driven is finite and within limits, and what is not driven is said.
fn is_safe<Law: Controller<Linkage, f32, 4, 2, 2, 2>>(law: Law, all: &[[f32; 2]]) -> Result<(), TestCaseError> {
    let mut tracking = follow(law, watch()).unwrap();
    for &readings in all {
        let mut machine = Told { readings, efforts: None };
        let record = tracking.tick(&mut machine).record;
        // Every tick says what the motors are to do.
        let efforts = machine.efforts.unwrap();
        prop_assert!(efforts.iter().all(|effort| effort.abs() <= TORQUE), "{:?}", efforts);
        match record.output {
            Output::Off => prop_assert!(tracking.fault().is_some() && efforts == [0.0; 2], "{:?}", record),
            _ => prop_assert!(tracking.fault().is_some() || record.errors.amax() <= 0.5, "{:?}", record),
        }
    }
    Ok(())
}

/// Ordinary numbers, and those that nobody should give.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![2 => any_reading(), 2 => (-6.0..6.0_f32).prop_map(|power| 10.0_f32.powf(power))]
}

/// Either an error, or numbers.
fn is_finite<Plan, const M: usize>(mut feedforward: Run<Plan>, ticks: &[u64]) -> Result<(), TestCaseError>
where
    Plan: Feedforward<Base = f32, Reference = Reference<f32, 4, M, 2>, State: Copy + Debug + PartialEq>,
{
    for &tick in ticks {
        let before = feedforward.state;
        match feedforward.at(tick) {
            Ok(reference) => {
                let motion = reference.position.iter().chain(&reference.velocity).chain(&reference.acceleration);
                let mut all = motion.chain(&reference.inputs).chain(&reference.multipliers);
                prop_assert!(all.all(|x| x.is_finite()), "tick {}: {:?}", tick, reference);
            }
            Err(_) => prop_assert_eq!(feedforward.state, before),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn whatever_is_read_the_motors_are_safe(all in prop::collection::vec(prop::array::uniform2(any_reading()), 30)) {
        let gains = Gains { proportional: 20.0, integral: 5.0, derivative: 0.4 };
        is_safe(computed_torque(TICK), &all)?;
        is_safe(Pid::new([gains; 2], TICK, 500.0).unwrap(), &all)?;
    }

    #[test]
    fn any_target_is_finite_or_refused(
        [x, y, radius, duration] in prop::array::uniform4(any_number()),
        h in any_number(),
        turns in any::<i32>(),
        period in 1_u64..5_000,
        guess in prop::array::uniform4(any_number()),
        ticks in prop::collection::vec(any::<u64>(), 10),
    ) {
        let ticks: Vec<u64> = ticks.iter().flat_map(|tick| [tick % 4_000, *tick, u64::MAX]).collect();
        for turns in [turns, turns % 4] {
            let Ok(circle) = Circle::around([x, y], radius, turns, period, h) else { continue };
            let linkage = Linkage::standard();
            for guess in [Vector::from(guess), linkage.elbows_out(circle.at(0.0)), linkage.elbows_out(vector![0.0, 0.17])] {
                if let Ok(feedforward) = run(InverseDynamics::<_, _, 4, 2, 2>::new(linkage, circle, h, guess)) {
                    is_finite::<_, 2>(feedforward, &ticks)?;
                }
            }
        }
        let Ok(path) = Nonic::point_to_point([x, y], [radius, -1.0], duration) else { return Ok(()) };
        if let Ok(feedforward) = run(FlatInverse::new(Crane::<f32>::standard(), path, h)) {
            is_finite::<_, 1>(feedforward, &ticks)?;
            if let Ok(late) = run(Ok(feedforward.plan.beginning_at(ticks[1]))) {
                is_finite::<_, 1>(late, &ticks)?;
            }
        }
        if let Ok(feedforward) = run(ProjectedInverse::new(Crane::<f32>::standard(), path, h)) {
            is_finite::<_, 1>(feedforward, &ticks)?;
        }
    }

    #[test]
    fn any_plant_goes_on_or_returns_an_error(
        [resolution, noise, offset] in prop::array::uniform3(any_number()),
        [viscous, coulomb, threshold] in prop::array::uniform3(any_number()),
        efforts in prop::array::uniform2(any_number()),
        delays in prop::array::uniform2(0_usize..12),
        counts in any::<u32>(),
        bits in any::<u8>(),
    ) {
        let any = Sensor { resolution, noise, offset };
        for sensors in [[any; 2], [Sensor::counts_per_metre(counts % 3), Sensor::bits_per_turn(bits)]] {
            let plant = plant().sensors(sensors).friction([Friction { viscous, coulomb, threshold }; 2]);
            let Ok(mut plant) = plant.delays(delays[0], delays[1], [0.0; 2]) else {
                prop_assert!(delays.iter().any(|ticks| *ticks > 8));
                continue;
            };
            let finite = efforts.iter().all(|effort| effort.is_finite());
            prop_assert_eq!(plant.drive(&efforts, &[0.0; 2]).is_ok(), finite);
            for _ in 0..20 {
                if plant.tick().is_err() {
                    break;
                }
                prop_assert!(plant.state().position().iter().chain(plant.state().velocity()).all(|x| x.is_finite()));
            }
        }
    }
}

/// Coulomb friction that acts at once has no direction at rest.
#[test]
fn friction_without_a_threshold_is_zero_at_rest() {
    let friction = Friction { viscous: 0.1_f32, coulomb: 2.0, threshold: 0.0 };
    assert_eq!([friction.torque(0.0_f32), friction.torque(-1.0_f32)], [0.0, 2.1]);
    assert_eq!(Sensor::<f32>::counts_per_metre(0), Sensor::counts_per_metre(1));
}
