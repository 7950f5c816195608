//! What the program on this computer has answered.

use anyhow::{Context, Result, bail};

/// A method in a precision at a rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The method, by the word of the programs.
    pub method: String,
    /// The precision, like `plain-f32`.
    pub state: String,
    /// The rate in hertz.
    pub rate: f64,
    /// The error, infinite where a step has failed.
    pub error: f64,
    /// What a simulated second costs, infinite where it is not known.
    pub cost: f64,
}

/// Everything that was answered.
#[derive(PartialEq, Debug, Default)]
pub struct Answer {
    /// Every combination.
    pub trials: Vec<Point>,
    /// What nothing beats, the cheapest first.
    pub front: Vec<Point>,
    /// The cheapest for what is wanted.
    pub choice: Option<Point>,
    /// The table to be read.
    pub table: String,
}

impl Answer {
    /// Reads what the program has printed: rows, and after `table` the table.
    pub fn read(output: &str) -> Result<Self> {
        let (rows, table) = output.split_once("table\n").context("an answer without a table")?;
        let mut answer = Self { table: table.to_owned(), ..Self::default() };
        for row in rows.lines() {
            let words: Vec<&str> = row.split(' ').collect();
            let [what, method, state, rate, error, cost] = words.as_slice() else { bail!("not an answer: {row}") };
            let point = Point {
                method: (*method).to_owned(),
                state: (*state).to_owned(),
                rate: rate.parse()?,
                error: error.parse()?,
                cost: cost.parse()?,
            };
            match *what {
                "trial" => answer.trials.push(point),
                "front" => answer.front.push(point),
                "choice" => answer.choice = Some(point),
                _ => bail!("not an answer: {row}"),
            }
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_before_the_table() {
        let answer = Answer::read(
            "trial rattle plain-f32 100 2.9e-4 1.32e4\ntrial suzuki plain-f32 100 inf inf\n\
             front rattle plain-f32 100 2.9e-4 1.32e4\nchoice rattle plain-f32 100 2.9e-4 1.32e4\ntable\na\nb\n",
        )
        .unwrap();
        assert_eq!((answer.trials.len(), answer.front.len(), answer.table.as_str()), (2, 1, "a\nb\n"));
        assert_eq!(answer.choice.as_ref(), answer.front.first());
        assert!(answer.trials[1].error.is_infinite());
        assert!(Answer::read("trial rattle\ntable\n").is_err());
        assert!(Answer::read("trial rattle plain-f32 100 2.9e-4 1.32e4\n").is_err());
    }
}
