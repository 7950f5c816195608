//! The masses of bodies: from `<inertial>`, or from the solids of their geoms.

use anyhow::{Result, bail, ensure};
use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use super::compiler::{Compiler, TURNED, shortest_from_z};
use crate::import::inertia::{Inertia, Solid};
use crate::import::xml::Element;

/// The inertia that is given.
pub fn inertial(compiler: &Compiler, element: &Element, body: &Isometry3<f64>) -> Result<Inertia> {
    let known = ["pos", "mass", "diaginertia", "fullinertia"];
    element.expect(&[&known[..], &TURNED].concat(), &[])?;
    element.required("pos")?;
    element.required("mass")?;
    let mass = element.number("mass")?.unwrap_or_default();
    let tensor = match (element.vector("diaginertia")?, element.array("fullinertia")?) {
        (Some(moments), None) => Matrix3::from_diagonal(&moments),
        (None, Some([xx, yy, zz, xy, xz, yz])) => Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        (None, None) => bail!(element.error("one of diaginertia and fullinertia is needed")),
        (Some(_), Some(_)) => bail!(element.error("both diaginertia and fullinertia")),
    };
    Ok(Inertia::new(mass, tensor, &(body * compiler.frame(element)?)))
}

/// The inertia of a geom of uniform density. Those without volume have none.
pub fn geom(compiler: &Compiler, element: &Element, body: &Isometry3<f64>) -> Result<Inertia> {
    let mut frame = body * compiler.frame(element)?;
    let mut size = element.numbers("size")?.unwrap_or_default();
    let shape = element.text("type").unwrap_or("sphere");
    if let Some([a, b, c, d, e, f]) = element.array("fromto")? {
        ensure!(
            ["capsule", "cylinder", "box", "ellipsoid"].contains(&shape),
            element.error(format_args!("fromto of a {shape}"))
        );
        let ends = [Point3::new(a, b, c), Point3::new(d, e, f)];
        let Some((axis, length)) = Unit::try_new_and_get(ends[1] - ends[0], 1e-9) else {
            bail!(element.error("fromto has no length"));
        };
        let middle = nalgebra::center(&ends[0], &ends[1]);
        frame = body * Isometry3::from_parts(middle.into(), shortest_from_z(&axis));
        let [radius, ..] = size[..] else { bail!(element.error("`size` is missing")) };
        size = if ["capsule", "cylinder"].contains(&shape) { vec![radius] } else { vec![radius, radius] };
        size.push(length / 2.0);
    }
    // A solid that is fitted to a mesh has no size of its own.
    let shape = if element.text("mesh").is_some() { "mesh" } else { shape };
    // More sizes than a solid has are ignored.
    size.truncate(match shape {
        "sphere" => 1,
        "capsule" | "cylinder" => 2,
        _ => 3,
    });
    let solid = match (shape, &size[..]) {
        ("sphere", [radius]) => Solid::Sphere(*radius),
        ("capsule", [radius, half]) => Solid::Capsule(*radius, *half),
        ("cylinder", [radius, half]) => Solid::Cylinder(*radius, *half),
        ("box", [x, y, z]) => Solid::Box(Vector3::new(*x, *y, *z)),
        ("ellipsoid", [x, y, z]) => Solid::Ellipsoid(Vector3::new(*x, *y, *z)),
        ("sphere" | "capsule" | "cylinder" | "box" | "ellipsoid", _) => {
            bail!(element.error(format_args!("`size` has {} numbers, too few for a {shape}", size.len())))
        }
        ("plane" | "hfield", _) => return Ok(Inertia::NONE),
        ("mesh" | "sdf", _) if element.number("mass")? == Some(0.0) => return Ok(Inertia::NONE),
        ("mesh" | "sdf", _) => {
            bail!(element.error("the mass of a mesh is not computed: give its body an <inertial>"))
        }
        _ => bail!(element.error(format_args!("unknown type `{shape}`"))),
    };
    ensure!(size.iter().all(|length| *length > 0.0), element.error("`size` must be positive"));
    let mass = match element.number("mass")? {
        Some(mass) => mass,
        None => element.number("density")?.unwrap_or(1000.0) * solid.volume(),
    };
    ensure!(mass >= 0.0, element.error("the mass is negative"));
    Ok(Inertia::new(mass, solid.tensor(mass), &frame))
}

/// Checks the attributes of a geom.
pub fn expect(element: &Element) -> Result<()> {
    const KNOWN: [&str; 30] = [
        "name",
        "class",
        "type",
        "pos",
        "size",
        "fromto",
        "mass",
        "density",
        "contype",
        "conaffinity",
        "condim",
        "group",
        "priority",
        "material",
        "friction",
        "solmix",
        "solref",
        "solimp",
        "margin",
        "gap",
        "surfacevel",
        "adhesion",
        "rgba",
        "user",
        "fitscale",
        "mesh",
        "hfield",
        "quat",
        "euler",
        "axisangle",
    ];
    element.expect(&[&KNOWN[..], &TURNED].concat(), &["shellinertia", "fluidshape", "fluidcoef"])
}
