//! Simulates and controls small mechanisms with constraints at a fixed step, on microcontrollers.
//!
//! A linkage, a pendulum, a closed chain: `taut` steps its differential equations with constraints (DAEs) and drives it along a path. It is
//! `no_std` and uses no heap. A step has a known cost, never panics, and ends on the constraints. The host computes the same bits
//! as the emulated target. It has not yet run on hardware; the README says what it does not do.
//!
#![doc = include_str!("guide/figures/five_bar.svg")]
//!
//! New here? The [`guide`] takes one mechanism from its equations to a control loop on a board.
//!
//! # A first example
//!
//! Write the equations once, generic over the scalar. The Jacobian and all other derivatives come from them.
//!
//! ```
//! use taut::prelude::*;
//!
//! struct Pendulum {
//!     mass: f32,
//!     length: f32,
//! }
//!
//! // q = (x, y) of the bob: 2 coordinates, 1 constraint.
//! impl Mechanical<2, 1> for Pendulum {
//!     type Base = f32;
//!     type Mass = Diagonal<f32, 2>;
//!
//!     fn mass(&self) -> Diagonal<f32, 2> {
//!         Diagonal::new([self.mass; 2])
//!     }
//!
//!     fn force<S: Real<Base = f32>>(
//!         &self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>,
//!     ) -> Vector<S, 2> {
//!         vector![S::from(0.0), S::from(-9.81 * self.mass)]
//!     }
//!
//!     fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
//!         vector![(q.dot(q) - self.length * self.length) * 0.5]
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pendulum = Pendulum { mass: 0.2, length: 0.5 };
//! let clock = Clock::at_rate(1_000.0)?; // Hz
//! // The guess (0.5, 0) is moved onto the constraint, or an error says why not.
//! let mut state = Start::at(&pendulum, clock, [0.5, 0.0]).at_rest()?;
//! for _ in 0..1_000 {
//!     // Residuals and multipliers, or an error; on an error the state is unchanged.
//!     let report = Rattle::new().step(&pendulum, &mut state)?;
//!     assert!(report.position_residual[0].abs() < 1e-6);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Where to go on
//!
//! | question | page |
//! |---|---|
//! | How do I describe, start, step and drive my mechanism? | [`guide`] |
//! | How do I build a model from rods, arms, motors and encoders? | [`parts`] |
//! | <span id="which-method-when"></span>Which method, at which cost and error? | [`guide::choose`] |
//! | How many digits does `f32` keep? | [`guide::digits`] |
//! | <span id="the-same-bits"></span>What gives the same bits on host and target, and what breaks it? | [`guide::bits`] |
//! | What does this error mean? | [`guide::errors`] |
//! | Does it run on my board? | [`guide::port`] |
//!
//! # The map
//!
//! The modules follow the path of the data. Each of the first twelve uses only those above it.
//!
//! | module | what it is about |
//! |---|---|
//! | [`scalar`] | the numbers that equations are written in |
//! | [`linalg`] | small dense factorisations |
//! | [`system`] | what you describe |
//! | [`project`] | how a mechanism stays on its constraints |
//! | [`start`] | how it starts, and with how many digits |
//! | [`method`] | how it steps |
//! | [`attitude`] | how a body turns |
//! | [`trajectory`] | what to follow |
//! | [`control`] | how it is driven |
//! | [`parts`] | mechanisms from a list of parts |
//! | [`supervise`] | how it is supervised |
//! | [`device`] | what it is wired to |
//! | `advise` | which method, precision and rate to choose; on the host, with the feature `std` |
//! | `structure` | which index a model has, and how many initial values; on the host, with the feature `std` |
//! | [`prelude`] | what a model and a stepping program import |
//! | [`guide`] | pages from the equations to a board |
//!
//! # Features
//!
//! No feature is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `defmt` | `defmt::Format` for reports, errors, methods and scalars |
//! | `serde` | saved states can be written and read |
//! | `std` | `advise` and `structure`, on the host; no effect on a target without the standard library |
//! | `inject` | faults on purpose, for tests |

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(test, all(feature = "std", not(target_os = "none"))))]
extern crate std;

#[cfg(all(feature = "std", not(target_os = "none")))]
pub mod advise;
pub mod attitude;
pub mod control;
pub mod device;
pub mod guide;
pub mod linalg;
pub mod method;
pub mod parts;
pub mod prelude;
pub mod project;
pub mod scalar;
pub mod start;
#[cfg(all(feature = "std", not(target_os = "none")))]
pub mod structure;
pub mod supervise;
pub mod system;
pub mod trajectory;
