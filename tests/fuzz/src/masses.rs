//! Steps of models whose mass is a full matrix, constant or varying.

use nalgebra::matrix;
use taut::linalg::{Matrix, SymmetricFactors, Vector};
use taut::method::{every_method, every_method_for_any_mass};
use taut::scalar::Real;
use taut::start::Precision;
use taut::system::{Full, Mechanical, Varying};

use crate::bytes::Bytes;
use crate::mechanical::{AnyModel, Show, Stepped, start, walk};

/// What is on the diagonal, between y and z, between x and y times x, and on the first entry of the diagonal times x².
type Entries = [f32; 6];

fn mass_matrix<S: Real<Base = f32>>([a, b, c, beside, slope, square]: Entries, x: S) -> Matrix<S, 3, 3> {
    let (zero, b, c, beside) = (S::zero(), S::from(b), S::from(c), S::from(beside));
    matrix![x * x * square + a, x * slope, zero; x * slope, b, beside; zero, beside, c]
}

/// Any model with a full matrix.
struct Heavy {
    model: AnyModel<f32>,
    mass: Full<f32, 3>,
}

impl Mechanical<3, 2> for Heavy {
    type Base = f32;
    type Mass = Full<f32, 3>;

    fn mass(&self) -> Full<f32, 3> {
        self.mass
    }
    fn force<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        self.model.force(t, q, v)
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        self.model.constraint(t, q)
    }
}

impl Stepped for Heavy {
    fn methods<F: SymmetricFactors<f32, 2>, P: Precision>(show: Show<'_, Self, F, P>) {
        every_method(show);
    }
}

/// In compensated states, or in plain ones with constraints that may depend on each other.
pub fn full(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let kind = bytes.byte() % 4;
    let model = AnyModel::read(&mut bytes, kind == 3);
    let Ok(mass) = Full::new(mass_matrix(bytes.numbers([1.0, 1.0, 1.0, 0.5, 0.5, 0.0]), 1.0_f32)) else { return 1 };
    let heavy = Heavy { model, mass };
    let Some((start, v)) = start(&heavy, &mut bytes) else { return 2 };
    match kind {
        0 | 1 => walk(&heavy, start.moving(v), bytes),
        _ => walk(&heavy, start.redundant().plain().moving(v), bytes),
    }
}

/// Any model whose matrix varies with x. It need not be positive definite everywhere.
struct Changing {
    model: AnyModel<f32>,
    entries: Entries,
}

impl Mechanical<3, 2> for Changing {
    type Base = f32;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f32>>(&self, q: &Vector<S, 3>) -> Matrix<S, 3, 3> {
        mass_matrix(self.entries, q.x)
    }
    fn force<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        self.model.force(t, q, v)
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        self.model.constraint(t, q)
    }
}

impl Stepped for Changing {
    fn methods<F: SymmetricFactors<f32, 2>, P: Precision>(show: Show<'_, Self, F, P>) {
        every_method_for_any_mass(show);
    }
}

/// In precise states, or in plain ones with constraints that may depend on each other.
pub fn varying(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let kind = bytes.byte() % 4;
    let model = AnyModel::read(&mut bytes, kind == 3);
    let changing = Changing { model, entries: bytes.numbers([1.0, 1.0, 1.0, 0.1, 0.1, 0.5]) };
    let Some((start, v)) = start(&changing, &mut bytes) else { return 1 };
    match kind {
        0 | 1 => walk(&changing, start.precise().moving(v), bytes),
        _ => walk(&changing, start.redundant().plain().moving(v), bytes),
    }
}
