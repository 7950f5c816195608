//! Mechanisms from parts: each moves for a moment, one after the other.

use mechanisms::parts::{self, Visitor};
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::{Clock, Start};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// The steps of each mechanism.
const STEPS: usize = 50;

/// Steps every mechanism and records it.
struct Fall<'a>(&'a mut Recorder);

impl<T: Entry> Visitor<T> for Fall<'_> {
    #[inline(never)]
    fn visit<L: List<N, M, Base = T>, const N: usize, const M: usize>(
        &mut self,
        _name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
        // A push, because a machine on a table does not fall.
        let push = Vector::repeat(T::from_f64(0.1));
        let mut state = Start::at(mechanism, clock, mechanism.assembled()).plain().moving(push).expect("a start");
        for _ in 0..STEPS {
            if self.0.wants_more() {
                let report = RungeKutta4::new().step(mechanism, &mut state).expect("a step that succeeds");
                self.0.record(state.position(), state.velocity(), &report.multipliers);
            }
        }
    }
}

/// Falls with each list.
macro_rules! fall {
    ($recorder:ident, $float:ident: $($list:ident)*) => {
        $(
            let Ok(mechanism) = parts::$list::<$float>::new().build() else { panic!("a list that cannot be built") };
            Fall($recorder).visit("", &mechanism);
        )*
    };
}

/// Mechanisms with every kind of part but the piston. The whole gallery would not fit into the flash.
pub fn every_part<T: Entry>(recorder: &mut Recorder) {
    fall!(recorder, T: FourBar SprungSlider Pantograph GearedFiveBar ConnectedPendulums Plate Scara Delta);
}

/// Two of them, with points and with angles: double precision in software takes more flash.
pub fn two_mechanisms<T: Entry>(recorder: &mut Recorder) {
    fall!(recorder, T: FourBar Plate);
}
