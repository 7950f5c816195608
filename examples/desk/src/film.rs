//! A mechanism from a list of parts in motion: its shapes at equal times.

mod sketch;

use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::Clock;

use crate::Outcome;
use crate::plot::Animation;
pub use sketch::Sketch;
use sketch::{diagonal, length, minus, points};

/// How many pictures a film has.
const PICTURES: usize = 240;
/// Steps while the fastest joint goes as far as the mechanism is large.
const STEPS: f64 = 4_000.0;
/// Steps per second before that time is known, and the longest of such times, in seconds.
const RATE: f64 = 20_000.0;
const LONGEST: f64 = 2.0;
/// A shorter film is shown slower, in seconds.
const SHORT: f64 = 3.0;

/// What a mechanism does when it is let go.
#[derive(Clone, Debug)]
pub struct Film {
    /// The mechanism at equal times.
    pub sketch: Sketch,
    /// How long it takes, in seconds.
    pub seconds: f64,
    /// The largest change of the energy, over the largest kinetic energy.
    pub energy_error: f64,
}

impl Film {
    /// Lets a mechanism go with a velocity, until its fastest joint has gone so many times the size of the mechanism, or a step is refused:
    /// some mechanisms stop where their rods line up. The steps are as short as the mechanism is quick.
    pub fn of<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        mechanism: &Mechanism<L, N, M>,
        velocity: Vector<f64, N>,
        sizes: f64,
    ) -> Outcome<Self> {
        let quick = let_go(mechanism, velocity, RATE, 1.0, LONGEST)?;
        let seconds = (quick.positions.len() - 1) as f64 / RATE;
        let rate = STEPS / seconds.max(1.0 / RATE);
        let Run { positions, energy_error } = let_go(mechanism, velocity, rate, sizes, sizes * LONGEST)?;
        let last = positions.len() - 1;
        let count = PICTURES.min(last);
        let pictures = (0..=count).map(|picture| positions[picture * last / count.max(1)]);
        Ok(Self { sketch: Sketch::of(mechanism, pictures), seconds: last as f64 / rate, energy_error })
    }

    /// Plays forwards, then backwards, in a loop. The caption says how much slower than it is.
    pub fn animation(&self, caption: &str) -> Animation {
        let Sketch { poses, links, traced } = self.sketch.clone();
        let slower = (SHORT / self.seconds.max(f64::MIN_POSITIVE)).round().max(1.0);
        let note = if slower > 1.0 { format!(", {slower} times slower") } else { String::new() };
        let back = poses.clone().into_iter().rev();
        Animation {
            poses: poses.into_iter().chain(back).collect(),
            links,
            traced,
            target: Vec::new(),
            caption: format!("{caption}; {:.2} s{note}", self.seconds),
            seconds: 2.0 * slower * self.seconds,
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
    let Sketch { poses, links, traced } = Sketch::of(mechanism, positions);
    Animation { poses, links, traced, target: Vec::new(), caption, seconds }
}

/// The positions after each step, and the largest change of the energy, over the largest kinetic energy.
struct Run<const N: usize> {
    positions: Vec<Vector<f64, N>>,
    energy_error: f64,
}

fn let_go<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    velocity: Vector<f64, N>,
    rate: f64,
    sizes: f64,
    seconds: f64,
) -> Outcome<Run<N>> {
    let mut state = mechanism.start(Clock::at_rate(rate)?).moving(velocity)?;
    let energy =
        |q: &Vector<f64, N>, v: &Vector<f64, N>| mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q);
    let begin = energy(state.position(), state.velocity());
    let (mut off, mut kinetic) = (0.0_f64, f64::MIN_POSITIVE);
    let mut positions = vec![*state.position()];
    let mut places = points(mechanism, state.position());
    let mut ways = vec![0.0; places.len()];
    let enough = sizes * diagonal(&places);
    while positions.len() as f64 <= seconds * rate && ways.iter().all(|way| *way < enough) {
        if RungeKutta4::new().step(mechanism, &mut state).is_err() {
            break;
        }
        let (q, v) = (state.position(), state.velocity());
        off = off.max((energy(q, v) - begin).abs());
        kinetic = kinetic.max(mechanism.kinetic_energy(q, v));
        let next = points(mechanism, q);
        for (way, (from, to)) in ways.iter_mut().zip(places.iter().zip(&next)) {
            *way += length(minus(*to, *from));
        }
        places = next;
        positions.push(*q);
    }
    Ok(Run { positions, energy_error: off / kinetic })
}

#[cfg(test)]
mod tests {
    use mechanisms::parts::{Andrews, Pendulum};

    use super::*;

    /// A pendulum of 1 m falls from the horizontal. Andrews' mechanism, 0.12 m, has turned its crank by 15.8 rad after 30 ms (IVP test set).
    #[test]
    fn a_film_is_as_long_as_the_mechanism_is_slow() {
        let pendulum = Film::of(&Pendulum::<f64>::new().build().unwrap(), [0.0; 2].into(), 0.5).unwrap();
        // The arc of 0.5 m ends sin(0.5) m lower, at √(2 g sin 0.5) m/s.
        assert!((0.3..0.35).contains(&pendulum.seconds), "{}", pendulum.seconds);
        assert_eq!(pendulum.sketch.poses.len(), PICTURES + 1);
        let andrews = Andrews::<f64>::new().build().unwrap();
        let film = Film::of(&andrews, at_rest(&andrews), 0.45).unwrap();
        assert!((0.02..0.1).contains(&film.seconds), "{}", film.seconds);
        assert!(film.energy_error < 1e-6, "{}", film.energy_error);
        assert!(film.animation("").caption.contains("times slower"));
    }

    fn at_rest<L: List<N, M, Base = f64>, const N: usize, const M: usize>(_: &Mechanism<L, N, M>) -> Vector<f64, N> {
        Vector::zeros()
    }
}
