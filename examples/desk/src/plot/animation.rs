//! A mechanism that moves: an SVG that animates itself, for pages without a script.

use std::fmt::Write;

use super::drawing::{Ink, Point};
use super::font::FAMILY;
use super::link::{Kind, Link};
use super::svg::colour;

/// Poses of a mechanism in a plane, at equal times, repeated for ever.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The joints of each pose. All poses have the same number.
    pub poses: Vec<Vec<(f64, f64)>>,
    /// What connects the joints. A joint that only rails have is not drawn.
    pub links: Vec<Link>,
    /// Which joint leaves a trace.
    pub traced: usize,
    /// Where the trace should be, dashed.
    pub target: Vec<(f64, f64)>,
    /// What stands below.
    pub caption: String,
    /// How long the poses take to be shown, in seconds.
    pub seconds: f64,
}

/// The size of the picture, and what is left free at its edges, in points.
const SIZE: Point = [430.0, 340.0];
const EDGE: f64 = 26.0;
const CAPTION: f64 = 24.0;

impl Animation {
    /// The whole file.
    pub fn svg(&self) -> String {
        let place = self.scale();
        let joints = self.poses.first().map_or(0, Vec::len);
        let path = |points: &mut dyn Iterator<Item = (f64, f64)>| -> String {
            points.map(&place).map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
        };
        let [width, height] = SIZE;
        let (black, blue, grey) = (colour(Ink::BLACK), colour(Ink::BLUE), colour(Ink::grey(0.7)));
        let mut file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             style=\"max-width:100%;height:auto\" font-family=\"{FAMILY}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let mut push = |element: String| writeln!(file, "{element}").expect("a string takes all");
        let target = path(&mut self.target.iter().copied());
        push(format!(
            "<polyline points=\"{target}\" fill=\"none\" stroke=\"{grey}\" stroke-width=\"6\" stroke-linecap=\"round\"/>"
        ));

        // The trace is one line, of which more and more is shown.
        let trace = path(&mut self.poses.iter().map(|pose| pose[self.traced]));
        let hidden = self.animate("stroke-dashoffset", self.left_to_trace().iter().map(|left| format!("{left:.4}")));
        push(format!(
            "<polyline points=\"{trace}\" pathLength=\"1\" fill=\"none\" stroke=\"{blue}\" stroke-width=\"2\" stroke-dasharray=\"1 2\">\
             {hidden}</polyline>"
        ));

        // Triangles below the joints that stand still.
        let stands = |joint: &usize| self.poses.iter().all(|pose| pose[*joint] == self.poses[0][*joint]);
        let drawn =
            |joint: &usize| !self.links.iter().any(|link| link.kind == Kind::Rail && link.joints.contains(joint));
        for [x, y] in (0..joints).filter(stands).filter(drawn).map(|joint| place(self.poses[0][joint])) {
            let corners = format!("{x:.1},{y:.1} {:.1},{:.1} {:.1},{:.1}", x - 12.0, y + 18.0, x + 12.0, y + 18.0);
            push(format!("<polygon points=\"{corners}\" fill=\"{grey}\" stroke=\"{black}\"/>"));
        }
        for link in self.links.iter().filter(|link| link.joints.len() > 1) {
            let through = |pose: &Vec<(f64, f64)>| path(&mut link.points(pose).into_iter());
            let moves = self.animate("points", self.poses.iter().map(through));
            let (ink, width, dashes) = match link.kind {
                Kind::Rod => (&black, "5", ""),
                Kind::Spring(_) | Kind::Rope => (&black, "2", ""),
                Kind::Rail => (&grey, "2", " stroke-dasharray=\"6 5\""),
            };
            push(format!(
                "<polyline fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\"{dashes} stroke-linejoin=\"round\" stroke-linecap=\"round\" \
                 points=\"{}\">{moves}</polyline>",
                through(&self.poses[0])
            ));
        }
        for joint in (0..joints).filter(drawn) {
            let [x, y] = place(self.poses[0][joint]);
            let moves =
                |axis: usize| self.poses.iter().map(move |pose| pose[joint]).map(&place).map(move |at| at[axis]);
            let across = self.animate("cx", moves(0).map(|x| format!("{x:.1}")));
            let down = self.animate("cy", moves(1).map(|y| format!("{y:.1}")));
            let (radius, fill) = if joint == self.traced { (6.0, &blue) } else { (4.5, &"white".to_owned()) };
            let moving = if stands(&joint) { String::new() } else { across + &down };
            push(format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{black}\" stroke-width=\"2\">{moving}</circle>"
            ));
        }
        let (middle, bottom) = (width / 2.0, height - 10.0);
        push(format!(
            "<text x=\"{middle}\" y=\"{bottom}\" font-size=\"11\" text-anchor=\"middle\" fill=\"{black}\">{}</text>",
            self.caption
        ));
        file + "</svg>\n"
    }

    /// Where a point is in the picture: the same scale along both axes, all of it inside.
    fn scale(&self) -> impl Fn((f64, f64)) -> Point {
        let points = || self.poses.iter().flatten().chain(&self.target);
        let range = |of: fn(&(f64, f64)) -> f64| {
            points().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
        };
        let (x, y) = (range(|point| point.0), range(|point| point.1));
        let room = [SIZE[0] - 2.0 * EDGE, SIZE[1] - 2.0 * EDGE - CAPTION];
        let unit = (room[0] / (x.1 - x.0)).min(room[1] / (y.1 - y.0));
        let corner = [EDGE + (room[0] - unit * (x.1 - x.0)) / 2.0, EDGE + (room[1] + unit * (y.1 - y.0)) / 2.0];
        move |(across, up)| [corner[0] + unit * (across - x.0), corner[1] - unit * (up - y.0)]
    }

    /// The part of the trace that is still to come, at each pose.
    fn left_to_trace(&self) -> Vec<f64> {
        let points: Vec<_> = self.poses.iter().map(|pose| pose[self.traced]).collect();
        let lengths = points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1));
        let mut sum = 0.0;
        let sums: Vec<f64> = std::iter::once(0.0)
            .chain(lengths.map(|length| {
                sum += length;
                sum
            }))
            .collect();
        let whole = sums.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        sums.into_iter().map(|traced| 1.0 - traced / whole).collect()
    }

    /// An attribute that goes through values.
    fn animate(&self, attribute: &str, values: impl Iterator<Item = String>) -> String {
        let values = values.collect::<Vec<_>>().join(";");
        let seconds = self.seconds;
        format!(
            "<animate attributeName=\"{attribute}\" dur=\"{seconds}s\" repeatCount=\"indefinite\" values=\"{values}\"/>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pose_is_inside_and_what_stands_still_is_not_animated() {
        let poses = vec![vec![(0.0, 0.0), (1.0, 0.0)], vec![(0.0, 0.0), (0.0, 1.0)], vec![(0.0, 0.0), (-1.0, 0.0)]];
        let animation = Animation {
            poses,
            links: vec![Link::rod([0, 1])],
            traced: 1,
            target: Vec::new(),
            caption: "a crank".into(),
            seconds: 2.0,
        };
        assert_eq!(animation.left_to_trace(), [1.0, 0.5, 0.0]);
        let place = animation.scale();
        for [x, y] in animation.poses.iter().flatten().map(|point| place(*point)) {
            assert!(
                (EDGE - 1e-9..=SIZE[0] - EDGE + 1e-9).contains(&x) && (EDGE - 1e-9..=SIZE[1]).contains(&y),
                "{x} {y}"
            );
        }
        let file = animation.svg();
        // The links, the trace, and both coordinates of the joint that moves.
        assert_eq!(file.matches("<animate ").count(), 4, "{file}");
        assert!(!file.contains("\n\n"), "a blank line would end the picture on a page of documentation");
    }
}
