//! How rough a guess may be: from guesses that are off, every mechanism of the gallery is assembled on the same branch.

use mechanisms::parts;
use taut::linalg::Vector;
use taut::parts::Mechanism;
use taut::parts::by_hand::{Element, List, Load, Pose, Slot, Visitor, slot};
use taut::start::{Clock, Start};

use crate::equations::scattered;

/// How far off positions and displacements are: a part of the shortest length of a list, or of 0.1 m if it has none.
const LENGTHS: f64 = 0.1;
/// How far off angles and attitudes are, in radians.
const ANGLES: f64 = 0.2;

/// The shortest length of a list.
struct Shortest(f64);

impl Visitor<f64> for Shortest {
    fn part<const D: usize>(&mut self, _: Slot, element: &impl Element<f64, D>) {
        self.0 = element.length().map_or(self.0, |length| self.0.min(length));
    }
}

/// Assembles every mechanism from guesses that are off.
struct Rough;

impl Rough {
    /// The guess of a list with every coordinate off by up to the limits.
    fn guess<L: List<N, M, Base = f64>, const N: usize, const M: usize>(list: &L, seed: u32) -> Vector<f64, N> {
        let mut q = [0.0; N];
        list.guess(&mut q);
        let mut shortest = Shortest(f64::INFINITY);
        list.visit(&Pose::new::<L, M>(&Vector::from(q), &[Load::NONE; N]), &mut shortest);
        let length = if shortest.0.is_finite() { shortest.0 } else { 0.1 };
        let off = scattered::<N>(seed);
        for (part, entry) in L::TABLE.iter().enumerate() {
            let (first, kind) = (slot(L::TABLE, part).coordinate, entry.kind);
            let end = first + kind.coordinates;
            let (moves, turns) = if kind.rigid { (first..end - 9, end - 9..end) } else { (first..end, end..end) };
            for i in moves {
                q[i] += off[i] * if kind.angle { ANGLES } else { LENGTHS * length };
            }
            // e + θ × e for each axis e of a body. θ has three of the numbers, and length ANGLES.
            if let [a, b, c, ..] = off.as_slice()[turns.clone()] {
                let scale = ANGLES / (a * a + b * b + c * c).sqrt();
                for e in q[turns].chunks_exact_mut(3) {
                    let [x, y, z] = [e[0], e[1], e[2]];
                    (e[0], e[1], e[2]) =
                        (x + scale * (b * z - c * y), y + scale * (c * x - a * z), z + scale * (a * y - b * x));
                }
            }
        }
        Vector::from(q)
    }
}

impl Rough {
    /// The largest of so many parts of the way along the constraints from one position to another.
    fn largest_part<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        mechanism: &Mechanism<L, N, M>,
        (from, to): (Vector<f64, N>, Vector<f64, N>),
        parts: u32,
    ) -> f64 {
        let (mut q, mut largest) = (from, 0.0_f64);
        for left in (1..=parts).rev() {
            let next = assembled(mechanism, q + (to - q) / f64::from(left));
            largest = largest.max((next - q).amax());
            q = next;
        }
        largest
    }
}

fn assembled<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    guess: Vector<f64, N>,
) -> Vector<f64, N> {
    let start = Start::at(mechanism, Clock::with_step(1e-3).unwrap(), guess).redundant();
    *start.at_rest().unwrap_or_else(|error| panic!("{}", mechanism.explain(error))).position()
}

impl parts::Visitor<f64> for Rough {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        // Beside its curve, the constraints of the ring are independent, and nearly contradict each other: where on the curve a rough guess
        // ends is open.
        if name == "ring" {
            return;
        }
        for seed in 0..20 {
            let guess = Self::guess::<L, N, M>(mechanism.description(), seed);
            let ends = (mechanism.assembled(), assembled(mechanism, guess));
            // On one branch, a way without a jump leads from one to the other: four times as many parts are a quarter as long, or a
            // half where the way turns round, as at a dead centre. A jump to another branch stays as it is.
            let [coarse, fine] = [10, 40].map(|parts| Self::largest_part(mechanism, ends, parts));
            assert!(fine <= 0.6 * coarse + 1e-9, "{name}, guess {seed}: a jump of {fine}, {coarse} before");
        }
    }
}

#[test]
fn rough_guesses_are_assembled_on_the_same_branch() {
    parts::visit_all(&mut Rough);
}

/// The crank of this linkage turns, so its two assemblies are apart: no way leads from one to the other.
#[test]
fn the_way_to_another_branch_has_a_jump() {
    let linkage = parts::FourBarAngles::<f64>::new().build().unwrap();
    let other = assembled(&linkage, Vector::from([std::f64::consts::FRAC_PI_2, -0.9]));
    assert!(other[1] < -0.5, "{other}");
    let [coarse, fine] = [10, 40].map(|parts| Rough::largest_part(&linkage, (linkage.assembled(), other), parts));
    assert!(fine > 0.6 * coarse, "{fine} {coarse}");
}
