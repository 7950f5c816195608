//! MJCF, the format of MuJoCo: nested bodies with joints and geoms, and equalities that close loops.
//!
//! Source: MuJoCo's XML reference. Elements that would add bodies in a way of their own (`include`, `replicate`, `composite`, …) are
//! errors; `mj_saveLastXML` writes a file without them.

mod compiler;
mod equality;
mod geom;
mod joints;

use std::collections::HashMap;

use anyhow::{Result, bail, ensure};
use nalgebra::{Isometry3, Vector3};

use self::compiler::{Compiler, TURNED};
use self::joints::Axis;
use super::inertia::Inertia;
use super::model::{Body, Joint, Model, Mount};
use super::xml::Element;

/// Reads the element `<mujoco>`.
pub fn read(root: &Element) -> Result<Model> {
    root.expect(&["model"], &[])?;
    let mut reader = Reader {
        compiler: Compiler::read(root)?,
        model: Model {
            name: root.text("model").unwrap_or_default().into(),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            bodies: Vec::new(),
            joints: Vec::new(),
        },
        sites: HashMap::new(),
        colliding: 0,
    };
    for element in root.children() {
        match element.tag() {
            // What is seen, and the sizes of buffers.
            "compiler" | "default" | "size" | "visual" | "asset" | "statistic" => {}
            "option" => reader.option(&element)?,
            "worldbody" => {
                element.expect(&[], &[])?;
                let world = Around { body: None, frame: Isometry3::identity(), class: "main" };
                reader.contents(&element, &world, &mut Own::default())?;
            }
            // Read below, when all bodies are known.
            "equality" | "actuator" => {}
            "contact" | "tendon" | "sensor" | "keyframe" | "custom" | "extension" | "deformable" => {
                element.note("not carried over");
            }
            tag => bail!(element.error(format_args!("`{tag}` is not understood here"))),
        }
    }
    for element in root.children() {
        match element.tag() {
            "equality" => equality::closures(&mut reader, &element)?,
            "actuator" => equality::motors(&mut reader, &element)?,
            _ => {}
        }
    }
    if reader.colliding > 1 {
        root.note("contacts between geoms are not carried over");
    }
    Ok(reader.model)
}

struct Reader<'a> {
    compiler: Compiler<'a>,
    model: Model,
    /// The body and the position of each site.
    sites: HashMap<&'a str, (Option<usize>, Vector3<f64>)>,
    /// The number of geoms that may touch others.
    colliding: usize,
}

/// What an element is in.
#[derive(Clone, Copy)]
struct Around<'a> {
    body: Option<usize>,
    frame: Isometry3<f64>,
    class: &'a str,
}

/// What a body has of its own.
#[derive(Default)]
struct Own<'a> {
    axes: Vec<Axis<'a>>,
    given: Option<Inertia>,
    geoms: Vec<Element<'a>>,
    /// The frames of the geoms.
    frames: Vec<Isometry3<f64>>,
}

impl<'a> Reader<'a> {
    fn option(&mut self, element: &Element<'a>) -> Result<()> {
        if let Some(gravity) = element.vector("gravity")? {
            self.model.gravity = gravity;
        }
        for medium in ["density", "viscosity"] {
            if element.number(medium)?.is_some_and(|value| value != 0.0) {
                element.note(format_args!("the {medium} of the medium is not carried over"));
            }
        }
        for flag in element.children() {
            if flag.text("gravity") == Some("disable") {
                self.model.gravity = Vector3::zeros();
            }
        }
        Ok(())
    }

    /// Reads what is in a body, in the world, or in a frame of one.
    fn contents(&mut self, element: &Element<'a>, around: &Around<'a>, own: &mut Own<'a>) -> Result<()> {
        for child in element.children() {
            match child.tag() {
                "body" => self.body(&child, around)?,
                "frame" => {
                    child.expect(&[&["name", "childclass", "pos"], &TURNED[..]].concat(), &[])?;
                    let frame = around.frame * self.compiler.frame(&child)?;
                    let class = child.text("childclass").unwrap_or(around.class);
                    self.contents(&child, &Around { frame, class, ..*around }, own)?;
                }
                "inertial" => own.given = Some(geom::inertial(&self.compiler, &child, &around.frame)?),
                "joint" => {
                    let child = self.compiler.with_defaults(child, around.class)?;
                    own.axes.push(Axis::read(child, &around.frame)?);
                }
                "freejoint" => own.axes.push(Axis::read(child, &around.frame)?),
                "geom" => {
                    let child = self.compiler.with_defaults(child, around.class)?;
                    geom::expect(&child)?;
                    let touches = |name| child.text(name) != Some("0");
                    self.colliding += usize::from(touches("contype") || touches("conaffinity"));
                    own.geoms.push(child);
                    own.frames.push(around.frame);
                }
                "site" => {
                    let child = self.compiler.with_defaults(child, around.class)?;
                    let position = (around.frame * self.compiler.frame(&child)?).translation.vector;
                    child.text("name").map(|name| self.sites.insert(name, (around.body, position)));
                }
                "camera" | "light" => {}
                "plugin" => child.note("not carried over"),
                tag => bail!(child.error(format_args!("`{tag}` is not understood here"))),
            }
        }
        Ok(())
    }

    fn body(&mut self, element: &Element<'a>, around: &Around<'a>) -> Result<()> {
        let known = ["name", "childclass", "pos", "user", "sleep"];
        element.expect(&[&known[..], &TURNED].concat(), &["mocap", "gravcomp"])?;
        let number = self.model.bodies.len();
        let name = element.text("name").map_or_else(|| format!("body_{}", number + 1), String::from);
        let frame = around.frame * self.compiler.frame(element)?;
        let (place, mount) = (element.place(), Mount::Moving);
        self.model.bodies.push(Body { name, place, pose: frame, inertia: Inertia::NONE, mount });

        // Joints come before those of the bodies inside, and their number shows whether this one moves.
        let (mut own, at) = (Own::default(), self.model.joints.len());
        let class = element.text("childclass").unwrap_or(around.class);
        self.contents(element, &Around { body: Some(number), frame, class }, &mut own)?;
        self.model.bodies[number].inertia = self.inertia(element, &own)?;
        if own.axes.is_empty() {
            self.model.bodies[number].mount = around.body.map_or(Mount::Ground, Mount::Fixed);
            return Ok(());
        }
        let Some(kind) = joints::combine(&own.axes)? else { return Ok(()) };
        let name = match &own.axes[..] {
            [only] => only.element.text("name").map(String::from),
            _ => None,
        };
        let name = name.unwrap_or_else(|| format!("{}_joint", self.model.bodies[number].name));
        let (bodies, points) = ([around.body, Some(number)], [own.axes[0].point; 2]);
        self.model.joints.insert(at, Joint { name, bodies, points, kind, motor: false });
        Ok(())
    }

    fn inertia(&self, element: &Element<'a>, own: &Own<'a>) -> Result<Inertia> {
        let from_geoms = self.compiler.inertia_from_geoms.unwrap_or(own.given.is_none());
        if !from_geoms {
            return Ok(own.given.unwrap_or(Inertia::NONE));
        }
        if own.given.is_some() {
            element.note("<inertial>: the masses come from geoms, as inertiafromgeom demands");
        }
        own.geoms
            .iter()
            .zip(&own.frames)
            .try_fold(Inertia::NONE, |sum, (element, frame)| Ok(sum.plus(&geom::geom(&self.compiler, element, frame)?)))
    }

    /// The number of a body by its name; `None` is the world.
    fn named(&self, element: &Element<'a>, attribute: &str) -> Result<Option<usize>> {
        let Some(name) = element.text(attribute).filter(|name| *name != "world") else { return Ok(None) };
        let number = self.model.bodies.iter().position(|body| body.name == name);
        ensure!(number.is_some(), element.error(format_args!("{attribute}: there is no body `{name}`")));
        Ok(number)
    }
}
