//! Work–precision curves: the time needed for an error.

use crate::results::Point;

/// The curve of one library's method on one system. Each point is both slower and more accurate than the one before.
pub struct Curve {
    points: Vec<(f64, f64)>,
}

impl Curve {
    /// The curve through the Pareto front of the points: no other point is both faster and more accurate.
    pub fn through<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
        let mut all: Vec<(f64, f64)> = points.into_iter().map(|point| (point.seconds, point.error)).collect();
        all.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (seconds, error) in all {
            if points.last().is_none_or(|last| error < last.1) {
                points.push((seconds, error));
            }
        }
        Self { points }
    }

    /// The seconds needed for an error, interpolated linearly in logarithms, in which a method of fixed order is a straight line; `None` if
    /// the method does not reach the error.
    pub fn seconds_for(&self, error: f64) -> Option<f64> {
        let next = self.points.iter().position(|point| point.1 <= error)?;
        let (seconds, reached) = self.points[next];
        let Some((seconds_before, reached_before)) = next.checked_sub(1).map(|before| self.points[before]) else {
            return Some(seconds);
        };
        // An error of zero has no logarithm.
        if reached <= 0.0 {
            return Some(seconds);
        }
        let part = (reached_before / error).ln() / (reached_before / reached).ln();
        Some(seconds_before * (seconds / seconds_before).powf(part))
    }

    /// The points: seconds and errors.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }
}

/// The methods on a system in the order of their first run, each with its curve.
pub fn curves<'a>(points: &[&'a Point]) -> Vec<(&'a str, Curve)> {
    let mut names: Vec<&str> = Vec::new();
    for point in points {
        if !names.contains(&point.name.as_str()) {
            names.push(&point.name);
        }
    }
    let curve = |name: &&'a str| Curve::through(points.iter().copied().filter(|point| point.name == *name));
    names.iter().map(|name| (*name, curve(name))).collect()
}

/// The fastest of some methods to an error.
pub fn quickest<'a>(curves: &[(&'a str, Curve)], of: impl Fn(&str) -> bool, error: f64) -> Option<(&'a str, f64)> {
    let able =
        curves.iter().filter(|(name, _)| of(name)).filter_map(|(name, curve)| Some((*name, curve.seconds_for(error)?)));
    able.min_by(|left, right| left.1.total_cmp(&right.1))
}

/// The exponent p of y ~ xᵖ that fits best in logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (x, y) = logarithms.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let (mut up, mut across) = (0.0, 0.0);
    for point in logarithms {
        up += (point.0 - x) * (point.1 - y);
        across += (point.0 - x) * (point.0 - x);
    }
    up / across
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, seconds: f64, error: f64) -> Point {
        Point {
            system: "pendulum".to_owned(),
            name: name.to_owned(),
            setting: String::new(),
            seconds,
            error,
            energy_error: 0.0,
            constraint_error: 0.0,
        }
    }

    #[test]
    fn between_two_points_a_curve_is_straight_in_logarithms() {
        // Order 2: ten times the work, a hundredth of the error; a point that is worse than another does not count.
        let points = [point("a", 1.0, 1e-2), point("a", 10.0, 1e-4), point("a", 5.0, 1e-1)];
        let curve = Curve::through(&points);
        assert_eq!(curve.points().len(), 2);
        assert!((curve.seconds_for(1e-3).unwrap() - 10.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(curve.seconds_for(1.0), Some(1.0));
        assert_eq!(curve.seconds_for(1e-5), None);
    }

    #[test]
    fn the_quickest_is_the_one_that_gets_there_first() {
        let points = [point("a", 1.0, 1e-2), point("a", 10.0, 1e-4), point("b", 2.0, 1e-3), point("c", 0.1, 1e-9)];
        let points: Vec<&Point> = points.iter().collect();
        let curves = curves(&points);
        let quickest = |error| quickest(&curves, |name| name != "c", error).map(|(name, _)| name);
        assert_eq!(
            [quickest(1e-2), quickest(1e-3), quickest(1e-4), quickest(1e-8)],
            [Some("a"), Some("b"), Some("a"), None]
        );
    }

    #[test]
    fn an_exponent_is_found_again() {
        let points: Vec<(f64, f64)> = (1..6).map(|x| (f64::from(x), 7.0 * f64::from(x).powf(2.5))).collect();
        assert!((exponent(&points) - 2.5).abs() < 1e-12);
    }
}
