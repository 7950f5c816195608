//! The loops of a URDF file, which can only say trees: a list in TOML.
//!
//! ```toml
//! [[loop]]
//! name = "tip"
//! kind = "ball"                                  # or "hinge" or "weld"
//! links = ["left_rod", "right_rod"]
//! points = [[0.16, 0.0, 0.0], [0.16, 0.0, 0.0]]  # in the frame of each link
//! axis = [0.0, 0.0, 1.0]                         # of a hinge, in the frame of the first link
//! ```
//!
//! All kinds hold the points together. A weld also keeps the directions of the two links, and a hinge lets them turn about its axis only, as
//! they are to each other in the zero pose.

use anyhow::{Context, Result, anyhow, bail, ensure};
use nalgebra::{Point3, Unit, Vector3};
use serde::Deserialize;

use super::model::{Joint, Kind, Model};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(rename = "loop")]
    loops: Vec<toml::Spanned<Closure>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Closure {
    name: String,
    kind: Name,
    links: [String; 2],
    points: [[f64; 3]; 2],
    axis: Option<[f64; 3]>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Name {
    Ball,
    Hinge,
    Weld,
}

/// Adds the loops of a list to a model.
pub fn close(file: &str, text: &str, model: &mut Model) -> Result<()> {
    let list: List = toml::from_str(text).with_context(|| format!("{file}: not a list of loops"))?;
    for spanned in list.loops {
        let line = text[..spanned.span().start].lines().count() + 1;
        let closure = spanned.into_inner();
        let place = format!("{file}:{line}");
        let joint = joint(closure, model).with_context(|| place)?;
        model.joints.push(joint);
    }
    Ok(())
}

fn joint(closure: Closure, model: &Model) -> Result<Joint> {
    let Closure { name, kind, links, points, axis } = closure;
    let number = |link: &String| {
        let number = model.bodies.iter().position(|body| body.name == *link);
        number.ok_or_else(|| anyhow!("loop `{name}`: there is no link `{link}`"))
    };
    let numbers = [number(&links[0])?, number(&links[1])?];
    ensure!(numbers[0] != numbers[1], "loop `{name}` joins a link to itself");
    ensure!(points.as_flattened().iter().all(|x| x.is_finite()), "loop `{name}`: a point is NaN or infinite");
    let pose = |side: usize| &model.bodies[numbers[side]].pose;
    let points = [0, 1].map(|side| (pose(side) * Point3::from(points[side])).coords);
    let kind = match (kind, axis) {
        (Name::Hinge, Some(axis)) => {
            let unit = Unit::try_new(Vector3::from(axis), 1e-9);
            let unit = unit.ok_or_else(|| anyhow!("loop `{name}`: the axis has no direction"))?;
            Kind::Hinge(pose(0) * unit.into_inner())
        }
        (Name::Hinge, None) => bail!("loop `{name}`: a hinge needs an `axis`"),
        (_, Some(_)) => bail!("loop `{name}`: only a hinge has an `axis`"),
        (Name::Ball, None) => Kind::Ball,
        (Name::Weld, None) => Kind::Weld,
    };
    Ok(Joint { name, bodies: numbers.map(Some), points, kind, motor: false })
}
