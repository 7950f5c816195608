//! Mechanisms from parts: each list of the gallery moves for a moment.

use mechanisms::parts::Visitor;
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::Clock;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Steps a mechanism and records it.
pub struct Fall<'a>(pub &'a mut Recorder);

impl<T: Entry> Visitor<T> for Fall<'_> {
    #[inline(never)]
    fn visit<L: List<N, M, Base = T>, const N: usize, const M: usize>(
        &mut self,
        _name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        // The spring of Andrews' mechanism is at 450 rad/s.
        let clock = Clock::with_step(T::from_f64(2e-4)).expect("a step size");
        // A push, because a machine on a table does not fall.
        let push = Vector::repeat(T::from_f64(0.1));
        let mut state = mechanism.start(clock).plain().moving(push).expect("a start");
        while self.0.wants_more() {
            let report = RungeKutta4::new().step(mechanism, &mut state).expect("a step that succeeds");
            self.0.record(state.position(), state.velocity(), &report.multipliers);
        }
    }
}
