//! Linear systems of any index, and linear-quadratic control; one claim a module.

mod hessenberg;
mod linear_quadratic;
