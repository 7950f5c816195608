//! The library's methods by name.

use taut::linalg::SymmetricFactors;
use taut::method::{AnyMethod, NAMES, every_method, every_method_for_any_mass};
use taut::scalar::Float;
use taut::start::Precision;
use taut::system::{ConstantMass, Mechanical};

use crate::{Desk, Outcome};

/// The names of the methods for any mass.
pub const ANY_MASS: &[&str] = NAMES.split_at(5).1;

impl Desk {
    /// Calls `act` with the chosen method, on a system of constant mass.
    pub fn with_method<System, T, const N: usize, const M: usize, F, P, R>(
        &self,
        act: impl FnOnce(&AnyMethod<System, T, N, M, F, P>) -> R,
    ) -> Outcome<R>
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        System::Mass: ConstantMass<T, N>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let (mut act, mut outcome) = (Some(act), None);
        every_method(|method| {
            if method.name() == self.method() {
                outcome = act.take().map(|act| act(method));
            }
        });
        Ok(outcome.ok_or("not a method for a constant mass")?)
    }

    /// The same on a system of any mass, with one of [`ANY_MASS`].
    pub fn with_method_for_any_mass<System, T, const N: usize, const M: usize, F, P, R>(
        &self,
        act: impl FnOnce(&AnyMethod<System, T, N, M, F, P>) -> R,
    ) -> Outcome<R>
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let (mut act, mut outcome) = (Some(act), None);
        every_method_for_any_mass(|method| {
            if method.name() == self.method() {
                outcome = act.take().map(|act| act(method));
            }
        });
        Ok(outcome.ok_or("not a method for any mass")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mechanisms::Pendulum;

    type Method = AnyMethod<Pendulum<f32>, f32, 2, 1>;

    #[test]
    fn every_name_is_a_method() {
        for name in NAMES {
            let desk = Desk::for_test(&format!("--method {name}"));
            assert_eq!(desk.with_method(|method: &Method| method.name()).unwrap(), name);
            let any_mass = desk.with_method_for_any_mass(|method: &Method| method.name());
            assert_eq!(any_mass.ok(), ANY_MASS.contains(&name).then_some(name));
        }
    }
}
