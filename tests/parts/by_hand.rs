//! A list of parts without the macro: the same model.

use taut::linalg::{Ldlt, Vector};
use taut::parts::by_hand::{ConstantMatrix, Described, Entry, List, Part, Pose, Visitor, Wiring, slot};
use taut::parts::{Fixed, Mechanism, Point, Problem, Strut};
use taut::scalar::{Float, Real};
use taut::system::Mechanical;

/// Two points on struts: a double pendulum.
#[derive(Clone, Copy)]
struct DoublePendulum<T> {
    pivot: Fixed<T, 2>,
    first: Point<T, 2>,
    second: Point<T, 2>,
    upper: Strut<T, 2>,
    lower: Strut<T, 2>,
}

impl<T: Float> List<4, 2> for DoublePendulum<T> {
    type Base = T;
    type Mass = ConstantMatrix<Self, T, 4, 2>;
    type Factors = Ldlt<T, 2>;

    const TABLE: &'static [Entry] = &[
        Entry { name: "pivot", kind: Fixed::<f32, 2>::KIND, on: &[] },
        Entry { name: "first", kind: Point::<f32, 2>::KIND, on: &[] },
        Entry { name: "second", kind: Point::<f32, 2>::KIND, on: &[] },
        Entry { name: "upper", kind: Strut::<f32, 2>::KIND, on: &[0, 1] },
        Entry { name: "lower", kind: Strut::<f32, 2>::KIND, on: &[1, 2] },
    ];
    const WIRING: Wiring = Wiring { motors: &[], encoders: &[], outputs: &[] };

    fn gravity(&self) -> T {
        T::from_f64(9.81)
    }

    fn visit<S: Real<Base = T>>(&self, pose: &Pose<'_, S, 4>, visitor: &mut impl Visitor<S>) {
        let at = |part| slot(Self::TABLE, part);
        let pivot = self.pivot.place((), pose, at(0));
        let first = self.first.place((), pose, at(1));
        let second = self.second.place((), pose, at(2));
        visitor.part(at(0), &pivot);
        visitor.part(at(1), &first);
        visitor.part(at(2), &second);
        visitor.part(at(3), &self.upper.place((pivot, first), pose, at(3)));
        visitor.part(at(4), &self.lower.place((first, second), pose, at(4)));
    }

    fn check(&self) -> Result<(), (usize, Problem<T>)> {
        self.pivot.check().map_err(|problem| (0, problem))?;
        self.first.check().map_err(|problem| (1, problem))?;
        self.second.check().map_err(|problem| (2, problem))?;
        self.upper.check().map_err(|problem| (3, problem))?;
        self.lower.check().map_err(|problem| (4, problem))
    }

    fn guess(&self, q: &mut [T; 4]) {
        *q = [1.0, 0.0, 2.0, 0.0].map(T::from_f64);
    }
}

#[test]
fn a_list_can_be_written_by_hand() {
    let list = DoublePendulum {
        pivot: Fixed { at: [0.0; 2] },
        first: Point { mass: 1.0 },
        second: Point { mass: 1.0 },
        upper: Strut { length: 1.0 },
        lower: Strut { length: 1.0 },
    };
    let (parts, by_hand) = (Mechanism::build(&list).unwrap(), mechanisms::DoublePendulum::<f64>::standard());
    let (q, v) = (Vector::from([0.8, -0.6, 0.1, -1.3]), Vector::from([1.0, 2.0, -0.5, 0.25]));
    assert_eq!(parts.constraint(0.0, &q), by_hand.constraint(0.0, &q));
    assert_eq!(parts.jacobian(0.0, &q), by_hand.jacobian(0.0, &q));
    assert_eq!(parts.force(0.0, &q, &v), by_hand.force(0.0, &q, &v));
    assert_eq!(parts.mass_matrix(&q), by_hand.mass_matrix(&q));
    assert_eq!(Mechanism::<DoublePendulum<f64>, 4, 2>::PATTERN, mechanisms::DoublePendulum::<f64>::PATTERN);
}
