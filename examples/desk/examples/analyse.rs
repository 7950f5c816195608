//! The index and the structure of the mechanisms of the gallery and of the systems of the tests. `cargo xtask analyse --help`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use desk::Outcome;
use mechanisms::parts::{self, Visitor};
use mechanisms::{
    Arm, Bead, Both, Breathing, CartPole, Chain, Connector, Delta, DeltaPoints, Driven, FourBar, FourBarPoints,
    GearPetzold, HeavySliderCrank, IndexOne, Kepler, LaggingMotor, Lever, LinearImplicit, Lines, Pencil, Problem51,
    Problem52, ProtheroRobinson, Ring, RobotArm, Sine, SphericalPendulum, SteeringWheel, StiffActuator, Transformed,
    Turning, TwoMasses,
};
use taut::advise::{Advice, Study, StudyError, Wanted, Way};
use taut::linalg::Matrix;
use taut::linalg::Vector;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::scalar::Real;
use taut::start::Clock;
use taut::start::Start;
use taut::structure::{
    Analysis, Dae, Structure, StructureError, analyse, hessenberg, implicit, index_three, mechanical, semi_explicit,
};
use taut::system::{Massless, Mechanical, SemiExplicit};
use taut::trajectory::{SMOOTH, Trajectory};

// The equations of the source texts that no form holds.
#[path = "../../../tests/structure/texts.rs"]
mod texts;

const HELP: &str =
    "Says which index a mechanism has, which equations must be differentiated and which initial values may be chosen

cargo xtask analyse --mechanism NAME   one mechanism of the gallery, or one system of the tests
cargo xtask analyse --update           write the table of all of them to src/guide/indices.md
cargo xtask analyse --check            only compare that table with the one in the repository

For a model of your own, call `taut::structure::analyse`.";

const INTRODUCTION: &str = "# Which index

Written by `cargo xtask analyse --update`; do not edit.

**Index** is the differentiation index, from ranks of the derivative array, or the structural one where a note says why the array has no
answer. **Redundant** constraints depend on others; they are left out with their multipliers. **Differentiate** says how many equations must
be differentiated, and how often at most; **blocks** are solved one after the other for the highest derivatives: how many, and the
largest. **To choose** is the number of initial values that may be chosen; all others follow. A **number of methods** is explained in
[which method](crate::guide::choose): 17 is all of them, 12 those for a mass that varies.

**Advice** is the cheapest way of [`taut::advise`](crate::advise) to an error of 1e-6 after 0.1 s at 100 Hz to 1 kHz, in plain `f64`; costs are
the instructions of a step of the pendulum on a Cortex-M4F. It is given for mechanical systems; a dash marks other forms, which it cannot
judge, and `not tried` what would take long to compile.

`cargo xtask analyse --mechanism NAME` names the equations and the values. `taut::structure` (feature `std`) does it for your model.

| system | unknowns | index | differentiate, blocks | to choose | methods | advice |
|---|--:|---|---|--:|---|---|
";

/// The largest system whose derivative array is computed.
const LARGEST: usize = 47;

/// Instructions of a step of the pendulum on a Cortex-M4F in plain `f64`, by method: those of the guide, in round numbers.
const COSTS: [(&str, f64); 14] = [
    ("rattle", 12e3),
    ("yoshida", 33e3),
    ("suzuki", 53e3),
    ("kahan_li", 94e3),
    ("symplectic_euler", 11e3),
    ("half_explicit_1", 14e3),
    ("half_explicit_2", 19e3),
    ("half_explicit_3", 25e3),
    ("half_explicit_4", 41e3),
    ("runge_kutta_4", 17e3),
    ("runge_kutta_8", 81e3),
    ("implicit_euler", 76e3),
    ("radau_iia_3", 89e3),
    ("radau_iia_5", 141e3),
];

/// The advice for a study, as a cell of the table.
fn advice(advice: Result<Advice, StudyError<f64>>) -> String {
    let cost = |way: Way| COSTS.iter().find(|(name, _)| *name == way.method).map(|(_, cost)| *cost);
    match advice {
        Err(error) => format!("none: {error}"),
        Ok(advice) => match advice.with_costs("instructions", cost).cheapest(&Wanted::error(1e-6)) {
            Some(trial) => format!("{} at {} Hz", trial.way.method, trial.rate),
            None => "none up to 1 kHz".to_owned(),
        },
    }
}

/// Studies a mechanical system with all methods, or with those for a mass that varies.
macro_rules! advised {
    ($system:expr, $q:expr, $v:expr, $run:ident) => {{
        let study = Study::of($system, $q).moving($v).lasting(0.1).at_rates([100.0, 200.0, 500.0, 1_000.0]);
        advice(study.$run())
    }};
}

/// Studies a mechanism of the gallery from its assembled posture.
macro_rules! from_assembly {
    ($name:literal, $list:ident, $run:ident) => {
        ($name, || {
            let mechanism = parts::$list::<f64>::new().build().expect("a mechanism of the gallery");
            advised!(&mechanism, mechanism.assembled(), parts::velocity(&mechanism), $run)
        })
    };
}

/// Analyses the system with the wanted name, or writes a row of the table for each.
#[derive(Default)]
struct Answers {
    wanted: Option<String>,
    known: Vec<String>,
    answer: Option<String>,
    rows: String,
}

impl Answers {
    fn add(&mut self, name: &str, form: &impl Dae, t: f64, point: &[&[f64]]) {
        self.add_reduced(name, form, t, point, 0, || "–".to_owned());
    }

    /// A mechanical system, analysed without the constraints that depend on others.
    fn add_mechanical<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &str,
        system: &System,
        t: f64,
        [q, v]: [Vector<f64, N>; 2],
        advice: impl FnOnce() -> String,
    ) {
        let redundant = dependent(&system.jacobian(t, &q));
        let kept = |number: &usize| *number < N || !redundant.contains(&(number - N));
        let numbers: Vec<usize> = (0..N + M).filter(kept).collect();
        let point = [q, v].map(|x| [x.as_slice(), &vec![0.0; numbers.len() - N]].concat());
        let form = Kept { model: mechanical(system), numbers };
        self.add_reduced(name, &form, t, &[&point[0], &point[1]], redundant.len(), advice);
    }

    fn add_reduced(
        &mut self,
        name: &str,
        form: &impl Dae,
        t: f64,
        point: &[&[f64]],
        redundant: usize,
        advice: impl FnOnce() -> String,
    ) {
        self.known.push(name.to_owned());
        match &self.wanted {
            Some(wanted) if wanted == name => {
                let left_out = "redundant constraints, with their multipliers, left out";
                let note = if redundant > 0 { format!("{redundant} {left_out}\n") } else { String::new() };
                self.answer = Some(format!("{}{note}", analyse(form, t, point)));
            }
            Some(_) => (),
            None => self.rows += &row(name, form, t, point, redundant, &advice()),
        }
    }
}

/// A row of the table.
fn row(name: &str, form: &impl Dae, t: f64, point: &[&[f64]], redundant: usize, advice: &str) -> String {
    let structure = Structure::of(form, t, point);
    let size = form.size();
    let analysis = if size <= LARGEST {
        analyse(form, t, point)
    } else {
        let index = structure.as_ref().ok().map(Structure::index);
        let values = point.first().map_or_else(|| vec![0.0; size], |values| values.to_vec());
        let methods = index.map_or("unknown".to_owned(), |index| form.fitting(index, t, &values));
        Analysis { structure, array: Err(StructureError::TooLarge { size, limit: LARGEST }), methods }
    };
    let note = if redundant > 0 { ", redundant" } else { "" };
    let index = match (&analysis.array, &analysis.structure) {
        (Ok(array), _) => format!("{}{note}", array.differentiations),
        (Err(error), Ok(structure)) => format!("{}{note}, by structure; array: {}", structure.index(), short(error)),
        (Err(error), Err(structure)) => format!("unknown; array: {}; structure: {}", short(error), short(structure)),
    };
    let rest = analysis.structure.as_ref().map_or_else(
        |_| match &analysis.array {
            Ok(array) => format!("| – | {} ", array.free.len()),
            Err(_) => "| – | – ".to_owned(),
        },
        |structure| {
            let times = structure.differentiations.iter().max().copied().unwrap_or(0);
            let count = structure.differentiations.iter().filter(|times| **times > 0).count();
            let largest = structure.blocks.iter().map(|block| block.equations.len()).max().unwrap_or(0);
            let differentiate = if times == 0 { "none".to_owned() } else { format!("{count}, {times} times") };
            format!("| {differentiate}; {} of {largest} | {} ", structure.blocks.len(), structure.free.len())
        },
    );
    let (note, list) = analysis.methods.split_once(": ").unwrap_or(("", &analysis.methods));
    let methods = match list.split(", ").count() {
        count if count > 8 && note.is_empty() => count.to_string(),
        count if count > 8 => format!("{note}: {count}"),
        _ => analysis.methods,
    };
    let size = size + redundant;
    format!("| {name} | {size} | {index} {rest}| {methods} | {advice} |\n")
}

/// An error without its list of names.
fn short(error: &StructureError) -> String {
    match error {
        StructureError::Singular { equations, rank } => format!("rank {rank} of {} equations", equations.len()),
        StructureError::NotDetermined { differentiations, unknowns } => {
            format!("{} rates are free after {differentiations} differentiations", unknowns.len())
        }
        StructureError::TooLarge { size, limit } => format!("{size} unknowns are more than {limit}"),
        StructureError::NotConverged { residual } => format!("no consistent values, residual {residual:.0e}"),
        _ => error.to_string(),
    }
}

/// y' = f(y) of the perturbed Kepler problem.
struct KeplerRate;

impl SemiExplicit<4, 0> for KeplerRate {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 4>, _z: &Vector<S, 0>) -> Vector<S, 4> {
        Kepler::<f64>::rate(y)
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 4>, _z: &Vector<S, 0>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

/// The path of the robot arm's hand, from (1.5, 2.6).
struct HandPath;

impl Trajectory<2> for HandPath {
    type Base = f64;
    const CONTINUITY: usize = SMOOTH;

    fn duration(&self) -> f64 {
        f64::INFINITY
    }
    fn within<S: Real<Base = f64>>(&self, t: S) -> Vector<S, 2> {
        Vector::from([t.sin() * 0.5 + 1.5, t.cos() * 0.5 + 1.5])
    }
}

/// A name and the advice for it.
type Advised = (&'static str, fn() -> String);

/// The advice for mechanisms of the gallery whose methods compile in moderate time.
const GALLERY: [Advised; 14] = [
    from_assembly!("pendulum", Pendulum, run_plain),
    from_assembly!("double-pendulum", DoublePendulum, run_plain),
    from_assembly!("four-bar", FourBar, run_plain),
    from_assembly!("four-bar-angles", FourBarAngles, run_plain_any_mass),
    from_assembly!("five-bar", FiveBar, run_plain_any_mass),
    from_assembly!("slider-crank", SliderCrank, run_plain_any_mass),
    from_assembly!("sprung-slider", SprungSlider, run_plain),
    from_assembly!("crane", Crane, run_plain),
    from_assembly!("geared-five-bar", GearedFiveBar, run_plain_any_mass),
    from_assembly!("connected-pendulums", ConnectedPendulums, run_plain_any_mass),
    from_assembly!("plate", Plate, run_plain_any_mass),
    from_assembly!("lambda", Lambda, run_plain_any_mass),
    from_assembly!("scara", Scara, run_plain_any_mass),
    from_assembly!("delta", Delta, run_plain_any_mass),
];

impl Visitor<f64> for Answers {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        let (q, v) = (mechanism.assembled(), parts::velocity(mechanism));
        let advice = GALLERY.iter().find(|(known, _)| *known == name).map(|(_, advice)| advice);
        self.add_mechanical(name, mechanism, 0.0, [q, v], || advice.map_or_else(not_tried, |advice| advice()));
    }
}

fn not_tried() -> String {
    "not tried".to_owned()
}

/// The constraints whose gradients are combinations of others.
fn dependent<const N: usize, const M: usize>(jacobian: &Matrix<f64, M, N>) -> Vec<usize> {
    let mut left: [Vector<f64, N>; M] = std::array::from_fn(|row| jacobian.row(row).transpose());
    let sizes = left.map(|gradient| gradient.norm());
    let mut rows: Vec<usize> = (0..M).collect();
    // Those that are not, largest first.
    while let Some(&next) = rows.iter().max_by(|a, b| left[**a].norm().total_cmp(&left[**b].norm())) {
        if left[next].norm() <= sizes[next] * f64::EPSILON.sqrt() {
            break;
        }
        let pivot = left[next].normalize();
        rows.retain(|row| *row != next);
        rows.iter().for_each(|row| left[*row] -= pivot * pivot.dot(&left[*row]));
    }
    rows
}

/// A mechanical system without some of its constraints and their multipliers.
struct Kept<D> {
    model: D,
    /// Equations and unknowns: the numbers are those of both.
    numbers: Vec<usize>,
}

impl<D: Dae> Dae for Kept<D> {
    type Base = D::Base;

    fn size(&self) -> usize {
        self.numbers.len()
    }
    fn residual<S: Real<Base = D::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let here = |number, order| match self.numbers.binary_search(&number) {
            Ok(place) => x(place, order),
            Err(_) => S::zero(),
        };
        let rows = self.model.residual(t, &here);
        self.numbers.iter().map(|number| rows[*number]).collect()
    }
    fn equation(&self, index: usize) -> String {
        self.model.equation(self.numbers[index])
    }
    fn unknown(&self, index: usize) -> String {
        self.model.unknown(self.numbers[index])
    }
    fn fitting(&self, index: usize, t: f64, values: &[f64]) -> String {
        self.model.fitting(index, t, values)
    }
}

/// Adds a mechanical system with advice from all methods, or with those named.
macro_rules! add {
    ($all:ident, $name:literal, $system:expr, $q:expr, $v:expr $(, $run:ident)?) => {{
        let (system, q, v) = (&$system, Vector::from($q), Vector::from($v));
        let advice = add!(@advice system, q, v $(, $run)?);
        $all.add_mechanical($name, system, 0.0, [q, v], advice);
    }};
    (@advice $system:ident, $q:ident, $v:ident) => { not_tried };
    (@advice $system:ident, $q:ident, $v:ident, $run:ident) => { || advised!($system, $q, $v, $run) };
}

/// The systems of the tests that are not in the gallery.
fn add_systems(all: &mut Answers) {
    add!(all, "problem-5-1", Problem51::<f64>::new(), [0.6, -0.8], [0.4, 0.3], run_plain);
    add!(all, "arm", Arm::<f64>::standard(), [0.3, -0.4], [0.4, 0.3]);
    add!(all, "bead", Bead, [1.0, 0.0], [0.0, 3.0]);
    add!(all, "driven", Driven::<f64>::standard(), [0.6, -0.8, 0.0], [0.4, 0.3, 1.0]);
    let lines = Lines { rows: [[1.0, 1.0, 0.0, 1.0]], masses: [1.0, 2.0] };
    add!(all, "lines", lines, [0.0, 0.0], [0.5, 0.5]);
    let twice = Lines { rows: [[1.0, 1.0, 0.0, 1.0], [2.0, 2.0, 0.0, 2.0]], masses: [1.0, 2.0] };
    add!(all, "lines-twice", twice, [0.0, 0.0], [0.5, 0.5]);
    let [q, v] = [SphericalPendulum::<f64>::position(), SphericalPendulum::velocity()];
    add!(all, "spherical-pendulum", SphericalPendulum::<f64>::default(), q, v, run_plain);
    let [q, v] = [mechanisms::SliderCrank::<f64>::position(), mechanisms::SliderCrank::velocity()];
    add!(all, "heavy-slider-crank", HeavySliderCrank::<f64>::standard(), q, v);
    let linkage = FourBar::<f64>::standard();
    let start = Clock::at_rate(1_000.0).map_err(|error| error.to_string());
    let start =
        start.and_then(|clock| Start::at(&linkage, clock, FourBar::guess()).at_rest().map_err(|e| e.to_string()));
    let bodies = *start.expect("an assembled linkage").position();
    add!(all, "four-bar-bodies", linkage, bodies, [0.0; 9]);
    let points = FourBarPoints::<f64>::standard().expect("positive masses");
    add!(all, "four-bar-points", points, FourBarPoints::position(&bodies), [0.0; 4]);
    let robot = Delta::<f64>::standard();
    let points = DeltaPoints::new(robot).expect("positive masses");
    add!(all, "delta-points", points, points.elbows_out([0.03, 0.0, -0.22].into()), [0.0; 12]);
    add!(all, "chain", Chain::<f64, 8, 4>::standard(), Chain::<f64, 8, 4>::position(), [0.0; 8]);
    add!(all, "ring-by-hand", Ring::<f64>::fixed(), Ring::position(), Ring::tangent());
    add!(all, "two-masses", TwoMasses::<f64>::standard(), [0.1, 0.0], [0.0; 2], run_plain);
    let [q, v] = StiffActuator::<f64>::start();
    add!(all, "stiff-actuator", StiffActuator::<f64>::new(), q, v, run_plain);
    let cart = CartPole::<f64>::standard();
    add!(all, "cart-pole", cart, cart.tilted(0.3), [0.0; 3], run_plain);
    let connector = Connector::STRAIGHT;
    let (q, v) = ([0.6, -0.8, -0.8], [0.4, 0.3, 0.3]);
    add!(all, "connector", connector, q, v);
    let massless = Massless::new(connector, 1.0).expect("a weight of one");
    add!(all, "connector-massless", massless, q, v, run_plain);
    let lever = Massless::new(Lever, 1.0).expect("a weight of one");
    add!(all, "lever-massless", lever, [0.0; 3], [1.0, 2.0, 2.0], run_plain);
    let (q, v) = ([0.6, 0.0, -0.8], [0.54, 1.5, -0.095]);
    add!(all, "breathing", Breathing::<f64>::new(), q, v, run_plain);

    let point = [&q[..], &v, &[0.0]].concat();
    all.add("breathing-index-three", &index_three(&Breathing::<f64>::new()), 0.0, &[&point]);
    all.add("breathing-2", &semi_explicit(&Breathing::<f64, 2>::new()), 0.0, &[&point]);
    all.add("breathing-1", &semi_explicit(&Breathing::<f64, 1>::new()), 0.0, &[&point]);
    all.add("breathing-implicit-2", &implicit(&Breathing::<f64, 2>::new()), 0.0, &[&point]);
    all.add("breathing-implicit-1", &implicit(&Breathing::<f64, 1>::new()), 0.0, &[&point]);
    let (p, q) = Problem52::<f64>::exact(1.0);
    all.add("problem-5-2", &index_three(&Problem52::<f64>::new()), 1.0, &[&[&p[..], &q, &[0.0; 2]].concat()]);
    all.add("steering-wheel-1", &semi_explicit(&SteeringWheel::<f64, 1>::new()), 0.0, &[]);
    let wheel = SteeringWheel::<f64, 2>::new();
    all.add("steering-wheel-2", &semi_explicit(&wheel), 0.0, &[&[0.8, -0.6, 1.0]]);
    let (a, b) = (
        Matrix::from([[1.0, 0.5, 0.0], [0.0, 1.0, -0.5], [0.3, 0.0, 1.0]]),
        Matrix::from([[1.0, 0.0, 0.4], [-0.2, 1.0, 0.0], [0.0, 0.6, 1.0]]),
    );
    all.add("transformed-1", &implicit(&Transformed::<f64, 1> { a, b }), 0.0, &[]);
    all.add("transformed-2", &implicit(&Transformed::<f64, 2> { a, b }), 0.0, &[&[0.8, -0.6, 1.0]]);
    all.add("index-one", &semi_explicit(&IndexOne), 0.0, &[&[1.0, 1.0]]);
    let both = Both { mix: [[1.0, 0.5], [-2.0, 1.0]], broken: 0.0 };
    all.add("both", &semi_explicit(&both), 0.4, &[&Both::exact(0.4)]);
    let arm = RobotArm::<_, 3> { path: HandPath };
    all.add("robot-arm", &semi_explicit(&arm), 0.0, &[&[0.2, 0.9, 1.9, 0.0, 0.0]]);
    let [x, y, vx, vy] = Kepler::<f64>::start().into();
    all.add("kepler", &semi_explicit(&KeplerRate), 0.0, &[&[x, y, vx, vy]]);
    let linear = LinearImplicit { mass: [1.0, 0.0], force: Matrix::from([[-1.0, 2.0], [1.0, 1.0]]) };
    all.add("linear-implicit", &implicit(&linear), 0.0, &[]);
    all.add("gear-petzold", &implicit(&GearPetzold { eta: -0.4 }), 0.5, &[]);
    all.add("nilpotent", &implicit(&Pencil::nilpotent()), 0.3, &[]);
    all.add("exercise-iv-5-1", &implicit(&Pencil::exercise_iv_5_1()), 0.0, &[&[-10.0, -10.0]]);
    all.add("optimality", &implicit(&Pencil::optimality(0.1)), 0.0, &[]);
    all.add("optimality-singular", &implicit(&Pencil::optimality(0.0)), 0.0, &[]);
    all.add("prothero-robinson", &implicit(&ProtheroRobinson), 0.0, &[&[1.0]]);
    all.add("turning", &hessenberg(&Turning), 0.3, &[]);
    all.add("lagging-motor", &hessenberg(&LaggingMotor::standard(Sine)), 0.3, &[]);
    all.add("derivative-chain", &texts::Chain, 0.4, &[]);
    all.add("dummy-example-1", &texts::Example1, 0.3, &[]);
    all.add("dummy-example-5", &texts::Example5, 0.7, &[]);
}

fn main() -> ExitCode {
    // The equations of the largest mechanism, with their derivatives, need more than the usual stack.
    let run = || answer().map_err(|error| error.to_string());
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

fn answer() -> Outcome {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let wanted = match words[..] {
        ["--mechanism", name] => Some(name.to_owned()),
        ["--update" | "--check"] => None,
        ["--help" | "-h"] => {
            println!("{HELP}");
            return Ok(());
        }
        _ => return Err(format!("give --mechanism NAME, --update or --check\n\n{HELP}").into()),
    };
    let mut all = Answers { wanted, ..Answers::default() };
    parts::visit_all(&mut all);
    parts::visit_large(&mut all);
    add_systems(&mut all);
    if let Some(name) = all.wanted {
        let unknown = || format!("there is no mechanism `{name}`; there are {}", all.known.join(", "));
        print!("{}", all.answer.ok_or_else(unknown)?);
        return Ok(());
    }
    let (file, text) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/guide/indices.md"), INTRODUCTION.to_owned() + &all.rows);
    if words == ["--update"] {
        fs::write(&file, &text)?;
        println!("src/guide/indices.md");
    } else if fs::read_to_string(&file)? != text {
        return Err("src/guide/indices.md is not that of this tree; `cargo xtask analyse --update` renews it".into());
    }
    Ok(())
}
