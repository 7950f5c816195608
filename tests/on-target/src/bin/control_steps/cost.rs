//! What the ticks of a loop cost, each counted by itself.

use core::convert::Infallible;
use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::measure::{counter, paint, painted_over};
use semihosting::println;
use taut::control::Machine;

/// How many are counted, and how many go before: while a crane's rope hangs straight down, the inverse tangent is cheaper.
const TICKS: usize = 200;
const BEFORE: usize = 500;

/// What a loop is wired to here: memory, so that a tick is the loop's own and not a plant's.
#[derive(Clone, Copy)]
pub struct Registers<const E: usize, const U: usize> {
    pub readings: [f32; E],
    pub efforts: [f32; U],
}

impl<const E: usize, const U: usize> Machine<f32, E, U> for Registers<E, U> {
    type Error = Infallible;

    #[inline(always)]
    fn read(&mut self) -> Result<[f32; E], Infallible> {
        Ok(self.readings)
    }

    #[inline(always)]
    fn drive(&mut self, efforts: &[f32; U]) -> Result<(), Infallible> {
        self.efforts = *efforts;
        Ok(())
    }
}

/// A counted tick: takes the loop from memory and leaves the whole report in memory.
pub type Tick<Loop, Wires, R> = fn(&mut Loop, &mut Wires) -> R;

/// Prints what the ticks of a closed loop cost: the cheapest, the dearest, a tick that does nothing, bytes of stack, their
/// number. `machine` moves on by a tick, from efforts to readings, and `follows` says whether a tick was as it should be.
pub fn print<Loop: Clone, R, const E: usize, const U: usize>(
    name: &str,
    tick: Tick<Loop, Registers<E, U>, R>,
    mut tracking: Loop,
    mut wires: Registers<E, U>,
    mut machine: impl FnMut(&mut Registers<E, U>),
    follows: impl Fn(&R) -> bool,
) {
    for number in 0..BEFORE {
        if !follows(&tick(&mut tracking, &mut wires)) {
            panic!("tick {number} of {name} does not follow");
        }
        machine(&mut wires);
    }
    let (nothing, _) = measured(nothing::<Loop, Registers<E, U>, R>, &mut tracking, &mut wires);
    let stack = stack(tick, &mut tracking.clone(), &mut wires.clone()).expect("the tick's stack lies within the paint");
    let (mut cheapest, mut dearest) = (u32::MAX, 0);
    for number in BEFORE..BEFORE + TICKS {
        let (ticks, report) = measured(tick, &mut tracking, &mut wires);
        if !follows(&report) {
            panic!("tick {number} of {name} does not follow");
        }
        machine(&mut wires);
        (cheapest, dearest) = (cheapest.min(ticks), dearest.max(ticks));
    }
    println!("step {name} {cheapest} {dearest} {nothing} {stack} {TICKS}");
}

/// The same call, which leaves nothing in the same memory.
fn nothing<Loop, Wires, R>(_: &mut Loop, _: &mut Wires) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a tick and counts it. The same instructions call every tick.
#[inline(never)]
fn measured<Loop, Wires, R>(tick: Tick<Loop, Wires, R>, tracking: &mut Loop, wires: &mut Wires) -> (u32, R) {
    let tick = black_box(tick);
    let begin = counter::read();
    let report = tick(black_box(tracking), black_box(wires));
    let end = counter::read();
    (counter::elapsed(begin, end), black_box(report))
}

/// Makes a tick and measures its stack.
#[inline(never)]
fn stack<Loop, Wires, R>(tick: Tick<Loop, Wires, R>, tracking: &mut Loop, wires: &mut Wires) -> Option<usize> {
    let tick = black_box(tick);
    let top = paint();
    let report = tick(black_box(tracking), black_box(wires));
    black_box(&report);
    painted_over(top)
}
