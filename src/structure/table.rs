//! An analysis as a table.

use core::fmt;
use std::string::String;
use std::vec::Vec;

use super::{Analysis, DerivativeArray, Structure};

impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.redundant.is_empty() {
            writeln!(f, "redundant         {}: left out with their multipliers", self.redundant.join(", "))?;
            writeln!(f, "                  the model as it is starts with `Start::redundant`")?;
        }
        match &self.structure {
            Ok(structure) => write!(f, "{structure}")?,
            Err(error) => writeln!(f, "structure         no answer: {error}")?,
        }
        match &self.array {
            Ok(array) => write!(f, "{array}")?,
            Err(error) => writeln!(f, "derivative array  no answer: {error}")?,
        }
        writeln!(f, "methods           {}", self.methods)
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dash = "'";
        let derivative = |&(j, order): &(usize, usize)| self.unknowns[j].clone() + &dash.repeat(order);
        let all = |places: &[(usize, usize)]| list(places.iter().map(derivative).collect());
        let differentiated: Vec<(usize, usize)> =
            self.differentiations.iter().copied().enumerate().filter(|(_, times)| *times > 0).collect();
        let named = differentiated.iter().map(|&(i, times)| self.equations[i].clone() + &dash.repeat(times));
        writeln!(f, "structural index  {}", self.index())?;
        writeln!(f, "differentiate     {}", list(named.collect()))?;
        writeln!(f, "dummies           {}", all(&self.dummies))?;
        writeln!(f, "initial values    {} to choose: {}", self.free.len(), all(&self.free))?;
        let largest = self.blocks.iter().map(|block| block.equations.len()).max().unwrap_or(0);
        writeln!(f, "blocks            {}, the largest of {largest}", self.blocks.len())
    }
}

impl fmt::Display for DerivativeArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { differentiations, rows, rank, rank_of_higher, constraints, .. } = self;
        let free = list(self.free.iter().map(|&j| self.names[j].clone()).collect());
        let index = if self.is_one_full() { "differentiation index" } else { "not 1-full after" };
        writeln!(
            f,
            "derivative array  {index} {differentiations}: {rows} equations, ranks {rank} and {rank_of_higher}"
        )?;
        writeln!(f, "                  {constraints} constraints, {} values to choose: {free}", self.free.len())
    }
}

/// Names in a row.
fn list(names: Vec<String>) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
