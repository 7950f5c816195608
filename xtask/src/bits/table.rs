//! All hashes in a table, and what differs.

use std::collections::{BTreeMap, BTreeSet};

use super::hashes::{Hashes, NO_ROOM, NOT_RUN, overall, split};

/// One column: where the programs ran, and what came out.
pub struct Column {
    pub title: String,
    pub hashes: Hashes,
}

/// What stands where there is no hash, and need not be one.
const ABSENT: [&str; 2] = [NO_ROOM, NOT_RUN];

/// The columns, by name.
type Maps<'a> = Vec<BTreeMap<&'a str, &'a str>>;

/// The table of all columns, and the titles of those that differ from the first.
///
/// Runs need not get as far in every column, but each must have a beginning that all have.
pub fn compare(columns: &[Column]) -> (String, Vec<String>) {
    let maps: Maps = columns
        .iter()
        .map(|column| column.hashes.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect())
        .collect();
    // The rows of the first column and any that only another has.
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
    let table = format!(
        "{}\nResults; = stands for the hash in column 0\n{:width$} {:16}{}\n{functions}\n\
         Runs: steps after which the hash is the one in column 0 (≠: is not); - where the machine has no room, or does not run the program\n{:width$}{:>8}{}\n{runs}",
        titles(columns, &maps),
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

/// The columns with one hash each, over what all of them have; those where only some programs ran, with how much of that they have.
fn titles(columns: &[Column], maps: &Maps) -> String {
    let has = |map: &BTreeMap<&str, &str>, name: &str| map.get(name).is_some_and(|hash| !ABSENT.contains(hash));
    let is_whole = |map: &&BTreeMap<&str, &str>| !map.values().any(|hash| *hash == NOT_RUN);
    let names = columns[0].hashes.iter().map(|(name, _)| name.as_str());
    let common: Vec<&str> = names.filter(|name| maps.iter().filter(is_whole).all(|map| has(map, name))).collect();
    let mut text =
        format!("\nColumns, and the hash of the {} hashes that all have where all programs ran\n", common.len());
    for (number, (column, map)) in columns.iter().zip(maps).enumerate() {
        let own: Vec<&str> = common.iter().copied().filter(|name| has(map, name)).collect();
        let hash = overall(own.iter().map(|name| (*name, map[name])));
        text += &format!("  {number:2} {:32} {hash:016x}", column.title);
        if !is_whole(&map) {
            let expected = overall(own.iter().map(|name| (*name, maps[0][name])));
            text += &format!(" of {}, expected {expected:016x}", own.len());
        }
        text += "\n";
    }
    text
}

/// The cell of a result.
fn function(maps: &Maps, name: &str, number: usize, differs: &mut bool) -> String {
    match (maps[0].get(name), maps[number].get(name)) {
        (expected, found) if expected == found => "=".to_owned(),
        (_, Some(hash)) if ABSENT.contains(hash) => "-".to_owned(),
        (_, found) => {
            *differs = true;
            found.copied().unwrap_or("nothing").to_owned()
        }
    }
}

/// The cell of a run: where it first differs, or else how far it gets.
fn run(maps: &Maps, names: &[&str], number: usize, differs: &mut bool) -> String {
    let mut names: Vec<(u64, &str, &str)> =
        names.iter().filter_map(|name| split(name).1.map(|(steps, count)| (count, steps, *name))).collect();
    names.sort_unstable();
    let mut reached = None;
    for (_, steps, name) in names {
        match (maps[0].get(name), maps[number].get(name)) {
            (expected, found) if expected == found && found.is_some() => reached = Some(steps),
            (_, Some(hash)) if ABSENT.contains(hash) => return "-".to_owned(),
            // The end of the run here; what follows must not be there, either.
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
    fn a_differing_hash_is_found_and_shown() {
        let columns = [
            column("expected", "# text\nf32 sqrt: 01\n"),
            column("same", "f32 sqrt: 01\n"),
            column("other", "f32 sqrt: 03\n"),
            column("more", "f32 sqrt: 01\nf32 sin: 05\n"),
            column("less", ""),
        ];
        let (table, differing) = compare(&columns);
        assert_eq!(differing, ["other", "more", "less"]);
        assert!(table.contains("f32 sqrt 01               = 03 = nothing\n"), "{table}");
        assert!(table.contains("f32 sin  nothing          = = 05 =\n"), "{table}");
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
            column("small", "ring, 1e2 steps: no room\n"),
        ];
        let (table, differing) = compare(&columns);
        assert_eq!(differing, ["other", "longer", "nothing"]);
        assert!(table.contains("ring     1e3     1e3     1e2    ≠3e2    ≠3e3    ≠1e2       -\n"), "{table}");
    }

    #[test]
    fn what_all_have_in_common_has_one_hash() {
        let columns = [
            column("expected", "f32 sqrt: 01\nring, 1e2 steps: 01\nring, 3e2 steps: 02\n"),
            column("shorter", "f32 sqrt: 01\nring, 1e2 steps: 01\n"),
            column("other", "f32 sqrt: 02\nring, 1e2 steps: 01\n"),
            column("partial", "f32 sqrt: not run\nring, 1e2 steps: 01\n"),
        ];
        let (table, _) = compare(&columns);
        let hash = |number: &str| table.lines().find(|line| line.contains(number)).unwrap().split_whitespace().last();
        assert!(table.contains("of the 2 hashes"), "{table}");
        assert_eq!(hash(" 0 expected"), hash(" 1 shorter"));
        assert_ne!(hash(" 0 expected"), hash(" 2 other"));
        // Of what did not run everything, beside what is expected of it.
        let partial: Vec<&str> =
            table.lines().find(|line| line.contains(" 3 partial")).unwrap().split_whitespace().collect();
        assert_eq!(partial[2..], [partial[2], "of", "1,", "expected", partial[2]]);
    }
}
