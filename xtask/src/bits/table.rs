//! The table of all hashes, with the differences marked.

use std::collections::{BTreeMap, BTreeSet};

use super::hashes::{Hashes, NOT_RUN, split};

/// One column: where the programs ran, and the hashes they printed.
pub struct Column {
    pub title: String,
    pub hashes: Hashes,
}

/// The columns, by name.
type Maps<'a> = Vec<BTreeMap<&'a str, &'a str>>;

/// The table of all columns, and the titles of those that differ from the first.
///
/// A run may end earlier in some columns, but all columns must share its first hash.
pub fn compare(columns: &[Column]) -> (String, Vec<String>) {
    let maps: Maps = columns
        .iter()
        .map(|column| column.hashes.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect())
        .collect();
    // The rows of all columns, those of the first column first.
    let mut bodies: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, _) in columns.iter().flat_map(|column| &column.hashes).filter(|(name, _)| seen.insert(name.as_str())) {
        let body = split(name).0;
        match bodies.iter_mut().find(|(known, _)| *known == body) {
            Some((_, names)) => names.push(name),
            None => bodies.push((body, vec![name])),
        }
    }

    let width = bodies.iter().map(|(body, _)| body.chars().count()).max().unwrap_or(0);
    let mut differing = vec![false; columns.len()];
    let (mut functions, mut runs) = (String::new(), String::new());
    for (body, names) in &bodies {
        if let [name] = names[..]
            && split(name).1.is_none()
        {
            let cells = (1..maps.len()).map(|number| function(&maps, name, number, &mut differing[number]));
            let expected = maps[0].get(name).unwrap_or(&"nothing");
            functions += &format!("{body:width$} {expected:16} {}\n", cells.collect::<Vec<_>>().join(" "));
        } else {
            let cells = (0..maps.len()).map(|number| run(&maps, names, number, &mut differing[number]));
            runs += &format!("{body:width$}{}\n", cells.map(|cell| format!("{cell:>8}")).collect::<String>());
        }
    }

    let numbers = |width: usize| (1..columns.len()).map(|number| format!("{number:>width$}")).collect::<String>();
    let titles = columns.iter().enumerate().map(|(number, column)| format!("  {number:2} {}\n", column.title));
    let titles = format!("\nColumns\n{}", titles.collect::<String>());
    let table = format!(
        "{}\nResults: = is the same hash as in column 0, - is not run\n{:width$} {:16}{}\n{functions}\n\
         Runs: the last step with the same hash as column 0, or ≠ and the first step that differs; - is not run\n{:width$}{:>8}{}\n{runs}",
        titles,
        "",
        "0",
        numbers(2),
        "",
        "0",
        numbers(8)
    );
    let differing = columns.iter().zip(differing).filter(|(_, differs)| *differs);
    (table, differing.map(|(column, _)| column.title.clone()).collect())
}

/// The cell of a result.
fn function(maps: &Maps, name: &str, number: usize, differs: &mut bool) -> String {
    match (maps[0].get(name), maps[number].get(name)) {
        (expected, found) if expected == found => "=".to_owned(),
        (_, Some(&NOT_RUN)) => "-".to_owned(),
        (_, found) => {
            *differs = true;
            found.copied().unwrap_or("nothing").to_owned()
        }
    }
}

/// The cell of a run: the step where it first differs, or else its last step.
fn run(maps: &Maps, names: &[&str], number: usize, differs: &mut bool) -> String {
    let mut names: Vec<(u64, &str, &str)> =
        names.iter().filter_map(|name| split(name).1.map(|(steps, count)| (count, steps, *name))).collect();
    names.sort_unstable();
    let mut reached = None;
    for (_, steps, name) in names {
        match (maps[0].get(name), maps[number].get(name)) {
            (expected, found) if expected == found && found.is_some() => reached = Some(steps),
            (_, Some(&NOT_RUN)) => return "-".to_owned(),
            // The run has ended earlier in this column.
            (_, None) if reached.is_some() => {}
            _ => {
                *differs = true;
                return format!("≠{steps}");
            }
        }
    }
    reached.unwrap_or("≠").to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::hashes::parse;
    use super::*;

    fn column(title: &str, text: &str) -> Column {
        Column { title: title.to_owned(), hashes: parse(text).unwrap() }
    }

    #[test]
    fn a_different_hash_is_found_and_shown() {
        let columns = [
            column("expected", "# text\nf32 sqrt: 01\n"),
            column("same", "f32 sqrt: 01\n"),
            column("other", "f32 sqrt: 03\n"),
            column("more", "f32 sqrt: 01\nf32 sin: 05\n"),
            column("less", ""),
            column("partial", "f32 sqrt: not run\n"),
        ];
        let (table, differing) = compare(&columns);
        assert_eq!(differing, ["other", "more", "less"]);
        assert!(table.contains("   0 expected\n   1 same\n"), "{table}");
        assert!(table.contains("f32 sqrt 01               = 03 = nothing -\n"), "{table}");
        assert!(table.contains("f32 sin  nothing          = = 05 = =\n"), "{table}");
    }

    #[test]
    fn a_run_may_end_early_but_not_differ() {
        let columns = [
            column("expected", "ring, 1e2 steps: 01\nring, 3e2 steps: 02\nring, 1e3 steps: 03\n"),
            column("same", "ring, 1e2 steps: 01\nring, 3e2 steps: 02\nring, 1e3 steps: 03\n"),
            column("shorter", "ring, 1e2 steps: 01\n"),
            column("other", "ring, 1e2 steps: 01\nring, 3e2 steps: 05\nring, 1e3 steps: 03\n"),
            column("longer", "ring, 1e2 steps: 01\nring, 3e2 steps: 02\nring, 1e3 steps: 03\nring, 3e3 steps: 04\n"),
            column("nothing", ""),
            column("small", "ring, 1e2 steps: not run\n"),
        ];
        let (table, differing) = compare(&columns);
        assert_eq!(differing, ["other", "longer", "nothing"]);
        assert!(table.contains("ring     1e3     1e3     1e2    ≠3e2    ≠3e3    ≠1e2       -\n"), "{table}");
    }
}
