//! Linear systems of any index, and linear-quadratic control; one claim a module.

mod closed_loop;
mod hessenberg;
mod linear_quadratic;
