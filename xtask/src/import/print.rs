//! The list of parts of a model, as Rust.

use anyhow::{Result, ensure};
use nalgebra::Vector3;

use super::inertia::Inertia;
use super::model::{Body, Joint, Kind, Model};
use super::names::{self, Names};
use super::rank;

/// Prints the list. The notes say what it cannot.
pub fn list(model: &Model, file: &str, fused: &[String], notes: &[String]) -> Result<String> {
    let [x, y, z] = model.gravity.into();
    ensure!(
        x == 0.0 && y == 0.0,
        "{file}: gravity is along ({x}, {y}, {z}), and along the z axis in a list: turn the model"
    );
    let size = model.bodies.iter().map(|body| body.pose.translation.vector.amax()).fold(0.0, f64::max);
    let mut printer = Printer { model, size, names: Names::default(), bodies: Vec::new(), lines: Vec::new() };
    model.bodies.iter().for_each(|body| printer.body(body));
    let joints: Vec<_> = model.joints.iter().map(|joint| printer.joint(joint)).collect();

    let (name, redundant) = (names::list(&model.name), rank::redundant(model));
    let mut text = format!("// `{name}` of {file}, printed by `cargo xtask import`.\n");
    if !notes.is_empty() {
        text += "//\n// Not carried over:\n";
        notes.iter().for_each(|note| text += &format!("// - {note}\n"));
    }
    if !fused.is_empty() {
        text += "//\n// Bodies that are fixed to each other are one:\n";
        fused.iter().for_each(|pair| text += &format!("// - {pair}\n"));
    }
    if redundant > 0 {
        text += &format!("//\n// Constraints that follow from others in the reference pose: {redundant}.\n");
    }
    text += &format!("taut::mechanism! {{\n    /// The mechanism of {file}.\n");
    let word = if redundant > 0 { ", redundant" } else { "" };
    text += &format!("    pub struct {name} in space, arms as points{word} {{\n");
    printer.lines.iter().for_each(|line| text += &format!("        {line},\n"));
    text += "    }\n";
    if z != -9.81 {
        text += &format!("    gravity {};\n", number(-z, 0.0));
    }
    let motors: Vec<_> =
        model.joints.iter().zip(&joints).filter(|(joint, _)| joint.motor).map(|(_, name)| &name[..]).collect();
    if !motors.is_empty() {
        let motors = motors.join(", ");
        text += &format!("    motors {motors};\n    encoders {motors};\n    output {motors};\n");
    }
    Ok(text + "}\n")
}

struct Printer<'a> {
    model: &'a Model,
    names: Names,
    /// The names of the bodies.
    bodies: Vec<String>,
    lines: Vec<String>,
    /// The largest coordinate: what is far below it is zero.
    size: f64,
}

impl Printer<'_> {
    /// A body has a frame that is parallel to the ground's in the reference pose, because joints of a list are between parallel frames.
    fn body(&mut self, body: &Body) {
        let (name, Inertia { mass, centre, tensor }) = (self.names.part(&body.name), body.inertia);
        let scale = tensor.trace();
        let moments = numbers(&tensor.diagonal(), scale);
        let products = numbers(&Vector3::new(tensor.m12, tensor.m13, tensor.m23), scale);
        let (kind, products) = match &products[..] {
            ZERO => ("Body", String::new()),
            _ => ("SkewBody", format!(", products: {products}")),
        };
        let (mass, at) = (number(mass, 0.0), body.pose.translation.vector);
        let (centre, at) = (numbers(&(centre - at), self.size), numbers(&at, self.size));
        let fields = format!("mass: {mass}, centre: {centre}, moments: {moments}{products}");
        self.lines.push(format!("{name}: {kind} {{ {fields} }} near {at}"));
        self.bodies.push(name);
    }

    /// The name of a part at a point of a body or of the ground.
    fn point(&mut self, joint: &Joint, side: usize) -> String {
        let point = joint.points[side];
        let Some(body) = joint.bodies[side] else {
            let name = self.names.part(&format!("{}_base", joint.name));
            self.lines.push(format!("{name}: Fixed {{ at: {} }}", numbers(&point, self.size)));
            return name;
        };
        let at = numbers(&(point - self.model.bodies[body].pose.translation.vector), self.size);
        let on = self.bodies[body].clone();
        if at == ZERO {
            return on;
        }
        let name = self.names.part(&format!("{}_of_{on}", joint.name));
        self.lines.push(format!("{name}: Corner({on}) {{ at: {at} }}"));
        name
    }

    /// Prints a joint and the points that it holds, and returns its name.
    fn joint(&mut self, joint: &Joint) -> String {
        let [a, b] = [self.point(joint, 0), self.point(joint, 1)];
        let name = self.names.part(&joint.name);
        let mut line = |name: &str, kind, fields| self.lines.push(format!("{name}: {kind}({a}, {b}) {{ {fields} }}"));
        let unit = |axis: &Vector3<f64>| numbers(axis, 1.0);
        let together = || format!("offset: {ZERO}");
        match &joint.kind {
            Kind::Hinge(axis) => line(&name, "Hinge", format!("axis: {}", unit(axis))),
            Kind::Slide(axis) => line(&name, "Prismatic", format!("axis: {}", unit(axis))),
            Kind::Universal(first, second) => {
                line(&name, "Universal", format!("first: {}, second: {}", unit(first), unit(second)));
            }
            Kind::Ball => line(&name, "Pin", together()),
            Kind::Weld => line(&name, "Weld", together()),
            // Three directions of one that stay perpendicular to one each of the other.
            Kind::Shift => {
                let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| unit(&axis));
                for (i, axis) in ["x", "y", "z"].iter().enumerate() {
                    let (first, second) = (&axes[i], &axes[(i + 1) % 3]);
                    line(
                        &self.names.part(&format!("{name}_{axis}")),
                        "Square",
                        format!("first: {first}, second: {second}"),
                    );
                }
            }
        }
        name
    }
}

const ZERO: &str = "[0.0, 0.0, 0.0]";

/// Numbers in brackets, with 15 digits, and zeros for what is rounding beside `scale`.
fn numbers(values: &Vector3<f64>, scale: f64) -> String {
    let words: Vec<_> = values.iter().map(|value| number(*value, scale)).collect();
    format!("[{}]", words.join(", "))
}

fn number(value: f64, scale: f64) -> String {
    if value.abs() <= 16.0 * f64::EPSILON * scale {
        return "0.0".into();
    }
    format!("{:?}", format!("{value:.14e}").parse().unwrap_or(value))
}
