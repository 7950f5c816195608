//! The smallest closed loop, an arm with a motor and an encoder: what the parts of a loop promise, in f32 at 1 kHz.

use mechanisms::Arm;
use nalgebra::vector;
use taut::control::{Actuators, Clip, ComputedTorque, ControlError, Controller, Feedforward, Gains, Pid, Reference};
use taut::device::{Friction, Machine, Plant, PlantError, PlantFor, Sensor};
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Output, Reason, Request, State, Watch};
use taut::trajectory::{MinimumJerk, Motion, Trajectory};

use crate::running::Loop;

pub const TICK: f32 = 1e-3;

/// Inverse dynamics of the arm, in closed form: u = m l² θ'' + m g l sin θ. Refuses angles above its limit.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    pub arm: Arm<f32>,
    pub path: MinimumJerk<f32, 1>,
    pub limit: f32,
}

impl Swing {
    pub fn between(from: f32, to: f32, duration: f32) -> Self {
        let path = MinimumJerk::point_to_point([from], [to], duration).unwrap();
        Self { arm: Arm::standard(), path, limit: 3.0 }
    }

    fn reference(&self, motion: &Motion<f32, 1>) -> Reference<f32, 2, 1, 1> {
        let (angle, rate, change) = (motion.position[0], motion.velocity[0], motion.acceleration[0]);
        let Arm { mass, length, gravity, .. } = self.arm;
        let (sin, cos) = Real::sin_cos(angle);
        let (outwards, onwards) = (vector![sin, -cos] * length, vector![cos, sin] * length);
        Reference {
            position: outwards,
            velocity: onwards * rate,
            acceleration: onwards * change - outwards * (rate * rate),
            inputs: vector![mass * length * (length * change + gravity * sin)],
            multipliers: vector![mass * (rate * rate + gravity * cos / length)],
        }
    }
}

impl Feedforward for Swing {
    type Base = f32;
    type System = Arm<f32>;
    type Reference = Reference<f32, 2, 1, 1>;
    /// The path that is followed, and the last reference.
    type State = (MinimumJerk<f32, 1>, Reference<f32, 2, 1, 1>);

    fn system(&self) -> &Arm<f32> {
        &self.arm
    }

    fn tick_length(&self) -> f32 {
        TICK
    }

    fn start(&self) -> Result<Self::State, ControlError<f32>> {
        Ok((self.path, self.reference(&self.path.motion(0.0))))
    }

    fn at<'s>(&self, state: &'s mut Self::State, tick: u64) -> Result<&'s Self::Reference, ControlError<f32>> {
        let motion = state.0.motion_after(tick, TICK);
        if motion.position[0] > self.limit {
            return Err(ControlError::Exceeded {
                tick,
                what: "velocity",
                index: 0,
                value: motion.position[0],
                limit: self.limit,
            });
        }
        state.1 = self.reference(&motion);
        Ok(&state.1)
    }

    fn last(state: &Self::State) -> &Self::Reference {
        &state.1
    }
}

type ArmPlant<Method> = PlantFor<Swing, Method, 1>;
type ArmLoop<Law> = Loop<Swing, Law, 1>;

fn plant(arm: Arm<f32>) -> ArmPlant<Rattle> {
    let state = Start::at(&arm, Clock::at_rate(4_000.0).unwrap(), [0.0, -0.5]).at_rest().unwrap();
    Plant::new(arm, state, Rattle::new()).steps_a_tick(4)
}

/// 12 bits; the arm swings at up to 8 rad/s.
pub const ENCODER: EncoderLimits<f32> = EncoderLimits { resolution: 2e-3, top_speed: 20.0, largest_error: 0.5 };

/// A motor that is strong enough for everything.
pub fn strong() -> Actuators<f32, 1> {
    Actuators::new([1e3]).unwrap()
}

fn computed_torque() -> ComputedTorque<f32, 2, 1, 1> {
    ComputedTorque::new([60.0], TICK, 138.0).unwrap()
}

/// At K_p = ω² m l², K_d = 2 ω m l², with ω = 60/s.
pub fn pid() -> Pid<f32, 1> {
    Pid::new([Gains { proportional: 900.0, integral: 3_000.0, derivative: 30.0 }], TICK, 300.0).unwrap()
}

fn follow<Law: Controller<Arm<f32>, f32, 2, 1, 1, 1>>(
    swing: Swing,
    law: Law,
    actuators: Actuators<f32, 1>,
) -> ArmLoop<Law> {
    Loop::on_path(swing, law, Watch::new(actuators, [ENCODER])).unwrap()
}

/// The machine's angle, whatever its encoder says.
fn angle(plant: &ArmPlant<Rattle>) -> f32 {
    let q = plant.state().position();
    q.x.atan2(-q.y)
}

/// The largest error of the angle over a swing, and that at its end.
fn errors<Law: Controller<Arm<f32>, f32, 2, 1, 1, 1>>(
    mut tracking: ArmLoop<Law>,
    mut plant: ArmPlant<Rattle>,
    swing: &Swing,
) -> (f32, f32) {
    let (mut largest, mut last) = (0.0_f32, 0.0);
    for tick in 0..3_000 {
        last = (angle(&plant) - swing.path.motion_after(tick, TICK).position[0]).abs();
        largest = largest.max(last);
        tracking.tick(&mut plant);
        assert_eq!(tracking.fault(), None);
        plant.tick().unwrap();
    }
    (largest, last)
}

/// The torque holds over a tick and so is late by half of one: c'' is off by h/2 c''', and the angle by that over ω².
/// θ = 2.5 in a second has a jerk of 60 · 2.5, so 150 · 5e-4/3600 = 2.1e-5; readings are rounded to 2e-7. Computed torque looks
/// half a tick ahead and stays below that.
#[test]
fn with_exact_parameters_the_arm_follows() {
    let swing = Swing::between(0.0, 2.5, 1.0);
    let (largest, last) = errors(follow(swing, computed_torque(), strong()), plant(Arm::standard()), &swing);
    assert!(largest < 3e-5 && last < 1e-6, "{largest:e} {last:e}");
    let (largest, last) = errors(follow(swing, pid(), strong()), plant(Arm::standard()), &swing);
    assert!(largest < 3e-5 && last < 1e-6, "{largest:e} {last:e}");
}

/// 5% more mass is a torque of 5% that the model does not have, 0.05 (g/l + θ'') at most in c'', and over ω² in the angle: with
/// θ'' < 5.78 · 2.5 from the fifth degree, 4.8e-4. An encoder of 12 bits adds half a count, 7.7e-4, twice for what it moves.
#[test]
fn with_five_percent_more_mass_and_twelve_bits_the_arm_follows_within_theory() {
    let swing = Swing::between(0.0, 2.5, 1.0);
    let heavy = Arm { mass: 1.05, ..Arm::standard() };
    let plant = plant(heavy).sensors([Sensor::bits_per_turn(12)]);
    let (largest, _) = errors(follow(swing, computed_torque(), strong()), plant, &swing);
    assert!(largest < 4.8e-4 + 2.0 * 7.7e-4, "{largest:e}");
    // It is the mass and the encoder, not something else.
    assert!(largest > 2e-4, "{largest:e}");
    let (largest, last) = errors(follow(swing, pid(), strong()), plant, &swing);
    assert!(largest < 4.8e-4 + 2.0 * 7.7e-4, "{largest:e}");
    // The integral leaves the count.
    assert!(last < 7.7e-4 + 1e-5, "{last:e}");
}

/// Noise, friction and delays of both kinds are felt, and stay what they are for a seed.
#[test]
fn noise_friction_and_delay_are_felt_and_repeat_themselves() {
    let swing = Swing::between(0.0, 2.5, 1.0);
    let run = |plant| errors(follow(swing, pid(), strong()), plant, &swing);
    let exact = run(plant(Arm::standard()));
    let friction = [Friction { viscous: 0.05, coulomb: 0.2, threshold: 0.05 }];
    let rough = run(plant(Arm::standard()).friction(friction));
    // 0.2 N m over K_p = 900 N m/rad at the start of the motion, less what the integral takes.
    assert!(rough.0 > 10.0 * exact.0 && rough.0 < 0.45 / 900.0, "{rough:?}");
    let noisy = |seed| run(plant(Arm::standard()).sensors([Sensor { noise: 1e-3, ..Sensor::ideal() }]).seed(seed));
    assert_eq!(noisy(4), noisy(4));
    assert_ne!(noisy(4), noisy(5));
    assert!(noisy(4).0 > 10.0 * exact.0 && noisy(4).0 < 1e-2, "{:?}", noisy(4));
    // A tick late at 2.5 · 1.875 rad/s is 4.7 mrad that the loop takes for an error.
    let late = run(plant(Arm::standard()).delays(1, 0, [0.0]).unwrap());
    assert!(late.0 > 1e-3 && late.0 < 6e-3, "{late:?}");
    let sluggish = run(plant(Arm::standard()).delays(0, 2, [0.0]).unwrap());
    assert!(sluggish.0 > 3.0 * exact.0 && sluggish.0 < 1e-3, "{sluggish:?}");
    assert!(matches!(
        plant(Arm::standard()).delays(0, 9, [0.0]),
        Err(ControlError::TooLong { ticks: 9, limit: 8, .. })
    ));
}

/// Runs the loop for some ticks, and says when and why it first held.
fn run<Law: Controller<Arm<f32>, f32, 2, 1, 1, 1>>(
    tracking: &mut ArmLoop<Law>,
    plant: &mut ArmPlant<Rattle>,
    ticks: u64,
) -> Option<(u64, Reason<f32>)> {
    for _ in 0..ticks {
        tracking.tick(plant);
        plant.tick().unwrap();
    }
    tracking.state.latched().map(|latched| (latched.tick, latched.reason))
}

#[test]
fn saturation_is_reported_and_the_arm_is_held() {
    // The swing takes up to 0.25 · 2.5 · 5.78 N m and 4.9 N m for the weight: 6 N m are enough in two seconds, and far from it in
    // a third of one.
    let motors = Actuators::new([6.0]).unwrap();
    let slow = Swing::between(0.0, 1.5, 2.0);
    let mut plant_1 = plant(Arm::standard());
    assert_eq!(run(&mut follow(slow, computed_torque(), motors), &mut plant_1, 2_500), None);

    let fast = Swing::between(0.0, 1.5, 0.33);
    let mut plant = plant(Arm::standard());
    // From rest the arm moves by 4 mrad in the patience of 20 ms: an encoder of 16 bits shows it.
    let encoder = EncoderLimits { resolution: 1e-4, ..ENCODER };
    let mut tracking = Loop::on_path(fast, computed_torque(), Watch::new(motors, [encoder])).unwrap();
    let (tick, fault) = run(&mut tracking, &mut plant, 4_000).unwrap();
    assert!(
        matches!(fault, Reason::Saturated { index: 0, wanted, applied: 6.0, wins: true } if wanted > 6.0),
        "{fault:?}"
    );
    assert!(tick < 330, "{tick}");
    // At rest, where the hold put it, with the torque of its weight.
    let held = angle(&plant);
    assert!(plant.state().velocity().norm() < 1e-4 && held.abs() < 1.6, "{held}");
    let record = tracking.tick(&mut plant).record;
    assert!((record.efforts[0] - 9.81 * 0.5 * held.sin()).abs() < 1e-2, "{record:?}");

    // After a reset a new swing begins near there, which the arm goes to first.
    let Loop { supervisor, state } = &mut tracking;
    supervisor.request(state, Request::Reset).unwrap();
    supervisor.set_plan(state, Swing::between(held - 0.1, 0.2, 2.0).start().unwrap()).unwrap();
    supervisor.request(state, Request::Run).unwrap();
    assert_eq!(run(&mut tracking, &mut plant, 3_500), None);
    assert_eq!(tracking.state.state(), State::Running);
    assert!((angle(&plant) - 0.2).abs() < 1e-4);
}

/// Without back-calculation the integral would grow by K_i ∫ε: here by tens of thousands; with it, it stays within what saturates.
#[test]
fn a_saturated_integral_does_not_wind_up() {
    let motors = Actuators::new([3.0]).unwrap();
    // Needs 4.9 N m to hold, of which there are three.
    let encoder = EncoderLimits { largest_error: 10.0, ..ENCODER };
    let watch = Watch { patience: u32::MAX, ..Watch::new(motors, [encoder]) };
    let swing = Swing::between(0.0, core::f32::consts::FRAC_PI_2, 1.0);
    let mut tracking = Loop::on_path(swing, pid(), watch).unwrap();
    let mut plant = plant(Arm::standard());
    assert_eq!(run(&mut tracking, &mut plant, 10_000), None);
    // Proportional and integral part settle at the effort that is there: |I| ≤ K_p ε_max + what is missing.
    let (integral, error) = (tracking.state.law().integral()[0].abs(), core::f32::consts::FRAC_PI_2 - angle(&plant));
    assert!(error > 0.5, "{error}");
    assert!(integral <= 900.0 * core::f32::consts::PI + 5.0, "{integral}");
}

#[test]
fn rate_limits_are_kept() {
    // The torque of this swing changes by up to 0.25 · 150 N m in a second.
    let motors = Actuators::new([50.0]).unwrap().with_rate_limits([25.0]).unwrap();
    let swing = Swing::between(0.0, 2.5, 1.0);
    let encoder = EncoderLimits { largest_error: 10.0, ..ENCODER };
    let watch = Watch { patience: u32::MAX, ..Watch::new(motors, [encoder]) };
    let mut tracking = Loop::on_path(swing, computed_torque(), watch).unwrap();
    let mut plant = plant(Arm::standard());
    let (mut last, mut clipped) = (0.0_f32, false);
    // Later the arm goes over the top, where its angle jumps.
    for _ in 0..900 {
        let report = tracking.tick(&mut plant);
        let effort = report.record.efforts[0];
        assert!((effort - last).abs() <= 25.0 * TICK * 1.000_1, "{:?}", tracking.state.latched());
        (last, clipped) = (effort, clipped || report.clips[0] == Clip::Rate);
        plant.tick().unwrap();
    }
    assert!(clipped);
}

#[test]
fn a_refused_target_is_not_followed() {
    let swing = Swing { limit: 1.0, ..Swing::between(0.0, 2.5, 1.0) };
    let mut tracking = follow(swing, computed_torque(), strong());
    let mut plant = plant(Arm::standard());
    let (tick, fault) = run(&mut tracking, &mut plant, 2_000).unwrap();
    assert!(
        matches!(fault, Reason::Refused(ControlError::Exceeded { what: "velocity", tick: at, limit: 1.0, .. }) if at == tick),
        "{fault:?}"
    );
    // Stops τ c' further on: at 1 rad the speed of this swing is 4.4 rad/s, τ = 50 ms.
    let stopped = angle(&plant);
    assert!(stopped > 1.15 && stopped < 1.26, "{stopped}");
    assert!(plant.state().velocity().norm() < 1e-4);
}

#[test]
fn an_error_that_is_too_large_is_reported() {
    let swing = Swing::between(0.0, 2.5, 1.0);
    let encoder = EncoderLimits { largest_error: 0.05, ..ENCODER };
    // Far enough that a locked machine is not a stuck encoder.
    let watch = Watch { stuck_travel: [0.1], ..Watch::new(strong(), [encoder]) };
    let mut tracking = Loop::on_path(swing, pid(), watch).unwrap();
    // A machine that is locked.
    let mut locked = Still { reading: 0.0, effort: None };
    let found = (0..1_000).find(|_| tracking.tick(&mut locked).record.state == State::Fault);
    let fault = tracking.fault().unwrap();
    assert!(matches!(fault, Reason::TrackingError { index: 0, limit: 0.05, .. }), "{fault:?}");
    // In the tick in which it is found, the motor is off.
    assert!(found.is_some() && locked.effort == Some(0.0));
}

/// A machine that never moves.
struct Still {
    reading: f32,
    effort: Option<f32>,
}

impl Machine<f32, 1, 1> for Still {
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; 1], PlantError<f32>> {
        Ok([self.reading])
    }

    fn drive(&mut self, efforts: &[f32; 1], _: &[f32; 1]) -> Result<(), PlantError<f32>> {
        self.effort = Some(efforts[0]);
        Ok(())
    }
}

#[test]
fn without_a_reading_the_motor_is_off() {
    let swing = Swing::between(0.0, 2.5, 1.0);
    let mut tracking = follow(swing, computed_torque(), strong());
    let mut blind = Still { reading: f32::NAN, effort: None };
    assert_eq!(tracking.tick(&mut blind).record.output, Output::Off);
    let latched = *tracking.state.latched().unwrap();
    assert_eq!((blind.effort, latched.tick, latched.reason), (Some(0.0), 0, Reason::Reading { index: 0 }));
    // It sees again, and stays off until it is told otherwise.
    blind.reading = 0.0;
    assert_eq!(tracking.tick(&mut blind).record.output, Output::Off);
    assert_eq!((blind.effort, tracking.fault()), (Some(0.0), Some(Reason::Reading { index: 0 })));
}

/// The plant is a simulation of the model: RATTLE and Runge–Kutta agree, and more steps a tick change nothing that a loop sees.
#[test]
fn the_plant_moves_like_its_model() {
    let arm = Arm::<f32>::standard();
    let state = Start::at(&arm, Clock::at_rate(1_000.0).unwrap(), [0.0, -0.5]).at_rest().unwrap();
    let mut one: ArmPlant<RungeKutta4<f32>> = Plant::new(arm, state, RungeKutta4::new());
    let mut other = plant(arm);
    for tick in 0..2_000_u16 {
        let torque = 4.0 * (f32::from(tick) * 0.01).sin();
        one.drive(&[torque], &[0.0]).unwrap();
        other.drive(&[torque], &[0.0]).unwrap();
        one.tick().unwrap();
        other.tick().unwrap();
        // RATTLE at 4 kHz is off by h² t θ''' and the like: 6e-8 · 100.
        assert!((one.read().unwrap()[0] - other.read().unwrap()[0]).abs() < 2e-5);
    }
    assert_eq!(other.drive(&[f32::NAN], &[0.0]), Err(PlantError::Effort { index: 0 }));
    let _: &Vector<f32, 2> = other.state().position();
}
