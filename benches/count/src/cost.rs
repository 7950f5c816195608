//! Counts the costliest step of a run.
//!
//! Each step is called through a pointer that the compiler cannot see through, reads its input from memory and writes its result to
//! memory. The same call of an empty function is counted as well, to be subtracted.

use core::hint::black_box;
use core::marker::PhantomData;

use baseline::{ByC, Function};
use mechanisms::{ByHand, FourBar, HandWritten};
use on_target::measure::counter;
use on_target::methods::cost::{Nothing, measured};
use semihosting::println;
use taut::linalg::Ldlt;
use taut::method::{Rattle, Step};
use taut::start::{Clock, Plain, Start, State};
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
        let Ok(assembled) = Start::at(&linkage, clock(), FourBar::guess()).at_rest() else {
            panic!("the linkage closes")
        };
        Self { q: (*assembled.position()).into(), v: FourBar::turning(assembled.position()) }
    }
}

/// Prints `cost system who ticks ticks_of_nothing` for the C and for taut in single precision, with a plain state and derivatives written
/// by hand: once with its report, once for a caller that uses only `is_ok`.
pub fn of_both<System, const N: usize, const M: usize>(name: &str, system: System, beginning: &Beginning<N>)
where
    System: ByC<N, M, Base = f32> + HandWritten<N, M> + Copy,
    System::Mass: ConstantMass<f32, N>,
{
    of_c(name, system, beginning);
    of_taut(name, &ByHand(system), beginning, ["taut", "taut_without_report"]);
}

/// Prints `cost system who ticks ticks_of_nothing` for taut: once with its report, once for a caller that uses only `is_ok`.
pub fn of_taut<System, const N: usize, const M: usize>(
    name: &str,
    system: &System,
    beginning: &Beginning<N>,
    who: [&str; 2],
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    of_steps(name, who[0], &Rattle::new(), system, beginning);
    // `Rattle<2>` is another type than the default `Rattle`, so that the two steps share no code.
    of_steps(name, who[1], &WithoutReport(Rattle::new().iterations::<2>()), system, beginning);
}

type Motion<const N: usize, const M: usize> = State<f32, N, M, Ldlt<f32, M>, Plain>;

/// A method whose caller uses only `is_ok`.
struct WithoutReport<Method>(Method);

impl<System, State, Method: Step<System, State>> Step<System, State> for WithoutReport<Method> {
    type Report = ();
    type Error = ();

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn step(&self, system: &System, state: &mut State) -> Result<(), ()> {
        self.0.step(system, state).map(drop).map_err(drop)
    }
}

#[inline(never)]
fn of_steps<System, R, E, const N: usize, const M: usize>(
    name: &str,
    who: &str,
    method: &dyn Step<System, Motion<N, M>, Report = R, Error = E>,
    system: &System,
    &Beginning { q, v }: &Beginning<N>,
) where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    let Ok(mut state) = Start::at(system, clock(), q).plain().moving(v) else {
        panic!("{name} does not begin on its constraints");
    };
    let (ticks_of_nothing, _) = measured(&Nothing::<Result<R, E>>(PhantomData), system, &mut state);
    let mut ticks = 0;
    for _ in 0..STEPS {
        ticks = ticks.max(measured(method, system, &mut state).0);
    }
    assert!(state.clock().tick() == STEPS as u64, "a step of {name} fails");
    println!("cost {name} {who} {ticks} {ticks_of_nothing}");
}

fn clock() -> Clock<f32> {
    let Ok(clock) = Clock::at_rate(1e3) else { panic!("a rate above zero") };
    clock
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
