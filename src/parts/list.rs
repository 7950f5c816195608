//! What a list of parts is: a table of constants, and one function that visits the parts in a pose.

use super::error::Problem;
use super::mass::BuiltMass;
use super::place::{Load, Rows, Sink, Symmetric};
use super::shape::Shape;
use super::table::{Entry, Kind, Slot};
use crate::linalg::{SymmetricFactors, Vector};
use crate::scalar::{Float, Real};

/// A description of a mechanism with `N` coordinates and `M` constraints, as a list of parts. [`mechanism!`](crate::mechanism) implements
/// it; it can be written by hand, too.
pub trait List<const N: usize, const M: usize>: Clone {
    /// The plain float of the parameters.
    type Base: Float;

    /// The kind of mass: [`ConstantMatrix`](super::by_hand::ConstantMatrix) if no coordinate is an angle, else [`VaryingMatrix`](super::by_hand::VaryingMatrix).
    type Mass: BuiltMass<Self::Base, N>;

    /// The factors of its constraints: [`Ldlt`](crate::linalg::Ldlt), or [`Semidefinite`](crate::linalg::Semidefinite) if they may depend
    /// on each other.
    type Factors: SymmetricFactors<Self::Base, M>;

    /// The parts, in their order. A part comes after those that it is on.
    const TABLE: &'static [Entry];

    /// The parts that motors, encoders and the output refer to, by their place in the table.
    const WIRING: Wiring;

    /// The acceleration of gravity, along −y in the plane and along −z in space.
    fn gravity(&self) -> Self::Base;

    /// Places each part in a pose and shows it to the visitor.
    fn visit<S: Real<Base = Self::Base>>(&self, pose: &Pose<'_, S, N>, visitor: &mut impl Visitor<S>);

    /// Checks the parameters of each part. The number is that of the part in the table.
    fn check(&self) -> Result<(), (usize, Problem<Self::Base>)>;

    /// Writes the guess of the coordinates of each part.
    fn guess(&self, q: &mut [Self::Base; N]);
}

/// Which parts motors, encoders and the output refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The parts with a motor.
    pub motors: &'static [usize],
    /// The parts with an encoder.
    pub encoders: &'static [usize],
    /// The parts whose positions are prescribed.
    pub outputs: &'static [usize],
}

/// A list with `U` motors and as many outputs.
pub trait Motorised<const U: usize> {}

/// A list with `E` encoders.
pub trait Encoded<const E: usize> {}

/// The time, the coordinates with the sines of the angles, and the loads.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a, S: Real, const N: usize> {
    pub(super) t: S,
    pub(super) q: [S; N],
    /// Sine and cosine of each coordinate that is an angle.
    pub(super) sines: [(S, S); N],
    pub(super) loads: &'a [Load<S::Base>; N],
}

/// A kind of part. `On` are the places or parts that it is on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be on `{On}`",
    label = "see the part's page for what it is on"
)]
pub trait Part<S: Real, On>: Copy {
    /// The part in a pose.
    type Placed;

    /// A guess of its coordinates: `()` if it has none.
    type Near;

    /// Writes a guess of its coordinates. `q` starts at the part's first coordinate.
    #[inline(always)]
    fn guess(&self, _near: Option<Self::Near>, _on: On, _q: &mut [S::Base]) {}

    /// Places the part.
    fn place<const N: usize>(&self, on: On, pose: &Pose<'_, S, N>, slot: Slot) -> Self::Placed;
}

/// What is known of a part without the others.
pub trait Described<T> {
    /// Its coordinates and constraints.
    const KIND: Kind;

    /// Checks the parameters.
    fn check(&self) -> Result<(), Problem<T>>;
}

/// A part in a pose: its share of the equations.
pub trait Element<S: Real, const D: usize> {
    /// g: one number for each of its constraints.
    #[inline(always)]
    fn constraint(&self, _rows: &mut [S]) {}

    /// G: the gradient of each of its constraints.
    #[inline(always)]
    fn gradient(&self, _rows: &mut impl Rows<S>) {}

    /// g_t of each of its constraints, zero where it does not write.
    #[inline(always)]
    fn time_derivative(&self, _rows: &mut [S]) {}

    /// g_qq(v, v) + g_tt.
    #[inline(always)]
    fn acceleration_terms(&self, _v: &[S], _rows: &mut [S]) {}

    /// Its share of M.
    #[inline(always)]
    fn mass(&self, _matrix: &mut impl Symmetric<S>) {}

    /// Its share of the force: weight, springs, and the centrifugal forces of what it carries.
    #[inline(always)]
    fn force(&self, _gravity: S::Base, _v: &[S], _into: &mut impl Sink<S>) {}

    /// Its potential energy.
    #[inline(always)]
    fn potential_energy(&self, _gravity: S::Base) -> S {
        S::zero()
    }

    /// Adds its masses to what its places carry. Called once, when the mechanism is built.
    #[inline(always)]
    fn lump(&self, _loads: &mut [Load<S::Base>]) {}

    /// Checks what a part cannot check without the parts that it is on. Called once, when the mechanism is assembled.
    fn check(&self) -> Result<(), Problem<S::Base>> {
        Ok(())
    }

    /// What to draw.
    fn shape(&self) -> Shape<S, D>;

    /// The length that its first constraint prescribes, if it is a distance.
    fn length(&self) -> Option<S::Base> {
        None
    }
}

/// What a motor drives and an encoder reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no motor",
    label = "motors and encoders sit on an `Arm`, an `Elbow`, a `Slider`, a `Piston`, a `Hinge` or a `Prismatic`"
)]
pub trait Shaft<S: Real> {
    /// The generalised forces of a unit torque or force.
    fn drive(&self, into: &mut impl Sink<S>);

    /// The angle or the length that an encoder reads.
    fn reading(&self) -> S;
}

/// Takes the numbers of an output, one after the other.
pub trait Push<S> {
    /// The next number.
    fn push(&mut self, x: S);
}

/// What can follow a path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output",
    label = "an output is a point, a body, an `Arm`, an `Elbow`, a `Slider`, a `Piston`, a `Hinge` or a `Prismatic`"
)]
pub trait Output<S: Real> {
    /// Its numbers: x, y and z of a point, the angle of an arm, the displacement of a slider.
    fn output(&self, into: &mut impl Push<S>);
}

/// Sees every part of a list in a pose.
pub trait Visitor<S: Real> {
    /// A part.
    #[inline(always)]
    fn part<const D: usize>(&mut self, _slot: Slot, _element: &impl Element<S, D>) {}
    /// A motor.
    #[inline(always)]
    fn motor(&mut self, _shaft: &impl Shaft<S>) {}
    /// An encoder.
    #[inline(always)]
    fn encoder(&mut self, _shaft: &impl Shaft<S>) {}
    /// An output.
    #[inline(always)]
    fn output(&mut self, _output: &impl Output<S>) {}
}

/// Places a part. A function, so that [`mechanism!`](crate::mechanism) can call it by words of the list: the compiler underlines these.
#[inline(always)]
pub fn placed<S: Real, P: Part<S, On>, On, const N: usize>(
    part: &P,
    on: On,
    pose: &Pose<'_, S, N>,
    slot: Slot,
) -> P::Placed {
    part.place(on, pose, slot)
}

/// Writes the guess of a part, and places the part there.
pub fn guessed<L: List<N, M>, P: Part<L::Base, On>, On: Copy, const N: usize, const M: usize>(
    part: P,
    near: Option<P::Near>,
    on: On,
    (_, q): (&L, &mut [L::Base; N]),
    slot: Slot,
) -> P::Placed {
    part.guess(near, on, &mut q[slot.coordinate..]);
    part.place(on, &Pose::new::<L, M>(&Vector::from(*q), &[Load::NONE; N]), slot)
}
