//! A mechanism from a list of parts in motion: its shapes at equal times.

use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::parts::by_hand::List;
use taut::parts::{Mechanism, Shape};
use taut::start::Clock;

use crate::Outcome;
use crate::plot::{Animation, View};

/// Steps per second, and steps per picture.
const RATE: f64 = 20_000.0;
const STEPS: usize = 500;

/// The joints of a mechanism in a pose, and the links between them.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The joints.
    pub joints: Vec<(f64, f64)>,
    /// The joints that each link connects.
    pub links: Vec<Vec<usize>>,
}

/// What a mechanism does when it is let go.
#[derive(Clone, Debug)]
pub struct Film {
    /// The mechanism at equal times.
    pub pictures: Vec<Picture>,
    /// The joint to watch: the last point or corner, or else the end of the last rod.
    pub traced: usize,
    /// How long it takes, in seconds.
    pub seconds: f64,
    /// The largest change of the energy, over the largest kinetic energy.
    pub energy_error: f64,
}

impl Film {
    /// Lets a mechanism go with a velocity, for so many seconds or until a step is refused: some mechanisms stop where their rods line up.
    pub fn of<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        mechanism: &Mechanism<L, N, M>,
        velocity: Vector<f64, N>,
        seconds: f64,
    ) -> Outcome<Self> {
        let mut state = mechanism.start(Clock::at_rate(RATE)?).moving(velocity)?;
        let energy =
            |q: &Vector<f64, N>, v: &Vector<f64, N>| mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q);
        let begin = energy(state.position(), state.velocity());
        let (mut off, mut kinetic) = (0.0_f64, f64::MIN_POSITIVE);
        let (first, traced) = picture(mechanism, state.position());
        let mut pictures = vec![first];
        for step in 1..=(seconds * RATE) as usize {
            if RungeKutta4::new().step(mechanism, &mut state).is_err() {
                break;
            }
            let (q, v) = (state.position(), state.velocity());
            off = off.max((energy(q, v) - begin).abs());
            kinetic = kinetic.max(mechanism.kinetic_energy(q, v));
            if step % STEPS == 0 {
                pictures.push(picture(mechanism, q).0);
            }
        }
        let seconds = (pictures.len() - 1) as f64 * STEPS as f64 / RATE;
        Ok(Self { pictures, traced, seconds, energy_error: off / kinetic })
    }

    /// Plays forwards, then backwards, in a loop.
    pub fn animation(&self, caption: String) -> Animation {
        let poses = || self.pictures.iter().map(|picture| picture.joints.clone());
        Animation {
            poses: poses().chain(poses().rev()).collect(),
            links: self.pictures[0].links.clone(),
            traced: self.traced,
            target: Vec::new(),
            caption,
            seconds: 2.0 * self.seconds,
        }
    }
}

/// A mechanism that goes through positions, in a loop of so many seconds.
pub fn motion<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    positions: impl IntoIterator<Item = Vector<f64, N>>,
    seconds: f64,
    caption: String,
) -> Animation {
    let (pictures, traced): (Vec<_>, Vec<_>) = positions.into_iter().map(|q| picture(mechanism, &q)).unzip();
    let links = pictures.first().map_or(Vec::new(), |picture: &Picture| picture.links.clone());
    let poses = pictures.into_iter().map(|picture| picture.joints).collect();
    Animation { poses, links, traced: traced.first().copied().unwrap_or(0), target: Vec::new(), caption, seconds }
}

/// The shapes at a position, and the joint to watch.
fn picture<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    q: &Vector<f64, N>,
) -> (Picture, usize) {
    let mut shapes = Vec::new();
    mechanism.shapes(q, |_, shape| shapes.push(shape));
    // A mechanism in the plane has no z at all.
    let flat = shapes.iter().all(|shape| corners(shape).iter().all(|[_, _, z]| *z == 0.0));
    let view = View::from(65.0, 15.0);
    let place = |place: [f64; 3]| if flat { (place[0], place[1]) } else { view.flat(place) };
    let (mut picture, mut traced, mut found) = (Picture::default(), 0, false);
    for shape in shapes {
        let first = picture.joints.len();
        picture.joints.extend(corners(&shape).into_iter().map(place));
        let last = picture.joints.len().saturating_sub(1);
        picture.links.push((first..=last).collect());
        match shape {
            Shape::Point(_) => (traced, found) = (last, true),
            Shape::Corner(_) => (traced, found) = (last - 1, true),
            Shape::Line(..) | Shape::Slider(..) if !found => traced = last,
            _ => {}
        }
    }
    (picture, traced)
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
