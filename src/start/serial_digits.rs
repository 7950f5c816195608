//! The low parts of the coordinates of a serial mechanism, and how a start fills them. In plain states they take no memory.

use super::clock::Time;
use super::precision::{Coordinates, Precision, Wide};
use crate::linalg::Vector;
use crate::linalg::blocks::subtract_weighted;
use crate::project::serial::{Behind, Rows, Side, every_joint};
use crate::scalar::{Dual, Float, Real};
use crate::system::Serial;
use crate::system::serial::before_joint;

/// The low parts of all elements at both nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Digits<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> {
    pub(crate) elements: [LowParts<T, D, E, P>; N],
    /// Of the joint behind the last element of a closed mechanism, only the residual is used.
    pub(crate) closing: LowParts<T, D, E, P>,
}

/// The low parts of an element at both nodes, and the residuals of the joint before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LowParts<T: Float, const D: usize, const E: usize, P: Precision> {
    nodes: [LowNode<T, D, E, P>; 2],
}

/// The low parts at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LowNode<T: Float, const D: usize, const E: usize, P: Precision> {
    pub(crate) q: P::Low<T, D>,
    pub(crate) v: P::Low<T, D>,
    /// The position residual after the step that ended here.
    pub(crate) last_residual: P::Low<T, E>,
}

impl<T: Float, const D: usize, const E: usize, P: Precision> LowParts<T, D, E, P> {
    fn zero() -> Self {
        Self { nodes: [LowNode { q: P::Low::default(), v: P::Low::default(), last_residual: P::Low::default() }; 2] }
    }

    #[inline(always)]
    pub(crate) fn at(&self, side: Side) -> &LowNode<T, D, E, P> {
        let [first, second] = &self.nodes;
        if side == Side::First { first } else { second }
    }

    #[inline(always)]
    pub(crate) fn at_mut(&mut self, side: Side) -> &mut LowNode<T, D, E, P> {
        let [first, second] = &mut self.nodes;
        if side == Side::First { first } else { second }
    }
}

impl<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> Digits<T, N, D, E, P> {
    pub(crate) fn zero() -> Self {
        Self { elements: [LowParts::zero(); N], closing: LowParts::zero() }
    }

    /// The low parts of a joint and of the element behind it.
    pub(crate) fn get(&self, joint: usize) -> &LowParts<T, D, E, P> {
        self.elements.get(joint).unwrap_or(&self.closing)
    }

    pub(super) fn get_mut(&mut self, joint: usize) -> &mut LowParts<T, D, E, P> {
        self.elements.get_mut(joint).unwrap_or(&mut self.closing)
    }

    /// Projects positions and velocities onto their constraints, evaluated with all digits. The geometry is that of the rounded positions.
    /// Each correction adds the digits of one scalar. The second removes the round-off of the first.
    pub(super) fn settle<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        rows: &mut Rows<T, N, D, E>,
        side: Side,
        time: Time<T>,
    ) {
        for level in [Settled::Position, Settled::Position, Settled::Velocity, Settled::Velocity] {
            self.settle_once(system, rows, side, time, level);
        }
    }

    /// Not inlined, to save flash.
    #[inline(never)]
    fn settle_once<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        rows: &mut Rows<T, N, D, E>,
        side: Side,
        time: Time<T>,
        level: Settled,
    ) {
        rows.forward::<System>(side, |rows, joint| {
            let [g, along] = self.residuals(system, rows, side, time, joint);
            if level == Settled::Position { g } else { along }
        });
        let mut behind = Behind::last::<System>(rows, side, side);
        for index in every_joint::<System, N, D, E>().rev() {
            let row = rows.get_mut(index);
            let inverse_masses = row.inverse_masses;
            let element = row.at_mut(side);
            let solution = element.joint.backward::<System, N>(index, &element.joint.rest, &behind);
            let pull = element.joint.pull::<System, N>(index, &solution, &solution, &mut behind);
            let Some(low) = self.elements.get_mut(index).map(|low| low.at_mut(side)) else { continue };
            let settled = |high: &mut Vector<T, D>, low: &mut P::Low<T, D>| {
                let coordinates = Coordinates::<T, D, P> { high: *high, low: *low };
                let moved = coordinates.begin().shift(|x| *x = subtract_weighted(x, &inverse_masses, &pull)).finish();
                (*high, *low) = (moved.high, moved.low);
            };
            match level {
                Settled::Position => settled(&mut element.q, &mut low.q),
                Settled::Velocity => settled(&mut element.v, &mut low.v),
            }
        }
    }

    /// g of a joint and its rate G v, evaluated with all digits.
    pub(super) fn residuals<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        side: Side,
        time: Time<T>,
        joint: usize,
    ) -> [Vector<T, E>; 2] {
        let time = P::Wide::<T>::from_parts(time.high, time.low);
        let passing = Dual::<P::Wide<T>, 1, T>::new(time, [P::Wide::<T>::from(T::one())]);
        let moving = |i: Option<usize>| {
            let (row, low) = i.and_then(|i| Some((rows.elements.get(i)?.at(side), self.elements.get(i)?.at(side))))?;
            let q = Coordinates::<T, D, P> { high: row.q, low: low.q }.wide();
            let v = Coordinates::<T, D, P> { high: row.v, low: low.v }.wide();
            Some(q.zip_map(&v, |q, v| Dual::new(q, [v])))
        };
        let before = moving(before_joint::<System, N, D, E>(joint)).unwrap_or_else(|| system.ground(passing));
        let behind = moving(Some(joint)).unwrap_or_else(|| system.far_ground(passing));
        let g = system.constraint(joint, &before, &behind);
        [g.map(|g| g.value.value()), g.map(|g| g.partials[0].value())]
    }
}

/// What is projected.
#[derive(Clone, Copy, PartialEq)]
enum Settled {
    Position,
    Velocity,
}
