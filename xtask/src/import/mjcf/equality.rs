//! What is outside of the tree of bodies: equalities that close loops, and motors.

use anyhow::{Result, bail, ensure};
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

use super::Reader;
use crate::import::model::{Joint, Kind};
use crate::import::xml::Element;

/// Reads `<equality>`: `connect` becomes a ball joint, `weld` a weld.
pub fn closures<'a>(reader: &mut Reader<'a>, equality: &Element<'a>) -> Result<()> {
    for element in equality.children() {
        let element = reader.compiler.with_defaults(element, "main")?;
        if element.text("active") == Some("false") {
            element.note("not active, and not carried over");
            continue;
        }
        let (bodies, points, kind) = match element.tag() {
            "connect" => connect(reader, &element)?,
            "weld" => weld(reader, &element)?,
            "joint" | "tendon" | "flex" => {
                element.note("not carried over: this equality is missing in the list");
                continue;
            }
            tag => bail!(element.error(format_args!("`{tag}` is not understood here"))),
        };
        ensure!(bodies[0] != bodies[1], element.error("it joins a body to itself"));
        let number = reader.model.joints.len() + 1;
        let name = element.text("name").map_or_else(|| format!("{}_{number}", element.tag()), String::from);
        reader.model.joints.push(Joint { name, bodies, points, kind, motor: false });
    }
    Ok(())
}

/// The bodies, the points that are held, and how.
type Closure = ([Option<usize>; 2], [Vector3<f64>; 2], Kind);

/// How soft MuJoCo makes an equality; here it is rigid.
const SOFT: [&str; 5] = ["name", "class", "active", "solref", "solimp"];

fn connect(reader: &Reader, element: &Element) -> Result<Closure> {
    element.expect(&[&SOFT[..], &["body1", "body2", "anchor", "site1", "site2"]].concat(), &[])?;
    if element.text("site1").is_some() {
        let (one, two) = (site(reader, element, "site1")?, site(reader, element, "site2")?);
        return Ok(([one.0, two.0], [one.1, two.1], Kind::Ball));
    }
    element.required("body1")?;
    element.required("anchor")?;
    let bodies = [reader.named(element, "body1")?, reader.named(element, "body2")?];
    let anchor = frame(reader, bodies[0]) * Point3::from(element.vector("anchor")?.unwrap_or_default());
    Ok((bodies, [anchor.coords; 2], Kind::Ball))
}

fn weld(reader: &Reader, element: &Element) -> Result<Closure> {
    let known = ["body1", "body2", "relpose", "anchor", "torquescale", "site1", "site2"];
    element.expect(&[&SOFT[..], &known].concat(), &[])?;
    ensure!(element.text("site1").is_none(), element.error("a weld of sites is not understood: name bodies"));
    element.required("body1")?;
    let bodies = [reader.named(element, "body1")?, reader.named(element, "body2")?];
    let frames = bodies.map(|body| frame(reader, body));
    if let Some([x, y, z, w, i, j, k]) = element.array("relpose")? {
        // A zero quaternion stands for the reference pose.
        if let Some(turned) = UnitQuaternion::try_new(Quaternion::new(w, i, j, k), 1e-9) {
            let wanted = frames[0] * Isometry3::from_parts(Translation3::new(x, y, z), turned);
            let away = wanted.inverse() * frames[1];
            ensure!(
                away.translation.vector.norm() < 1e-6 && away.rotation.angle() < 1e-6,
                element.error("relpose is not that of the reference pose")
            );
        }
    }
    Ok((bodies, [frames[1].translation.vector; 2], Kind::Weld))
}

/// The body and the position of a site.
fn site(reader: &Reader, element: &Element, attribute: &str) -> Result<(Option<usize>, Vector3<f64>)> {
    let name = element.required(attribute)?;
    let site = reader.sites.get(name).copied();
    site.ok_or_else(|| element.error(format_args!("{attribute}: there is no site `{name}`")))
}

fn frame(reader: &Reader, body: Option<usize>) -> Isometry3<f64> {
    body.map_or_else(Isometry3::identity, |body| reader.model.bodies[body].pose)
}

/// Reads `<actuator>`: a motor on a joint is one of the list's. All others are named.
pub fn motors<'a>(reader: &mut Reader<'a>, actuator: &Element<'a>) -> Result<()> {
    for element in actuator.children() {
        let element = reader.compiler.with_defaults(element, "main")?;
        let Some(name) = element.text("joint").filter(|_| element.tag() == "motor") else {
            element.note("not carried over: only motors on joints are");
            continue;
        };
        let joint = reader.model.joints.iter_mut().find(|joint| joint.name == name);
        let Some(joint) = joint else { bail!(element.error(format_args!("there is no joint `{name}`"))) };
        match joint.kind {
            Kind::Hinge(_) | Kind::Slide(_) => joint.motor = true,
            _ => element.note("not carried over: the joint has several axes"),
        }
        let gear = element.numbers("gear")?.unwrap_or_default();
        if gear.first().is_some_and(|ratio| *ratio != 1.0) {
            element.note(format_args!("gear = {}", gear[0]));
        }
        for limit in ["ctrlrange", "forcerange"] {
            element.text(limit).iter().for_each(|range| element.note(format_args!("{limit} = {range}")));
        }
    }
    Ok(())
}
