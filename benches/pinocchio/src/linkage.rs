//! A planar chain of rods as both sides know it.

/// A rod, relative to the one before it. Angles are those of its joint.
pub struct Rod {
    /// From its joint to the next, in metres.
    pub length: f64,
    /// Its mass in kilograms.
    pub mass: f64,
    /// From its joint to its centre of mass.
    pub centre: f64,
    /// The moment of inertia about its centre of mass.
    pub inertia: f64,
    /// The angle of its joint at the start.
    pub angle: f64,
    /// The rate of that angle.
    pub rate: f64,
}

/// What is stepped, and how taut does it.
pub struct Case {
    /// The name in the tables.
    pub name: &'static str,
    /// Whether the last rod ends on the ground.
    pub closed: bool,
    /// Where: at (span, 0).
    pub span: f64,
    /// The step size in seconds.
    pub step: f64,
    /// The steps of a run.
    pub steps: usize,
    /// The rods from the origin on.
    pub rods: Vec<Rod>,
    /// taut in one or more sets of coordinates.
    pub ours: Vec<Ours>,
}

/// taut in one set of coordinates.
pub struct Ours {
    /// The coordinates.
    pub coordinates: &'static str,
    /// Runs a number of steps from the start.
    pub run: Box<dyn Fn(usize) -> Run>,
}

/// How a run ends.
pub struct Run {
    /// The seconds of all its steps.
    pub seconds: f64,
    /// The end of each rod.
    pub ends: Vec<[f64; 2]>,
}

/// How the mass of a rod is distributed.
#[derive(Clone, Copy)]
pub enum Mass {
    /// A uniform rod of this mass.
    Uniform(f64),
    /// A point mass at its end.
    AtEnd(f64),
    /// Half of this mass at each of its ends: rods in a row then have a point mass at every joint.
    AtBothEnds(f64),
}

/// The rods between points, which start at the origin, from the places and the velocities of the points.
pub fn rods(points: &[[f64; 2]], velocities: &[[f64; 2]], mass: impl Fn(f64) -> Mass) -> Vec<Rod> {
    let (mut before, mut velocity_before) = ([0.0; 2], [0.0; 2]);
    let (mut direction_before, mut turning_before) = (0.0, 0.0);
    let mut rods = Vec::new();
    for (point, velocity) in points.iter().zip(velocities) {
        let along = [point[0] - before[0], point[1] - before[1]];
        let relative = [velocity[0] - velocity_before[0], velocity[1] - velocity_before[1]];
        let length = along[0].hypot(along[1]);
        let direction = along[1].atan2(along[0]);
        let turning = (along[0] * relative[1] - along[1] * relative[0]) / (length * length);
        let (mass, centre, inertia) = match mass(length) {
            Mass::Uniform(mass) => (mass, length / 2.0, mass * length * length / 12.0),
            Mass::AtEnd(mass) => (mass, length, 0.0),
            Mass::AtBothEnds(mass) => (mass, length / 2.0, mass * length * length / 4.0),
        };
        let (angle, rate) = (direction - direction_before, turning - turning_before);
        rods.push(Rod { length, mass, centre, inertia, angle, rate });
        (before, velocity_before, direction_before, turning_before) = (*point, *velocity, direction, turning);
    }
    rods
}

/// The largest distance between the ends of the same rod.
pub fn distance(one: &[[f64; 2]], other: &[[f64; 2]]) -> f64 {
    assert_eq!(one.len(), other.len(), "as many rods");
    // `max` ignores NaN, which must not pass as agreement.
    let apart = one.iter().zip(other).map(|(one, other)| (one[0] - other[0]).hypot(one[1] - other[1]));
    apart.fold(0.0, |most, apart| if apart.is_nan() { f64::INFINITY } else { most.max(apart) })
}
