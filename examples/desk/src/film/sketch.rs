//! The shapes of a mechanism at several times, as joints in the plane of the picture and links between them.

use taut::linalg::Vector;
use taut::parts::by_hand::List;
use taut::parts::{Mechanism, Shape};

use crate::plot::{Kind, Link, View};

/// Where space is looked at from: degrees about the vertical, and above the horizon.
const VIEW: (f64, f64) = (55.0, 20.0);
/// Joints that are so close at all times are one, over the size of the mechanism.
const SAME: f64 = 1e-9;
/// Half the width of a spring, and what a rail has beyond its slider, over the size of the mechanism.
const SPRING: f64 = 0.025;
const RAIL: f64 = 0.1;

/// A mechanism in motion.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// The joints at equal times.
    pub poses: Vec<Vec<(f64, f64)>>,
    /// What connects them. A joint that only rails have is not drawn.
    pub links: Vec<Link>,
    /// The joint to watch: the last point, slider or corner that moves at least half as far as the joint that moves farthest, or else that
    /// joint.
    pub traced: usize,
}

impl Sketch {
    /// Of a mechanism that goes through positions.
    pub fn of<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        mechanism: &Mechanism<L, N, M>,
        positions: impl IntoIterator<Item = Vector<f64, N>>,
    ) -> Self {
        let times: Vec<_> = positions.into_iter().map(|q| shapes(mechanism, &q)).collect();
        let Some(first) = times.first() else { return Self::default() };
        let size = size(first);
        let mut lines: Vec<Line> = (0..first.len()).flat_map(|part| lines_of(&times, part, size)).collect();
        lines.extend(frame(&times));

        let mut sketch = Self { poses: vec![Vec::new(); times.len()], ..Self::default() };
        let mut named = Vec::new();
        // A mechanism in the plane has no z at all.
        let flat = lines.iter().all(|line| line.times.iter().flatten().all(|point| point[2] == 0.0));
        for line in &lines {
            let joints: Vec<_> = (0..line.times[0].len()).map(|index| sketch.joint(line, index, flat, size)).collect();
            named.extend(line.named.map(|index| joints[index]));
            sketch.links.push(Link { joints, kind: line.kind });
        }
        sketch.traced = sketch.to_watch(&named);
        sketch
    }

    /// The number of a joint that is somewhere at all times: a new one, if none was always there.
    fn joint(&mut self, line: &Line, index: usize, flat: bool, size: f64) -> usize {
        let view = View::from(VIEW.0, VIEW.1);
        let place = |points: &Vec<[f64; 3]>| {
            let point = points[index];
            if flat { (point[0], point[1]) } else { view.flat(point) }
        };
        let places: Vec<_> = line.times.iter().map(place).collect();
        let known = self.poses[0].len();
        // The ends of rails are not drawn, and so belong to nothing else.
        let same =
            |joint: &usize| self.poses.iter().zip(&places).all(|(pose, at)| far(pose[*joint], *at) < SAME * size);
        if line.kind != Kind::Rail
            && let Some(joint) = (0..known).find(same)
        {
            return joint;
        }
        for (pose, place) in self.poses.iter_mut().zip(places) {
            pose.push(place);
        }
        known
    }

    fn to_watch(&self, named: &[usize]) -> usize {
        let joints = self.poses.first().map_or(0, Vec::len);
        let way = |joint: usize| self.poses.windows(2).map(|pair| far(pair[0][joint], pair[1][joint])).sum::<f64>();
        let ways: Vec<_> = (0..joints).map(way).collect();
        let most = (0..joints).max_by(|a, b| ways[*a].total_cmp(&ways[*b])).unwrap_or(0);
        named.iter().rev().copied().find(|joint| ways[*joint] >= 0.5 * ways[most]).unwrap_or(most)
    }
}

/// A line through points that move.
struct Line {
    kind: Kind,
    /// The points at each time.
    times: Vec<Vec<[f64; 3]>>,
    /// Which of them is a point of the list.
    named: Option<usize>,
}

/// The lines of a part.
fn lines_of(times: &[Vec<Shape<f64, 3>>], part: usize, size: f64) -> Vec<Line> {
    let (kind, named) = match times[0][part] {
        Shape::Spring(..) => (Kind::Spring(SPRING * size), None),
        Shape::Rope(_) => (Kind::Rope, None),
        Shape::Point(_) | Shape::Slider(..) => (Kind::Rod, Some(0)),
        Shape::Corner(_) => (Kind::Rod, Some(1)),
        _ => (Kind::Rod, None),
    };
    if corners(&times[0][part]).is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line { kind, times: times.iter().map(|shapes| corners(&shapes[part])).collect(), named }];
    if matches!(times[0][part], Shape::Slider(..)) {
        lines.push(Line { kind: Kind::Rail, times: rail(times, part, size), named: None });
    }
    lines
}

/// The two ends of the line that a slider moves along: all of it if the line stands still, else what is near.
fn rail(times: &[Vec<Shape<f64, 3>>], part: usize, size: f64) -> Vec<Vec<[f64; 3]>> {
    let sliders = || {
        times.iter().filter_map(|shapes| match &shapes[part] {
            Shape::Slider(at, along) => Some((*at, along.map(|x| x / length(*along).max(f64::MIN_POSITIVE)))),
            _ => None,
        })
    };
    let point = |at: [f64; 3], along: [f64; 3], far: f64| [0, 1, 2].map(|axis| at[axis] + far * along[axis]);
    let Some((origin, along)) = sliders().next() else { return Vec::new() };
    let moved = |at: [f64; 3]| (0..3).map(|axis| (at[axis] - origin[axis]) * along[axis]).sum::<f64>();
    let stands = sliders().all(|(at, direction)| {
        let off = length(minus(at, point(origin, along, moved(at))));
        off < 1e-6 * size && length(minus(direction, along)) < 1e-6
    });
    let (low, high) =
        sliders().map(|(at, _)| moved(at)).fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let margin = RAIL * size;
    sliders()
        .map(|(at, direction)| {
            if stands {
                vec![point(origin, along, low - margin), point(origin, along, high + margin)]
            } else {
                vec![point(at, direction, -margin), point(at, direction, margin)]
            }
        })
        .collect()
}

/// A line through the fixed points of a mechanism in space, if there are at least three.
fn frame(times: &[Vec<Shape<f64, 3>>]) -> Option<Line> {
    let grounds = |shapes: &Vec<Shape<f64, 3>>| {
        let ground = |shape: &Shape<f64, 3>| if let Shape::Ground(at) = shape { Some(*at) } else { None };
        let mut points: Vec<_> = shapes.iter().filter_map(ground).collect();
        points.extend(points.first().copied());
        points
    };
    let first = grounds(&times[0]);
    let in_space = times[0].iter().flat_map(corners).any(|[_, _, z]| z != 0.0);
    let times = times.iter().map(grounds).collect();
    (first.len() > 3 && in_space).then_some(Line { kind: Kind::Rail, times, named: None })
}

/// The shapes of the parts at a position.
fn shapes<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    q: &Vector<f64, N>,
) -> Vec<Shape<f64, 3>> {
    let mut shapes = Vec::new();
    mechanism.shapes(q, |_, shape| shapes.push(shape));
    shapes
}

/// The points that a shape is drawn through.
fn corners(shape: &Shape<f64, 3>) -> Vec<[f64; 3]> {
    match shape {
        Shape::Ground(a) | Shape::Point(a) | Shape::Slider(a, _) => vec![*a],
        Shape::Line(a, b) | Shape::Spring(a, b) => vec![*a, *b],
        Shape::Corner(points) | Shape::Rope(points) => points.to_vec(),
        _ => Vec::new(),
    }
}

/// The points of a mechanism at a position.
pub fn points<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    q: &Vector<f64, N>,
) -> Vec<[f64; 3]> {
    shapes(mechanism, q).iter().flat_map(corners).collect()
}

/// The diagonal of a box around points.
pub fn diagonal(points: &[[f64; 3]]) -> f64 {
    let span = |axis: usize| {
        let ends = points.iter().map(|point| point[axis]);
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    length([0, 1, 2].map(|axis| span(axis).1 - span(axis).0))
}

fn size(shapes: &[Shape<f64, 3>]) -> f64 {
    diagonal(&shapes.iter().flat_map(corners).collect::<Vec<_>>())
}

/// The difference of two points.
pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

/// The length of a vector.
pub fn length(a: [f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn far(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use mechanisms::parts::{Delta, SprungSlider};

    use super::*;

    fn sketch() -> Sketch {
        let mechanism = SprungSlider::<f64>::new().build().unwrap();
        let first = mechanism.assembled();
        let mut state = mechanism.start(taut::start::Clock::at_rate(1e3).unwrap()).at_rest().unwrap();
        for _ in 0..100 {
            taut::method::Step::step(&taut::method::RungeKutta4::new(), &mechanism, &mut state).unwrap();
        }
        Sketch::of(&mechanism, [first, *state.position()])
    }

    #[test]
    fn a_rail_stands_still_below_its_slider_and_joints_are_shared() {
        let Sketch { poses, links, traced } = sketch();
        let rails: Vec<_> = links.iter().filter(|link| link.kind == Kind::Rail).collect();
        let [rail] = rails[..] else { panic!("{links:?}") };
        assert_eq!(rail.points(&poses[0]), rail.points(&poses[1]));
        // The spring and the damper, between the same two joints.
        let springs: Vec<_> = links.iter().filter(|link| matches!(link.kind, Kind::Spring(_))).collect();
        assert!(springs.len() == 2 && springs[0].joints == springs[1].joints, "{springs:?}");
        // Pivot, wall, crank and slider, and the ends of the rail.
        assert_eq!((poses[0].len(), poses[1].len()), (6, 6));
        assert!(far(poses[0][traced], poses[1][traced]) > 1e-3, "{traced}");
    }

    #[test]
    fn the_fixed_points_of_a_machine_in_space_are_joined() {
        let delta = Delta::<f64>::new().build().unwrap();
        let Sketch { links, .. } = Sketch::of(&delta, [delta.assembled()]);
        let frames: Vec<_> =
            links.iter().filter(|link| link.kind == Kind::Rail).map(|link| link.joints.len()).collect();
        assert_eq!(frames, [4]);
    }
}
