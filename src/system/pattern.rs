//! Which coordinates each constraint uses.

use core::fmt;

use super::Mechanical;
use crate::linalg::Vector;
use crate::scalar::{Real, Tracked};

/// Which coordinates each constraint uses: where G can differ from zero. A constant of a [model](super::Mechanical::PATTERN).
///
/// ```
/// use taut::system::Pattern;
///
/// // Two points on a string: the first constraint uses the first point, the second both.
/// const PATTERN: Pattern<4, 2> = Pattern::rows(["xx..", "xxxx"]);
/// assert!(PATTERN.uses(1, 0) && !PATTERN.uses(0, 3));
/// assert_eq!(PATTERN.to_string(), "xx..\nxxxx\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<const N: usize, const M: usize> {
    entries: [[bool; N]; M],
}

impl<const N: usize, const M: usize> Pattern<N, M> {
    /// Every constraint uses every coordinate.
    pub const fn dense() -> Self {
        Self { entries: [[true; N]; M] }
    }

    /// From a table: a row for each constraint, a character for each coordinate, `x` where the constraint uses it and `.` where not.
    ///
    /// # Panics
    /// If a row has not `N` characters, or other ones. In a constant that is an error of the compiler.
    pub const fn rows(rows: [&str; M]) -> Self {
        let mut entries = [[false; N]; M];
        let mut row = 0;
        while row < M {
            let text = rows[row].as_bytes();
            assert!(text.len() == N, "a row of a pattern has a character for each coordinate");
            let mut column = 0;
            while column < N {
                assert!(text[column] == b'x' || text[column] == b'.', "a pattern consists of `x` and `.`");
                entries[row][column] = text[column] == b'x';
                column += 1;
            }
            row += 1;
        }
        Self { entries }
    }

    /// From the entries.
    pub const fn new(entries: [[bool; N]; M]) -> Self {
        Self { entries }
    }

    /// The pattern that a model's constraint has at a position: print it to get the table of [`rows`](Self::rows). A branch of the constraint
    /// that is not taken there is not seen.
    ///
    /// ```
    /// use mechanisms::DoublePendulum;
    /// use taut::system::{Mechanical, Pattern};
    ///
    /// let pattern = Pattern::of(&DoublePendulum::<f32>::standard(), [1.0, 0.0, 1.0, -1.0]);
    /// println!("{pattern}");
    /// assert_eq!(pattern, DoublePendulum::<f32>::PATTERN);
    /// ```
    pub fn of<System: Mechanical<N, M>>(system: &System, q: impl Into<Vector<System::Base, N>>) -> Self {
        Self::at(system, System::Base::constant(0.0), &q.into())
    }

    fn at<System: Mechanical<N, M>>(system: &System, t: System::Base, q: &Vector<System::Base, N>) -> Self {
        let [q] = q.data.0;
        let constraint = system.constraint(Tracked::from(t), &Tracked::variables(q).into());
        let mut entries = [[false; N]; M];
        for (row, g) in entries.iter_mut().zip(&constraint) {
            for (coordinate, uses) in row.iter_mut().enumerate() {
                *uses = g.uses(coordinate);
            }
        }
        Self { entries }
    }

    /// The first constraint, and the coordinate that it uses although the model's pattern leaves it out.
    pub(crate) fn missed<System: Mechanical<N, M>>(
        system: &System,
        t: System::Base,
        q: &Vector<System::Base, N>,
    ) -> Option<(usize, usize)> {
        if const { System::PATTERN.is_dense() } {
            return None;
        }
        let found = Self::at(system, t, q);
        for row in 0..M {
            for column in 0..N {
                if found.entries[row][column] && !System::PATTERN.entries[row][column] {
                    return Some((row, column));
                }
            }
        }
        None
    }

    /// The entries, a row for each constraint.
    pub const fn entries(&self) -> &[[bool; N]; M] {
        &self.entries
    }

    const fn is_dense(&self) -> bool {
        let mut row = 0;
        while row < M {
            let mut column = 0;
            while column < N {
                if !self.entries[row][column] {
                    return false;
                }
                column += 1;
            }
            row += 1;
        }
        true
    }

    /// Whether a constraint uses a coordinate; `false` if there is no such constraint or coordinate.
    pub const fn uses(&self, constraint: usize, coordinate: usize) -> bool {
        constraint < M && coordinate < N && self.entries[constraint][coordinate]
    }
}

/// As a table that [`rows`](Pattern::rows) takes.
impl<const N: usize, const M: usize> fmt::Display for Pattern<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.entries {
            for uses in row {
                f.write_str(if *uses { "x" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
