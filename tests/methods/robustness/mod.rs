//! What a step promises for any input. After a success the residuals are within their limits and the equations are solved. After a
//! failure the error is the documented one, and the state is unchanged, bit for bit.

mod any_step;
mod forms;
mod general;
mod rattle;
mod refusals;
