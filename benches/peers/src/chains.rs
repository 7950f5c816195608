//! Chains of 1 to 64 links: what a step takes, taut's and the C's, both in single precision. The C is dense.

use std::hint::black_box;
use std::time::{Duration, Instant};

use baseline::ByC;
use mechanisms::{ByHand, Chain, HandWritten};
use taut::method::{Rattle, Step};
use taut::start::{Clock, Start};
use taut::system::ConstantMass;

/// The step size in seconds.
const STEP: f32 = 1e-3;

/// Prints `chain links who seconds` for every length: the seconds that a step takes.
pub fn print(patience: Duration) {
    macro_rules! chains {
        ($($links:literal)*) => {
            $(chain(Chain::<f32, { 2 * $links }, $links>::standard(), Chain::<f32, { 2 * $links }, $links>::position(), patience);)*
        };
    }
    chains! { 1 2 4 8 16 32 64 }
}

fn chain<System, const N: usize, const M: usize>(system: System, q: [f32; N], patience: Duration)
where
    System: ByC<N, M, Base = f32> + HandWritten<N, M>,
    System::Mass: ConstantMass<f32, N>,
{
    let by_c = system.by_c(STEP);
    let mut in_c = by_c.start(q, [0.0; N]);
    let system = ByHand(system);
    let (rattle, clock) = (Rattle::new(), Clock::with_step(STEP).expect("a valid step size"));
    let mut state = Start::at(&system, clock, q).plain().at_rest().expect("a consistent start");
    let ours = quickest(patience, || {
        black_box(rattle.step(black_box(&system), &mut state)).expect("a step that succeeds");
    });
    let theirs = quickest(patience, || by_c.step(black_box(&mut in_c)));
    println!("chain {M} taut {ours:e}\nchain {M} c {theirs:e}");
}

/// Seconds of a step: the quickest of many batches.
fn quickest(patience: Duration, mut step: impl FnMut()) -> f64 {
    let (begun, mut quickest, mut batch) = (Instant::now(), f64::INFINITY, 1);
    while begun.elapsed() < patience {
        let batch_begun = Instant::now();
        (0..batch).for_each(|_| step());
        let time = batch_begun.elapsed();
        // Long enough for the clock, short enough to fit between what else the computer does.
        if time < Duration::from_micros(20) {
            batch *= 2;
        } else {
            quickest = quickest.min(time.as_secs_f64() / f64::from(batch));
        }
    }
    quickest
}
