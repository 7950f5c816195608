//! How the numbers of an MJCF file are to be read: units of angles, order of rotations, classes of defaults.

use std::collections::HashMap;
use std::f64::consts::PI;

use anyhow::{Result, bail, ensure};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

use crate::import::xml::Element;

/// The attributes that turn a frame; an element has one of them.
pub const TURNED: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// The settings of `<compiler>`, and the classes of `<default>`.
pub struct Compiler<'a> {
    radian: f64,
    sequence: String,
    /// Whether masses come from geoms: always, never, or where a body has no `<inertial>`.
    pub inertia_from_geoms: Option<bool>,
    /// The elements `<default>` of each class, the class itself first, then those around it.
    classes: HashMap<String, Vec<Element<'a>>>,
}

impl<'a> Compiler<'a> {
    /// Reads all `<compiler>` and `<default>` of a model.
    pub fn read(model: &Element<'a>) -> Result<Self> {
        let mut compiler = Compiler {
            radian: PI / 180.0,
            sequence: "xyz".into(),
            inertia_from_geoms: None,
            classes: HashMap::from([("main".into(), Vec::new())]),
        };
        for element in model.children() {
            match element.tag() {
                "compiler" => compiler.settings(&element)?,
                "default" => compiler.class(&element, &[])?,
                _ => {}
            }
        }
        Ok(compiler)
    }

    fn settings(&mut self, element: &Element<'a>) -> Result<()> {
        // The quiet ones concern files, pictures and limits.
        const KNOWN: [&str; 17] = [
            "angle",
            "eulerseq",
            "inertiafromgeom",
            "coordinate",
            "autolimits",
            "meshdir",
            "texturedir",
            "assetdir",
            "discardvisual",
            "usethread",
            "strippath",
            "fusestatic",
            "convexhull",
            "alignfree",
            "saveinertial",
            "fitaabb",
            "conflict",
        ];
        const LOST: [&str; 6] =
            ["boundmass", "boundinertia", "settotalmass", "balanceinertia", "inertiagrouprange", "exactmeshinertia"];
        element.expect(&KNOWN, &LOST)?;
        match element.text("angle") {
            Some("radian") => self.radian = 1.0,
            Some("degree") => self.radian = PI / 180.0,
            Some(other) => bail!(element.error(format_args!("angle = {other}"))),
            None => {}
        }
        if let Some(sequence) = element.text("eulerseq") {
            let axes = sequence.len() == 3 && sequence.chars().all(|axis| "xyzXYZ".contains(axis));
            ensure!(axes, element.error(format_args!("eulerseq = {sequence}")));
            self.sequence = sequence.into();
        }
        match element.text("inertiafromgeom") {
            Some("true") => self.inertia_from_geoms = Some(true),
            Some("false") => self.inertia_from_geoms = Some(false),
            Some("auto") => self.inertia_from_geoms = None,
            Some(other) => bail!(element.error(format_args!("inertiafromgeom = {other}"))),
            None => {}
        }
        let global = element.text("coordinate").is_some_and(|coordinate| coordinate != "local");
        ensure!(!global, element.error("global coordinates, which MuJoCo has given up"));
        Ok(())
    }

    fn class(&mut self, element: &Element<'a>, around: &[Element<'a>]) -> Result<()> {
        element.expect(&["class"], &[])?;
        let name = match element.text("class") {
            Some(name) => name,
            None if around.is_empty() => "main",
            None => bail!(element.error("`class` is missing")),
        };
        let chain: Vec<_> = [element].into_iter().chain(around).cloned().collect();
        for inner in element.children().filter(|inner| inner.tag() == "default") {
            self.class(&inner, &chain)?;
        }
        // Several blocks of one class add up.
        self.classes.entry(name.into()).or_default().extend(chain);
        Ok(())
    }

    /// The element with the defaults of its class.
    pub fn with_defaults(&self, element: Element<'a>, class: &str) -> Result<Element<'a>> {
        let class = element.text("class").unwrap_or(class);
        let Some(chain) = self.classes.get(class) else {
            bail!(element.error(format_args!("there is no class `{class}`")));
        };
        // `main` is around everything, also where a file has several blocks.
        let main = if class == "main" { &[][..] } else { &self.classes["main"][..] };
        let tag = element.tag();
        let defaults = chain.iter().chain(main).flat_map(Element::children).filter(|other| other.tag() == tag);
        Ok(element.or(defaults))
    }

    /// The frame of an element, in that of the element around it.
    pub fn frame(&self, element: &Element<'a>) -> Result<Isometry3<f64>> {
        let position = element.vector("pos")?.unwrap_or_default();
        Ok(Isometry3::from_parts(Translation3::from(position), self.rotation(element)?))
    }

    fn rotation(&self, element: &Element<'a>) -> Result<UnitQuaternion<f64>> {
        ensure!(
            TURNED.iter().filter(|name| element.text(name).is_some()).count() < 2,
            element.error(format_args!("more than one of {}", TURNED.join(", ")))
        );
        let direction = |vector: Vector3<f64>, name| {
            let unit = Unit::try_new(vector, 1e-9);
            unit.ok_or_else(|| element.error(format_args!("`{name}` has no direction")))
        };
        if let Some(quaternion) = element.array("quat")? {
            let [w, x, y, z] = quaternion;
            let unit = UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-9);
            return unit.ok_or_else(|| element.error("`quat` is zero"));
        }
        if let Some([x, y, z, angle]) = element.array("axisangle")? {
            let axis = direction(Vector3::new(x, y, z), "axisangle")?;
            return Ok(UnitQuaternion::from_axis_angle(&axis, angle * self.radian));
        }
        if let Some(angles) = element.vector("euler")? {
            let mut rotation = UnitQuaternion::identity();
            for (axis, angle) in self.sequence.chars().zip(angles.iter()) {
                let unit = match axis.to_ascii_lowercase() {
                    'x' => Vector3::x_axis(),
                    'y' => Vector3::y_axis(),
                    _ => Vector3::z_axis(),
                };
                let turn = UnitQuaternion::from_axis_angle(&unit, angle * self.radian);
                // Small letters turn about the axes as they are by now, capital ones about those of the parent.
                rotation = if axis.is_ascii_lowercase() { rotation * turn } else { turn * rotation };
            }
            return Ok(rotation);
        }
        if let Some([a, b, c, d, e, f]) = element.array("xyaxes")? {
            let x = direction(Vector3::new(a, b, c), "xyaxes")?.into_inner();
            let y = Vector3::new(d, e, f);
            let y = direction(y - x * x.dot(&y), "xyaxes")?.into_inner();
            let axes = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, x.cross(&y)]));
            return Ok(UnitQuaternion::from_rotation_matrix(&axes));
        }
        match element.vector("zaxis")? {
            Some(axis) => Ok(shortest_from_z(&direction(axis, "zaxis")?)),
            None => Ok(UnitQuaternion::identity()),
        }
    }
}

/// The shortest rotation of the z axis into a direction.
pub fn shortest_from_z(direction: &Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let half_turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), PI);
    UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), direction).unwrap_or(half_turn)
}
