//! Mistakes in a description, and the errors that name the part.

use mechanisms::parts::{Delta, FiveBar, FourBar, FourBarAngles, Scara, SliderCrank};
use taut::parts::Problem;

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
        "tip: nothing with mass moves with it; give it a mass, or attach a part that has one (any will do for kinematics)"
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
    assert!(text.starts_with("strut: its points coincide in the guess (give them `near`), or it repeats"), "{text}");
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
