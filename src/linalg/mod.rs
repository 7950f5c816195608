//! Fixed-size, in-place, panic-free kernels.
