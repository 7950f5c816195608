//! RATTLE as one writes it by hand in C (`c/rattle.h`): plain arrays, Cholesky, as many Newton iterations as taut's, a file for
//! each system. It checks nothing and reports nothing. Here it becomes callable from Rust, to measure taut against it.

#![no_std]

mod by_c;

pub use by_c::{ByC, Linkage, Rods};

/// The parameters as `c/rattle.h` asks for them: the step size and what divides forces, then what the system adds.
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
    /// The step, for who wants to call it in a way of their own. It reads and writes what it is given and nothing else.
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
