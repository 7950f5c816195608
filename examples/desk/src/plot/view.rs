//! A parallel projection of objects in space.

use super::chart::Chart;
use super::curve::Curve;
use super::drawing::{Ink, Stroke};

/// A point in space.
pub type Place = [f64; 3];

/// The direction of view, with z upwards.
#[derive(Clone, Copy, Debug)]
pub struct View {
    right: Place,
    up: Place,
    towards: Place,
}

impl View {
    /// A view from a direction: degrees about z from x, and degrees above the horizon.
    pub fn from(azimuth: f64, elevation: f64) -> Self {
        let (sin, cos) = azimuth.to_radians().sin_cos();
        let (high, low) = elevation.to_radians().sin_cos();
        Self { right: [-sin, cos, 0.0], up: [-high * cos, -high * sin, low], towards: [low * cos, low * sin, high] }
    }

    /// The projection of a point.
    pub fn flat(&self, place: Place) -> (f64, f64) {
        (dot(self.right, place), dot(self.up, place))
    }

    /// Whether a point of a sphere about the origin is on the visible side.
    fn in_front(&self, place: Place) -> bool {
        dot(self.towards, place) >= 0.0
    }

    /// The outline of the unit sphere, its equator and two of its meridians.
    pub fn sphere(&self) -> Chart {
        let around = |place: fn(f64, f64) -> Place| {
            (0..=120).map(move |i| (f64::from(i) * 3.0).to_radians().sin_cos()).map(move |(sin, cos)| place(sin, cos))
        };
        let outline = around(|sin, cos| [sin, cos, 0.0]).map(|[x, y, _]| (x, y));
        let mut chart = Chart::view().curve(Curve::through(outline).drawn(Ink::grey(0.5), 1.0));
        for circle in [around(|s, c| [s, c, 0.0]), around(|s, c| [s, 0.0, c]), around(|s, c| [0.0, s, c])] {
            let front: Vec<Place> = circle.collect();
            chart = self.on_sphere(chart, &front, Stroke::solid(Ink::grey(0.75), 0.7), None);
        }
        chart
    }

    /// Adds a curve on the unit sphere. The part behind the sphere has the stroke `behind`, or is left out.
    pub fn on_sphere(&self, mut chart: Chart, places: &[Place], front: Stroke, behind: Option<Stroke>) -> Chart {
        let mut rest = places;
        while let Some(first) = rest.first() {
            let side = self.in_front(*first);
            let length = rest.iter().position(|place| self.in_front(*place) != side).unwrap_or(rest.len());
            // Include the next point, so that the pieces meet.
            let piece = rest.iter().take(length + 1).map(|place| self.flat(*place));
            let stroke = if side { Some(front.clone()) } else { behind.clone() };
            if stroke.is_some() {
                chart = chart.curve(Curve { stroke, ..Curve::through(piece) });
            }
            rest = &rest[length..];
        }
        chart
    }
}

fn dot(a: Place, b: Place) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_orthonormal_and_z_is_up() {
        let View { right, up, towards } = View::from(37.0, 21.0);
        for (a, b, expected) in [(right, up, 0.0), (up, towards, 0.0), (towards, right, 0.0), (up, up, 1.0)] {
            assert!((dot(a, b) - expected).abs() < 1e-15);
        }
        let (x, y) = View::from(37.0, 21.0).flat([0.0, 0.0, 1.0]);
        assert!(x.abs() < 1e-15 && y > 0.9);
    }
}
