//! The output of `advise` on this computer.

use anyhow::{Context, Result, bail};

/// A method in a precision at a rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The method, as the programs name it.
    pub method: String,
    /// The precision, like `plain-f32`.
    pub state: String,
    /// The rate in hertz.
    pub rate: f64,
    /// The error; infinite if a step failed.
    pub error: f64,
    /// The instructions per simulated second; infinite if unknown.
    pub cost: f64,
}

/// The whole output.
#[derive(PartialEq, Debug, Default)]
pub struct Answer {
    /// Every combination.
    pub trials: Vec<Point>,
    /// The Pareto front: no other trial is both cheaper and more accurate. The cheapest comes first.
    pub front: Vec<Point>,
    /// The cheapest trial that meets the wanted error and rate.
    pub choice: Option<Point>,
    /// The table to print.
    pub table: String,
}

impl Answer {
    /// Parses the program's output: rows, then the line `table`, then the table.
    pub fn read(output: &str) -> Result<Self> {
        let (rows, table) = output.split_once("table\n").context("an answer without a table")?;
        let mut answer = Self { table: table.to_owned(), ..Self::default() };
        for row in rows.lines() {
            let words: Vec<&str> = row.split(' ').collect();
            let [what, method, state, rate, error, cost] = words.as_slice() else { bail!("not an answer: {row}") };
            let (method, state) = ((*method).to_owned(), (*state).to_owned());
            let point = Point { method, state, rate: rate.parse()?, error: error.parse()?, cost: cost.parse()? };
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
    fn rows_and_the_table_are_parsed() {
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
