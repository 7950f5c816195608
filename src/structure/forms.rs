//! The forms of equations as F(t, x, x', …) = 0.

use std::boxed::Box;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::Dae;
use super::elimination::{eliminate, norm};
use crate::control::Hessenberg;
use crate::linalg::Vector;
use crate::method::NAMES;
use crate::scalar::{Dual, Float, Lifted, Real};
use crate::system::{Implicit, IndexThree, MIXED, Mass, Mechanical, SemiExplicit, Varying};

/// A vector of derivatives of unknowns, from the first one on.
fn vector<S: Real, const N: usize>(x: &dyn Fn(usize, usize) -> S, first: usize, order: usize) -> Vector<S, N> {
    Vector::from_fn(|i, _| x(first + i, order))
}

/// The sum of products, without those whose coefficient is a constant zero.
fn sum<S: Real>(products: impl Iterator<Item = (S, S)>) -> S {
    products.filter(|(factor, _)| !factor.is_zero()).fold(S::zero(), |sum, (factor, x)| sum + factor * x)
}

/// The name of an entry, by the sizes of the vectors.
fn name(parts: &[(&str, usize)], mut index: usize) -> String {
    for (part, size) in parts {
        if index < *size {
            return format!("{part}[{index}]");
        }
        index -= size;
    }
    String::new()
}

/// Writes the size and the names of a form.
macro_rules! sizes {
    ($equations:expr, $unknowns:expr) => {
        fn size(&self) -> usize {
            $unknowns.iter().map(|(_, size)| size).sum()
        }
        fn equation(&self, index: usize) -> String {
            name(&$equations, index)
        }
        fn unknown(&self, index: usize) -> String {
            name(&$unknowns, index)
        }
    };
}

struct OfMechanical<'a, System, const N: usize, const M: usize>(&'a System);

impl<System: Mechanical<N, M>, const N: usize, const M: usize> OfMechanical<'_, System, N, M> {
    /// The derivatives of the constraints by a coordinate, or with i = N by the time.
    fn slopes<S: Real<Base = System::Base>>(&self, t: S, q: &Vector<S, N>, i: usize) -> Vector<S, M> {
        let (mut time, mut along) = (Dual::<S, 1, System::Base>::constant(t), q.map(Dual::constant));
        if let Some(x) = along.iter_mut().chain([&mut time]).nth(i) {
            x.partials[0] = S::one();
        }
        self.0.constraint(time, &along).map(|g| g.partials[0])
    }
}

/// M(q) q'' = f(t, q, q') − Gᵀ λ, 0 = g(t, q): the unknowns are q and λ.
pub fn mechanical<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
) -> impl Dae<Base = System::Base> + '_ {
    OfMechanical::<System, N, M>(system)
}

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Dae for OfMechanical<'_, System, N, M> {
    type Base = System::Base;

    sizes!([("force", N), ("constraint", M)], [("q", N), ("λ", M)]);

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let (q, v): (Vector<S, N>, Vector<S, N>) = (vector(x, 0, 0), vector(x, 0, 1));
        let (mass, force) = (Box::new(self.0.mass_matrix_at(t, &q)), self.0.force(t, &q, &v));
        let row = |i: usize| {
            let slopes = self.slopes(t, &q, i);
            let inertia = sum((0..N).map(|j| (mass[(i, j)], x(j, 2))));
            inertia - force[i] + sum((0..M).map(|r| (slopes[r], x(N + r, 0))))
        };
        (0..N).map(row).chain(self.0.constraint(t, &q).iter().copied()).collect()
    }

    fn redundant(&self, t: f64, values: &[f64]) -> Vec<usize> {
        let t = Lifted::<f64, Self::Base>::new(t);
        let q = Vector::from_fn(|i, _| Lifted::new(values[i]));
        // With its rate and value beside its gradient, a constraint that contradicts others does not depend on them.
        let mut table: Vec<Vector<_, M>> = (0..=N).map(|i| self.slopes(t, &q, i)).collect();
        table.push(self.0.constraint(t, &q));
        let mut rows: Vec<Vec<f64>> = (0..M).map(|r| table.iter().map(|column| column[r].double()).collect()).collect();
        // Parameters in `f32` make dependent gradients differ by their round-off.
        let coarser = Self::Base::ROOT_EPSILON.to_f64() / f64::ROOT_EPSILON;
        let sizes: Vec<f64> = rows.iter().map(|row| norm(row) * coarser).collect();
        let taken = eliminate(&mut rows, &sizes, (0..M).collect(), 0);
        (0..M).filter(|r| sizes[*r] > 0.0 && !taken.contains(r)).map(|r| N + r).collect()
    }

    fn fitting(&self, index: usize, t: f64, values: &[f64]) -> String {
        if index != 3 && index != 0 {
            return "none".to_string();
        }
        // The first five need a constant mass.
        let names = if System::Mass::VARIES { &NAMES[5..] } else { &NAMES[..] };
        let methods = [names, &["bdf_2", "runge_kutta_4_partitioned", "runge_kutta_4_tangent"]].concat().join(", ");
        let (t, q) = (Float::from_f64(t), Vector::from_fn(|i, _| System::Base::from_f64(values[i])));
        if self.0.mass().check().and_then(|()| self.0.inertia_at(t, &q)).is_ok() {
            methods
        } else if moves_with_mass(self.0, t, &q) {
            format!("M is singular; wrapped in `Massless`: {methods}")
        } else {
            "none: M is singular on motions that the constraints allow".to_string()
        }
    }
}

/// Whether M is injective on the kernel of G, so that M + ρ Gᵀ G is positive definite (Hairer & Wanner VII.2, exercise 2).
fn moves_with_mass<System: Mechanical<N, M>, const N: usize, const M: usize>(
    system: &System,
    t: System::Base,
    q: &Vector<System::Base, N>,
) -> bool {
    let (mass, jacobian) = (system.mass_matrix(q), system.jacobian(t, q));
    let largest = |numbers: &[System::Base]| {
        numbers.iter().fold(System::Base::ZERO, |most, x| if x.abs() > most { x.abs() } else { most })
    };
    // Both of the same size.
    let gradient = largest(jacobian.as_slice());
    let weight = largest(mass.as_slice()) / (gradient * gradient);
    Varying.inertia(|| mass + jacobian.transpose() * jacobian * weight).is_ok()
}

struct OfSemiExplicit<'a, System, const Y: usize, const Z: usize>(&'a System);

/// y' = f(t, y, z), 0 = g(t, y, z).
pub fn semi_explicit<System: SemiExplicit<Y, Z>, const Y: usize, const Z: usize>(
    system: &System,
) -> impl Dae<Base = System::Base> + '_ {
    OfSemiExplicit::<System, Y, Z>(system)
}

impl<System: SemiExplicit<Y, Z>, const Y: usize, const Z: usize> Dae for OfSemiExplicit<'_, System, Y, Z> {
    type Base = System::Base;

    sizes!([("rate", Y), ("constraint", Z)], [("y", Y), ("z", Z)]);

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let (y, z) = (vector(x, 0, 0), vector(x, Y, 0));
        let rates = vector(x, 0, 1) - self.0.rate(t, &y, &z);
        rates.iter().chain(&self.0.constraint(t, &y, &z)).copied().collect()
    }

    fn fitting(&self, index: usize, _t: f64, _values: &[f64]) -> String {
        match (System::INDEX, index) {
            // Rows of index 1, of index 2, or both.
            (MIXED, 1 | 2) => "implicit_euler, half_explicit_1 to 4, bdf_2, radau_iia_3, radau_iia_5".to_string(),
            (MIXED, _) => "none: MIXED is for constraints of index 1 and 2".to_string(),
            // Without a z, every declaration is right.
            (declared, found) if found != declared && found != 0 => {
                format!("none while it declares INDEX = {declared}")
            }
            _ => "implicit_euler, half_explicit_1 to 4, runge_kutta_4, bdf_2, radau_iia_3, radau_iia_5".to_string(),
        }
    }
}

struct OfImplicit<'a, System, const N: usize>(&'a System);

/// M u' = F(t, u).
pub fn implicit<System: Implicit<N>, const N: usize>(system: &System) -> impl Dae<Base = System::Base> + '_ {
    OfImplicit::<System, N>(system)
}

impl<System: Implicit<N>, const N: usize> Dae for OfImplicit<'_, System, N> {
    type Base = System::Base;

    sizes!([("F", N)], [("u", N)]);

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let (mass, force) = (self.0.mass(), self.0.force(t, &vector(x, 0, 0)));
        (0..N).map(|i| sum((0..N).map(|j| (S::from(mass[(i, j)]), x(j, 1)))) - force[i]).collect()
    }

    fn fitting(&self, index: usize, _t: f64, _values: &[f64]) -> String {
        if index <= 2 { "implicit_euler, radau_iia_3, radau_iia_5" } else { "none" }.to_string()
    }
}

struct OfHessenberg<'a, System, const S: usize, const R: usize, const U: usize>(&'a System);

/// E z' = A(t) z + f(t) in Hessenberg form: the unknowns are z, the inputs last.
pub fn hessenberg<System: Hessenberg<S, R, U>, const S: usize, const R: usize, const U: usize>(
    system: &System,
) -> impl Dae<Base = System::Base> + '_ {
    OfHessenberg::<System, S, R, U>(system)
}

impl<System: Hessenberg<S, R, U>, const S: usize, const R: usize, const U: usize> Dae
    for OfHessenberg<'_, System, S, R, U>
{
    type Base = System::Base;

    sizes!([("rate", S - U), ("output", U)], [("z", S - U), ("u", U)]);

    fn residual<E: Real<Base = Self::Base>>(&self, t: E, x: &dyn Fn(usize, usize) -> E) -> Vec<E> {
        let (matrix, input) = (self.0.matrix(t), self.0.input(t));
        let right = |i: usize| sum((0..S).map(|j| (matrix[(i, j)], x(j, 0)))) + input[i];
        (0..S).map(|i| if i < S - U { x(i, 1) - right(i) } else { right(i) }).collect()
    }

    fn fitting(&self, index: usize, _t: f64, _values: &[f64]) -> String {
        if index == R {
            "runge_kutta_4 of its state space".to_string()
        } else {
            format!("none while it declares R = {R}")
        }
    }
}

struct OfIndexThree<'a, System, const P: usize, const Q: usize, const C: usize>(&'a System);

/// p' = U(t, q), q' = F(t, p, q) + G(t, p, q) Λ, 0 = R(t, p).
pub fn index_three<System: IndexThree<P, Q, C>, const P: usize, const Q: usize, const C: usize>(
    system: &System,
) -> impl Dae<Base = System::Base> + '_ {
    OfIndexThree::<System, P, Q, C>(system)
}

impl<System: IndexThree<P, Q, C>, const P: usize, const Q: usize, const C: usize> Dae
    for OfIndexThree<'_, System, P, Q, C>
{
    type Base = System::Base;

    sizes!([("rate", P), ("force", Q), ("constraint", C)], [("p", P), ("q", Q), ("Λ", C)]);

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let (p, q) = (vector(x, 0, 0), vector(x, P, 0));
        let (force, coupling) = (self.0.force(t, &p, &q), self.0.coupling(t, &p, &q));
        let rates = vector(x, 0, 1) - self.0.rate(t, &q);
        let row = |i: usize| x(P + i, 1) - force[i] - sum((0..C).map(|k| (coupling[(i, k)], x(P + Q + k, 0))));
        rates.iter().copied().chain((0..Q).map(row)).chain(self.0.constraint(t, &p).iter().copied()).collect()
    }

    fn fitting(&self, index: usize, _t: f64, _values: &[f64]) -> String {
        if index == 3 { "implicit_euler, radau_iia_3, radau_iia_5" } else { "none" }.to_string()
    }
}

/// A system with derivatives above the first as one of first order: these derivatives are unknowns of their own.
pub(super) struct FirstOrder<'a, System> {
    pub(super) system: &'a System,
    /// For each unknown of the system, the number of its unknowns here.
    pub(super) orders: Vec<usize>,
}

impl<System: Dae> FirstOrder<'_, System> {
    /// The place of a derivative here.
    fn place(&self, unknown: usize, order: usize) -> usize {
        self.orders[..unknown].iter().sum::<usize>() + order
    }
}

impl<System: Dae> Dae for FirstOrder<'_, System> {
    type Base = System::Base;

    fn size(&self) -> usize {
        self.orders.iter().sum()
    }

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let derivative = |unknown: usize, order: usize| {
            let last = self.orders[unknown] - 1;
            if order <= last { x(self.place(unknown, order), 0) } else { x(self.place(unknown, last), 1) }
        };
        let mut rows = self.system.residual(t, &derivative);
        for (unknown, orders) in self.orders.iter().enumerate() {
            let chain = (1..*orders).map(|order| self.place(unknown, order));
            rows.extend(chain.map(|place| x(place - 1, 1) - x(place, 0)));
        }
        rows
    }

    fn equation(&self, index: usize) -> String {
        self.system.equation(index)
    }

    fn unknown(&self, index: usize) -> String {
        let mut order = index;
        for (unknown, orders) in self.orders.iter().enumerate() {
            if order < *orders {
                return self.system.unknown(unknown) + &"'".repeat(order);
            }
            order -= orders;
        }
        String::new()
    }
}
