//! A list of parts without the macro: the same model.

use taut::control::{Actuated, Sensed};
use taut::linalg::{Ldlt, Vector};
use taut::parts::by_hand::{
    ConstantMatrix, Described, Encoded, Entry, List, Motorised, Part, Pose, VaryingMatrix, Visitor, Wiring, guessed,
    slot,
};
use taut::parts::{Fixed, Mechanism, PlaneArm, Point, Problem, Rod, Slider, Strut};
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

taut::mechanism! {
    /// A press: a motor turns a crank, which pushes a ram. The ram has an encoder, too.
    struct Press in plane, arms as angles {
        shaft: Fixed { at: [0.0, 0.0] },
        crank: Arm(shaft) { length: 0.1, mass: 0.2 } near 1.2,
        ram: Slider(shaft) { along: [1.0, 0.0], mass: 0.5 } near 0.3,
        rod: Rod(crank, ram) { length: 0.3, mass: 0.1 },
    }
    motors crank;
    encoders crank, ram;
    output ram;
}

/// The same without the macro.
#[derive(Clone, Copy)]
struct PressByHand<T> {
    shaft: Fixed<T, 2>,
    crank: PlaneArm<T>,
    ram: Slider<T, 2>,
    rod: Rod<T, 2>,
    /// Where the crank and the ram are, roughly.
    near: [T; 2],
}

impl<T: Float> List<2, 1> for PressByHand<T> {
    type Base = T;
    type Mass = VaryingMatrix<Self, 2, 1>;
    type Factors = Ldlt<T, 1>;

    const TABLE: &'static [Entry] = &[
        Entry { name: "shaft", kind: Fixed::<f32, 2>::KIND, on: &[] },
        Entry { name: "crank", kind: PlaneArm::<f32>::KIND, on: &[0] },
        Entry { name: "ram", kind: Slider::<f32, 2>::KIND, on: &[0] },
        Entry { name: "rod", kind: Rod::<f32, 2>::KIND, on: &[1, 2] },
    ];
    const WIRING: Wiring = Wiring { motors: &[1], encoders: &[1, 2], outputs: &[2] };

    fn gravity(&self) -> T {
        T::from_f64(9.81)
    }

    fn visit<S: Real<Base = T>>(&self, pose: &Pose<'_, S, 2>, visitor: &mut impl Visitor<S>) {
        let at = |part| slot(Self::TABLE, part);
        let shaft = self.shaft.place((), pose, at(0));
        let crank = self.crank.place((shaft,), pose, at(1));
        let ram = self.ram.place((shaft,), pose, at(2));
        visitor.part(at(0), &shaft);
        visitor.part(at(1), &crank);
        visitor.part(at(2), &ram);
        visitor.part(at(3), &self.rod.place((crank, ram), pose, at(3)));
        visitor.motor(&crank);
        visitor.encoder(&crank);
        visitor.encoder(&ram);
        visitor.output(&ram);
    }

    fn check(&self) -> Result<(), (usize, Problem<T>)> {
        self.shaft.check().map_err(|problem| (0, problem))?;
        self.crank.check().map_err(|problem| (1, problem))?;
        self.ram.check().map_err(|problem| (2, problem))?;
        self.rod.check().map_err(|problem| (3, problem))
    }

    fn guess(&self, q: &mut [T; 2]) {
        let (at, [crank, ram]) = (|part| slot(Self::TABLE, part), self.near);
        // A guess may depend on where the parts before it are, so each part is placed where it is guessed to be.
        let shaft = guessed(self.shaft, None, (), (self, &mut *q), at(0));
        let _ = guessed(self.crank, Some(crank), (shaft,), (self, &mut *q), at(1));
        let _ = guessed(self.ram, Some(ram), (shaft,), (self, &mut *q), at(2));
    }
}

impl<T> Motorised<1> for PressByHand<T> {}
impl<T> Encoded<2> for PressByHand<T> {}

/// With a motor, encoders, an output and guesses.
#[test]
fn a_machine_can_be_written_by_hand() {
    type Hand = Mechanism<PressByHand<f64>, 2, 1>;
    type List = Mechanism<Press<f64>, 2, 1>;
    let list = PressByHand {
        shaft: Fixed { at: [0.0; 2] },
        crank: PlaneArm { length: 0.1, mass: 0.2 },
        ram: Slider { along: [1.0, 0.0], mass: 0.5 },
        rod: Rod { length: 0.3, mass: 0.1 },
        near: [1.2, 0.3],
    };
    let (by_hand, parts) = (Hand::build(&list).unwrap(), Press::<f64>::new().build().unwrap());
    assert_eq!(by_hand.assembled(), parts.assembled());
    // The other guess is the other assembly: the ram behind the shaft.
    let behind = Hand::build(&PressByHand { near: [1.2, -0.3], ..list }).unwrap().assembled();
    assert!(parts.assembled()[1] > 0.2 && behind[1] < -0.2, "{behind}");

    let (q, v) = (Vector::from([0.7, 0.35]), Vector::from([2.0, -0.5]));
    assert_eq!(by_hand.constraint(0.0, &q), parts.constraint(0.0, &q));
    assert_eq!(by_hand.jacobian(0.0, &q), parts.jacobian(0.0, &q));
    assert_eq!(by_hand.force(0.0, &q, &v), parts.force(0.0, &q, &v));
    assert_eq!(by_hand.mass_matrix(&q), parts.mass_matrix(&q));
    assert_eq!(by_hand.actuation(&q), parts.actuation(&q));
    assert_eq!(by_hand.output(&q), parts.output(&q));
    assert_eq!(by_hand.sensors(&q), parts.sensors(&q));
    assert_eq!(by_hand.sensors(&q), q);
    assert_eq!((Hand::PATTERN, Hand::ANGLES), (List::PATTERN, List::ANGLES));
    assert_eq!(<Hand as Actuated<2, 1, 1>>::ACTUATION_PATTERN, <List as Actuated<2, 1, 1>>::ACTUATION_PATTERN);
    assert_eq!(<Hand as Actuated<2, 1, 1>>::OUTPUT_PATTERN, <List as Actuated<2, 1, 1>>::OUTPUT_PATTERN);
}
