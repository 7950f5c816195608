//! The index and the structure of the mechanisms of the gallery and of the systems of the tests. `cargo xtask analyse --help`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use desk::Outcome;
use mechanisms::parts::{self, Visitor};
use mechanisms::{GearPetzold, LinearImplicit, Problem51, Problem52, SteeringWheel, TwoMasses};
use taut::linalg::Matrix;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::structure::{
    Analysis, Dae, Structure, StructureError, analyse, implicit, index_three, mechanical, semi_explicit,
};

const HELP: &str =
    "Says which index a mechanism has, which equations must be differentiated and which initial values may be chosen

cargo xtask analyse --mechanism NAME   one mechanism of the gallery, or one system of the tests
cargo xtask analyse --update           write the table of all of them to src/guide/indices.md
cargo xtask analyse --check            only compare that table with the one in the repository

For a model of your own, call `taut::structure::analyse`.";

const INTRODUCTION: &str = "# Which index

Written by `cargo xtask analyse --update`; do not edit.

**Index** is the differentiation index, from ranks of the derivative array, where it was computed. `structure` means that it is the
structural one: with more than 20 unknowns, the table leaves the array out. **Differentiate** says how many equations must be differentiated, and how often at
most. **To choose** is the number of initial values that may be chosen; all others follow. **Blocks** are solved one after the other for
the highest derivatives: how many, and the largest. A **number of methods** is explained in [which method](crate::guide::choose): 14 is all of
them, 9 those for a mass that varies.

`cargo xtask analyse --mechanism NAME` names the equations and the values. `taut::structure` (feature `std`) does it for your model.

| system | unknowns | index | differentiate | to choose | blocks | methods |
|---|--:|---|---|--:|---|---|
";

/// Analyses the system with the wanted name, or writes a row of the table for each.
#[derive(Default)]
struct Answers {
    wanted: Option<String>,
    known: Vec<String>,
    answer: Option<Analysis>,
    rows: String,
}

impl Answers {
    fn add(&mut self, name: &str, form: &impl Dae, t: f64, point: &[&[f64]]) {
        self.known.push(name.to_owned());
        match &self.wanted {
            Some(wanted) if wanted == name => self.answer = Some(analyse(form, t, point)),
            Some(_) => (),
            None => self.rows += &row(name, form, t, point),
        }
    }
}

/// A row of the table.
fn row(name: &str, form: &impl Dae, t: f64, point: &[&[f64]]) -> String {
    let structure = Structure::of(form, t, point);
    let size = structure.as_ref().map_or(form.size(), |structure| structure.unknowns.len());
    let analysis = if size <= 20 {
        analyse(form, t, point)
    } else {
        let index = structure.as_ref().ok().map(Structure::index);
        let methods = index.map_or("unknown".to_owned(), |index| form.fitting(index));
        Analysis { structure, array: Err(StructureError::TooLarge { size, limit: 20 }), methods }
    };
    let index = match (&analysis.array, analysis.index()) {
        (Ok(array), _) => array.differentiations.to_string(),
        (Err(_), Some(index)) => format!("{index}, structure"),
        (Err(_), None) => "none: constraints depend on each other".to_owned(),
    };
    let rest = analysis.structure.as_ref().map_or("| – | – | – ".to_owned(), |structure| {
        let times = structure.differentiations.iter().max().copied().unwrap_or(0);
        let count = structure.differentiations.iter().filter(|times| **times > 0).count();
        let largest = structure.blocks.iter().map(|block| block.equations.len()).max().unwrap_or(0);
        let differentiate = if times == 0 { "none".to_owned() } else { format!("{count}, {times} times") };
        format!("| {differentiate} | {} | {}, {largest} ", structure.free.len(), structure.blocks.len())
    });
    let methods = match analysis.methods.split(", ").count() {
        count if count > 8 => count.to_string(),
        _ => analysis.methods,
    };
    format!("| {name} | {size} | {index} {rest}| {methods} |\n")
}

impl Visitor<f64> for Answers {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        let (q, v) = (mechanism.assembled(), parts::velocity(name, mechanism));
        let with_multipliers = |entries: &[f64]| [entries, &[0.0; M]].concat();
        let point = [q, v].map(|vector| with_multipliers(vector.as_slice()));
        self.add(name, &mechanical(mechanism), 0.0, &[&point[0], &point[1]]);
    }
}

/// The systems of the tests that are not in the gallery.
fn add_systems(all: &mut Answers) {
    let pendulum: [&[f64]; 2] = [&[0.6, -0.8, 0.0], &[0.4, 0.3, 0.0]];
    all.add("problem-5-1", &mechanical(&Problem51::<f64>::new()), 0.0, &pendulum);
    all.add("two-masses", &mechanical(&TwoMasses::<f64>::standard()), 0.0, &[]);
    let (p, q) = Problem52::<f64>::exact(1.0);
    all.add("problem-5-2", &index_three(&Problem52::<f64>::new()), 1.0, &[&[&p[..], &q, &[0.0; 2]].concat()]);
    all.add("steering-wheel-1", &semi_explicit(&SteeringWheel::<f64, 1>::new()), 0.0, &[]);
    all.add("steering-wheel-2", &semi_explicit(&SteeringWheel::<f64, 2>::new()), 0.0, &[&[0.8, -0.6, 1.0]]);
    let linear = LinearImplicit { mass: [1.0, 0.0], force: Matrix::from([[-1.0, 2.0], [1.0, 1.0]]) };
    all.add("linear-implicit", &implicit(&linear), 0.0, &[]);
    all.add("gear-petzold", &implicit(&GearPetzold { eta: -0.4 }), 0.5, &[]);
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
