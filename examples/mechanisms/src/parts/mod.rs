//! The gallery: mechanisms as lists of parts.

mod linkages;
mod robots;
mod spatial;

pub use linkages::{
    Andrews, ConnectedPendulums, Crane, DoublePendulum, FourBar, FourBarAngles, GearedFiveBar, HangingChain, JansenLeg,
    Lambda, Pantograph, Peaucellier, Pendulum, Plate, ScissorLift, SliderCrank, SprungSlider,
};
pub use robots::{Delta, FiveBar, FiveBarPoints, LinearDelta, Scara};
pub use spatial::{Ankle, Bricard, Gimbal, Gyroscope, HeavyTop, Ring, SpatialFourBar, Stewart, UniversalJoint};
use taut::linalg::Vector;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::scalar::Float;

/// Sees mechanisms of different sizes.
pub trait Visitor<T> {
    /// A mechanism of the gallery.
    fn visit<L: List<N, M, Base = T>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    );
}

/// How a mechanism of the gallery moves when it is let go: tops and wheels spin, one without gravity is pushed, all others are at rest.
pub fn velocity<L: List<N, M>, const N: usize, const M: usize>(mechanism: &Mechanism<L, N, M>) -> Vector<L::Base, N> {
    // Without gravity, nothing moves by itself.
    if mechanism.description().gravity() == L::Base::ZERO {
        return Vector::repeat(L::Base::from_f64(1.0));
    }
    let spinning =
        |body, rate| mechanism.turning(&mechanism.assembled(), body, [0.0, 0.0, rate].map(L::Base::from_f64));
    // Zero where there is no such body.
    spinning("top", 20.0) + spinning("wheel", 100.0)
}

/// Shows every mechanism of the gallery to a visitor, but the [large](visit_large) one.
///
/// # Panics
/// If one cannot be built.
pub fn visit_all<T: Float>(visitor: &mut impl Visitor<T>) {
    macro_rules! visit {
        ($($name:literal: $list:ident,)*) => {
            $(visitor.visit($name, &$list::<T>::new().build().unwrap_or_else(|error| panic!("{}: {}", $name, error)));)*
        };
    }
    visit! {
        "pendulum": Pendulum,
        "double-pendulum": DoublePendulum,
        "four-bar": FourBar,
        "four-bar-angles": FourBarAngles,
        "five-bar": FiveBar,
        "five-bar-points": FiveBarPoints,
        "slider-crank": SliderCrank,
        "sprung-slider": SprungSlider,
        "crane": Crane,
        "hanging-chain": HangingChain,
        "ring": Ring,
        "peaucellier": Peaucellier,
        "jansen-leg": JansenLeg,
        "pantograph": Pantograph,
        "scissor-lift": ScissorLift,
        "geared-five-bar": GearedFiveBar,
        "connected-pendulums": ConnectedPendulums,
        "plate": Plate,
        "andrews": Andrews,
        "lambda": Lambda,
        "scara": Scara,
        "delta": Delta,
        "linear-delta": LinearDelta,
        "heavy-top": HeavyTop,
        "gyroscope": Gyroscope,
        "gimbal": Gimbal,
        "universal-joint": UniversalJoint,
        "spatial-four-bar": SpatialFourBar,
        "stewart": Stewart,
        "ankle": Ankle,
    }
}

/// Shows [`Bricard`]'s six-bar: with 60 coordinates and as many constraints, its state needs more memory than a microcontroller or the
/// thread of a test has.
///
/// # Panics
/// If it cannot be built.
pub fn visit_large<T: Float>(visitor: &mut impl Visitor<T>) {
    let bricard = Bricard::<T>::new().build().unwrap_or_else(|error| panic!("bricard: {error}"));
    visitor.visit("bricard", &bricard);
}
