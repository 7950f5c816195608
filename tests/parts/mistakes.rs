//! Mistakes in a description, and the errors that name the part.

use mechanisms::parts::{Ankle, Delta, FiveBar, FourBar, FourBarAngles, GearedFiveBar, Scara, SliderCrank, Stewart};
use taut::control::Driven;
use taut::method::{Rattle, RungeKutta4, Step, StepError};
use taut::parts::by_hand::List;
use taut::parts::{Mechanism, Problem};
use taut::start::{Clock, StartError};

#[test]
fn an_error_names_the_part() {
    let mut list = FiveBar::<f64>::new();
    list.tip.mass = -0.1;
    assert_eq!(list.build().unwrap_err().to_string(), "tip: mass is -0.1, and must be zero or positive, and finite");

    let mut list = FiveBar::<f64>::new();
    list.rod_two.length = f64::NAN;
    assert_eq!(list.build().unwrap_err().to_string(), "rod_two: length is NaN, and must be positive and finite");

    let mut list = FiveBar::<f64>::new();
    list.left.at = [f64::INFINITY, 0.0];
    assert_eq!(list.build().unwrap_err().to_string(), "left: at is inf, and must be finite");

    let mut list = SliderCrank::<f64>::new();
    list.slider.along = [1.0, 1.0];
    let text = list.build().unwrap_err().to_string();
    assert!(text.starts_with("slider: along has length 1.4142135623730951, and must have length 1"), "{text}");

    let mut list = Delta::<f64>::new();
    list.arm_2.quarter = [-0.5, 0.866_025_403_784_438_6, 0.0];
    let error = list.build().unwrap_err();
    assert!(error.part == "arm_2" && error.to_string().contains("perpendicular"), "{error}");

    let mut list = FourBar::<f32>::new();
    list.gravity = f32::NAN;
    assert_eq!(list.build().unwrap_err().to_string(), "list: gravity is NaN, and must be finite");
}

#[test]
fn a_length_that_does_not_reach_is_named_with_its_distance() {
    let mut list = FourBar::<f64>::new();
    list.d.at = [2.0, 0.0];
    let error = list.build().unwrap_err();
    let Problem::DoesNotFit { length, apart } = error.problem else { panic!("{error}") };
    assert_eq!((error.part, length), ("coupler", 0.7));
    // With arms at their lengths, crank and rocker are at least 1.2 m apart. The iteration ends with the arms stretched as well.
    assert!((1.0..1.3).contains(&apart), "{apart}");
    let text = error.to_string();
    assert!(text.starts_with("coupler: 0.7 m does not fit between crank and rocker, 1."), "{text}");

    let mut list = FourBarAngles::<f64>::new();
    list.coupler.length = 2.0;
    let error = list.build().unwrap_err();
    assert!(matches!(error.problem, Problem::DoesNotFit { length: 2.0, apart } if apart < 1.6 + 1e-9), "{error}");
}

#[test]
fn a_point_without_mass_is_named() {
    let mut list = FiveBar::<f64>::new();
    (list.tip.mass, list.rod_one.mass, list.rod_two.mass) = (0.0, 0.0, 0.0);
    let error = list.build().unwrap_err();
    assert_eq!((error.part, error.problem), ("tip", Problem::NoMass));
    assert_eq!(
        error.to_string(),
        "tip: nothing with mass moves with it; give it a mass, or attach a part that has one (`build_kinematics` needs none)"
    );
}

taut::mechanism! {
    /// The load has no guess, so it is where the pivot is.
    struct Coincident in plane, arms as points {
        pivot: Fixed { at: [0.0, 0.0] },
        load: Point { mass: 1.0 },
        strut: Strut(pivot, load) { length: 1.0 },
    }
}

#[test]
fn points_that_coincide_in_the_guess_are_said_to() {
    let text = Coincident::<f64>::new().build().unwrap_err().to_string();
    let held = "nothing that it is on can move it: its points are fixed, or coincide in the guess (give them `near`)";
    assert_eq!(text, format!("strut: {held}"));
}

taut::mechanism! {
    /// Two loads, with parts that cannot be where they are.
    struct Loads in plane, arms as points {
        left: Fixed { at: [0.0, 0.0] },
        right: Fixed { at: [1.0, 0.0] },
        load: Point { mass: 1.0 } near [0.6, -0.8],
        other: Point { mass: 1.0 } near [1.0, -0.5],
        strut: Strut(left, load) { length: 1.0 },
        spring: Spring(right, other) { length: 0.2, stiffness: 10.0 },
        damper: Damper(right, other) { damping: 0.1 },
        push: Piston(load, other) { offset: 0.0 },
    }
    motors push;
    encoders push;
    output push;
}

taut::mechanism! {
    /// The second strut is where the first is.
    struct Twice in plane, arms as points {
        left: Fixed { at: [0.0, 0.0] },
        load: Point { mass: 1.0 } near [0.6, -0.8],
        other: Point { mass: 1.0 },
        strut: Strut(left, load) { length: 1.0 },
        again: Strut(left, load) { length: 2.0 },
    }
}

taut::mechanism! {
    /// Neither end of the rod can move.
    struct Held in plane, arms as points {
        left: Fixed { at: [0.0, 0.0] },
        right: Fixed { at: [1.0, 0.0] },
        load: Point { mass: 1.0 },
        rod: Rod(left, right) { length: 1.0, mass: 1.0 },
    }
}

taut::mechanism! {
    /// A guess that is NaN, of a point that nothing holds.
    struct Nowhere in plane, arms as points {
        load: Point { mass: 1.0 } near [0.0, f64::NAN],
    }
}

/// Ten mistakes that are numbers, and what is said of them.
#[test]
fn a_beginner_is_told_what_is_wrong() {
    let said = |change: fn(&mut Loads<f64>)| {
        let mut list = Loads::<f64>::new();
        change(&mut list);
        list.build().unwrap_err().to_string()
    };
    assert_eq!(said(|list| list.strut.length = 0.0), "strut: length is 0, and must be positive and finite");
    let must = "must be zero or positive, and finite";
    assert_eq!(said(|list| list.spring.stiffness = -1.0), format!("spring: stiffness is -1, and {must}"));
    assert_eq!(said(|list| list.damper.damping = -1.0), format!("damper: damping is -1, and {must}"));
    // Where the points of these three meet, their direction is undefined, and a step would find a NaN.
    let meet = "are in one place, and must be apart; give them other `near` guesses";
    assert_eq!(said(|list| list.right.at = [1.0, -0.5]), format!("spring: right and other {meet}"));
    let unsprung = |list: &mut Loads<f64>| (list.right.at, list.spring.length) = ([1.0, -0.5], 0.0);
    assert_eq!(said(unsprung), format!("damper: right and other {meet}"));

    let mut gears = GearedFiveBar::<f64>::new();
    gears.gear.ratio = 0.0;
    assert_eq!(gears.build().unwrap_err().to_string(), "gear: ratio is 0, and must be other than zero");
    let text = Nowhere::<f64>::new().build().unwrap_err().to_string();
    assert_eq!(text, "load: near is NaN, and must be finite");
    let text = Held::<f64>::new().build().unwrap_err().to_string();
    assert!(text.starts_with("rod: nothing that it is on can move it: its points are fixed, or"), "{text}");
    let text = Twice::<f64>::new().build().unwrap_err().to_string();
    assert!(text.starts_with("again: it repeats or contradicts the parts before it (if a loop is closed"), "{text}");
    let mut far = FourBarAngles::<f64>::new();
    far.coupler.length = 1e200;
    let text = far.build().unwrap_err().to_string();
    assert!(text.starts_with("coupler: "), "{text}");
}

/// A start and a step name the part, too.
#[test]
fn errors_of_starts_and_steps_name_the_part() {
    let clock = Clock::with_step(1e-3).unwrap();
    let linkage = FourBar::<f64>::new().build().unwrap();

    // The saved state of another linkage: its coupler is 1 cm shorter.
    let mut longer = FourBar::<f64>::new();
    longer.coupler.length += 0.01;
    let longer = longer.build().unwrap();
    let mut state = linkage.start(clock).at_rest().unwrap();
    let error = longer.explain(state.save().restore(&longer).unwrap_err());
    assert!(matches!(error.error, StartError::NotAssembled { iterations: 0, .. }), "{error}");
    assert!(error.to_string().starts_with("coupler: off the constraint: position constraint 2 has"), "{error}");
    // A step from it.
    let error = longer.explain(Rattle::new().step(&longer, &mut state).unwrap_err());
    assert!(error.to_string().starts_with("coupler: tick 0: model changed: position constraint 2 has"), "{error}");

    // A start without a mass.
    let mut light = FourBar::<f64>::new();
    (light.rocker.mass, light.coupler.mass) = (0.0, 0.0);
    let light = light.build_kinematics().unwrap();
    let error = light.explain(light.start(clock).at_rest().unwrap_err());
    assert!(error.to_string().starts_with("rocker: mass matrix: "), "{error}");

    // A crank at 2,000 rad/s turns by 2 rad in a step: Newton's method does not reach its circle.
    let v = [-400.0, 0.0, -400.0, -160.0];
    let mut state = linkage.start(clock).moving(v).unwrap();
    let error = linkage.explain(Rattle::new().step(&linkage, &mut state).unwrap_err());
    assert!(matches!(error.error, StepError::NotConverged { .. }), "{error}");
    let StepError::NotConverged { residual, .. } = error.error else { unreachable!() };
    assert_eq!(error.part, ["crank", "rocker", "coupler"][residual.row]);
    assert!(error.to_string().starts_with(&format!("{}: tick 0: Newton ", error.part)), "{error}");

    // A force that is NaN.
    let robot = Scara::<f64>::new().build().unwrap();
    let mut state = robot.start(clock).at_rest().unwrap();
    let driven = Driven { system: robot, inputs: [0.0, f64::NAN].into() };
    let error = robot.explain(RungeKutta4::new().step(&driven, &mut state).unwrap_err());
    assert!(matches!(error.error, StepError::NonFinite { index: 0, .. }) && error.part == "upper", "{error}");

    // A motion that would be too fast has no part: it is about the whole mechanism.
    let error = linkage.explain(StepError::Turn { tick: 3, angle: 4.0, limit: 3.0 });
    assert_eq!(error.to_string(), error.error.to_string());
    // A mass that is not positive at a pose.
    let cause = taut::linalg::FactorError::SmallPivot { index: 3, pivot: 0.0, limit: 1e-9 };
    let error = linkage.explain(StepError::Mass { tick: 3, cause });
    assert!(error.to_string().starts_with("rocker: tick 3: mass matrix: "), "{error}");
}

taut::mechanism! {
    struct Silent in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        arm: Arm(pivot) { length: 1.0, mass: 1.0 },
    }
}

taut::mechanism! {
    struct Weightless in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        arm: Arm(pivot) { length: 1.0, mass: 1.0 },
    }
    gravity 0.0;
}

taut::mechanism! {
    struct Motorised in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        arm: Arm(pivot) { length: 1.0, mass: 1.0 },
    }
    motors arm;
    encoders arm;
    output arm;
}

taut::mechanism! {
    struct Swinging in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        arm: Arm(pivot) { length: 1.0, mass: 1.0 },
    }
    gravity 1.62;
    motors arm;
    encoders arm;
    output arm;
}

/// A list that does not say how its arms are: points for a simulation, angles for a machine with motors.
#[test]
fn motors_decide_how_the_arms_are() {
    assert_eq!([Silent::<f64>::SIZES, Weightless::<f64>::SIZES], [[2, 1, 0, 0]; 2]);
    assert_eq!([Motorised::<f64>::SIZES, Swinging::<f64>::SIZES], [[1, 0, 1, 1]; 2]);
    assert!(Silent::<f64>::new().build().is_ok() && Motorised::<f64>::new().build().is_ok());
    assert_eq!((Weightless::<f64>::new().gravity, Swinging::<f64>::new().gravity), (0.0, 1.62));
    // The words still decide.
    assert_eq!((FourBarAngles::<f64>::SIZES[0], mechanisms::parts::FiveBarPoints::<f64>::SIZES[0]), (2, 6));
}

/// The lists that a command or an article shows are short.
#[test]
fn a_list_has_few_parts() {
    fn parts<L: List<N, M>, const N: usize, const M: usize>(_: &Mechanism<L, N, M>) -> usize {
        L::TABLE.len()
    }
    let count = |wanted: usize, parts: usize| assert!(parts <= wanted, "{parts} parts, at most {wanted}");
    count(8, parts(&FourBar::<f64>::new().build().unwrap()));
    count(10, parts(&FiveBar::<f64>::new().build().unwrap()));
    count(15, parts(&Delta::<f64>::new().build().unwrap()));
    count(15, parts(&Ankle::<f64>::new().build().unwrap()));
    count(20, parts(&Stewart::<f64>::new().build().unwrap()));
}

#[test]
fn a_change_takes_effect_when_it_is_built() {
    let list = Scara::<f64>::new();
    let mut heavier = list;
    heavier.tool.mass *= 2.0;
    let (q, v) = (list.build().unwrap().assembled(), [1.0, 1.0, 0.0, 0.0].into());
    let (light, heavy) = (list.build().unwrap(), heavier.build().unwrap());
    assert!(
        heavy.kinetic_energy(&q, &[0.0, 0.0, 1.0, 0.0].into())
            == 2.0 * light.kinetic_energy(&q, &[0.0, 0.0, 1.0, 0.0].into())
    );
    assert_eq!(heavy.kinetic_energy(&q, &v), light.kinetic_energy(&q, &v));
    assert_eq!(heavy.description(), &heavier);
    assert_eq!((heavy.part_of_constraint(1), heavy.part_of_coordinate(2)), ("wrist", "tool"));
}

/// Mistakes that the compiler finds: each list of `ui` has one, and its error text beside it. `TRYBUILD=overwrite cargo test --test parts
/// compiler` writes the texts anew. They are those of one compiler: another one words and underlines its errors a little differently.
#[test]
fn the_compiler_names_the_part() {
    const COMPILER: &str = "rustc 1.95.";
    let version = std::process::Command::new("rustc").arg("--version").output().expect("rustc runs").stdout;
    if !version.starts_with(COMPILER.as_bytes()) {
        return eprintln!("skipped: the error texts are those of {COMPILER}");
    }
    trybuild::TestCases::new().compile_fail("tests/parts/ui/*.rs");
}
