//! What to draw.

use super::list::{Element, List, Visitor};
use super::mechanism::Mechanism;
use super::table::Slot;
use crate::linalg::Vector;
use crate::scalar::Real;

/// The outline of a part in a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<S, const D: usize> {
    /// A point of the ground.
    Ground([S; D]),
    /// A point that moves.
    Point([S; D]),
    /// A rod, an arm, a body or a piston between two points. A body in space is drawn from its origin to its centre of mass and to each corner.
    Line([S; D], [S; D]),
    /// A spring or a damper between two points.
    Spring([S; D], [S; D]),
    /// A slider at a point with the direction that it moves in, or a hinge with its axis.
    Slider([S; D], [S; D]),
    /// A triangle: the first end of a rod, a point fixed to the rod, and its second end.
    Corner([[S; D]; 3]),
    /// A rope from the first point over the second to the third.
    Rope([[S; D]; 3]),
    /// Nothing to draw, as for a gear.
    None,
}

impl<S: Real, const D: usize> Shape<S, D> {
    /// The same in space. What is in the plane gets z = 0.
    pub fn in_space(self) -> Shape<S, 3> {
        let lift = |point: [S; D]| {
            let mut lifted = [S::zero(); 3];
            for (lifted, x) in lifted.iter_mut().zip(point) {
                *lifted = x;
            }
            lifted
        };
        match self {
            Self::Ground(a) => Shape::Ground(lift(a)),
            Self::Point(a) => Shape::Point(lift(a)),
            Self::Line(a, b) => Shape::Line(lift(a), lift(b)),
            Self::Spring(a, b) => Shape::Spring(lift(a), lift(b)),
            Self::Slider(a, b) => Shape::Slider(lift(a), lift(b)),
            Self::Corner(points) => Shape::Corner(points.map(lift)),
            Self::Rope(points) => Shape::Rope(points.map(lift)),
            Self::None => Shape::None,
        }
    }
}

/// Calls a function with each shape.
struct Shapes<F>(F);

impl<S: Real, F: FnMut(usize, Shape<S, 3>)> Visitor<S> for Shapes<F> {
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<S, D>) {
        (self.0)(slot.part, element.shape().in_space());
    }
}

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// Calls a function with the name and the shape of each part at a position, in the order of the list.
    pub fn shapes(&self, q: &Vector<L::Base, N>, mut each: impl FnMut(&'static str, Shape<L::Base, 3>)) {
        let each = |part: usize, shape| each(L::TABLE.get(part).map_or("", |entry| entry.name), shape);
        self.list.visit(&self.pose(q), &mut Shapes(each));
    }
}
