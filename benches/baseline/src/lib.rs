//! RATTLE written by hand in C (`c/rattle.h`): plain arrays, Cholesky, the same number of Newton iterations as taut, one file per system.
//! It checks nothing and reports nothing. This crate makes it callable from Rust, to compare taut with it.

#![no_std]

mod by_c;

pub use by_c::{ByC, Linkage, Rods};

/// The parameters of `c/rattle.h`: the step size and the inverse masses, then those of the system.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Parameters<T, const N: usize, Own> {
    h: T,
    inverse_mass: [T; N],
    own: Own,
}

/// The state of `c/rattle.h`: position, velocity, and the geometry at that position.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct State<T, const N: usize, const M: usize> {
    /// q
    pub position: [T; N],
    /// v
    pub velocity: [T; N],
    jacobian: [[T; N]; M],
    factor: [[T; M]; M],
}

/// A function of `c/rattle.h`.
pub type Function<P, S> = unsafe extern "C" fn(&P, &mut S);

/// A system together with a step size, ready to be stepped.
pub struct Rattle<T, const N: usize, const M: usize, Own> {
    /// What the C reads.
    pub parameters: Parameters<T, N, Own>,
    /// The step function, for a caller that needs the raw call. It reads and writes only its arguments.
    pub step: Function<Parameters<T, N, Own>, State<T, N, M>>,
    start: Function<Parameters<T, N, Own>, State<T, N, M>>,
}

impl<T: Copy + Default, const N: usize, const M: usize, Own> Rattle<T, N, M, Own> {
    /// A state; position and velocity must satisfy the constraints.
    pub fn start(&self, position: [T; N], velocity: [T; N]) -> State<T, N, M> {
        let zero = T::default();
        let mut state = State { position, velocity, jacobian: [[zero; N]; M], factor: [[zero; M]; M] };
        // SAFETY: both are laid out as in C, and the function keeps to their bounds.
        unsafe { (self.start)(&self.parameters, &mut state) };
        state
    }

    /// Makes a step.
    #[inline(always)]
    pub fn step(&self, state: &mut State<T, N, M>) {
        // SAFETY: both are laid out as in C, and the function keeps to their bounds.
        unsafe { (self.step)(&self.parameters, state) }
    }
}
