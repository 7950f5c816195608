//! The trait that describes a serial mechanism: elements in a row or a tree, each tied to the one before it.

use crate::linalg::blocks::product_of_entries;
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Float, Jet, Real};

use super::automatic::from_partials;
use super::parents::Parents;

/// A serial mechanism of `N` elements with `D` coordinates each. A joint ties each element to the one before it by `E` constraints.
///
/// ```text
///     ground ─joint 0─ element 0 ─joint 1─ element 1 ─ … ─ element N−1 ( ─joint N─ ground, if closed )
/// ```
///
/// With [`PARENTS`](Self::PARENTS) it branches: an element hangs from any other with a smaller number, or from the ground.
///
/// Choose it for chains, ropes, trees and rings of more than about ten links: memory and cost of a step grow with the number of
/// elements, those of a [`Mechanical`](super::Mechanical) system with its square and cube. Its masses are constant and diagonal, a force
/// uses only the element on which it acts, and a joint only its two elements. [`SerialState`](crate::start::SerialState) starts it.
///
/// **Closures.** One loop, through the ground: with [`CLOSED`](Self::CLOSED), joint `N` ties the last element to the far ground. The elements
/// from the first to the last are then a chain between two supports, or a ring whose supports are one point; the branches of a tree stay
/// open. A second closure is not possible, nor one between two elements, such as a ring that floats or a mesh: describe these as a
/// [`Mechanical`](super::Mechanical) system.
///
/// ```
/// use taut::prelude::*;
/// use taut::start::SerialState;
/// use taut::system::Serial;
///
/// /// 20 point masses on rods, hanging from the origin.
/// struct Rope {
///     mass: f32,
///     length: f32,
/// }
///
/// // q = (x, y) of each mass; one rod to the mass before.
/// impl Serial<20, 2, 1> for Rope {
///     type Base = f32;
///
///     fn mass(&self, _element: usize) -> Vector<f32, 2> {
///         vector![self.mass, self.mass]
///     }
///     fn force<S: Real<Base = f32>>(
///         &self, _element: usize, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>,
///     ) -> Vector<S, 2> {
///         vector![S::from(0.0), S::from(-9.81 * self.mass)]
///     }
///     fn constraint<S: Real<Base = f32>>(
///         &self, _joint: usize, before: &Vector<S, 2>, behind: &Vector<S, 2>,
///     ) -> Vector<S, 1> {
///         let rod = behind - before;
///         vector![(rod.dot(&rod) - self.length * self.length) * 0.5]
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rope = Rope { mass: 0.1, length: 0.1 };
/// let straight = core::array::from_fn(|i| [0.1 * (i + 1) as f32, 0.0]);
/// let mut state = SerialState::at_rest(&rope, Clock::at_rate(1_000.0)?, straight)?;
/// for _ in 0..100 {
///     let report = Rattle::new().step(&rope, &mut state)?;
///     assert!(report.joints[19].position_residual[0].abs() < 1e-6);
/// }
/// # Ok(())
/// # }
/// ```
pub trait Serial<const N: usize, const D: usize, const E: usize>: Sized {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// Whether joint `N` ties the last element to the far ground: a ring through the ground, the only closure there is.
    const CLOSED: bool = false;

    /// What each element hangs from. A row by default: it costs less than a tree.
    const PARENTS: Parents<N> = Parents::row();

    /// Whether the force uses the velocity. `true` is always right; `false` saves a force evaluation and a projection.
    const VELOCITY_DEPENDENT: bool = true;

    /// Which coordinates of an element are angles that may turn without limit, as in [`Mechanical`](super::Mechanical::ANGLES).
    const ANGLES: [bool; D] = [false; D];

    /// Whether the constraints use only the difference of the coordinates behind and before. `false` is always right; `true` saves
    /// instructions, because one block of derivatives is minus the other.
    const RELATIVE: bool = false;

    /// Whether constraints may depend on each other. `true` finds the rank anew in every step, along the mechanism: a constraint that
    /// depends on those before it is satisfied by them, and its multiplier is zero. The motion is that of an independent description.
    /// `false` refuses such a mechanism with an error that names the constraint.
    const REDUNDANT: bool = false;

    /// The mass of each coordinate of an element, constant and positive. After a change, call
    /// [`SerialState::resume`](crate::start::SerialState::resume).
    fn mass(&self, element: usize) -> Vector<Self::Base, D>;

    /// The force on an element, from its own position and velocity.
    fn force<S: Real<Base = Self::Base>>(
        &self,
        element: usize,
        t: S,
        q: &Vector<S, D>,
        v: &Vector<S, D>,
    ) -> Vector<S, D>;

    /// The acceleration of an element without its joints: its force times its inverse masses. Automatic; by hand it saves instructions where
    /// the mass cancels, as in a weight.
    #[inline(always)]
    fn free_acceleration(
        &self,
        element: usize,
        t: Self::Base,
        q: &Vector<Self::Base, D>,
        v: &Vector<Self::Base, D>,
        inverse_masses: &Vector<Self::Base, D>,
    ) -> Vector<Self::Base, D> {
        product_of_entries(&self.force(element, t, q, v), inverse_masses)
    }

    /// The constraints of a joint, zero where they hold. `behind` is element `joint`, and `before` the one that it hangs from, or the ground
    /// at either end.
    fn constraint<S: Real<Base = Self::Base>>(
        &self,
        joint: usize,
        before: &Vector<S, D>,
        behind: &Vector<S, D>,
    ) -> Vector<S, E>;

    /// The coordinates of the ground before the first element; they may move. Zero by default.
    #[inline(always)]
    fn ground<S: Real<Base = Self::Base>>(&self, _t: S) -> Vector<S, D> {
        Vector::zeros()
    }

    /// The coordinates of the ground behind the last element, for a closed mechanism. Zero by default.
    #[inline(always)]
    fn far_ground<S: Real<Base = Self::Base>>(&self, _t: S) -> Vector<S, D> {
        Vector::zeros()
    }

    /// The derivatives of the constraints of a joint by the coordinates before and behind. Automatic; written by hand it saves instructions.
    #[inline(always)]
    fn gradients(
        &self,
        joint: usize,
        before: &Vector<Self::Base, D>,
        behind: &Vector<Self::Base, D>,
    ) -> [Matrix<Self::Base, E, D>; 2] {
        gradients(self, joint, before, behind)
    }
}

/// The automatic derivatives of the constraints of a joint by the coordinates before and behind.
#[inline]
pub fn gradients<System: Serial<N, D, E>, const N: usize, const D: usize, const E: usize>(
    system: &System,
    joint: usize,
    before: &Vector<System::Base, D>,
    behind: &Vector<System::Base, D>,
) -> [Matrix<System::Base, E, D>; 2] {
    // Stable Rust has no type with 2 D derivatives.
    let variables = |q: &Vector<System::Base, D>| Vector::from(Dual::<_, D>::variables(q.data.0[0]));
    let by_before = system.constraint(joint, &variables(before), &behind.map(Dual::constant));
    let by_behind = system.constraint(joint, &before.map(Dual::constant), &variables(behind));
    [from_partials(&by_before), from_partials(&by_behind)]
}

/// The element before a joint, or `None` for the ground.
#[inline(always)]
pub(crate) fn before_joint<System: Serial<N, D, E>, const N: usize, const D: usize, const E: usize>(
    joint: usize,
) -> Option<usize> {
    if const { System::PARENTS.is_row() } || joint >= N {
        return joint.checked_sub(1);
    }
    const { &System::PARENTS }.before(joint)
}

/// The position and velocity of the ground at one end.
#[inline(always)]
pub(crate) fn ground_motion<T: Float, const D: usize>(
    ground: impl Fn(Dual<T, 1>) -> Vector<Dual<T, 1>, D>,
    t: T,
) -> [Vector<T, D>; 2] {
    let [t] = Dual::variables([t]);
    let ground = ground(t);
    [ground.map(|x| x.value), ground.map(|x| x.partials[0])]
}

/// The second derivative of the constraints of a joint along the motions before and behind: the terms of the acceleration constraint
/// besides those of the elements' accelerations.
#[inline(always)]
pub(crate) fn acceleration_terms<System: Serial<N, D, E>, const N: usize, const D: usize, const E: usize>(
    system: &System,
    joint: usize,
    before: &Vector<Jet<System::Base>, D>,
    behind: &Vector<Jet<System::Base>, D>,
) -> Vector<System::Base, E> {
    system.constraint(joint, before, behind).map(|g| g.second)
}

/// The motion of an element with this position and velocity and no acceleration.
#[inline(always)]
pub(crate) fn uniform_motion<T: Float, const D: usize>(q: &Vector<T, D>, v: &Vector<T, D>) -> Vector<Jet<T>, D> {
    q.zip_map(v, |q, v| Jet::new(q, v, T::zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::vector;

    /// Rods of unit length.
    struct Rods;

    impl Serial<2, 2, 1> for Rods {
        type Base = f64;

        fn mass(&self, _element: usize) -> Vector<f64, 2> {
            vector![1.0, 1.0]
        }
        fn force<S: Real<Base = f64>>(&self, _i: usize, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
            Vector::zeros()
        }
        fn constraint<S: Real<Base = f64>>(
            &self,
            _j: usize,
            before: &Vector<S, 2>,
            behind: &Vector<S, 2>,
        ) -> Vector<S, 1> {
            let rod = behind - before;
            vector![(rod.dot(&rod) - 1.0) * 0.5]
        }
        fn ground<S: Real<Base = f64>>(&self, t: S) -> Vector<S, 2> {
            vector![t * t, S::zero()]
        }
    }

    #[test]
    fn gradients_are_those_of_the_rod() {
        let [before, behind] = Rods.gradients(1, &vector![1.0, 2.0], &vector![4.0, 6.0]);
        assert_eq!(behind, Matrix::<f64, 1, 2>::new(3.0, 4.0));
        assert_eq!(before, -behind);
    }

    #[test]
    fn the_ground_moves_with_its_velocity_and_its_acceleration() {
        assert_eq!(ground_motion(|t| Rods.ground(t), 3.0), [vector![9.0, 0.0], vector![6.0, 0.0]]);
        // g = |q − (t², 0)|²/2 at q = (9, 1), t = 3 with v = (6, 0): g'' = |v − (2 t, 0)|² + (q − (t², 0)) · (0 − (2, 0)) = 0.
        let (ground, still) = (Rods.ground(Jet::variable(3.0)), uniform_motion(&vector![9.0, 1.0], &vector![6.0, 0.0]));
        assert_eq!(acceleration_terms(&Rods, 0, &ground, &still)[0], 0.0);
        let at_rest = uniform_motion(&vector![10.0, 1.0], &Vector::zeros());
        assert_eq!(acceleration_terms(&Rods, 0, &ground, &at_rest)[0], 36.0 - 2.0);
    }
}
