//! Mass, centre and moments of inertia.

use std::f64::consts::PI;

use nalgebra::{Isometry3, Matrix3, Vector3};

/// The inertia of a body, in the axes of the world and in the reference pose: so bodies that are fixed to each other simply add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// The mass.
    pub mass: f64,
    /// The centre of mass.
    pub centre: Vector3<f64>,
    /// The tensor about the centre.
    pub tensor: Matrix3<f64>,
}

impl Inertia {
    /// No mass.
    pub const NONE: Self = Inertia {
        mass: 0.0,
        centre: Vector3::new(0.0, 0.0, 0.0),
        tensor: Matrix3::from_array_storage(nalgebra::ArrayStorage([[0.0; 3]; 3])),
    };

    /// A mass at the origin of a frame, with a tensor in its axes.
    pub fn new(mass: f64, tensor: Matrix3<f64>, frame: &Isometry3<f64>) -> Self {
        let axes = frame.rotation.to_rotation_matrix();
        Inertia { mass, centre: frame.translation.vector, tensor: axes * tensor * axes.transpose() }
    }

    /// Both, fixed to each other. The parallel axis theorem shifts the tensors to the common centre.
    pub fn plus(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if self.mass == 0.0 || mass == 0.0 {
            return *other;
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        Inertia { mass, centre, tensor: self.about(&centre) + other.about(&centre) }
    }

    fn about(&self, point: &Vector3<f64>) -> Matrix3<f64> {
        let d = self.centre - point;
        self.tensor + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * self.mass
    }
}

/// A solid, with its axis along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// Its radius.
    Sphere(f64),
    /// Radius, and half the length of the cylinder between the half spheres.
    Capsule(f64, f64),
    /// Radius and half length.
    Cylinder(f64, f64),
    /// Half the edges.
    Box(Vector3<f64>),
    /// The semi-axes.
    Ellipsoid(Vector3<f64>),
}

impl Solid {
    /// Its volume.
    pub fn volume(&self) -> f64 {
        let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
        match *self {
            Solid::Sphere(r) => ball(r),
            Solid::Cylinder(r, half) => PI * r * r * 2.0 * half,
            Solid::Capsule(r, half) => ball(r) + PI * r * r * 2.0 * half,
            Solid::Box(half) => 8.0 * half.product(),
            Solid::Ellipsoid(axes) => 4.0 / 3.0 * PI * axes.product(),
        }
    }

    /// Its tensor about the centre if it is of uniform density.
    pub fn tensor(&self, mass: f64) -> Matrix3<f64> {
        let moments = match *self {
            Solid::Sphere(r) => Vector3::repeat(0.4 * mass * r * r),
            Solid::Cylinder(r, half) => {
                let across = mass * (r * r / 4.0 + half * half / 3.0);
                Vector3::new(across, across, mass * r * r / 2.0)
            }
            // The centre of a half sphere is 3r/8 from its base, hence the mixed term.
            Solid::Capsule(r, half) => {
                let ends = mass * Solid::Sphere(r).volume() / self.volume();
                let across = ends * (0.4 * r * r + half * half + 0.75 * half * r);
                let spheres = Vector3::new(across, across, 0.4 * ends * r * r);
                return Solid::Cylinder(r, half).tensor(mass - ends) + Matrix3::from_diagonal(&spheres);
            }
            Solid::Box(half) => around(&half) * (mass / 3.0),
            Solid::Ellipsoid(axes) => around(&axes) * (mass / 5.0),
        };
        Matrix3::from_diagonal(&moments)
    }
}

/// The sums of squares of the other two.
fn around(lengths: &Vector3<f64>) -> Vector3<f64> {
    let [x, y, z] = lengths.component_mul(lengths).into();
    Vector3::new(y + z, x + z, x + y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_of_a_box_are_the_box() {
        let half = Solid::Box(Vector3::new(0.1, 0.2, 0.3));
        let at = |x| Inertia::new(2.0, half.tensor(2.0), &Isometry3::translation(x, 1.0, 0.0));
        let both = at(-0.1).plus(&at(0.1));
        let whole = Solid::Box(Vector3::new(0.2, 0.2, 0.3));
        assert!((both.tensor - whole.tensor(4.0)).norm() < 1e-15);
        assert_eq!(both.centre, Vector3::y());
        assert_eq!(2.0 * half.volume(), whole.volume());
    }

    #[test]
    fn a_capsule_without_length_is_a_sphere() {
        let (capsule, sphere) = (Solid::Capsule(0.3, 0.0), Solid::Sphere(0.3));
        assert!((capsule.tensor(2.0) - sphere.tensor(2.0)).norm() < 1e-15);
        assert!((Solid::Ellipsoid(Vector3::repeat(0.3)).tensor(2.0) - sphere.tensor(2.0)).norm() < 1e-15);
    }
}
