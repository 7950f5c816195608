//! From a description to a mechanism, or to the part that is wrong.

use super::error::{BuildError, Problem, finite};
use super::explain::row;
use super::list::{Element, List, Pose, Visitor};
use super::mass::BuiltMass;
use super::mechanism::Mechanism;
use super::place::Load;
use super::quantities::{Loads, MassMatrix};
use super::table::{self, Entry, Slot};
use crate::linalg::{Matrix, SymmetricFactors, Vector};
use crate::scalar::{Float, Real};
use crate::start::{StartError, assemble_in_place};
use crate::system::{Diagonal, Mechanical, Pattern};

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// Checks a description, sums its masses and assembles it from the guesses of its parts.
    ///
    /// It refuses parameters and guesses out of range, points without mass, lengths that do not reach, and parts that contradict each other or, unless the
    /// header says `redundant`, depend on each other. The error names the part.
    pub fn build(list: &L) -> Result<Self, BuildError<L::Base>> {
        let (loads, guess) = Self::described(list)?;
        let matrix = Self::mass_of(list, &loads, &guess);
        for i in 0..N {
            if !(matrix[(i, i)] > L::Base::ZERO) {
                return Err(error(L::TABLE, part_of_coordinate(L::TABLE, i), Problem::NoMass));
            }
        }
        let mass = L::Mass::built(matrix)
            .map_err(|cause| error(L::TABLE, part_of_coordinate(L::TABLE, row(&cause)), Problem::Mass(cause)))?;
        let mechanism = Self { list: list.clone(), loads, mass, assembled: guess };
        let mut position = guess;
        let rank = rank_of::<_, L, N, M>(&mechanism, &mut position);
        mechanism.assembled_at(position, rank)
    }

    /// The same for kinematics alone, such as those of a machine with steppers: arms, rods, sliders and points may have the mass zero.
    ///
    /// [`Kinematics`](crate::control::Kinematics), [`MotorLimits`](crate::control::MotorLimits) and every plan take such a mechanism, because
    /// they do not divide by masses: torques are those of the masses that the list has. It cannot move by itself: if a mass is missing,
    /// [`Start`](crate::start::Start) returns an error. The mechanism is assembled by the shortest way in its coordinates, which is not
    /// always that of [`build`](Self::build). Bodies and tops in space keep their moments of inertia, because their frames need them.
    ///
    /// ```
    /// # use taut::prelude::*;
    /// use taut::control::Kinematics;
    /// taut::mechanism! {
    ///     pub struct Plotter in plane, arms as angles {
    ///         left: Fixed { at: [-0.05, 0.0] },
    ///         right: Fixed { at: [0.05, 0.0] },
    ///         one: Arm(left) { length: 0.10, mass: 0.0 } near 2.3,
    ///         two: Arm(right) { length: 0.10, mass: 0.0 } near 0.8,
    ///         tip: Point { mass: 0.0 } near [0.0, 0.17],
    ///         rod_one: Strut(one, tip) { length: 0.16 },
    ///         rod_two: Strut(two, tip) { length: 0.16 },
    ///     }
    ///     motors one, two;
    ///     encoders one, two;
    ///     output tip;
    /// }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let plotter = Plotter::<f32>::new().build_kinematics()?;
    /// let speeds = Kinematics::at(&plotter, &plotter.assembled())?.motor_speeds(&[0.0, 0.1].into()); // rad/s, for 0.1 m/s
    /// assert!(speeds[0] < 0.0 && speeds[1] > 0.0);
    /// assert!(plotter.start(Clock::at_rate(1_000.0)?).at_rest().is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn build_kinematics(list: &L) -> Result<Self, BuildError<L::Base>> {
        let (loads, guess) = Self::described(list)?;
        let mass = L::Mass::kinematic(Self::mass_of(list, &loads, &guess));
        let mechanism = Self { list: list.clone(), loads, mass, assembled: guess };
        let mut position = guess;
        let rank = rank_of::<_, L, N, M>(&OfUnitMass(&mechanism), &mut position);
        mechanism.assembled_at(position, rank)
    }

    /// Checks the parameters and the guesses: the sums of the masses, and the guess.
    fn described(list: &L) -> Result<Prepared<L::Base, N>, BuildError<L::Base>> {
        const { assert!(table::coordinates(L::TABLE) == N, "the list has another number of coordinates than N") };
        const { assert!(table::constraints(L::TABLE) == M, "the list has another number of constraints than M") };
        const {
            let redundant = <L::Factors as SymmetricFactors<L::Base, M>>::DECIDES_RANK;
            assert!(
                table::movable(L::TABLE, redundant),
                "over-constrained: if some constraints depend on others, say `redundant` in the header"
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
        Ok((loads.0, guess))
    }

    fn mass_of(list: &L, loads: &[Load<L::Base>; N], guess: &Vector<L::Base, N>) -> Matrix<L::Base, N, N> {
        let mut matrix = MassMatrix::<L::Base, N>::new();
        list.visit(&Pose::new::<L, M>(guess, loads), &mut matrix);
        let MassMatrix(mut matrix) = matrix;
        matrix.fill_upper_triangle_with_lower_triangle();
        matrix
    }

    /// Takes the position that an assembly ended at, with the rank of the constraints there, and checks it.
    fn assembled_at(
        mut self,
        position: Vector<L::Base, N>,
        rank: Result<usize, StartError<L::Base>>,
    ) -> Result<Self, BuildError<L::Base>> {
        self.assembled = position;
        let rank = rank.map_err(|cause| self.not_assembled(cause))?;
        // An infinite residual is within the infinite limit of its row.
        let residual = self.constraint(L::Base::ZERO, &self.assembled);
        if let Some(row) = residual.iter().position(|g| !g.is_finite()) {
            return Err(error(L::TABLE, part_of_row(L::TABLE, row), Problem::Overflow));
        }
        let mut checks = Checks(Ok(()));
        self.list.visit(&self.pose(&self.assembled), &mut checks);
        checks.0.map_err(|(part, problem)| error(L::TABLE, part, problem))?;
        // A prescribed motion moves what the constraints would hold.
        if rank == N && !const { table::moves_with_time(L::TABLE) } {
            return Err(BuildError { part: "list", on: [""; 2], problem: Problem::Immobile { constraints: N } });
        }
        Ok(self)
    }

    /// Names the part that an assembly failed at.
    fn not_assembled(&self, cause: StartError<L::Base>) -> BuildError<L::Base> {
        match cause {
            StartError::Constraints(factor) => {
                error(L::TABLE, part_of_row(L::TABLE, row(&factor)), Problem::Dependent(factor))
            }
            StartError::Mass(factor) => {
                error(L::TABLE, part_of_coordinate(L::TABLE, row(&factor)), Problem::Mass(factor))
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

/// The sums of the masses, and the guess.
type Prepared<T, const N: usize> = ([Load<T>; N], Vector<T, N>);

/// Assembles a system in place: the rank of its constraints there.
fn rank_of<System: Mechanical<N, M, Base = L::Base>, L: List<N, M>, const N: usize, const M: usize>(
    system: &System,
    position: &mut Vector<L::Base, N>,
) -> Result<usize, StartError<L::Base>> {
    let geometry = assemble_in_place::<_, _, N, M, L::Factors>(system, L::Base::ZERO, position, L::Base::ROOT_EPSILON)?;
    Ok(geometry.correction.rank())
}

/// The constraints of a mechanism with a mass of one for each coordinate: what an assembly without masses goes by.
struct OfUnitMass<'a, L: List<N, M>, const N: usize, const M: usize>(&'a Mechanism<L, N, M>);

impl<L: List<N, M>, const N: usize, const M: usize> Mechanical<N, M> for OfUnitMass<'_, L, N, M> {
    type Base = L::Base;
    type Mass = Diagonal<L::Base, N>;

    const PATTERN: Pattern<N, M> = Mechanism::<L, N, M>::PATTERN;

    fn mass(&self) -> Diagonal<L::Base, N> {
        Diagonal::new([L::Base::from_f64(1.0); N])
    }

    fn force<S: Real<Base = L::Base>>(&self, _t: S, _q: &Vector<S, N>, _v: &Vector<S, N>) -> Vector<S, N> {
        Vector::from([S::zero(); N])
    }

    fn constraint<S: Real<Base = L::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.0.constraint(t, q)
    }

    fn jacobian(&self, t: L::Base, q: &Vector<L::Base, N>) -> Matrix<L::Base, M, N> {
        self.0.jacobian(t, q)
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
