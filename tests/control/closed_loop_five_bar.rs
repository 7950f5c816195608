//! The five-bar linkage in a closed loop, in f32 at 1 kHz: a circle at two revolutions per second, parameters that are wrong,
//! encoders of 12 bits, and targets that cannot be followed.
//!
//! The plant makes two steps of Runge–Kutta a tick, so that it does not move in the steps in which the controller predicts; with exact
//! parameters, errors are the same to two digits with one step or four.

use mechanisms::FiveBar;
use nalgebra::vector;
use taut::control::{
    Actuators, Clip, ComputedTorque, ControlError, Controller, Gains, InverseDynamics, Pid, Reference, Singularity,
};
use taut::device::{Friction, Plant, PlantFor, Sensor};
use taut::linalg::Vector;
use taut::method::RungeKutta4;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Output, Reason, Watch};
use taut::system::Mechanical;
use taut::trajectory::{Circle, MinimumJerk, Trajectory};

use crate::running::{Loop, run};

const TICK: f32 = 1e-3;
/// Both rods of an arm stretched.
const REACH: f32 = 0.26;
/// The largest torque of each motor; the circle takes 0.26 N m.
const TORQUE: f32 = 1.0;

type Linkage = FiveBar<f32>;
type Machine = PlantFor<Inverse<Circle<f32, 2>>, RungeKutta4<f32>, 2>;
type Inverse<Path> = InverseDynamics<Linkage, Path, 4, 2, 2>;

fn circle(turns: i32) -> Circle<f32, 2> {
    Circle::around([0.0, 0.17], 0.03, turns, 1_000, TICK).unwrap()
}

fn feedforward<Path: Trajectory<2, Base = f32>>(path: Path) -> Inverse<Path> {
    let linkage = Linkage::standard();
    let guess = linkage.elbows_out(path.at(0.0));
    InverseDynamics::new(linkage, path, TICK, guess).unwrap()
}

/// Where a path begins.
fn first(path: impl Trajectory<2, Base = f32> + Clone) -> Reference<f32, 4, 2, 2> {
    run(Ok(feedforward(path))).unwrap().at(0).unwrap()
}

/// The machine on the path, moving with it.
fn plant(linkage: Linkage, path: impl Trajectory<2, Base = f32> + Clone) -> Machine {
    let first = first(path);
    let state = Start::at(&linkage, Clock::at_rate(2_000.0).unwrap(), first.position).moving(first.velocity).unwrap();
    Plant::new(linkage, state, RungeKutta4::new()).steps_a_tick(2)
}

fn computed_torque() -> ComputedTorque<f32, 4, 2, 2> {
    ComputedTorque::new([100.0; 2], TICK, 230.0).unwrap()
}

/// The inertia at a motor is 2e-3 kg m² in the middle of the circle: ω = 100/s there.
fn pid() -> Pid<f32, 2> {
    Pid::new([Gains { proportional: 20.0, integral: 0.0, derivative: 0.4 }; 2], TICK, 500.0).unwrap()
}

fn follow<Path, Law>(path: Path, law: Law) -> Loop<Inverse<Path>, Law, 2>
where
    Path: Trajectory<2, Base = f32> + Clone,
    Law: Controller<Linkage, f32, 4, 2, 2, 2>,
{
    Loop::on_path(feedforward(path), law, watch()).unwrap()
}

/// Stops within 0.1 rad.
fn watch() -> Watch<f32, 2, 2> {
    let encoder = EncoderLimits { resolution: 2e-3, top_speed: 40.0, largest_error: 0.1 };
    Watch::new(Actuators::new([TORQUE; 2]).unwrap(), [encoder; 2])
}

fn tip(plant: &Machine) -> Vector<f32, 2> {
    let q = plant.state().position();
    vector![q[2], q[3]]
}

/// The largest distance of the tip from the circle over four turns, over the reach.
fn largest_error<Law: Controller<Linkage, f32, 4, 2, 2, 2>>(law: Law, mut plant: Machine) -> f32 {
    let path = circle(2);
    let mut tracking = follow(path, law);
    let mut largest = 0.0_f32;
    for tick in 0..2_000 {
        let error = (tip(&plant) - path.motion_after(tick, TICK).position).norm();
        largest = largest.max(error / REACH);
        let clips = tracking.tick(&mut plant).clips;
        assert_eq!((tracking.fault(), clips), (None, [Clip::None; 2]), "{tick}");
        plant.tick().unwrap();
    }
    largest
}

/// The limit is the required one. The torque holds over a tick and would be late by half of one, r Ω³ h/2/ω² = 3e-6 m; computed torque looks
/// half a tick ahead.
#[test]
fn with_exact_parameters_the_tip_follows_the_circle() {
    let plant = plant(Linkage::standard(), circle(2));
    let error = largest_error(computed_torque(), plant);
    assert!(error <= 1e-4, "{error:e}");
    let error = largest_error(pid(), plant);
    assert!(error <= 1e-4, "{error:e}");
}

/// After ten minutes, the circle is followed as it was at first: nothing drifts, neither the reference nor the observer.
#[test]
fn after_ten_minutes_the_circle_is_followed_as_at_first() {
    let path = circle(2);
    let mut plant = plant(Linkage::standard(), path);
    let mut tracking = follow(path, computed_torque());
    for tick in 0..600_500 {
        if !(500..600_000).contains(&tick) {
            let error = (tip(&plant) - path.motion_after(tick, TICK).position).norm() / REACH;
            assert!(error <= 1e-4, "{tick}: {error:e}");
        }
        tracking.tick(&mut plant);
        assert_eq!(tracking.fault(), None);
        plant.tick().unwrap();
    }
}

/// If the model is right, an error of the motors decays like (ε + (ε' + ω ε) t) e^(−ω t), in every pose and motion alike, up to:
/// - a torque that holds over a tick and so is late by δ = h/2, which adds δ ω ε (τ³/6 − τ²) e^(−τ) with τ = ω t: 0.38 δ ω ε;
/// - an observer that does not know ε' in the first four ticks: 4 h ε';
/// - a first torque with the geometry of the reference instead of the pose, where gravity and inertia at the motors, 100 rad/s² each, are
///   5% different at 0.02 rad: 10 rad/s² in a tick, which leave h · 10/(e ω).
#[test]
fn errors_decay_at_the_given_frequency_all_along_the_circle() {
    let (omega, offset) = (50.0, 0.02_f32);
    let law = ComputedTorque::<f32, 4, 2, 2>::new([omega; 2], TICK, 5_000.0).unwrap();
    for eighth in 0..8 {
        let begin = eighth * 62;
        let mut ahead = run(Ok(feedforward(circle(2)))).unwrap();
        let reference = (0..=begin).map(|tick| ahead.at(tick).unwrap()).last().unwrap();
        // Both motors are off, the tip is where that puts it.
        let linkage = Linkage::standard();
        let q = reference.position;
        let pose = closed(&linkage, q + vector![offset, -offset, 0.0, 0.0]);
        let state = Start::at(&linkage, Clock::at_rate(1_000.0).unwrap(), pose).moving(reference.velocity).unwrap();
        let mut plant: Machine = Plant::new(linkage, state, RungeKutta4::new());
        let watch = Watch { motors: Actuators::new([1e3; 2]).unwrap(), ..watch() };
        let mut tracking = Loop::at(ahead.plan, ahead.state, law, watch, begin).unwrap();
        for tick in 0..150_u8 {
            let errors = tracking.tick(&mut plant).record.errors;
            plant.tick().unwrap();
            let t = f32::from(tick) * TICK;
            for motor in 0..2 {
                let error = q[motor] - state.position()[motor];
                let rate = reference.velocity[motor] - state.velocity()[motor];
                let expected = (error + (rate + omega * error) * t) * (-omega * t).exp();
                let off = (errors[motor] - expected).abs();
                let late = 0.38 * 0.5 * omega * offset;
                let limit = TICK * (late + 4.0 * rate.abs() + 10.0 / (core::f32::consts::E * omega));
                assert!(off < limit, "{eighth} {tick}: {off:e}, limit {limit:e}");
            }
        }
    }
}

/// The pose with the same motors whose tip closes the loop: a few steps of Newton's method.
fn closed(linkage: &Linkage, mut q: Vector<f32, 4>) -> Vector<f32, 4> {
    for _ in 0..8 {
        let (g, jacobian) = (linkage.constraint(0.0, &q), linkage.jacobian(0.0, &q));
        let step = jacobian.fixed_columns::<2>(2).try_inverse().unwrap() * g;
        q -= vector![0.0, 0.0, step[0], step[1]];
    }
    q
}

/// With encoders of 12 bits a difference quotient comes in steps of 1.5 rad/s. The magnitudes of the observer's answer to a
/// reading, ℓ₂/h at first, add up to 405/s at 230 rad/s: 0.31 rad/s for half a count. And it is on the constraints.
#[test]
fn the_observer_estimates_smooth_velocities_from_counts() {
    let path = circle(2);
    let machine = Linkage { tip_mass: 0.105, ..Linkage::standard() };
    let mut plant = plant(machine, path).sensors([Sensor::bits_per_turn(12); 2]);
    let mut tracking = follow(path, computed_torque());
    let mut largest = 0.0_f32;
    for tick in 0..2_000 {
        tracking.tick(&mut plant);
        assert_eq!(tracking.fault(), None);
        plant.tick().unwrap();
        // Both are of the next tick now.
        let law = tracking.state.law();
        let g = machine.constraint(0.0, law.position());
        // Velocities are projected where the pose was predicted, a count or 0.15 mm away: over a rod of 0.16 m, at 0.4 m/s, in a
        // tick 4e-7 m off, times the length of the rod.
        assert!(g.norm() < 1e-7, "{tick}: {g}");
        for motor in 0..2 {
            largest = largest.max((law.velocity()[motor] - plant.state().velocity()[motor]).abs());
        }
    }
    assert!(largest < 0.31, "{largest}");
}

/// Every mass 5% more or less than the model has it. Lengths are exact: a tip that is not measured itself is off by what the
/// lengths are, whatever a controller does.
#[test]
fn with_wrong_masses_and_twelve_bits_the_tip_follows_the_circle() {
    let count = core::f32::consts::TAU / 4096.0 * 0.1 / REACH;
    for signs in 0..8_u8 {
        let off = |bit: u8| if signs >> bit & 1 == 1 { 1.05_f32 } else { 0.95 };
        let standard = Linkage::standard();
        let machine = Linkage {
            proximal_mass: standard.proximal_mass * off(0),
            distal_mass: standard.distal_mass * off(1),
            tip_mass: standard.tip_mass * off(2),
            ..standard
        };
        let plant = plant(machine, circle(2)).sensors([Sensor::bits_per_turn(12); 2]);
        for error in [largest_error(computed_torque(), plant), largest_error(pid(), plant)] {
            assert!(error <= 1e-2, "{signs:b}: {error:e}");
            // The encoders are felt: an exact machine is off by 2e-5.
            assert!(error > 0.25 * count, "{signs:b}: {error:e}");
        }
    }
}

/// All at once: masses, counts, noise of a count, a tick's delay of the command and friction that the model does not have.
#[test]
fn everything_wrong_at_once_stays_within_a_percent() {
    let machine = Linkage { proximal_mass: 0.0525, distal_mass: 0.0525, tip_mass: 0.105, ..Linkage::standard() };
    let first = first(circle(2)).inputs;
    let plant = plant(machine, circle(2))
        .sensors([Sensor { noise: 1e-3, ..Sensor::bits_per_turn(12) }; 2])
        .friction([Friction { viscous: 1e-3, coulomb: 5e-3, threshold: 0.1 }; 2])
        .delays(0, 1, [first[0], first[1]])
        .unwrap()
        .seed(2);
    let soft = ComputedTorque::<f32, 4, 2, 2>::new([60.0; 2], TICK, 138.0).unwrap();
    let error = largest_error(soft, plant);
    assert!(error <= 1e-2, "{error:e}");
}

/// Runs on to see the hold: the first fault with its tick, and the machine then at rest.
fn until_held<Path, Law>(mut tracking: Loop<Inverse<Path>, Law, 2>, plant: &mut Machine) -> (u64, Reason<f32>)
where
    Path: Trajectory<2, Base = f32> + Clone,
    Law: Controller<Linkage, f32, 4, 2, 2, 2>,
{
    for _ in 0..3_000 {
        let record = tracking.tick(plant).record;
        assert!(record.efforts.iter().all(|effort| effort.abs() <= TORQUE));
        plant.tick().unwrap();
    }
    let speed = plant.state().velocity().norm();
    assert!(speed < 1e-3, "still moving at {speed:e}");
    tracking.state.latched().map(|latched| (latched.tick, latched.reason)).expect("a fault")
}

/// The tip goes straight up and out of reach, which ends at y = √(0.26² − 0.05²) = 0.2551. There the arms are stretched, and
/// the motors would have to turn ever faster.
#[test]
fn a_target_out_of_reach_is_refused_and_the_linkage_is_held() {
    let edge = 0.255_147;
    let path = MinimumJerk::point_to_point([0.0, 0.17], [0.0, 0.30_f32], 1.0).unwrap();
    let mut plant_1 = plant(Linkage::standard(), path);
    let (tick, fault) = until_held(follow(path, computed_torque()), &mut plant_1);
    let asked = path.motion_after(tick, TICK).position[1];
    assert!(
        matches!(
            fault,
            Reason::Refused(
                ControlError::Unreachable { .. }
                    | ControlError::NotContracting { .. }
                    | ControlError::Singular { kind: Singularity::Reach, .. }
            )
        ),
        "{fault:?}"
    );
    // At 0.24 mm a tick. At a distance d from the edge the motors' angles go like 5.7 √d: the pose of the next tick is predicted with an
    // error of h³/6 of their third derivative, of which the correction with the last tick's matrix leaves 1 − √(d/(d + 0.24 mm)).
    // Five ticks before the edge that is 9e-6 rad, just within the accuracy of the feedforward, 1e-5.
    assert!(asked > edge - 5.0 * 2.4e-4 && asked < edge + 2.4e-4, "{asked}");
    let held = tip(&plant_1);
    assert!(held[0].abs() < 0.02 && held[1] > 0.2 && held[1] < edge + 1e-4, "{held}");

    // With what the motors can do in the feedforward, it is refused while the arms are still bent.
    let mut plant_2 = plant(Linkage::standard(), path);
    let careful = feedforward(path).with_velocity_limits([6.0, 6.0, 1.0, 1.0]).unwrap();
    let tracking = Loop::on_path(careful, computed_torque(), watch()).unwrap();
    let (tick, fault) = until_held(tracking, &mut plant_2);
    assert!(
        matches!(fault, Reason::Refused(ControlError::Exceeded { what: "velocity", tick: at, index: 0 | 1, limit: 6.0, .. }) if at == tick),
        "{fault:?}"
    );
    let (asked, held) = (path.motion_after(tick, TICK).position, tip(&plant_2));
    assert!(asked[1] < 0.254 && (held - asked).norm() < 0.02 && held[1] < edge, "{asked} {held}");

    // And a target that is out of reach from the beginning is no feedforward at all.
    let far = MinimumJerk::point_to_point([0.0, 0.30], [0.0, 0.17_f32], 1.0).unwrap();
    let guess = Linkage::standard().elbows_out(vector![0.0, 0.25]);
    assert!(run(InverseDynamics::<_, _, 4, 2, 2>::new(Linkage::standard(), far, TICK, guess)).is_err());
}

/// Seven revolutions per second take up to 1.26 N m, where the motors have one.
#[test]
fn saturation_is_reported_and_the_linkage_is_held() {
    let path = circle(7);
    for law in [100.0, 60.0].map(|omega| ComputedTorque::<f32, 4, 2, 2>::new([omega; 2], TICK, 2.3 * omega).unwrap()) {
        let mut plant = plant(Linkage::standard(), path);
        // A plan that does not know what the motors have.
        let careless = feedforward(path).with_input_limits([1e6; 2]).unwrap();
        let (tick, fault) = until_held(Loop::on_path(careless, law, watch()).unwrap(), &mut plant);
        assert!(
            matches!(fault, Reason::Saturated { wanted, applied, .. } if applied.abs() == TORQUE && wanted.abs() > TORQUE),
            "{fault:?}"
        );
        // Twenty ticks of patience, within the first revolution.
        assert!((20..170).contains(&tick), "{tick}");
    }
}

/// Runs out of reach in a second, refused where the motors would exceed a speed, with a stopping distance; then for two seconds more.
/// Returns the last output, and the speed that is left.
fn out_of_reach(duration: f32, speed: f32, stopping_distance: f32) -> (Output, f32) {
    let path = MinimumJerk::point_to_point([0.0, 0.17], [0.0, 0.30_f32], duration).unwrap();
    let plan = feedforward(path).with_velocity_limits([speed, speed, 2.0, 2.0]).unwrap();
    // Its inputs are not the point here.
    let plan = plan.with_input_limits([9.0; 2]).unwrap();
    let watch = Watch { stopping_distance: [stopping_distance; 2], ..watch() };
    let mut tracking = Loop::on_path(plan, computed_torque(), watch).unwrap();
    let mut plant = plant(Linkage::standard(), path);
    for _ in 0..3_000 {
        tracking.tick(&mut plant);
        plant.tick().unwrap();
    }
    assert!(matches!(tracking.fault(), Some(Reason::Refused(_))), "{:?}", tracking.fault());
    (tracking.state.record().output, plant.state().velocity().norm())
}

/// The hold must not lead the target out of reach itself: with the braking time alone, it goes on by 0.5 rad at 10 rad/s, through the
/// stretched pose at the edge, and the observer stops. Within the stopping distance the machine is held, however fast it was.
#[test]
fn a_fast_linkage_at_the_edge_of_its_reach_is_held() {
    for duration in [1.0, 0.5, 0.3] {
        for speed in [4.0, 10.0, 15.0, 20.0] {
            let (output, left) = out_of_reach(duration, speed, watch().stopping_distance[0]);
            assert!(output == Output::Held && left < 1e-3, "{duration} {speed}: {output}, {left:e}");
        }
    }
    assert_eq!(out_of_reach(1.0, 4.0, 1e3).0, Output::Held);
    assert_eq!(out_of_reach(1.0, 10.0, 1e3).0, Output::Off);
}
