//! From a description to a mechanism, or to the part that is wrong.

use super::error::{BuildError, Problem, finite};
use super::list::{Element, List, Pose, Visitor};
use super::mass::BuiltMass;
use super::mechanism::Mechanism;
use super::place::Load;
use super::quantities::{Loads, MassMatrix};
use super::table::{self, Entry, Slot};
use crate::linalg::{FactorError, SymmetricFactors, Vector};
use crate::scalar::{Float, Real};
use crate::start::{StartError, assemble_in_place};
use crate::system::Mechanical;

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// Checks a description, sums its masses and assembles it from the guesses of its parts.
    ///
    /// It refuses parameters and guesses out of range, points without mass, lengths that do not reach, and parts that contradict each other or, unless the
    /// header says `redundant`, depend on each other. The error names the part.
    pub fn build(list: &L) -> Result<Self, BuildError<L::Base>> {
        const { assert!(table::coordinates(L::TABLE) == N, "the list has another number of coordinates than N") };
        const { assert!(table::constraints(L::TABLE) == M, "the list has another number of constraints than M") };
        const {
            let redundant = <L::Factors as SymmetricFactors<L::Base, M>>::DECIDES_RANK;
            let prescribed = table::moves_with_time(L::TABLE);
            assert!(
                M < N || M == N && prescribed || redundant,
                "over-constrained: with as many constraints as coordinates nothing can move; if some depend on others, say `redundant` in the header"
            )
        };
        list.check().map_err(|(part, problem)| error(L::TABLE, part, problem))?;
        let gravity = list.gravity();
        if !gravity.is_finite() {
            let problem = Problem::Parameter { field: "gravity", given: gravity, must: "finite" };
            return Err(BuildError { part: "list", on: [""; 2], problem });
        }

        let mut guess = [L::Base::ZERO; N];
        list.guess(&mut guess);
        for (i, x) in guess.into_iter().enumerate() {
            finite("near", x).map_err(|problem| error(L::TABLE, part_of_coordinate(L::TABLE, i), problem))?;
        }
        let guess = Vector::from(guess);
        let no_loads = [Load::NONE; N];
        let mut loads = Loads::<L::Base, N>(no_loads);
        list.visit(&Pose::new::<L, M>(&guess, &no_loads), &mut loads);
        let Loads(loads) = loads;
        let mass = Self::mass_of(list, &loads, &guess)?;
        let mut mechanism = Self { list: list.clone(), loads, mass, assembled: guess };
        let mut position = guess;
        let assembled = assemble_in_place::<_, _, N, M, L::Factors>(
            &mechanism,
            L::Base::ZERO,
            &mut position,
            L::Base::ROOT_EPSILON,
        );
        mechanism.assembled = position;
        let geometry = assembled.map_err(|cause| mechanism.not_assembled(cause))?;
        let mut checks = Checks(Ok(()));
        list.visit(&mechanism.pose(&mechanism.assembled), &mut checks);
        checks.0.map_err(|(part, problem)| error(L::TABLE, part, problem))?;
        // A prescribed motion moves what the constraints would hold.
        if geometry.correction.rank() == N && !const { table::moves_with_time(L::TABLE) } {
            return Err(BuildError { part: "list", on: [""; 2], problem: Problem::Immobile { constraints: N } });
        }
        Ok(mechanism)
    }

    fn mass_of(
        list: &L,
        loads: &[Load<L::Base>; N],
        guess: &Vector<L::Base, N>,
    ) -> Result<L::Mass, BuildError<L::Base>> {
        let mut matrix = MassMatrix::<L::Base, N>::new();
        list.visit(&Pose::new::<L, M>(guess, loads), &mut matrix);
        let MassMatrix(mut matrix) = matrix;
        for i in 0..N {
            if !(matrix[(i, i)] > L::Base::ZERO) {
                return Err(error(L::TABLE, part_of_coordinate(L::TABLE, i), Problem::NoMass));
            }
        }
        matrix.fill_upper_triangle_with_lower_triangle();
        L::Mass::built(matrix)
            .map_err(|cause| error(L::TABLE, part_of_coordinate(L::TABLE, index(&cause)), Problem::Mass(cause)))
    }

    /// Names the part that an assembly failed at.
    fn not_assembled(&self, cause: StartError<L::Base>) -> BuildError<L::Base> {
        match cause {
            StartError::Constraints(factor) => {
                error(L::TABLE, part_of_row(L::TABLE, index(&factor)), Problem::Dependent(factor))
            }
            StartError::Mass(factor) => {
                error(L::TABLE, part_of_coordinate(L::TABLE, index(&factor)), Problem::Mass(factor))
            }
            StartError::NotAssembled { residual, .. } => {
                let mut stretched = MostStretched { g: self.constraint(L::Base::ZERO, &self.assembled), part: None };
                self.list.visit(&self.pose(&self.assembled), &mut stretched);
                match stretched.part {
                    // If all lengths fit, it is another constraint: a pin, a rope or a gear.
                    Some((part, length, apart)) if (apart - length).abs() > L::Base::ROOT_EPSILON * length => {
                        error(L::TABLE, part, Problem::DoesNotFit { length, apart })
                    }
                    _ => error(L::TABLE, part_of_row(L::TABLE, residual.row), Problem::NotAssembled(cause)),
                }
            }
            _ => error(L::TABLE, 0, Problem::NotAssembled(cause)),
        }
    }
}

/// Keeps what the first part that is wrong says.
struct Checks<T>(Result<(), (usize, Problem<T>)>);

impl<T: Float> Visitor<T> for Checks<T> {
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<T, D>) {
        if self.0.is_ok() {
            self.0 = element.check().map_err(|problem| (slot.part, problem));
        }
    }
}

/// Finds the part whose length differs most from the distance of the points that it is on.
struct MostStretched<T, const M: usize> {
    g: Vector<T, M>,
    /// The part, its length and the distance.
    part: Option<(usize, T, T)>,
}

impl<T: Float, const M: usize> Visitor<T> for MostStretched<T, M> {
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<T, D>) {
        let (Some(length), Some(g)) = (element.length(), self.g.get(slot.row)) else { return };
        // The residual of a distance is (d² − l²)/2.
        let square = length * length + *g + *g;
        let apart = if square > T::ZERO { square.sqrt() } else { T::ZERO };
        if g.is_finite() && self.part.is_none_or(|(_, l, d)| (apart - length).abs() > (d - l).abs()) {
            self.part = Some((slot.part, length, apart));
        }
    }
}

fn index<T>(cause: &FactorError<T>) -> usize {
    match cause {
        FactorError::NonFinite { index } | FactorError::SmallPivot { index, .. } => *index,
    }
}

fn part_of_row(table: &[Entry], row: usize) -> usize {
    let has = |part: usize| row < table::slot(table, part + 1).row;
    (0..table.len()).find(|part| has(*part)).unwrap_or(0)
}

fn part_of_coordinate(table: &[Entry], i: usize) -> usize {
    let has = |part: usize| i < table::slot(table, part + 1).coordinate;
    (0..table.len()).find(|part| has(*part)).unwrap_or(0)
}

fn error<T>(table: &[Entry], part: usize, problem: Problem<T>) -> BuildError<T> {
    let name = |part: Option<&usize>| part.and_then(|part| table.get(*part)).map_or("", |entry| entry.name);
    let entry = table.get(part);
    let on = entry.map_or([""; 2], |entry| [name(entry.on.first()), name(entry.on.get(1))]);
    BuildError { part: entry.map_or("", |entry| entry.name), on, problem }
}
