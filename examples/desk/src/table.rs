//! The numbers of a run in named columns, for CSV and for charts.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::plot::{Chart, Curve};

/// The most points of a curve of magnitudes.
const MAX_POINTS: usize = 600;

/// `C` columns; the first is usually the time. Names include the unit: `time / s`.
#[derive(Clone, Debug)]
pub struct Table<const C: usize> {
    names: [&'static str; C],
    rows: Vec<[f64; C]>,
}

impl<const C: usize> Table<C> {
    /// An empty table.
    pub fn new(names: [&'static str; C]) -> Self {
        Self { names, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: [f64; C]) {
        self.rows.push(row);
    }

    /// All rows.
    pub fn rows(&self) -> &[[f64; C]] {
        &self.rows
    }

    /// About `count` rows, evenly spaced, including the first and the last.
    pub fn frames(&self, count: usize) -> impl Iterator<Item = &[f64; C]> {
        let (last, gaps) = (self.rows.len().saturating_sub(1), count.max(2) - 1);
        (0..=gaps).filter_map(move |frame| self.rows.get(frame * last / gaps))
    }

    /// The largest magnitude in a column.
    pub fn largest(&self, column: usize) -> f64 {
        self.rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max)
    }

    /// One column over another.
    pub fn curve(&self, x: usize, y: usize) -> Curve {
        Curve::through(self.rows.iter().map(|row| (row[x], row[y])))
    }

    /// A column's magnitudes over the first column. Many rows are grouped, and the largest of each group is shown.
    pub fn magnitudes(&self, column: usize) -> Curve {
        let group_size = self.rows.len().div_ceil(MAX_POINTS).max(1);
        let groups = self.rows.chunks(group_size);
        let mut points: Vec<_> =
            groups.map(|rows| (rows[0][0], rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max))).collect();
        // The curve ends where the run ends.
        if let (Some(row), Some((_, largest))) = (self.rows.last(), points.last().copied()) {
            points.push((row[0], largest));
        }
        Curve::through(points)
    }

    /// A chart of a column over the first one.
    pub fn chart(&self, column: usize) -> Chart {
        Chart::new(self.names[0], self.names[column]).curve(self.curve(0, column))
    }

    /// A chart of a column's magnitude over the first one, with a logarithmic vertical axis.
    pub fn error_chart(&self, column: usize) -> Chart {
        let label = match self.names[column].split_once(" /") {
            Some((name, unit)) => format!("|{name}| /{unit}"),
            None => format!("|{}|", self.names[column]),
        };
        Chart::new(self.names[0], label).logarithmic().curve(self.magnitudes(column))
    }

    /// Writes a line of names and a line for each row, with all digits.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let mut lines = BufWriter::new(File::create(file)?);
        writeln!(lines, "{}", self.names.join(","))?;
        for row in &self.rows {
            writeln!(lines, "{}", row.map(|number| number.to_string()).join(","))?;
        }
        lines.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_include_the_first_and_the_last_row() {
        let mut table = Table::new(["time / s"]);
        assert_eq!(table.frames(5).count(), 0);
        (0..=1000).for_each(|row| table.push([f64::from(row)]));
        let times: Vec<_> = table.frames(5).map(|row| row[0]).collect();
        assert_eq!(times, [0.0, 250.0, 500.0, 750.0, 1000.0]);
        assert_eq!(table.largest(0), 1000.0);
    }
}
