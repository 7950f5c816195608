//! A curve of a chart: its points, and how they are drawn.

use super::drawing::{Ink, Stroke};

/// Curves with more points than this are thinned out before drawing.
const MAX_POINTS: usize = 4_000;

/// Points, a line through them, dots on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// In the units of the axes.
    pub points: Vec<(f64, f64)>,
    /// Its name in the legend; no entry if empty.
    pub name: String,
    /// The line; the chart chooses one if there is neither line nor dots.
    pub stroke: Option<Stroke>,
    /// The radius of a dot at each point, and its fill.
    pub dots: Option<(f64, Ink)>,
    /// Labels beside the points, beginning with the first.
    pub labels: Vec<String>,
}

impl Curve {
    /// A line in the chart's next style.
    pub fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { points: points.into_iter().collect(), name: String::new(), stroke: None, dots: None, labels: Vec::new() }
    }

    /// With a name in the legend.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// With this line.
    pub fn drawn(self, ink: Ink, width: f64) -> Self {
        Self { stroke: Some(Stroke::solid(ink, width)), ..self }
    }

    /// With a dashed line.
    pub fn dashed(self, ink: Ink, width: f64) -> Self {
        Self { stroke: Some(Stroke { ink, width, dashes: vec![5.0, 3.0] }), ..self }
    }

    /// With dots of this radius.
    pub fn dotted(self, radius: f64, fill: Ink) -> Self {
        Self { dots: Some((radius, fill)), ..self }
    }

    /// With labels beside its points.
    pub fn labelled(self, labels: impl IntoIterator<Item = String>) -> Self {
        Self { labels: labels.into_iter().collect(), ..self }
    }

    /// At most about `MAX_POINTS` points. If x increases, the lowest and the highest point of each group are kept.
    pub fn thinned(&self) -> Vec<(f64, f64)> {
        let points = &self.points;
        if points.len() <= MAX_POINTS {
            return points.clone();
        }
        let forwards = points.windows(2).all(|pair| pair[0].0 <= pair[1].0);
        if !forwards {
            let last = points.last().copied();
            return points.iter().copied().step_by(points.len().div_ceil(MAX_POINTS)).chain(last).collect();
        }
        let while_long = points.len().div_ceil(MAX_POINTS / 2);
        let mut thinned = Vec::with_capacity(MAX_POINTS);
        for short in points.chunks(while_long) {
            let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let (Some(low), Some(high)) = (short.iter().min_by(by_height), short.iter().max_by(by_height)) else {
                continue;
            };
            thinned.extend(if low.0 <= high.0 { [*low, *high] } else { [*high, *low] });
        }
        thinned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_survives_thinning() {
        let mut points: Vec<_> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 7.0;
        let thinned = Curve::through(points).thinned();
        assert!(thinned.len() <= MAX_POINTS + 2 && thinned.contains(&(54_321.0, 7.0)), "{}", thinned.len());
        assert!(thinned.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}
