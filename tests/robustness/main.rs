//! What a step promises whatever it is given: after a success the residuals are within their limits and the equations are
//! solved; after a failure there is the documented error, and the state is as it was, bit for bit.

#[path = "../every_method/mod.rs"]
mod every_method;

mod any_bits;
mod any_step;
mod general;
mod rattle;
mod refusals;
