//! A model without redundant equations and the unknowns that they leave open.

use std::string::String;
use std::vec::Vec;

use super::Dae;
use crate::scalar::Real;

/// A model with some of its equations, and the unknowns of the same numbers; the others are zero.
pub(super) struct Kept<'a, System> {
    system: &'a System,
    numbers: Vec<usize>,
}

impl<'a, System: Dae> Kept<'a, System> {
    /// Without these equations and unknowns.
    pub(super) fn without(system: &'a System, redundant: &[usize]) -> Self {
        Self { system, numbers: (0..system.size()).filter(|number| !redundant.contains(number)).collect() }
    }

    /// The entries that are kept of those of the whole model, or a list of another length as it is.
    pub(super) fn chosen(&self, entries: &[f64]) -> Vec<f64> {
        if entries.len() == self.system.size() {
            self.numbers.iter().map(|&number| entries[number]).collect()
        } else {
            entries.to_vec()
        }
    }
}

impl<System: Dae> Dae for Kept<'_, System> {
    type Base = System::Base;

    fn size(&self) -> usize {
        self.numbers.len()
    }

    fn residual<S: Real<Base = Self::Base>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let here = |number: usize, order: usize| match self.numbers.binary_search(&number) {
            Ok(place) => x(place, order),
            Err(_) => S::zero(),
        };
        let mut rows = self.system.residual(t, &here);
        let mut number = 0;
        rows.retain(|_| {
            number += 1;
            number > self.system.size() || self.numbers.binary_search(&(number - 1)).is_ok()
        });
        rows
    }

    fn equation(&self, index: usize) -> String {
        self.numbers.get(index).map_or_else(String::new, |&number| self.system.equation(number))
    }

    fn unknown(&self, index: usize) -> String {
        self.numbers.get(index).map_or_else(String::new, |&number| self.system.unknown(number))
    }
}
