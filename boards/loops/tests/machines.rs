//! Machines from lists of parts, with the tasks that `cargo xtask new` gives them: they come home, follow their paths, and lose no tick.

use loops::{Options, Summary};

/// Runs five seconds of a machine with its task.
macro_rules! run {
    ($file:literal, $list:ident) => {{
        mod own {
            use loops::Unusable;
            use loops::machine::{self, Circle, Task};
            use mechanisms::parts::$list;
            use taut::control::Actuators;
            use taut::supervise::{EncoderLimits, Watch};

            include!(concat!("../../../xtask/src/new/tasks/", $file, ".rs"));

            pub type Program = loops::program!($list);
        }
        let task = own::task().unwrap();
        let (model, machine) = (mechanisms::parts::$list::new().build().unwrap(), own::machine().build().unwrap());
        let mut program: own::Program =
            loops::machine::program(model, machine, task, (Options::default(), 1_000)).unwrap();
        for tick in 0..5 * own::RATE {
            program.tick(&mut (tick * 1_000), &mut ());
        }
        (*program.summary(), 5 * own::RATE)
    }};
}

/// 5% more load lacks 0.05 g of acceleration, which the controller's ω turns into an error of 0.05 g/ω² at most; as an angle, over the
/// length of the crank. The residual: two counts of `f32` of the largest square of a length, 0.8² m².
#[track_caller]
fn check((summary, ticks): (Summary, u32), omega: f32, length: f32) {
    assert_eq!((summary.faults, summary.timing.skipped, summary.timing.overruns, summary.stuck), (0, 0, 0, 0));
    assert!(summary.running > ticks * 2 / 3, "{summary:?}");
    assert!(summary.worst_error < 0.05 * 9.81 / (omega * omega * length), "{summary:?}");
    assert!(summary.worst_residual < 1.2e-7, "{summary:?}");
}

#[test]
fn machines_in_the_plane_follow_their_paths() {
    check(run!("five-bar", FiveBar), 100.0, 1.0);
    check(run!("five-bar-points", FiveBarPoints), 100.0, 1.0);
    check(run!("scara", Scara), 60.0, 1.0);
}

#[test]
fn machines_in_space_follow_their_paths() {
    check(run!("delta", Delta), 40.0, 1.0);
    check(run!("linear-delta", LinearDelta), 40.0, 1.0);
}

/// A load that swings at the radius of gyration squared over the distance of its centre: 0.28 m in the foot. The platform's error is
/// along its legs. The unit vectors of a body have residuals of two counts of 1.
#[test]
fn bodies_in_space_follow_their_paths() {
    check(run!("stewart", Stewart), 30.0, 1.0);
    check(run!("ankle", Ankle), 30.0, 0.28);
    check(run!("gimbal", Gimbal), 12.0, 1.0);
}

/// The rocker turns a fifth as far as its crank.
#[test]
fn a_spatial_linkage_follows_its_path() {
    check(run!("spatial-four-bar", SpatialFourBar), 30.0, 1.0);
}

#[test]
fn machines_with_one_motor_follow_their_paths() {
    check(run!("slider-crank", SliderCrank), 60.0, 1.0);
    check(run!("four-bar-angles", FourBarAngles), 60.0, 0.2);
    check(run!("geared-five-bar", GearedFiveBar), 60.0, 0.05);
}

/// Two encoders, and one way to move. The load swings at the radius of gyration squared over the distance of its centre: 2.4e-3 kg m² and
/// 0.6 kg · 0.022 m.
#[test]
fn more_encoders_than_ways_to_move_agree() {
    check(run!("universal-joint", UniversalJoint), 30.0, 0.18);
}

#[test]
fn a_path_out_of_reach_names_a_part() {
    use loops::machine::{Task, circle, control};
    use taut::control::Actuators;
    use taut::supervise::{EncoderLimits, Watch};
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    let task = Task {
        rate: 1_000,
        path: circle([0.0, 0.17], [0.3, 0.0], [0.0, 0.3], 2, 1_000).unwrap(),
        watch: Watch::new(Actuators::new([1.0; 2]).unwrap(), [encoder; 2]),
        frequency: [100.0; 2],
    };
    let linkage = mechanisms::parts::FiveBar::<f32>::new().build().unwrap();
    let said = control(linkage, task, 1_000).err().unwrap().to_string();
    assert!(said.starts_with("the path begins out of reach: one is off by "), "{said}");
}
