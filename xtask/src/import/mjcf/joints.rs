//! The joints of a body: one, or several that make one.

use anyhow::{Result, bail};
use nalgebra::{Isometry3, Unit, Vector3};

use crate::import::model::Kind;
use crate::import::xml::Element;

/// A joint as the file has it, in the world.
pub struct Axis<'a> {
    /// Its element.
    pub element: Element<'a>,
    /// What it does.
    pub kind: AxisKind,
    /// A point on it.
    pub point: Vector3<f64>,
    /// Its direction.
    pub direction: Vector3<f64>,
}

/// The types of joints in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// Six ways to move.
    Free,
    /// Three rotations.
    Ball,
    /// A rotation.
    Hinge,
    /// A translation.
    Slide,
}

/// Two directions are perpendicular, and two points one, to within this: the rounding of a file's decimals.
const TOLERANCE: f64 = 1e-9;

impl<'a> Axis<'a> {
    /// Reads a `<joint>` or `<freejoint>` of a body.
    pub fn read(element: Element<'a>, frame: &Isometry3<f64>) -> Result<Self> {
        const KNOWN: [&str; 14] = [
            "name",
            "class",
            "type",
            "pos",
            "axis",
            "ref",
            "group",
            "user",
            "margin",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "align",
        ];
        const LOST: [&str; 11] = [
            "range",
            "limited",
            "armature",
            "damping",
            "stiffness",
            "springref",
            "springdamper",
            "frictionloss",
            "actuatorfrcrange",
            "actuatorfrclimited",
            "actuatorgravcomp",
        ];
        element.expect(&KNOWN, &LOST)?;
        let kind = match (element.tag(), element.text("type")) {
            ("freejoint", _) | (_, Some("free")) => AxisKind::Free,
            (_, Some("ball")) => AxisKind::Ball,
            (_, Some("slide")) => AxisKind::Slide,
            (_, Some("hinge") | None) => AxisKind::Hinge,
            (_, Some(other)) => bail!(element.error(format_args!("unknown type `{other}`"))),
        };
        let point = frame * nalgebra::Point3::from(element.vector("pos")?.unwrap_or_default());
        let axis = element.vector("axis")?.unwrap_or(Vector3::z());
        let Some(axis) = Unit::try_new(axis, TOLERANCE) else { bail!(element.error("`axis` has no direction")) };
        Ok(Axis { kind, point: point.coords, direction: frame * axis.into_inner(), element })
    }
}

/// The joint that the axes of a body make together: `None` if the body is free.
pub fn combine(axes: &[Axis]) -> Result<Option<Kind>> {
    let count = |kind| axes.iter().filter(|axis| axis.kind == kind).count();
    let hinges: Vec<_> = axes.iter().filter(|axis| axis.kind == AxisKind::Hinge).collect();
    let slides: Vec<_> = axes.iter().filter(|axis| axis.kind == AxisKind::Slide).collect();
    let meet = hinges.windows(2).all(|pair| (pair[0].point - pair[1].point).norm() < TOLERANCE);
    let volume = |axes: &[&Axis]| axes[0].direction.cross(&axes[1].direction).dot(&axes[2].direction).abs();
    let all_ways = slides.len() == 3 && volume(&slides) > TOLERANCE;
    let all_turns = hinges.len() == 3 && meet && volume(&hinges) > TOLERANCE;
    let kinds = [AxisKind::Free, AxisKind::Ball, AxisKind::Hinge, AxisKind::Slide].map(count);
    Ok(match kinds {
        [1, 0, 0, 0] => None,
        [0, 1, 0, 0] => Some(Kind::Ball),
        [0, 0, 1, 0] => Some(Kind::Hinge(hinges[0].direction)),
        [0, 0, 0, 1] => Some(Kind::Slide(slides[0].direction)),
        // The first turns with the parent, the last with the body.
        [0, 0, 2, 0] if meet && hinges[0].direction.dot(&hinges[1].direction).abs() < TOLERANCE => {
            Some(Kind::Universal(hinges[0].direction, hinges[1].direction))
        }
        [0, 0, 3, 0] if all_turns => Some(Kind::Ball),
        [0, 0, 0, 3] if all_ways => Some(Kind::Shift),
        [0, 1, 0, 3] if all_ways => None,
        [0, 0, 3, 3] if all_ways && all_turns => None,
        _ => match axes {
            [] => None,
            [first, ..] => bail!(first.element.error(
                "these joints of one body are not one joint of the list; of several, it has two hinges at a point that are \
                 perpendicular, three hinges at a point, and three slides; give each of the others a body of its own"
            )),
        },
    })
}
