//! A chart: axes, curves, poses, a legend.

use super::axis::{Axis, Scale};
use super::curve::Curve;
use super::drawing::{Anchor, Drawing, Ink, Mark, Point, Stroke, Words};
use super::font;

/// The sizes of labels and of the space beside the axes, in points.
const SMALL: f64 = 10.0;
const LABEL: f64 = 11.0;
const LEFT: f64 = 72.0;
const BELOW: f64 = 40.0;
const RIGHT: f64 = 14.0;
const LINE: f64 = 17.0;

/// Curves over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    /// `None` for a view without axes.
    axes: Option<[Axis; 2]>,
    /// Whether both axes have the same scale.
    equal: bool,
    curves: Vec<Curve>,
}

/// A part of the page.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Downwards.
    pub height: f64,
}

impl Chart {
    /// A chart with two axes; the labels include units.
    pub fn new(x: impl Into<String>, y: impl Into<String>) -> Self {
        let axes = [x.into(), y.into()].map(|label| Axis { label, logarithmic: false });
        Self { title: String::new(), axes: Some(axes), equal: false, curves: Vec::new() }
    }

    /// A chart without axes: a view of objects in space.
    pub fn view() -> Self {
        Self { title: String::new(), axes: None, equal: true, curves: Vec::new() }
    }

    /// With a title.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// With a logarithmic vertical axis. Values that are not positive are left out.
    pub fn logarithmic(mut self) -> Self {
        if let Some([_, y]) = &mut self.axes {
            y.logarithmic = true;
        }
        self
    }

    /// With two logarithmic axes.
    pub fn doubly_logarithmic(mut self) -> Self {
        if let Some([x, _]) = &mut self.axes {
            x.logarithmic = true;
        }
        self.logarithmic()
    }

    /// With the same scale along both axes, for motion in a plane.
    pub fn to_scale(self) -> Self {
        Self { equal: true, ..self }
    }

    /// Adds a curve.
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// Adds poses of a mechanism in order of time; earlier poses are lighter. Joints are dots.
    pub fn poses(mut self, poses: impl IntoIterator<Item = Vec<(f64, f64)>>) -> Self {
        let poses: Vec<_> = poses.into_iter().collect();
        let last = poses.len().max(2) - 1;
        for (index, pose) in poses.into_iter().enumerate() {
            let age = 1.0 - index as f64 / last as f64;
            let (ink, size) = (Ink::grey(0.08 + 0.74 * age), 1.0 - 0.45 * age);
            self.curves.push(Curve::through(pose).drawn(ink, 2.4 * size).dotted(3.4 * size, ink));
        }
        self
    }

    /// Draws it into a part of the page.
    pub fn draw(&self, page: &mut Drawing, frame: Frame) {
        let Frame { x, y, width, height } = frame;
        let mut top = y + 6.0;
        if !self.title.is_empty() {
            let middle = x + width / 2.0 + if self.axes.is_some() { (LEFT - RIGHT) / 2.0 } else { 0.0 };
            page.words([middle, top + LABEL], &self.title, LABEL + 1.0, Anchor::Middle);
            top += LINE + 3.0;
        }
        let (left, below) = if self.axes.is_some() { (LEFT, BELOW) } else { (RIGHT, 6.0) };
        let plot_width = width - left - RIGHT;
        top += self.legend(page, x + left, top, plot_width);
        let plot = Frame { x: x + left, y: top, width: plot_width, height: y + height - top - below };
        let [across, up] = self.scales(plot);
        self.draw_axes(page, plot, [&across, &up]);
        for (index, curve) in self.curves.iter().enumerate() {
            let place = |(x, y): (f64, f64)| {
                Some([plot.x + across.place(x)? * plot.width, plot.y + (1.0 - up.place(y)?) * plot.height])
            };
            draw_curve(page, curve, self.stroke(index), curve.thinned().into_iter().filter_map(place).collect());
            for (point, label) in curve.points.iter().zip(&curve.labels) {
                if let Some([x, y]) = place(*point) {
                    page.words([x - 6.0, y + 10.0], label, SMALL, Anchor::End);
                }
            }
        }
    }

    /// The ranges of the axes in a plot of this size.
    fn scales(&self, plot: Frame) -> [Scale; 2] {
        let logarithmic = |axis: usize| self.axes.as_ref().is_some_and(|axes| axes[axis].logarithmic);
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let across = Scale::over(points().map(|point| point.0), logarithmic(0));
        let up = Scale::over(points().map(|point| point.1), logarithmic(1));
        if !self.equal {
            // The axis would cut a dot at the edge.
            let dotted = self.curves.iter().any(|curve| curve.dots.is_some());
            return [if dotted { across } else { across.tight() }, up];
        }
        let spans = [across.high - across.low, up.high - up.low];
        let unit = (spans[0] / plot.width).max(spans[1] / plot.height);
        [across.widened(unit * plot.width - spans[0]), up.widened(unit * plot.height - spans[1])]
    }

    /// The line of a curve: its own, `None` if it has only dots, else the chart's next style.
    fn stroke(&self, index: usize) -> Option<Stroke> {
        let curve = &self.curves[index];
        let chosen = |curve: &&Curve| curve.stroke.is_none() && curve.dots.is_none();
        let before = self.curves[..index].iter().filter(chosen).count();
        curve.stroke.clone().or(curve.dots.is_none().then(|| Stroke::nth(before)))
    }

    /// Draws the legend and returns its height.
    fn legend(&self, page: &mut Drawing, left: f64, top: f64, width: f64) -> f64 {
        let (mut x, mut lines) = (left, 0.0);
        for (index, curve) in self.curves.iter().enumerate().filter(|(_, curve)| !curve.name.is_empty()) {
            let length = 32.0 + font::width(&curve.name, SMALL) + 16.0;
            if lines == 0.0 {
                lines = 1.0;
            } else if x + length > left + width + 16.0 {
                (x, lines) = (left, lines + 1.0);
            }
            let y = top + (lines - 1.0) * LINE + 6.0;
            let stroke = self.stroke(index);
            draw_curve(page, &Curve::through([]), stroke.clone(), vec![[x, y], [x + 26.0, y]]);
            draw_curve(page, curve, stroke, vec![[x + 13.0, y]]);
            page.words([x + 32.0, y + 3.5], &curve.name, SMALL, Anchor::Start);
            x += length;
        }
        lines * LINE
    }

    fn draw_axes(&self, page: &mut Drawing, plot: Frame, [across, up]: [&Scale; 2]) {
        let Some([x, y]) = &self.axes else {
            return;
        };
        let Frame { x: left, y: top, width, height } = plot;
        let (right, bottom) = (left + width, top + height);
        let grid = Stroke::solid(Ink::grey(0.88), 0.7);
        for (place, text) in across.ticks((width / 62.0) as usize + 1) {
            let here = left + place * width;
            page.line(vec![[here, top], [here, bottom]], grid.clone());
            page.words([here, bottom + 14.0], text, SMALL, Anchor::Middle);
        }
        for (place, text) in up.ticks((height / 30.0) as usize + 1) {
            let here = bottom - place * height;
            page.line(vec![[left, here], [right, here]], grid.clone());
            page.words([left - 6.0, here + 3.6], text, SMALL, Anchor::End);
        }
        page.line(vec![[left, top], [left, bottom], [right, bottom]], Stroke::solid(Ink::BLACK, 1.0));
        page.words([left + width / 2.0, bottom + 31.0], &x.label, LABEL, Anchor::Middle);
        let (at, text) = ([left - LEFT + 14.0, top + height / 2.0], y.label.clone());
        page.marks.push(Mark::Words(Words { at, text, size: LABEL, anchor: Anchor::Middle, upwards: true }));
    }
}

fn draw_curve(page: &mut Drawing, curve: &Curve, stroke: Option<Stroke>, places: Vec<Point>) {
    if let Some(stroke) = &stroke
        && places.len() > 1
    {
        page.line(places.clone(), stroke.clone());
    }
    if let Some((radius, fill)) = curve.dots {
        let rim = stroke.map_or(Ink::BLACK, |stroke| stroke.ink);
        for place in places {
            page.marks.push(Mark::Disc(place, radius, fill, Stroke::solid(rim, 0.9)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { x: 0.0, y: 0.0, width: 400.0, height: 200.0 };

    fn drawn(chart: &Chart) -> Vec<Mark> {
        let mut page = Drawing::new(FRAME.width, FRAME.height);
        chart.draw(&mut page, FRAME);
        page.marks
    }

    #[test]
    fn everything_is_drawn_within_its_frame() {
        let wave = |phase: f64| Curve::through((0..100).map(move |i| (f64::from(i), (f64::from(i) + phase).sin())));
        let chart = Chart::new("t / s", "x / m").curve(wave(0.0).named("one")).curve(wave(1.0).named("two"));
        for mark in drawn(&chart.titled("Waves").logarithmic()) {
            let places = match mark {
                Mark::Line(points, _) => points,
                Mark::Disc(at, ..) => vec![at],
                Mark::Words(words) => vec![words.at],
            };
            for [x, y] in places {
                assert!((0.0..=FRAME.width).contains(&x) && (0.0..=FRAME.height).contains(&y), "{x} {y}");
            }
        }
    }

    #[test]
    fn a_circle_to_scale_is_round() {
        let circle = (0..=120).map(|i| (f64::from(i) * 3.0).to_radians().sin_cos());
        let marks = drawn(&Chart::new("x / m", "y / m").to_scale().curve(Curve::through(circle)));
        let Some(Mark::Line(points, _)) = marks.last() else { panic!("{marks:?}") };
        let span = |axis: usize| {
            let values = || points.iter().map(|point| point[axis]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        assert!((span(0) / span(1) - 1.0).abs() < 1e-9, "{} {}", span(0), span(1));
    }

    #[test]
    fn unnamed_curves_have_no_legend_and_own_strokes_do_not_count() {
        let line = || Curve::through([(0.0, 0.0), (1.0, 1.0)]);
        let chart = Chart::new("a", "b").curve(line().drawn(Ink::ORANGE, 3.0)).curve(line()).curve(line());
        let strokes = [0, 1, 2].map(|index| chart.stroke(index).unwrap());
        assert_eq!(strokes, [Stroke::solid(Ink::ORANGE, 3.0), Stroke::nth(0), Stroke::nth(1)]);
        assert!(!drawn(&chart).iter().any(|mark| matches!(mark, Mark::Words(words) if words.text.is_empty())));
    }
}
