//! What a step costs: of a run, the dearest counts.
//!
//! Each step is a function that its caller does not know, takes everything from memory and leaves everything in memory. The same
//! call of a function that does nothing is counted along with it; subtracted, it leaves the step's own instructions without the
//! call and the return.

use core::hint::black_box;

use baseline::{ByC, Function};
use on_target::measure::counter;
use on_target::methods::cost::{measured, nothing};
use semihosting::println;
use systems::{ByHand, FourBar, HandWritten};
use taut::linalg::Ldlt;
use taut::method::{Rattle, Report, StepError};
use taut::start::{Plain, Start, State};
use taut::system::{ConstantMass, Mechanical};

/// Steps of a run, at 1 kHz.
const STEPS: usize = 100;

/// The position and the velocity that a run begins with, on the constraints.
pub struct Beginning<const N: usize> {
    q: [f32; N],
    v: [f32; N],
}

impl<const N: usize> Beginning<N> {
    /// At rest.
    pub fn at_rest(q: [f32; N]) -> Self {
        Self { q, v: [0.0; N] }
    }
}

impl Beginning<9> {
    /// The four-bar linkage, assembled and turning.
    pub fn four_bar() -> Self {
        let linkage = FourBar::standard();
        let Ok(assembled) = Start::at(&linkage, FourBar::guess()).at_rest() else { panic!("the linkage closes") };
        Self { q: (*assembled.position()).into(), v: FourBar::turning(assembled.position()) }
    }
}

/// Prints `cost system who ticks ticks_of_nothing` for the C; and for taut in single precision, plain, derivatives written by
/// hand, with its report and for its success alone.
pub fn of_both<System, const N: usize, const M: usize>(name: &str, system: System, beginning: &Beginning<N>)
where
    System: ByC<N, M, Base = f32> + HandWritten<N, M> + Copy,
    System::Mass: ConstantMass<f32, N>,
{
    of_c(name, system, beginning);
    of_taut(name, &ByHand(system), beginning, ["taut", "taut_without_report"]);
}

/// Prints `cost system who ticks ticks_of_nothing` for taut, with its report and for its success alone.
pub fn of_taut<System, const N: usize, const M: usize>(
    name: &str,
    system: &System,
    beginning: &Beginning<N>,
    who: [&str; 2],
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    of_steps(name, who[0], with_report, system, beginning);
    of_steps(name, who[1], without_report, system, beginning);
}

type Motion<const N: usize, const M: usize> = State<f32, N, M, Ldlt<f32, M>, Plain>;

type Step<System, R, const K: usize, const N: usize, const M: usize> =
    fn(&System, &Rattle<f32, K>, &mut Motion<N, M>) -> R;

#[inline(never)]
fn with_report<System, const N: usize, const M: usize>(
    system: &System,
    method: &Rattle<f32>,
    state: &mut Motion<N, M>,
) -> Result<Report<f32, M>, StepError<f32>>
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    method.step(system, state)
}

/// Two iterations by name are another method than two by default: nothing of its code is shared.
#[inline(never)]
fn without_report<System, const N: usize, const M: usize>(
    system: &System,
    method: &Rattle<f32, 2>,
    state: &mut Motion<N, M>,
) -> bool
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    method.step(system, state).is_ok()
}

#[inline(never)]
fn of_steps<System, R, const K: usize, const N: usize, const M: usize>(
    name: &str,
    who: &str,
    step: Step<System, R, K, N, M>,
    system: &System,
    &Beginning { q, v }: &Beginning<N>,
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    let (Ok(mut state), Ok(method)) = (Start::at(system, q).plain().moving(v), Rattle::at_rate(1e3)) else {
        panic!("{name} does not begin on its constraints");
    };
    let method = method.iterations();
    let (ticks_of_nothing, _) = measured(nothing::<_, _, _, R>, system, &method, &mut state);
    let mut ticks = 0;
    for _ in 0..STEPS {
        ticks = ticks.max(measured(step, system, &method, &mut state).0);
    }
    assert!(state.tick() == STEPS as u64, "a step of {name} fails");
    println!("cost {name} {who} {ticks} {ticks_of_nothing}");
}

/// Prints it for the C.
#[inline(never)]
pub fn of_c<System, const N: usize, const M: usize>(name: &str, system: System, &Beginning { q, v }: &Beginning<N>)
where
    System: ByC<N, M, Base = f32>,
{
    let rattle = system.by_c(1e-3);
    let mut state = rattle.start(q, v);
    let ticks_of_nothing = measured_c(nothing_c, &rattle.parameters, &mut state);
    let mut ticks = 0;
    for _ in 0..STEPS {
        ticks = ticks.max(measured_c(rattle.step, &rattle.parameters, &mut state));
    }
    assert!(state.position.iter().all(|x| x.is_finite()), "{name} in C fails");
    println!("cost {name} c {ticks} {ticks_of_nothing}");
}

unsafe extern "C" fn nothing_c<P, S>(_: &P, _: &mut S) {}

#[inline(never)]
fn measured_c<P, S>(step: Function<P, S>, parameters: &P, state: &mut S) -> u32 {
    let step = black_box(step);
    let begin = counter::read();
    // SAFETY: either does nothing, or comes with these parameters and this state.
    unsafe { step(black_box(parameters), black_box(&mut *state)) };
    let end = counter::read();
    counter::elapsed(begin, end)
}
