//! URDF: links, and joints between them. The first link is fixed to the ground. Loops come from a [list](super::loops).
//!
//! Source: the XML specification of URDF. Macros (xacro) have to be expanded before.

use anyhow::{Result, bail, ensure};
use nalgebra::{Isometry3, Matrix3, Translation3, Unit, UnitQuaternion, Vector3};

use super::inertia::Inertia;
use super::model::{Body, Joint, Kind, Model, Mount};
use super::xml::Element;

/// Reads the element `<robot>`.
pub fn read(root: &Element) -> Result<Model> {
    root.expect(&["name", "version"], &[])?;
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for element in root.children() {
        match element.tag() {
            "link" => links.push(element),
            "joint" => joints.push(Connection::read(element)?),
            "material" => {}
            "transmission" | "gazebo" | "sensor" => element.note("not carried over"),
            tag => bail!(element.error(format_args!("`{tag}` is not understood here"))),
        }
    }

    let mut tree = Tree {
        links: Vec::new(),
        joints,
        model: Model {
            name: root.text("name").unwrap_or_default().into(),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            bodies: Vec::new(),
            joints: Vec::new(),
        },
    };
    for link in links {
        let name = link.required("name")?;
        ensure!(
            !tree.links.iter().any(|(other, _)| *other == name),
            link.error(format_args!("`{name}` a second time"))
        );
        tree.links.push((name, link));
    }
    for joint in &tree.joints {
        for link in [joint.parent, joint.child] {
            let known = tree.links.iter().any(|(name, _)| *name == link);
            ensure!(known, joint.element.error(format_args!("there is no link `{link}`")));
        }
        let carried = tree.joints.iter().filter(|other| other.child == joint.child).count();
        ensure!(
            carried == 1,
            joint.element.error(format_args!("`{}` has two parents: loops go into a list of their own", joint.child))
        );
    }
    let is_root = |name: &str| !tree.joints.iter().any(|joint| joint.child == name);
    let roots: Vec<_> = tree.links.iter().filter(|(name, _)| is_root(name)).cloned().collect();
    match &roots[..] {
        [(_, link)] => tree.add(link, Isometry3::identity(), Mount::Ground)?,
        [] => bail!(root.error("no link is the first: joints go round in a circle")),
        [_, (name, link), ..] => bail!(link.error(format_args!("no joint holds `{name}`"))),
    }
    ensure!(tree.model.bodies.len() == tree.links.len(), root.error("some joints go round in a circle"));
    Ok(tree.model)
}

struct Tree<'a> {
    links: Vec<(&'a str, Element<'a>)>,
    joints: Vec<Connection<'a>>,
    model: Model,
}

/// A joint as the file has it.
#[derive(Clone)]
struct Connection<'a> {
    element: Element<'a>,
    parent: &'a str,
    child: &'a str,
    origin: Isometry3<f64>,
    axis: Vector3<f64>,
}

impl<'a> Connection<'a> {
    fn read(element: Element<'a>) -> Result<Self> {
        element.expect(&["name", "type"], &[])?;
        let link = |tag| match element.child(tag) {
            Some(child) => child.required("link"),
            None => bail!(element.error(format_args!("<{tag}> is missing"))),
        };
        let (parent, child) = (link("parent")?, link("child")?);
        let mut axis = Vector3::x();
        for inner in element.children() {
            match inner.tag() {
                "origin" | "parent" | "child" => {}
                "axis" => axis = inner.vector("xyz")?.unwrap_or(axis),
                "dynamics" => inner.expect(&[], &["damping", "friction"])?,
                "limit" | "mimic" | "safety_controller" | "calibration" => {
                    element.note(format_args!("<{}> is not carried over", inner.tag()));
                }
                tag => bail!(inner.error(format_args!("`{tag}` is not understood here"))),
            }
        }
        let Some(axis) = Unit::try_new(axis, 1e-9) else { bail!(element.error("`axis` has no direction")) };
        let (origin, axis) = (origin(&element)?, axis.into_inner());
        Ok(Connection { parent, child, origin, axis, element })
    }
}

/// The frame of `<origin>`: a position, and angles about the fixed axes x, y and z, one after the other.
fn origin(element: &Element) -> Result<Isometry3<f64>> {
    let Some(origin) = element.child("origin") else { return Ok(Isometry3::identity()) };
    origin.expect(&["xyz", "rpy"], &[])?;
    let [roll, pitch, yaw] = origin.array("rpy")?.unwrap_or_default();
    let position = origin.vector("xyz")?.unwrap_or_default();
    Ok(Isometry3::from_parts(Translation3::from(position), UnitQuaternion::from_euler_angles(roll, pitch, yaw)))
}

impl<'a> Tree<'a> {
    /// Adds a link, and those that it carries.
    fn add(&mut self, link: &Element<'a>, pose: Isometry3<f64>, mount: Mount) -> Result<()> {
        let (number, name) = (self.model.bodies.len(), link.required("name")?);
        let inertia = inertia(link, &pose)?;
        self.model.bodies.push(Body { name: name.into(), place: link.place(), pose, inertia, mount });
        for joint in self.joints.clone().iter().filter(|joint| joint.parent == name) {
            let pose = pose * joint.origin;
            let axis = pose * joint.axis;
            let mut mount = Mount::Moving;
            let kind = match joint.element.required("type")? {
                "revolute" | "continuous" => Some(Kind::Hinge(axis)),
                "prismatic" => Some(Kind::Slide(axis)),
                "floating" => None,
                "fixed" => {
                    mount = Mount::Fixed(number);
                    None
                }
                other => bail!(joint.element.error(format_args!("a joint of type `{other}` is not understood"))),
            };
            if let Some(kind) = kind {
                let bodies = [Some(number), Some(self.model.bodies.len())];
                let (name, points) = (joint.element.required("name")?.into(), [pose.translation.vector; 2]);
                self.model.joints.push(Joint { name, bodies, points, kind, motor: false });
            }
            let child = self.links.iter().find(|(name, _)| *name == joint.child).map(|(_, link)| link.clone());
            child.map_or(Ok(()), |child| self.add(&child, pose, mount))?;
        }
        Ok(())
    }
}

fn inertia(link: &Element, pose: &Isometry3<f64>) -> Result<Inertia> {
    link.expect(&["name", "type"], &[])?;
    let mut sum = Inertia::NONE;
    for element in link.children() {
        match element.tag() {
            "visual" => {}
            "collision" => link.note("<collision> is not carried over: bodies of a list do not touch"),
            "inertial" => {
                let value = |tag: &str, name| match element.child(tag) {
                    Some(child) => {
                        child.required(name)?;
                        Ok(child.number(name)?.unwrap_or_default())
                    }
                    None => Err(element.error(format_args!("<{tag}> is missing"))),
                };
                let [xx, xy, xz] = ["ixx", "ixy", "ixz"].map(|name| value("inertia", name));
                let [yy, yz, zz] = ["iyy", "iyz", "izz"].map(|name| value("inertia", name));
                let (xx, xy, xz, yy, yz, zz) = (xx?, xy?, xz?, yy?, yz?, zz?);
                let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
                sum = sum.plus(&Inertia::new(value("mass", "value")?, tensor, &(pose * origin(&element)?)));
            }
            tag => bail!(element.error(format_args!("`{tag}` is not understood here"))),
        }
    }
    Ok(sum)
}
