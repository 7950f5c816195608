//! The mechanisms of the gallery.

use mechanisms::parts::{self, Visitor};
use taut::advise::Study;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;

use crate::advice::{cell, cheapest, cheapest_for_any_mass};
use crate::rows::Answers;

/// Studies a mechanism from its assembled posture.
macro_rules! advice {
    ($($name:literal: $list:ident, $run:path $(, $redundant:ident)?;)*) => {
        /// The advice, by name.
        const ADVICE: &[(&str, fn() -> String)] = &[$(
            ($name, || {
                let mechanism = parts::$list::<f64>::new().build().expect("a mechanism of the gallery");
                let study = Study::of(&mechanism, mechanism.assembled())$(.$redundant())?;
                cell(study.moving(parts::velocity(&mechanism)), $run)
            }),
        )*];
    };
}

advice! {
    "pendulum": Pendulum, cheapest;
    "double-pendulum": DoublePendulum, cheapest;
    "four-bar": FourBar, cheapest;
    "four-bar-angles": FourBarAngles, cheapest_for_any_mass;
    "five-bar": FiveBar, cheapest_for_any_mass;
    "five-bar-points": FiveBarPoints, cheapest;
    "slider-crank": SliderCrank, cheapest_for_any_mass;
    "sprung-slider": SprungSlider, cheapest;
    "crane": Crane, cheapest;
    "hanging-chain": HangingChain, cheapest;
    "ring": Ring, cheapest, redundant;
    "peaucellier": Peaucellier, cheapest;
    "jansen-leg": JansenLeg, cheapest;
    "pantograph": Pantograph, cheapest;
    "scissor-lift": ScissorLift, cheapest;
    "geared-five-bar": GearedFiveBar, cheapest_for_any_mass;
    "connected-pendulums": ConnectedPendulums, cheapest_for_any_mass;
    "plate": Plate, cheapest_for_any_mass;
    "andrews": Andrews, Study::run_plain_any_mass;
    "lambda": Lambda, cheapest_for_any_mass;
    "scara": Scara, cheapest_for_any_mass;
    "delta": Delta, cheapest_for_any_mass;
    "linear-delta": LinearDelta, cheapest;
    "heavy-top": HeavyTop, Study::run_plain;
    "gyroscope": Gyroscope, Study::run_plain;
    "gimbal": Gimbal, cheapest;
    "universal-joint": UniversalJoint, cheapest;
    "spatial-four-bar": SpatialFourBar, cheapest;
    "stewart": Stewart, cheapest;
    "ankle": Ankle, cheapest_for_any_mass;
    "bricard": Bricard, cheapest, redundant;
}

impl Visitor<f64> for Answers {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        let (q, v) = (mechanism.assembled(), parts::velocity(mechanism));
        let (_, advice) = ADVICE.iter().find(|(known, _)| *known == name).expect("advice for each mechanism");
        self.add_mechanical(name, mechanism, [q, v], advice);
    }
}

/// Adds all of them but the largest.
pub fn add(all: &mut Answers) {
    parts::visit_all(all);
}

/// Adds the largest.
pub fn add_large(all: &mut Answers) {
    parts::visit_large(all);
}
