//! Epochs and periods of the time, for systems that are not mechanical.

use core::num::NonZeroU64;

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{HalfExplicit, ImplicitEuler, Step};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, IndexThreeState, SemiExplicitState};
use taut::system::{Implicit, IndexThree, SemiExplicit};

const TURN: f32 = core::f32::consts::TAU;

/// A second: the step is a power of two, so that 1024 of them are one without any rounding.
const PERIOD: Option<NonZeroU64> = NonZeroU64::new(1024);

fn clock() -> Clock<f32> {
    Clock::with_step(1.0 / 1024.0).unwrap()
}

/// sin 2πt, moved along by its acceleration, by its velocity, and by nothing at all.
struct Path;

impl Path {
    fn at<S: Real<Base = f32>>(t: S) -> S {
        (t * TURN).sin()
    }
}

impl IndexThree<1, 1, 1> for Path {
    type Base = f32;

    fn rate<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
        *q
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Vector<S, 1> {
        vector![S::zero()]
    }
    fn coupling<S: Real<Base = f32>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
        matrix![S::one()]
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, p: &Vector<S, 1>) -> Vector<S, 1> {
        vector![p[0] - Self::at(t)]
    }
}

impl SemiExplicit<1, 1> for Path {
    type Base = f32;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f32>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        *z
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![y[0] - Self::at(t)]
    }
}

impl Implicit<2> for Path {
    type Base = f32;

    fn mass(&self) -> Matrix<f32, 2, 2> {
        matrix![1.0, 0.0; 0.0, 0.0]
    }
    fn force<S: Real<Base = f32>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        vector![u[1], u[0] - Self::at(t)]
    }
}

/// Runs a state for many seconds: by a period from the beginning, by one that is set late, by an epoch that is moved, and with
/// another step from the middle on.
macro_rules! runs {
    ($start:expr, $step:expr, $place:expr) => {
        let start = $start;
        macro_rules! run {
            ($state:ident, $ticks:expr) => {
                for _ in 0..$ticks {
                    $step(&mut $state);
                }
            };
        }
        // 200 s and an eighth. If time grew on, it would be rounded by 8e-6 s there, and the argument of the sine by 6e-5.
        let mut periodic = start;
        periodic.clock_mut().set_period(PERIOD);
        run!(periodic, 200 * 1024 + 128);
        assert_eq!((periodic.clock().time(), periodic.clock().tick()), (0.125, 200 * 1024 + 128));
        // ε of the argument, of the sine and of the sum.
        assert!(($place(&periodic) - 0.5_f32.sqrt()).abs() <= 3.0 * f32::EPSILON, "{}", $place(&periodic));

        let mut late = start;
        run!(late, 1024 + 512);
        assert_eq!(late.clock().time(), 1.5);
        late.clock_mut().set_period(PERIOD);
        assert_eq!(late.clock().time(), 0.5);
        run!(late, 10 * 1024);
        assert_eq!(late.clock().time(), 0.5);
        late.clock_mut().set_period(None);
        run!(late, 10 * 1024);
        assert_eq!(late.clock().time(), 10.5);

        let mut moved = start;
        run!(moved, 1024);
        moved.clock_mut().set_epoch(0.0);
        assert_eq!((moved.clock().time(), moved.clock().tick()), (0.0, 1024));
        run!(moved, 1024);
        moved.clock_mut().set_epoch(7.0);
        run!(moved, 128);
        assert_eq!((moved.clock().time(), moved.clock().tick()), (7.125, 2 * 1024 + 128));

        // Half a second, then with steps twice as long; the period ends with the step it was counted in.
        let mut longer = start;
        longer.clock_mut().set_period(PERIOD);
        run!(longer, 1024 + 512);
        assert_eq!(longer.clock().time(), 0.5);
        longer.clock_mut().set_step(2.0 / 1024.0).unwrap();
        assert_eq!((longer.clock().time(), longer.clock().tick()), (0.5, 1024 + 512));
        run!(longer, 128);
        assert_eq!((longer.clock().time(), longer.clock().tick()), (0.75, 1024 + 640));
        assert!(($place(&longer) + 1.0).abs() <= 3.0 * f32::EPSILON, "{}", $place(&longer));
        run!(longer, 512);
        assert_eq!(longer.clock().time(), 1.75);
    };
}

#[test]
fn periods_and_epochs_keep_the_path_of_index_three() {
    let euler = ImplicitEuler::new();
    runs!(
        IndexThreeState::start(&Path, clock(), [0.0], [TURN]).unwrap(),
        |state: &mut IndexThreeState<f32, 1, 1, 1>| {
            let _ = euler.step(&Path, state).unwrap();
        },
        |state: &IndexThreeState<f32, 1, 1, 1>| state.position()[0]
    );
    runs!(
        IndexThreeState::start_precise(&Path, clock(), [0.0], [TURN]).unwrap(),
        |state: &mut IndexThreeState<f32, 1, 1, 1, _>| {
            let _ = euler.step(&Path, state).unwrap();
        },
        |state: &IndexThreeState<f32, 1, 1, 1, _>| state.position()[0]
    );
}

#[test]
fn periods_and_epochs_keep_the_path_of_semi_explicit_systems() {
    let (euler, two) = (ImplicitEuler::new(), HalfExplicit::order_two());
    let start = SemiExplicitState::start(&Path, clock(), [0.0], [TURN]).unwrap();
    let place = |state: &SemiExplicitState<f32, 1, 1>| state.differential()[0];
    runs!(start, |state: &mut _| euler.step(&Path, state).unwrap(), place);
    runs!(start, |state: &mut _| two.step(&Path, state).unwrap(), place);
}

#[test]
fn periods_and_epochs_keep_the_path_of_implicit_systems() {
    let euler = ImplicitEuler::new();
    runs!(
        ImplicitState::start(&Path, clock(), [0.0, TURN]).unwrap(),
        |state: &mut _| euler.step(&Path, state).unwrap(),
        |state: &ImplicitState<f32, 2>| state.variables()[0]
    );
}
