//! Small constrained mechanical systems and control DAEs at a fixed step, on microcontrollers.
//!
//! `taut` integrates index-3 systems, a linkage, a pendulum, a closed chain, inside a control loop: no heap, no operating
//! system, no panic, no drift off the constraints, a known cost per step, and the same bits on the host as on the target.
//!
//! New here? The [`guide`] takes one mechanism from its equations to a board.
//!
//! # A first example
//!
//! Equations are written once, generic over the scalar. From them come the Jacobian and all other derivatives.
//!
//! ```
//! use nalgebra::vector;
//! use taut::linalg::Vector;
//! use taut::method::Rattle;
//! use taut::scalar::Real;
//! use taut::start::Start;
//! use taut::system::{Lumped, Mechanical};
//!
//! struct Pendulum {
//!     mass: f32,
//!     length: f32,
//! }
//!
//! impl Mechanical<2, 1> for Pendulum {
//!     // 2 coordinates, 1 constraint
//!     type Base = f32;
//!     type Mass = Lumped<f32, 2>;
//!
//!     fn mass(&self) -> Lumped<f32, 2> {
//!         Lumped::new([self.mass; 2])
//!     }
//!     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
//!         vector![S::from(0.0), S::from(-9.81 * self.mass)]
//!     }
//!     fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
//!         vector![(q.dot(q) - self.length * self.length) * 0.5]
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pendulum = Pendulum { mass: 0.2, length: 0.5 };
//! let rattle = Rattle::at_rate(1_000.0)?; // Hz
//! let mut state = Start::at(&pendulum, [0.5, 0.0]).at_rest()?; // on the constraint, or an error that says why not
//! for _ in 0..1_000 {
//!     let report = rattle.step(&pendulum, &mut state)?; // residuals, multipliers, or an error and the state untouched
//!     assert!(report.position_residual[0].abs() < 1e-6);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The same bits
//!
//! A run gives the same bits on a Cortex-M0, M3, M4F, M7, M33, on RISC-V with and without floating-point instructions, and on an
//! x86-64 computer; debug or release, optimised for speed or for size; also with `-C target-cpu=native` or
//! `-C target-feature=+fma`. `cargo xtask bits` shows it, with the hash over all steps of long runs: of every system of the tests
//! and examples, mechanical, of the general forms, with servo constraints and in a closed loop; of every method, and of every
//! precision. A system runs for 2e8 instructions of the target, but for no more than 1e6 steps (`--long`: 4e9, and 1e7), with other
//! methods and precisions a part of that.
//!
//! It holds because an operation is one rounding to nearest, in the order written, everywhere: Rust does not contract `a * b + c`
//! into a fused multiply–add, whatever the processor could do, and all other functions are this crate's or libm's own code. What
//! would break it, in a model:
//!
//! - `mul_add`, and `f32::sin` and its like from `std`, which call the platform's library: the functions of [`scalar::Real`] are
//!   the same everywhere;
//! - intrinsics for approximate or reordered arithmetic (`fadd_fast` and its like), and vector intrinsics with fused operations;
//! - parameters that were computed elsewhere by other means, or time from a clock: steps count ticks.
//!
//! And outside of it:
//!
//! - `-C llvm-args=-fp-contract=fast`, which lets the compiler fuse what is written apart: `cargo xtask bits --long` shows that the
//!   bits are others then;
//! - a 32-bit x86 target without SSE2, whose x87 registers round differently;
//! - a changed rounding mode, or subnormal numbers flushed to zero: the reset value of a Cortex-M's FPU is right, bit 24 of
//!   `FPSCR` (FZ) must stay 0, and on a computer no library may set FTZ or DAZ;
//! - another version of libm or nalgebra than the one in the lock file, on one of the two sides;
//! - NaN: which bits it carries, processors choose. Steps do not return any.
//!
//! # The map
//!
//! The modules are the path of the data; each uses only those above it.
//!
//! | module | what it is about |
//! |---|---|
//! | [`scalar`] | the numbers that equations are written in |
//! | [`linalg`] | small dense factorisations |
//! | [`system`] | what you describe |
//! | [`project`] | how it stays on its constraints |
//! | [`start`] | how it starts |
//! | [`method`] | how it steps |
//! | [`trajectory`] | what to follow |
//! | [`control`] | how it is driven |
//! | `advise` | which method, precision and rate to choose, on the host with the feature `std` |
//! | [`guide`] | how a newcomer gets there |
//!
//! # Features
//!
//! None is on by default. `defmt` lets reports, errors, methods and scalars be logged, `serde` lets saved states be written. `std` is for the host and
//! adds `advise`, which tries all methods on a model and says which to choose; on a target without the standard library it has no effect.
//!
#![doc = include_str!("method/which.md")]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(test, all(feature = "std", not(target_os = "none"))))]
extern crate std;

#[cfg(all(feature = "std", not(target_os = "none")))]
pub mod advise;
pub mod control;
pub mod guide;
pub mod linalg;
pub mod method;
pub mod project;
pub mod scalar;
pub mod start;
pub mod system;
pub mod trajectory;
