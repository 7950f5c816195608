//! The systems in taut's coordinates: chains and rings as serial mechanisms, the four-bar linkage as two points and as three bodies.

use std::hint::black_box;
use std::time::Instant;

use mechanisms::{ByHand, FourBar, FourBarPoints, HangingChain, PinnedBars, SuspendedChain};
use taut::linalg::Ldlt;
use taut::method::{RungeKutta4, Step, StepError};
use taut::start::{Clock, Plain, SerialState, Start, State};
use taut::system::Serial;

use crate::linkage::{Case, Mass, Ours, Run, rods};

/// The step size in seconds.
const STEP: f64 = 1e-3;

/// All cases.
pub fn cases() -> Vec<Case> {
    vec![
        four_bar(),
        chain::<8>(),
        chain::<16>(),
        chain::<32>(),
        chain::<64>(),
        ring::<7>(),
        ring::<15>(),
        ring::<31>(),
        ring::<63>(),
        bars::<8>(),
        bars::<16>(),
        bars::<32>(),
        bars::<64>(),
    ]
}

fn clock() -> Clock<f64> {
    Clock::with_step(STEP).expect("a valid step size")
}

/// Steps copies of a state.
fn stepped<System: 'static, Motion: Clone + 'static>(
    coordinates: &'static str,
    system: System,
    state: Motion,
    ends: impl Fn(&Motion) -> Vec<[f64; 2]> + 'static,
) -> Ours
where
    RungeKutta4<f64>: Step<System, Motion, Error = StepError<f64>>,
{
    let run = move |steps: usize| {
        let (method, mut state) = (RungeKutta4::new(), state.clone());
        let begun = Instant::now();
        for _ in 0..steps {
            method.step(black_box(&system), &mut state).expect("a step that succeeds");
        }
        Run { seconds: begun.elapsed().as_secs_f64(), ends: ends(&state) }
    };
    Ours { coordinates, run: Box::new(run) }
}

/// A plain state of a dense system.
type Dense<const N: usize, const M: usize> = State<f64, N, M, Ldlt<f64, M>, Plain>;

fn four_bar() -> Case {
    let bodies = ByHand(FourBar::<f64>::standard());
    let assembled = Start::at(&bodies, clock(), FourBar::guess()).at_rest().expect("an assembled start");
    let (q, v) = (*assembled.position(), FourBar::turning(assembled.position()));
    let maximal: Dense<9, 8> = Start::at(&bodies, clock(), q).plain().moving(v).expect("a consistent start");
    let points = FourBarPoints::<f64>::standard().expect("positive masses");
    let [place, velocity] = [FourBarPoints::position(maximal.position()), FourBarPoints::velocity(maximal.velocity())];
    let natural: Dense<4, 3> = Start::at(&points, clock(), place).plain().moving(velocity).expect("a consistent start");
    let ends = |[ax, ay, bx, by]: [f64; 4]| vec![[ax, ay], [bx, by], [0.8, 0.0]];
    let of_bodies = move |state: &Dense<9, 8>| ends(FourBarPoints::position(state.position()));
    let of_points = move |state: &Dense<4, 3>| ends((*state.position()).into());
    let (ax, ay, bx, by) = (velocity[0], velocity[1], velocity[2], velocity[3]);
    Case {
        name: "four_bar",
        closed: true,
        span: 0.8,
        step: STEP,
        steps: 1_000,
        // 1 kg/m.
        rods: rods(&of_points(&natural), &[[ax, ay], [bx, by], [0.0; 2]], Mass::Uniform),
        ours: vec![stepped("points", points, natural, of_points), stepped("bodies", bodies, maximal, of_bodies)],
    }
}

/// A case of a serial mechanism that starts at rest.
fn serial<System, const N: usize, const D: usize, const E: usize>(
    (name, coordinates): (&'static str, &'static str),
    system: System,
    guess: [[f64; D]; N],
    span: f64,
    mass: Mass,
    ends: impl Fn(&SerialState<f64, N, D, E>) -> Vec<[f64; 2]> + 'static,
) -> Case
where
    System: Serial<N, D, E, Base = f64> + 'static,
{
    let state = SerialState::at_rest(&system, clock(), guess).expect("a consistent start");
    let points = ends(&state);
    let rods = rods(&points, &vec![[0.0; 2]; points.len()], |_| mass);
    let ours = vec![stepped(coordinates, system, state, ends)];
    Case { name, closed: System::CLOSED, span, step: STEP, steps: 200, rods, ours }
}

/// The places of point masses.
fn masses<const N: usize>(state: &SerialState<f64, N, 2, 1>) -> Vec<[f64; 2]> {
    (0..N).filter_map(|i| state.position(i)).map(|q| (*q).into()).collect()
}

fn chain<const N: usize>() -> Case {
    let (system, start) = (HangingChain::<f64, N>::standard(), HangingChain::<f64, N>::position());
    serial(("chain", "points"), system, start, 0.0, Mass::AtEnd(0.1), masses)
}

/// `N` masses on N + 1 rods.
fn ring<const N: usize>() -> Case {
    let (system, guess) = (SuspendedChain::<f64, N>::standard(), SuspendedChain::<f64, N>::guess());
    let span = system.span;
    // The halves at the supports do not move.
    serial(("ring_of_masses", "points"), system, guess, span, Mass::AtBothEnds(0.1), move |state| {
        masses(state).into_iter().chain([[span, 0.0]]).collect()
    })
}

/// `N` uniform bars.
fn bars<const N: usize>() -> Case {
    let (system, guess) = (PinnedBars::<f64, N, true>::standard(), PinnedBars::<f64, N, true>::guess());
    let (span, half) = (system.span, 0.1);
    serial(("ring_of_bars", "bodies"), system, guess, span, Mass::Uniform(0.1), move |state| {
        let centres = (0..N).filter_map(|i| state.position(i));
        centres.map(|q| [q.x + half * q.z.cos(), q.y + half * q.z.sin()]).collect()
    })
}
