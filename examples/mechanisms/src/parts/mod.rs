//! The gallery: mechanisms as lists of parts.

mod linkages;
mod robots;
mod spatial;

pub use linkages::{
    Andrews, ConnectedPendulums, DoublePendulum, FourBar, FourBarAngles, GearedFiveBar, HangingChain, JansenLeg,
    Lambda, Pantograph, Peaucellier, Pendulum, Plate, ScissorLift, SliderCrank, SprungSlider,
};
pub use robots::{Delta, FiveBar, FiveBarPoints, LinearDelta, Scara};
pub use spatial::{HeavyTop, SpatialFourBar};
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

/// Shows every mechanism of the gallery to a visitor.
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
        "hanging-chain": HangingChain,
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
        "spatial-four-bar": SpatialFourBar,
    }
}
