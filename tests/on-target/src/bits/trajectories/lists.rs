//! The runs of lists of parts.

use mechanisms::parts::{self, Visitor};

use super::parts::Fall;
use super::{Cost, Run};

/// Runs of lists of parts: 100 steps of each, whatever a step costs, or another number.
macro_rules! lists {
    ($float:ident, $group:literal: $($rows:tt)*) => {
        lists! { 100, $float, $group: $($rows)* }
    };
    ($steps:literal, $float:ident, $group:literal: $($name:literal $list:ident,)*) => {
        &[$(Run {
            name: concat!(stringify!($float), " ", $group, ", ", $name, ", Runge–Kutta 4"),
            cost: Cost { single: [u32::MAX; 3], double: [u32::MAX; 2] },
            share: 1,
            max_steps: $steps,
            is_double: size_of::<$float>() > size_of::<f32>(),
            make: |recorder| {
                let Ok(mechanism) = parts::$list::<$float>::new().build() else { panic!("a list that cannot be built") };
                Fall(recorder).visit($name, &mechanism);
            },
        }),*]
    };
}

/// One list with points as coordinates and one with angles.
macro_rules! parts_two {
    ($float:ident) => {
        lists! { $float, "two lists": "four-bar" FourBar, "plate" Plate, }
    };
}

/// Other lists of the gallery with few coordinates.
macro_rules! parts_small {
    ($float:ident) => {
        lists! { $float, "small lists":
            "pendulum" Pendulum,
            "double-pendulum" DoublePendulum,
            "four-bar-angles" FourBarAngles,
            "five-bar" FiveBar,
            "five-bar-points" FiveBarPoints,
            "slider-crank" SliderCrank,
            "sprung-slider" SprungSlider,
            "crane" Crane,
            "geared-five-bar" GearedFiveBar,
            "connected-pendulums" ConnectedPendulums,
            "andrews" Andrews,
        }
    };
}

/// Linkages and robots with more coordinates.
macro_rules! parts_linkages {
    ($float:ident) => {
        lists! { $float, "linkages":
            "hanging-chain" HangingChain,
            "peaucellier" Peaucellier,
            "jansen-leg" JansenLeg,
            "pantograph" Pantograph,
            "scissor-lift" ScissorLift,
            "lambda" Lambda,
            "scara" Scara,
            "delta" Delta,
        }
    };
}

/// Lists in space.
macro_rules! parts_space {
    ($float:ident) => {
        lists! { $float, "lists in space":
            "ring" Ring,
            "linear-delta" LinearDelta,
            "heavy-top" HeavyTop,
            "gyroscope" Gyroscope,
            "stewart" Stewart,
            "ankle" Ankle,
        }
    };
}

/// The largest lists.
macro_rules! parts_large {
    ($float:ident) => {
        lists! { $float, "large lists":
            "universal-joint" UniversalJoint,
            "gimbal" Gimbal,
            "spatial-four-bar" SpatialFourBar,
        }
    };
}

/// Small lists of parts in single precision.
#[inline]
pub fn parts_small_f32() -> [&'static [Run]; 2] {
    [parts_two!(f32), parts_small!(f32)]
}

/// Two of them in double precision, which takes more flash where it is in software.
#[inline]
pub fn parts_two_f64() -> &'static [Run] {
    parts_two!(f64)
}

/// The others in double precision.
#[inline]
pub fn parts_small_f64() -> &'static [Run] {
    parts_small!(f64)
}

/// Eight larger lists of parts in single precision.
#[inline]
pub fn parts_linkages_f32() -> &'static [Run] {
    parts_linkages!(f32)
}

/// The same in double precision.
#[inline]
pub fn parts_linkages_f64() -> &'static [Run] {
    parts_linkages!(f64)
}

/// Six lists of parts in space in single precision.
#[inline]
pub fn parts_space_f32() -> &'static [Run] {
    parts_space!(f32)
}

/// The same in double precision.
#[inline]
pub fn parts_space_f64() -> &'static [Run] {
    parts_space!(f64)
}

/// Three large lists of parts in single precision.
#[inline]
pub fn parts_large_f32() -> &'static [Run] {
    parts_large!(f32)
}

/// The same in double precision.
#[inline]
pub fn parts_large_f64() -> &'static [Run] {
    parts_large!(f64)
}

/// Bricard's six-bar in single precision.
#[inline]
pub fn parts_bricard_f32() -> &'static [Run] {
    lists! { f32, "largest list": "bricard" Bricard, }
}

/// The same in double precision. Ten steps: in software they take as long as a hundred steps of all other lists.
#[inline]
pub fn parts_bricard_f64() -> &'static [Run] {
    lists! { 10, f64, "largest list": "bricard" Bricard, }
}
