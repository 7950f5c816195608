//! What is drawn between the joints of a mechanism.

/// A line through joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The joints, by their number in a pose.
    pub joints: Vec<usize>,
    /// How it is drawn.
    pub kind: Kind,
}

/// How a link is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A thick line.
    Rod,
    /// A zigzag of this half width, in the units of the joints.
    Spring(f64),
    /// A thin line.
    Rope,
    /// A thin dashed line: where a slider moves, the axis of a hinge, or the frame.
    Rail,
}

/// The teeth of a spring. Straight ends take as much as a tooth each.
const TEETH: usize = 8;

impl Link {
    /// A rod through joints.
    pub fn rod(joints: impl IntoIterator<Item = usize>) -> Self {
        Self { joints: joints.into_iter().collect(), kind: Kind::Rod }
    }

    /// The points that it is drawn through in a pose.
    pub fn points(&self, pose: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut points = self.joints.iter().filter_map(|joint| pose.get(*joint).copied());
        match (self.kind, self.joints.as_slice()) {
            (Kind::Spring(width), [_, _]) => {
                points.next().zip(points.next()).map_or(Vec::new(), |(a, b)| zigzag(a, b, width))
            }
            _ => points.collect(),
        }
    }
}

fn zigzag(a: (f64, f64), b: (f64, f64), width: f64) -> Vec<(f64, f64)> {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let length = x.hypot(y).max(f64::MIN_POSITIVE);
    let place = |along: f64, across: f64| {
        let across = across * width / length;
        (a.0 + along * x - across * y, a.1 + along * y + across * x)
    };
    let pieces = (TEETH + 2) as f64;
    let tooth = |tooth: usize| place((tooth as f64 + 1.5) / pieces, if tooth.is_multiple_of(2) { 1.0 } else { -1.0 });
    let ends = [[place(0.0, 0.0), place(1.0 / pieces, 0.0)], [place(1.0 - 1.0 / pieces, 0.0), place(1.0, 0.0)]];
    ends[0].into_iter().chain((0..TEETH).map(tooth)).chain(ends[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_ends_at_its_joints_and_is_as_wide_as_it_says() {
        let pose = [(1.0, 1.0), (9.0, 9.0), (4.0, 5.0)];
        let spring = Link { joints: vec![0, 2], kind: Kind::Spring(0.3) };
        let points = spring.points(&pose);
        assert_eq!((points[0], points[points.len() - 1]), (pose[0], pose[2]));
        // Along (3, 4)/5.
        let across = |point: &(f64, f64)| ((point.1 - 1.0) * 3.0 - (point.0 - 1.0) * 4.0) / 5.0;
        let widest = points.iter().map(across).fold(0.0, f64::max);
        assert!((widest - 0.3).abs() < 1e-12, "{widest}");
        assert_eq!(Link::rod([2, 0]).points(&pose), [pose[2], pose[0]]);
    }
}
