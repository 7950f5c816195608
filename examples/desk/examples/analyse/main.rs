//! The index and the structure of the mechanisms of the gallery and of the systems of the tests. `cargo xtask analyse --help`.

mod advice;
mod compare;
mod costs;
mod counted;
mod forms;
mod gallery;
mod rows;
mod systems;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, thread};

use desk::Outcome;

use rows::Answers;

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

**Advice** is the cheapest method and rate, out of 100, 200, 500 and 1000 Hz, with an error of at most 1e-6 after 0.1 s in plain `f64`. Errors
are measured. Of mechanical systems, with [`taut::advise`](crate::advise), they are those of the position, and the costs are the
[instructions](crate#which-method-when) of a step of the pendulum, the double pendulum or the linkage, whichever is nearest in the
number of unknowns. Where not all methods were tried, all that could be cheaper than the answer were. Of other systems, the errors are those of
y, of p in the form of index 3, or of all unknowns of M u' = F and of linear systems; costs are evaluations of the equations, where a
number with n derivatives counts as n + 1; solving linear systems does not count.

`cargo xtask analyse --mechanism NAME` names the equations and the values. `taut::structure` (feature `std`) does it for your model.

| system | unknowns | index | differentiate, blocks | to choose | methods | advice |
|---|--:|---|---|--:|---|---|
";

/// The parts of the table.
const PARTS: [fn(&mut Answers); 4] = [gallery::add, gallery::add_large, systems::add, forms::add];

fn main() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer() -> Outcome {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let wanted = match words[..] {
        ["--mechanism", name] => Some(name),
        ["--update" | "--check"] => None,
        ["--help" | "-h"] => {
            println!("{HELP}");
            return Ok(());
        }
        _ => return Err(format!("give --mechanism NAME, --update or --check\n\n{HELP}").into()),
    };
    let parts = answers(wanted, words == ["--update"])?;
    if let Some(name) = wanted {
        let known: Vec<&str> = parts.iter().flat_map(|part| &part.known).map(String::as_str).collect();
        let unknown = || format!("there is no mechanism `{name}`; there are {}", known.join(", "));
        print!("{}", parts.iter().find_map(|part| part.answer.as_ref()).ok_or_else(unknown)?);
        return Ok(());
    }
    let rows: String = parts.into_iter().map(|part| part.rows).collect();
    let (file, text) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/guide/indices.md"), INTRODUCTION.to_owned() + &rows);
    if words == ["--update"] {
        fs::write(&file, &text)?;
        println!("src/guide/indices.md");
    } else if fs::read_to_string(&file)? != text {
        return Err("src/guide/indices.md is not that of this tree; `cargo xtask analyse --update` renews it".into());
    }
    Ok(())
}

/// The parts of the table at the same time, each in a thread of its own: the equations of the largest mechanism, with their derivatives, need
/// more than the usual stack.
fn answers(wanted: Option<&str>, verbose: bool) -> Outcome<Vec<Answers>> {
    thread::scope(|scope| {
        let part = |add: fn(&mut Answers)| {
            let run = move || {
                let mut all = Answers { wanted: wanted.map(str::to_owned), verbose, ..Answers::default() };
                add(&mut all);
                all
            };
            thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, run)
        };
        let threads = PARTS.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
        let join =
            |thread: thread::ScopedJoinHandle<Answers>| thread.join().map_err(|_| "a part of the table failed".into());
        threads.into_iter().map(join).collect()
    })
}
