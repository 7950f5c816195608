//! Rows of the table, or the answer for one model.

use taut::linalg::Vector;
use taut::structure::{Analysis, Dae, StructureError, analyse_up_to, mechanical};
use taut::system::Mechanical;

/// The largest system whose derivative array is computed. That of Bricard's six-bar, with 119 unknowns, takes many minutes.
const LARGEST: usize = 51;

/// Analyses the system with the wanted name, or writes a row of the table for each.
#[derive(Default)]
pub struct Answers {
    pub wanted: Option<String>,
    /// Shows each row on the way.
    pub verbose: bool,
    pub known: Vec<String>,
    pub answer: Option<String>,
    pub rows: String,
}

impl Answers {
    pub fn add(&mut self, name: &str, form: &impl Dae, t: f64, point: &[&[f64]], advice: impl FnOnce() -> String) {
        self.known.push(name.to_owned());
        match &self.wanted {
            Some(wanted) if wanted == name => self.answer = Some(analyse_up_to(LARGEST, form, t, point).to_string()),
            Some(_) => (),
            None => {
                let row = row(name, &analyse_up_to(LARGEST, form, t, point), form.size(), &advice());
                if self.verbose {
                    eprint!("{row}");
                }
                self.rows += &row;
            }
        }
    }

    pub fn add_mechanical<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &str,
        system: &System,
        point: [Vector<f64, N>; 2],
        advice: impl FnOnce() -> String,
    ) {
        let [q, v] = point.map(|x| [x.as_slice(), &[0.0; M]].concat());
        self.add(name, &mechanical(system), 0.0, &[&q, &v], advice);
    }
}

/// A row of the table.
fn row(name: &str, analysis: &Analysis, size: usize, advice: &str) -> String {
    let note = if analysis.redundant.is_empty() { "" } else { ", redundant" };
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
        _ => analysis.methods.clone(),
    };
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
