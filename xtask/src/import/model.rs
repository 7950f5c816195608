//! What both formats become before it is printed: bodies, and what joins them.

use anyhow::{Result, ensure};
use nalgebra::{Isometry3, Vector3};

use super::inertia::Inertia;

/// A mechanism in its reference pose: all positions and directions are those of the world.
pub struct Model {
    /// Its name in the file.
    pub name: String,
    /// The acceleration of gravity.
    pub gravity: Vector3<f64>,
    /// The bodies. A body comes after the one that carries it.
    pub bodies: Vec<Body>,
    /// What joins them, closures of loops included.
    pub joints: Vec<Joint>,
}

/// A rigid body.
pub struct Body {
    /// Its name in the file, or one that was made up.
    pub name: String,
    /// File and line.
    pub place: String,
    /// Its frame.
    pub pose: Isometry3<f64>,
    /// Its mass.
    pub inertia: Inertia,
    /// Whether it moves, and with what.
    pub mount: Mount,
}

/// What a body moves with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mount {
    /// With nothing: a joint holds it, or nothing does.
    Moving,
    /// It is fixed to another body.
    Fixed(usize),
    /// It is fixed to the ground.
    Ground,
}

/// Two bodies, or the ground and a body, and how the second moves in the first.
pub struct Joint {
    /// Its name in the file, or one that was made up.
    pub name: String,
    /// The bodies; `None` is the ground.
    pub bodies: [Option<usize>; 2],
    /// The point of either body that is held. They differ if a loop is not closed in the reference pose.
    pub points: [Vector3<f64>; 2],
    /// What the joint lets through.
    pub kind: Kind,
    /// Whether it has a motor.
    pub motor: bool,
}

/// The kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Turns about an axis.
    Hinge(Vector3<f64>),
    /// Slides along an axis.
    Slide(Vector3<f64>),
    /// Turns about an axis of the first body and one of the second, perpendicular to it.
    Universal(Vector3<f64>, Vector3<f64>),
    /// Turns about a point.
    Ball,
    /// Moves along all axes, and does not turn.
    Shift,
    /// Does not move.
    Weld,
}

impl Model {
    /// Adds the bodies that are fixed to others to them, and checks that every body that moves has a mass. Returns what was added to what.
    pub fn fuse(&mut self) -> Result<Vec<String>> {
        let (mut carriers, mut fused): (Vec<Option<usize>>, _) = (Vec::new(), Vec::new());
        for i in 0..self.bodies.len() {
            let carrier = match self.bodies[i].mount {
                Mount::Moving => Some(i),
                Mount::Fixed(to) => carriers[to],
                Mount::Ground => None,
            };
            if let Some(carrier) = carrier.filter(|carrier| *carrier != i) {
                self.bodies[carrier].inertia = self.bodies[carrier].inertia.plus(&self.bodies[i].inertia);
                fused.push(format!("`{}` is part of `{}`", self.bodies[i].name, self.bodies[carrier].name));
            }
            carriers.push(carrier);
        }

        let numbers: Vec<_> = (0..self.bodies.len()).filter(|i| carriers[*i] == Some(*i)).collect();
        for joint in &mut self.joints {
            joint.bodies = joint.bodies.map(|body| {
                let carrier = carriers[body?]?;
                numbers.iter().position(|number| *number == carrier)
            });
        }
        self.joints.retain(|joint| {
            let apart = joint.bodies[0] != joint.bodies[1];
            if !apart {
                fused.push(format!("`{}` joins what is one body already", joint.name));
            }
            apart
        });
        let mut carriers = carriers.iter().enumerate();
        self.bodies.retain(|_| carriers.next().is_some_and(|(i, carrier)| *carrier == Some(i)));
        for body in &self.bodies {
            let Body { name, place, inertia: Inertia { mass, .. }, .. } = body;
            ensure!(*mass > 0.0, "{place}: `{name}` moves and has no mass: it needs an <inertial>");
        }
        Ok(fused)
    }
}
