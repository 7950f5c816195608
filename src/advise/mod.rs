//! Which method, which precision, which rate? Tries all of them with your model (feature `std`, on the host).
//!
//! A [`Study`] runs a model with every method, in every precision, at every rate given, and compares where it ends with a
//! reference. Its [`Advice`] is a table of errors and costs, and knows the [cheapest](Advice::cheapest) way to a wanted accuracy
//! at a rate that the loop can have.
//!
//! ```
//! use nalgebra::vector;
//! use taut::advise::{Study, Wanted};
//! # use taut::linalg::Vector;
//! # use taut::scalar::Real;
//! # use taut::system::{Diagonal, Mechanical};
//! #
//! struct Pendulum {
//!     length: f32,
//! }
//!
//! impl Mechanical<2, 1> for Pendulum {
//!     type Base = f32;
//!     // ...
//! #     type Mass = Diagonal<f32, 2>;
//! #     fn mass(&self) -> Diagonal<f32, 2> {
//! #         Diagonal::new([0.2; 2])
//! #     }
//! #     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
//! #         vector![S::from(0.0), S::from(-1.962)]
//! #     }
//! #     fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
//! #         vector![(q.dot(q) - self.length * self.length) * 0.5]
//! #     }
//! }
//!
//! let pendulum = Pendulum { length: 0.5 };
//! let advice = Study::of(&pendulum, [0.5, 0.0]).lasting(0.5).at_rates([50.0, 100.0, 200.0]).run()?;
//! println!("{advice}");
//!
//! // A tenth of a millimetre, in a loop that may run at 100 Hz or faster.
//! let choice = advice.cheapest(&Wanted::error(1e-4).rates(100.0..)).expect("a way");
//! println!("{} at {} Hz", choice.way, choice.rate);
//! # assert!(choice.accuracy.as_ref().is_ok_and(|accuracy| accuracy.position < 1e-4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the figures are
//!
//! **Errors** are distances from a reference at the end of the run: the norm over all coordinates, whole turns of
//! [angles](crate::system::Mechanical::ANGLES) included. The reference is Runge–Kutta 4 with the model [lifted](crate::scalar::Lifted)
//! into `f64`, also where it is written for `f32` only: the same equations with the same rounded parameters, at steps that are halved
//! until they agree to [`Reference::uncertainty`]. In a chaotic system the error of every method grows to the same size: keep the run
//! short enough for a small uncertainty.
//!
//! An error near the round-off of its precision depends on the start, and may be ten times as large from another one. Choose with a
//! margin of ten.
//!
//! **Costs** are time on this computer, as a ratio to the first way in the table that succeeds: a hint, no more, for a microcontroller without
//! instructions for its floats compares differently. Instructions or cycles counted elsewhere take their place by
//! [`Advice::with_costs`]. `cargo xtask advise` does that for the systems of the repository, with instructions of an emulated
//! microcontroller.
//!
//! A way that fails is listed with its [error](crate::method::StepError).

mod advice;
mod in_double;
mod reference;
mod study;
mod table;
mod trial;
mod way;

pub use advice::{Advice, Unit, Wanted};
pub use reference::Reference;
pub use study::{Study, StudyError};
pub use trial::{Accuracy, Trial};
pub use way::{Digits, Way};
