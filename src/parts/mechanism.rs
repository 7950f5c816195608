//! A list of parts as a model.

use super::guide::Prescribed;
use super::list::{Encoded, List, Motorised, Pose};
use super::place::{Load, nothing};
use super::quantities::{
    AccelerationTerms, Actuation, Constraint, Force, Jacobian, MassMatrix, Outputs, PotentialEnergy, Readings,
    TimeDerivative,
};
use super::{patterns, table};
use crate::control::{Actuated, Sensed};
use crate::linalg::written_out::for_each;
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Float, Real};
use crate::start::{Clock, Start};
use crate::system::{Equations, Mass, Mechanical, Pattern};

/// A mechanism that was built from a list of parts: a model like any other.
///
/// Its parameters are those of the [description](Self::description) that it was built from. To change one, change a copy of the description
/// and build it anew: sums of masses and the assembled position follow from them.
#[derive(Clone, Copy, Debug)]
pub struct Mechanism<L: List<N, M>, const N: usize, const M: usize> {
    pub(super) list: L,
    pub(super) loads: [Load<L::Base>; N],
    pub(super) mass: L::Mass,
    pub(super) assembled: Vector<L::Base, N>,
}

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// The description that it was built from.
    pub fn description(&self) -> &L {
        &self.list
    }

    /// The position that the guesses of the parts were assembled to: a guess for a [`Start`](crate::start::Start).
    pub fn assembled(&self) -> Vector<L::Base, N> {
        self.assembled
    }

    /// A start at the assembled position, for redundant constraints if the list says so.
    pub fn start(&self, clock: Clock<L::Base>) -> Start<'_, Self, N, M, L::Factors> {
        Start::at(self, clock, self.assembled).choosing()
    }

    /// The velocities of the mechanism in which one body in space turns with these rates, in rad/s, about the axes of its frame and about its
    /// centre of mass, or a [`Top`](super::Top) about its point, and nothing else moves: a guess for [`Start::moving`]. Zero if the
    /// part is not such a body.
    pub fn turning(&self, q: &Vector<L::Base, N>, body: &str, rates: [L::Base; 3]) -> Vector<L::Base, N> {
        let mut v = Vector::from([L::Base::ZERO; N]);
        let Some(part) = L::TABLE.iter().position(|entry| entry.name == body && entry.kind.rigid) else { return v };
        let first = table::slot(L::TABLE, part + 1).coordinate.saturating_sub(9);
        let e = q.data.0[0].get(first..).and_then(<[_]>::first_chunk::<9>);
        if let (Some(e), Some(v)) = (e, v.data.0[0].get_mut(first..).and_then(<[_]>::first_chunk_mut::<9>)) {
            // ω × eᵢ, with ω = Σ ωᵢ eᵢ.
            let [x, y, z] = rates;
            for axis in 0..3 {
                (v[axis], v[axis + 3], v[axis + 6]) =
                    (z * e[axis + 3] - y * e[axis + 6], x * e[axis + 6] - z * e[axis], y * e[axis] - x * e[axis + 3]);
            }
        }
        v
    }

    /// The name of the part that a constraint belongs to; empty if there is no such constraint.
    pub fn part_of_constraint(&self, row: usize) -> &'static str {
        part_with(L::TABLE, |entry, slot| (slot.row..slot.row + entry.kind.constraints).contains(&row))
    }

    /// The name of the part that a coordinate belongs to; empty if there is no such coordinate.
    pub fn part_of_coordinate(&self, i: usize) -> &'static str {
        part_with(L::TABLE, |entry, slot| (slot.coordinate..slot.coordinate + entry.kind.coordinates).contains(&i))
    }

    /// The kinetic energy, vᵀ M v / 2.
    pub fn kinetic_energy(&self, q: &Vector<L::Base, N>, v: &Vector<L::Base, N>) -> L::Base {
        let momentum = self.mass.times(|| self.mass_matrix(q), v);
        v.dot(&momentum) * L::Base::constant(0.5)
    }

    /// The prescribed motion of a [`Guide`](super::Guide) or a [`Feed`](super::Feed), to be set anew between two steps. The function chooses
    /// the field of the list; no other change of the list takes effect before it is built.
    ///
    /// ```
    /// # use taut::prelude::*;
    /// taut::mechanism! {
    ///     pub struct Shaken in plane, arms as points {
    ///         hand: Point { mass: 0.1 },
    ///         load: Point { mass: 0.5 } near [0.0, -0.3],
    ///         string: Strut(hand, load) { length: 0.3 },
    ///         path: Guide(hand) { position: [0.0, 0.0], velocity: [0.0, 0.0], acceleration: [0.0, 0.0], since: 0.0 },
    ///     }
    /// }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut shaken = Shaken::<f64>::new().build()?;
    /// let mut state = Start::at(&shaken, Clock::with_step(1e-3)?, shaken.assembled()).at_rest()?;
    /// for tick in 1..=1_000 {
    ///     // 5 cm to and fro, at 3 rad/s: where the hand is to be at the end of the step.
    ///     let (t, (sin, cos)) = (1e-3 * f64::from(tick), (3e-3 * f64::from(tick)).sin_cos());
    ///     let path = shaken.motion(|list| &mut list.path);
    ///     (path.position[0], path.velocity[0], path.acceleration[0], path.since) = (0.05 * (1.0 - cos), 0.15 * sin, 0.45 * cos, t);
    ///     Rattle::new().step(&shaken, &mut state)?;
    /// }
    /// assert!((state.position()[0] - 0.05 * (1.0 - f64::cos(3.0))).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    pub fn motion<Motion: Prescribed>(&mut self, choose: impl FnOnce(&mut L) -> &mut Motion) -> &mut Motion {
        choose(&mut self.list)
    }

    /// The potential energy of weights and springs.
    pub fn potential_energy<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> S {
        let mut visitor = PotentialEnergy { gravity: self.list.gravity(), sum: S::zero() };
        self.list.visit(&self.pose(q), &mut visitor);
        visitor.sum
    }

    #[inline(always)]
    pub(super) fn pose<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> Pose<'_, S, N> {
        Pose::new::<L, M>(q, &self.loads)
    }

    #[inline(always)]
    fn mass_at<S: Real<Base = L::Base>>(&self, pose: &Pose<'_, S, N>) -> Matrix<S, N, N> {
        let mut visitor = MassMatrix::new();
        self.list.visit(pose, &mut visitor);
        let MassMatrix(mut matrix) = visitor;
        for_each!(COLUMN < N => {
            for row in COLUMN + 1..N {
                matrix.data.0[row][COLUMN] = matrix.data.0[COLUMN][row];
            }
        });
        matrix
    }

    #[inline(always)]
    fn force_at<S: Real<Base = L::Base>>(&self, pose: &Pose<'_, S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        let force = Vector::from([nothing::<S>(); N]);
        let mut visitor = Force { gravity: self.list.gravity(), v, force };
        self.list.visit(pose, &mut visitor);
        visitor.force
    }

    #[inline(always)]
    fn jacobian_at(&self, pose: &Pose<'_, L::Base, N>) -> Matrix<L::Base, M, N> {
        let mut visitor = Jacobian::new();
        self.list.visit(pose, &mut visitor);
        visitor.0
    }

    #[inline(always)]
    fn acceleration_terms_at(&self, pose: &Pose<'_, L::Base, N>, v: &Vector<L::Base, N>) -> Vector<L::Base, M> {
        let mut visitor = AccelerationTerms { v, terms: Vector::from([L::Base::constant(0.0); M]) };
        self.list.visit(pose, &mut visitor);
        visitor.terms
    }
}

/// The name of the first part for which a condition holds.
fn part_with(table: &[table::Entry], holds: impl Fn(&table::Entry, table::Slot) -> bool) -> &'static str {
    let found = table.iter().enumerate().find(|(part, entry)| holds(entry, table::slot(table, *part)));
    found.map_or("", |(_, entry)| entry.name)
}

impl<'a, S: Real, const N: usize> Pose<'a, S, N> {
    /// The sines of all angles at a position.
    #[inline(always)]
    pub fn new<L: List<N, M, Base = S::Base>, const M: usize>(q: &Vector<S, N>, loads: &'a [Load<S::Base>; N]) -> Self {
        let mut sines = [(S::zero(), S::zero()); N];
        for_each!(I < N => {
            if const { table::turns::<N>(L::TABLE) }[I] {
                sines[I] = q.data.0[0][I].sin_cos();
            }
        });
        Self { t: S::zero(), q: q.data.0[0], sines, loads }
    }

    /// The same at another time than zero.
    #[inline(always)]
    pub fn at(self, t: S) -> Self {
        Self { t, ..self }
    }
}

impl<L: List<N, M>, const N: usize, const M: usize> Mechanical<N, M> for Mechanism<L, N, M> {
    type Base = L::Base;
    type Mass = L::Mass;

    const VELOCITY_DEPENDENT: bool = table::uses_velocities(L::TABLE);
    const TIME_DEPENDENT: bool = table::moves_with_time(L::TABLE);
    const ANGLES: [bool; N] = table::angles(L::TABLE);
    const PATTERN: Pattern<N, M> = patterns::pattern(L::TABLE);

    #[inline(always)]
    fn mass(&self) -> L::Mass {
        self.mass
    }

    #[inline(always)]
    fn mass_matrix<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.mass_at(&self.pose(q))
    }

    #[inline(always)]
    fn force<S: Real<Base = L::Base>>(&self, _t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        self.force_at(&self.pose(q), v)
    }

    #[inline(always)]
    fn constraint<S: Real<Base = L::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        let mut visitor = Constraint(Vector::from([S::zero(); M]));
        self.list.visit(&self.pose(q).at(t), &mut visitor);
        visitor.0
    }

    #[inline(always)]
    fn jacobian(&self, _t: L::Base, q: &Vector<L::Base, N>) -> Matrix<L::Base, M, N> {
        self.jacobian_at(&self.pose(q))
    }

    #[inline(always)]
    fn time_derivative(&self, t: L::Base, q: &Vector<L::Base, N>) -> Vector<L::Base, M> {
        let mut visitor = TimeDerivative(Vector::from([L::Base::constant(0.0); M]));
        self.list.visit(&self.pose(q).at(t), &mut visitor);
        visitor.0
    }

    #[inline(always)]
    fn acceleration_terms(&self, _t: L::Base, q: &Vector<L::Base, N>, v: &Vector<L::Base, N>) -> Vector<L::Base, M> {
        self.acceleration_terms_at(&self.pose(q), v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, _t: L::Base, q: &'a Vector<L::Base, N>) -> impl Equations<L::Base, N, M> {
        Posed { mechanism: self, pose: self.pose(q) }
    }
}

/// A mechanism in a pose: each sine is evaluated once.
struct Posed<'a, L: List<N, M>, const N: usize, const M: usize> {
    mechanism: &'a Mechanism<L, N, M>,
    pose: Pose<'a, L::Base, N>,
}

impl<L: List<N, M>, const N: usize, const M: usize> Equations<L::Base, N, M> for Posed<'_, L, N, M> {
    #[inline(always)]
    fn mass_matrix(&self) -> Matrix<L::Base, N, N> {
        self.mechanism.mass_at(&self.pose)
    }

    #[inline(always)]
    fn force(&self, v: &Vector<L::Base, N>) -> Vector<L::Base, N> {
        self.mechanism.force_at(&self.pose, v)
    }

    #[inline(always)]
    fn jacobian(&self) -> Matrix<L::Base, M, N> {
        self.mechanism.jacobian_at(&self.pose)
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &Vector<L::Base, N>) -> Vector<L::Base, M> {
        self.mechanism.acceleration_terms_at(&self.pose, v)
    }
}

impl<L, const N: usize, const M: usize, const U: usize> Actuated<N, M, U> for Mechanism<L, N, M>
where
    L: List<N, M> + Motorised<U>,
{
    const PULLS: [bool; M] = table::pulls(L::TABLE);
    const OUTPUT_WRAPS: [bool; U] = table::wraps(L::TABLE, L::WIRING.outputs);
    const OUTPUT_PATTERN: Pattern<N, U> = patterns::output_pattern(L::TABLE, L::WIRING.outputs);
    const ACTUATION_PATTERN: Pattern<N, U> = patterns::actuation_pattern(L::TABLE, L::WIRING.motors);

    #[inline(always)]
    fn actuation<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, U> {
        const {
            let outputs = table::outputs(L::TABLE, L::WIRING.outputs);
            assert!(L::WIRING.motors.len() == U && outputs == U, "U is the number of motors and of outputs")
        };
        let mut visitor = Actuation { matrix: Matrix::from([[nothing::<S>(); N]; U]), next: 0 };
        self.list.visit(&self.pose(q), &mut visitor);
        visitor.matrix
    }

    #[inline(always)]
    fn output<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> Vector<S, U> {
        let mut visitor = Outputs { vector: Vector::from([S::zero(); U]), next: 0 };
        self.list.visit(&self.pose(q), &mut visitor);
        visitor.vector
    }
}

impl<L, const N: usize, const M: usize, const E: usize> Sensed<N, M, E> for Mechanism<L, N, M>
where
    L: List<N, M> + Encoded<E>,
{
    const WRAPS: [bool; E] = table::wraps(L::TABLE, L::WIRING.encoders);

    #[inline(always)]
    fn sensors<S: Real<Base = L::Base>>(&self, q: &Vector<S, N>) -> Vector<S, E> {
        const { assert!(L::WIRING.encoders.len() == E, "E is the number of encoders") };
        let mut visitor = Readings { vector: Vector::from([S::zero(); E]), next: 0 };
        self.list.visit(&self.pose(q), &mut visitor);
        visitor.vector
    }
}
