//! The parsed output of the programs.

use std::collections::BTreeMap;

use anyhow::Result;

/// One run of a library's method.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The system.
    pub system: String,
    /// Library and method: `diffsol/bdf`.
    pub name: String,
    /// Step size or tolerance: `h=1e-3`.
    pub setting: String,
    /// Seconds per simulated second.
    pub seconds: f64,
    /// The position error at the end.
    pub error: f64,
    /// The largest energy error.
    pub energy_error: f64,
    /// The largest constraint residual.
    pub constraint_error: f64,
}

/// The time of a step of a linkage that taut and Pinocchio step in turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The system.
    pub system: String,
    /// Its number of rods.
    pub rods: usize,
    /// Who, and in which coordinates or by which algorithm: `taut/points`.
    pub who: String,
    /// Seconds of a step.
    pub seconds: f64,
}

/// All results.
#[derive(Default)]
pub struct Results {
    /// Runs of the systems, on this computer.
    pub points: Vec<Point>,
    /// The runs that failed.
    pub failures: Vec<String>,
    /// Links, who, and the seconds of a step on this computer.
    pub chains: Vec<(usize, String, f64)>,
    /// Linkages stepped in turns with Pinocchio.
    pub turns: Vec<Turn>,
    /// System, rods, and how far apart all of them end, in metres.
    agreements: Vec<(String, usize, f64)>,
    /// Instructions of a step, by system and who.
    counts: BTreeMap<(String, String), u64>,
    /// Seconds of an evaluation of the equations from which the multipliers have been eliminated, by system.
    evaluation: BTreeMap<String, f64>,
    /// System, name, setting, and how often a simulated second evaluates them.
    evaluations: Vec<(String, String, String, f64)>,
    /// Names and versions.
    pub versions: Vec<String>,
    /// The libraries that are not installed.
    pub skipped: Vec<String>,
}

impl Results {
    /// Adds the instructions of a step, counted in the emulator.
    pub fn add_count(&mut self, system: &str, who: &str, instructions: u64) {
        self.counts.insert((system.to_owned(), who.to_owned()), instructions);
    }

    /// Adds what was run on this computer.
    pub fn add_runs(&mut self, output: &str) -> Result<()> {
        for line in output.lines() {
            match line.split(' ').collect::<Vec<_>>().as_slice() {
                ["point", system, name, setting, seconds, error, energy_error, constraint_error] => {
                    self.points.push(Point {
                        system: (*system).to_owned(),
                        name: (*name).to_owned(),
                        setting: (*setting).to_owned(),
                        seconds: seconds.parse()?,
                        error: error.parse()?,
                        energy_error: energy_error.parse()?,
                        constraint_error: constraint_error.parse()?,
                    });
                }
                ["evaluation", system, seconds] => {
                    self.evaluation.insert((*system).to_owned(), seconds.parse()?);
                }
                ["evaluations", system, name, setting, count] => {
                    let [system, name, setting] = [system, name, setting].map(|word| (*word).to_owned());
                    self.evaluations.push((system, name, setting, count.parse()?));
                }
                ["failure", rest @ ..] => self.failures.push(rest.join(" ")),
                ["chain", links, who, seconds] => {
                    self.chains.push((links.parse()?, (*who).to_owned(), seconds.parse()?));
                }
                ["linkage", system, rods, who, seconds] => self.turns.push(Turn {
                    system: (*system).to_owned(),
                    rods: rods.parse()?,
                    who: (*who).to_owned(),
                    seconds: seconds.parse()?,
                }),
                ["agreement", system, rods, metres] => {
                    self.agreements.push(((*system).to_owned(), rods.parse()?, metres.parse()?));
                }
                ["version", name, version] => self.versions.push(format!("{name} {version}")),
                ["skipped", name] => self.skipped.push((*name).to_owned()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the versions of the crates that a lock file names.
    pub fn add_versions(&mut self, lock: &str) {
        let mut lines = lock.lines();
        while let Some(line) = lines.next() {
            let name = line.strip_prefix("name = ").map(|name| name.trim_matches('"'));
            let Some(name) = name.filter(|name| ["diffsol", "differential-equations", "rapier2d-f64"].contains(name))
            else {
                continue;
            };
            let version = lines.next().and_then(|line| line.strip_prefix("version = ")).unwrap_or_default();
            self.versions.push(format!("{name} {}", version.trim_matches('"')));
        }
    }

    /// Instructions of a step.
    pub fn count(&self, system: &str, who: &str) -> Option<u64> {
        self.counts.get(&(system.to_owned(), who.to_owned())).copied()
    }

    /// The linkages that were stepped in turns: system, rods, and how far apart all of them end.
    pub fn linkages(&self) -> &[(String, usize, f64)] {
        &self.agreements
    }

    /// The fastest on a linkage whose name begins like this.
    pub fn fastest(&self, system: &str, rods: usize, beginning: &str) -> Option<&Turn> {
        let able = self.turns.iter().filter(|turn| turn.system == system && turn.rods == rods);
        able.filter(|turn| turn.who.starts_with(beginning)).min_by(|one, other| one.seconds.total_cmp(&other.seconds))
    }

    /// The part of a run's time that evaluations of prepared equations take: system, name, setting and part.
    pub fn parts_of_evaluations(&self) -> impl Iterator<Item = (&str, &str, &str, f64)> {
        self.evaluations.iter().filter_map(|(system, name, setting, count)| {
            let run = self.of(system).find(|point| point.name == *name && point.setting == *setting)?;
            let part = count * self.evaluation.get(system)? / run.seconds;
            Some((system.as_str(), name.as_str(), setting.as_str(), part))
        })
    }

    /// The systems that were run, in their order.
    pub fn systems(&self) -> Vec<&str> {
        let mut systems: Vec<&str> = Vec::new();
        for point in &self.points {
            if !systems.contains(&point.system.as_str()) {
                systems.push(&point.system);
            }
        }
        systems
    }

    /// The runs of a system.
    pub fn of<'a>(&'a self, system: &'a str) -> impl Iterator<Item = &'a Point> {
        self.points.iter().filter(move |point| point.system == system)
    }

    /// Seconds that a simulated second takes in C, in single precision at 1 kHz: what all other times are relative to.
    pub fn unit(&self, system: &str) -> Option<f64> {
        self.of(system).find(|point| point.name == "c/f32" && point.setting == "h=1e-3").map(|point| point.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_results() {
        let mut results = Results::default();
        results.add_count("pendulum", "c", 95);
        assert_eq!((results.count("pendulum", "c"), results.count("pendulum", "taut")), (Some(95), None));

        results
            .add_runs("point pendulum c/f32 h=1e-3 2e-5 1e-3 2e-3 3e-7\nfailure pendulum x h=1\nchain 2 c 1e-8\n")
            .unwrap();
        assert_eq!(results.unit("pendulum"), Some(2e-5));
        assert_eq!((results.failures.len(), results.chains.len()), (1, 1));
        results.add_versions("[[package]]\nname = \"diffsol\"\nversion = \"0.18.0\"\n");
        assert_eq!(results.versions, ["diffsol 0.18.0"]);
    }
}
