//! Names of a file as names in Rust.

use std::collections::HashSet;

/// Hands out names that are valid and different.
#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
}

/// Words that cannot name a part: Rust's, the fields of a list, and what the macro defines.
const RESERVED: &str = "as async await box break const continue crate do dyn else enum extern false final fn for gen if impl in let loop \
     macro match mod move mut override priv pub ref return self static struct super trait true try type typeof unsafe unsized use virtual \
     where while yield abstract become gravity pose visitor slot q near";

impl Names {
    /// A name in small letters like the one in the file.
    pub fn part(&mut self, wanted: &str) -> String {
        let words = words(wanted).join("_");
        let starts_well = words.starts_with(|letter: char| letter.is_ascii_lowercase());
        let mut base = if starts_well { words } else { format!("part_{words}").trim_end_matches('_').into() };
        if RESERVED.split_whitespace().any(|word| word == base) {
            base.push_str("_part");
        }
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let mut candidates = [base.clone()].into_iter().chain(numbered);
        let free = candidates.find(|name| !self.taken.contains(name)).unwrap_or(base);
        self.taken.insert(free.clone());
        free
    }
}

/// The name of the list.
pub fn list(wanted: &str) -> String {
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    let name: String = words(wanted).into_iter().map(capital).collect();
    if name.starts_with(|letter: char| letter.is_ascii_uppercase()) { name } else { format!("Model{name}") }
}

/// The words of a name, in small letters. `leftKnee`, `left-knee` and `Left knee` have the same.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut after_small) = (vec![String::new()], false);
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() || (after_small && letter.is_ascii_uppercase()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(letter.to_ascii_lowercase());
        }
        after_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_different() {
        let mut names = Names::default();
        let given = ["leftKnee", "left-knee", "gravity", "2nd", "", "FR_hip"];
        let wanted = ["left_knee", "left_knee_2", "gravity_part", "part_2nd", "part", "fr_hip"];
        assert_eq!(given.map(|name| names.part(name)), wanted);
        assert_eq!(["four-bar", "2 arms", ""].map(list), ["FourBar", "Model2Arms", "Model"]);
    }
}
