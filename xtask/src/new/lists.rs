//! The machines of the gallery as text: the list of parts, for a user to change.

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};

const GALLERY: [&str; 3] = [
    include_str!("../../../examples/mechanisms/src/parts/robots.rs"),
    include_str!("../../../examples/mechanisms/src/parts/linkages.rs"),
    include_str!("../../../examples/mechanisms/src/parts/spatial.rs"),
];

/// A machine of the gallery with motors, and the task that it gets.
#[derive(Debug)]
pub struct Machine {
    /// Its name in the gallery.
    pub name: &'static str,
    /// The name of its list.
    pub list: &'static str,
    /// Its rate, path and limits.
    pub task: &'static str,
}

macro_rules! machines {
    ($($name:literal: $list:literal,)*) => {
        &[$(Machine { name: $name, list: $list, task: include_str!(concat!("tasks/", $name, ".rs")) }),*]
    };
}

/// All of them.
pub const MACHINES: &[Machine] = machines! {
    "ankle": "Ankle",
    "delta": "Delta",
    "five-bar": "FiveBar",
    "five-bar-points": "FiveBarPoints",
    "four-bar-angles": "FourBarAngles",
    "geared-five-bar": "GearedFiveBar",
    "gimbal": "Gimbal",
    "linear-delta": "LinearDelta",
    "scara": "Scara",
    "slider-crank": "SliderCrank",
    "spatial-four-bar": "SpatialFourBar",
    "stewart": "Stewart",
    "universal-joint": "UniversalJoint",
};

/// Have motors, but no task for this loop, and why.
const WITHOUT_TASK: [(&str, &str, &str); 2] = [
    (
        "crane",
        "Crane",
        "it has fewer motors than ways to move: its load swings, and the loop of a machine needs a motor for each of them; its own \
         loop is `cargo xtask demo crane`",
    ),
    (
        "andrews",
        "Andrews",
        "its spring pushes the crank away with 444 rad/s: below 2 kHz the loop loses it, and at 2 kHz the emulated board has no time for \
         the loop and the simulated machine",
    ),
];

/// Follow their paths at the desk, but their loops need more stack than the emulated board has.
const LARGE: [&str; 3] = ["gimbal", "spatial-four-bar", "universal-joint"];

/// Why the demo lets this list go.
pub fn without_loop(name: &str) -> Option<&'static str> {
    WITHOUT_MOTORS.contains(&name).then_some("it has no motors").or(without_board(name))
}

/// Why the emulated board does not run a loop of this list, although it has motors.
fn without_board(name: &str) -> Option<&'static str> {
    let large = LARGE.contains(&name).then_some("its loop needs more stack than the emulated board has");
    large.or(WITHOUT_TASK.iter().find(|(known, ..)| *known == name).map(|(_, _, reason)| *reason))
}

/// Have no motors.
#[rustfmt::skip]
pub const WITHOUT_MOTORS: [&str; 16] = [
    "pendulum", "double-pendulum", "four-bar", "sprung-slider", "hanging-chain", "ring", "peaucellier", "jansen-leg", "pantograph",
    "scissor-lift", "connected-pendulums", "plate", "lambda", "heavy-top", "gyroscope", "bricard",
];

/// Parses the name of a machine with a task on a command line. The others are accepted here, so that [`Machine::named`] says why not.
pub fn parser() -> PossibleValuesParser {
    named(true)
}

/// Parses the name of any mechanism of the gallery.
pub fn gallery() -> PossibleValuesParser {
    named(false)
}

fn named(only_machines: bool) -> PossibleValuesParser {
    let is_large = |name: &str| only_machines && LARGE.contains(&name);
    let machines = MACHINES.iter().map(|machine| PossibleValue::new(machine.name).hide(is_large(machine.name)));
    let others = WITHOUT_MOTORS.into_iter().chain(WITHOUT_TASK.map(|(name, ..)| name));
    machines.chain(others.map(|name| PossibleValue::new(name).hide(only_machines))).collect::<Vec<_>>().into()
}

/// Their names.
pub fn names() -> Vec<&'static str> {
    MACHINES.iter().map(|machine| machine.name).collect()
}

impl Machine {
    /// Finds a machine by name.
    pub fn named(name: &str) -> Result<&'static Self> {
        if let Some(reason) = without_board(name) {
            bail!("{name} has no loop of this kind: {reason}");
        }
        if WITHOUT_MOTORS.contains(&name) {
            bail!(
                "{name} has no motors, so there is nothing to control; those with motors are {}. To see it move: \
                 `cargo xtask demo --mechanism {name}` on the emulated board, `cargo run --release --example mechanism -- {name}` here",
                names().join(", ")
            );
        }
        let machine = MACHINES.iter().find(|machine| machine.name == name);
        machine.with_context(|| format!("unknown mechanism {name}; those with motors are {}", names().join(", ")))
    }

    /// Its list, with the constants that it uses before it.
    pub fn source(&self) -> Result<String> {
        let found = GALLERY.iter().find_map(|file| Some((file, list(file, self.list)?)));
        let (file, list) = found.with_context(|| format!("the gallery has no list {}", self.list))?;
        let has = |name: &str| list.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
        let mut source = String::new();
        for line in file.lines() {
            let constant = line.strip_prefix("const ").and_then(|rest| rest.split(':').next());
            let used = line.strip_prefix("use ").and_then(|rest| rest.trim_end_matches(';').rsplit("::").next());
            if constant.or(used).is_some_and(has) {
                source += &format!("{line}\n\n");
            }
        }
        Ok(source + &list)
    }
}

/// The macro call that declares a list, without indentation.
fn list(file: &str, name: &str) -> Option<String> {
    const OPEN: &str = "taut::mechanism! {\n";
    let declared = file.find(&format!("pub struct {name} in "))?;
    let begin = file[..declared].rfind(OPEN)?;
    let end = begin + file[begin..].find("\n}\n")? + 3;
    // The gallery says what else has the same numbers; a copy may be changed.
    let own = |line: &str| line.split(" The same numbers as ").next().unwrap_or(line).to_owned() + "\n";
    Some(file[begin..end].lines().map(own).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_has_a_list_with_motors_and_its_constants() {
        for machine in MACHINES {
            let source = machine.source().unwrap();
            assert!(
                source.contains("motors ") && source.contains("encoders ") && source.contains("output "),
                "{source}"
            );
            assert_eq!(source.matches("taut::mechanism!").count(), 1, "{source}");
            assert_eq!(source.matches('{').count(), source.matches('}').count(), "{source}");
            assert!(machine.task.contains(&format!("{}<f32>", machine.list)));
        }
        assert!(Machine::named("delta").unwrap().source().unwrap().contains("const H: f64"));
        assert!(Machine::named("four-bar-angles").unwrap().source().unwrap().starts_with("use core::f64"));
        let refused = Machine::named("pendulum").unwrap_err().to_string();
        assert!(refused.starts_with("pendulum has no motors") && refused.contains("delta, five-bar,"), "{refused}");
        assert!(
            Machine::named("crane")
                .unwrap_err()
                .to_string()
                .contains("crane has no loop of this kind: it has fewer motors")
        );
        assert!(Machine::named("gimbal").unwrap_err().to_string().contains("more stack than the emulated board"));
    }

    /// Whatever of the gallery has motors is a machine with a task, or refused with a reason.
    #[test]
    fn every_list_with_motors_is_known() {
        let lists = GALLERY.iter().flat_map(|file| file.split("taut::mechanism! {").skip(1));
        let mut count = 0;
        for list in lists.filter(|list| list.contains("    motors ")) {
            let name = list.split("pub struct ").nth(1).unwrap().split(' ').next().unwrap();
            let has_reason = WITHOUT_TASK.iter().any(|(_, list, _)| *list == name);
            assert!(has_reason || MACHINES.iter().any(|machine| machine.list == name), "{name}");
            count += 1;
        }
        assert_eq!(count, MACHINES.len() + WITHOUT_TASK.len());
    }

    /// Every mechanism of the gallery is known by its name.
    #[test]
    fn every_list_of_the_gallery_is_known() {
        struct Names(Vec<&'static str>);
        impl mechanisms::parts::Visitor<f64> for Names {
            fn visit<L: taut::parts::by_hand::List<N, M, Base = f64>, const N: usize, const M: usize>(
                &mut self,
                name: &'static str,
                _: &taut::parts::Mechanism<L, N, M>,
            ) {
                self.0.push(name);
            }
        }
        let mut gallery = Names(vec!["bricard"]);
        mechanisms::parts::visit_all(&mut gallery);
        gallery.0.sort_unstable();
        let mut known = names();
        known.extend(WITHOUT_TASK.map(|(name, ..)| name));
        known.extend(WITHOUT_MOTORS);
        known.sort_unstable();
        assert_eq!(known, gallery.0);
    }
}
