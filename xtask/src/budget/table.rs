//! The tables that the check prints.

use super::Line;
use super::counts::Counted;
use super::file::NAMES;

/// Measured and allowed figures: a row for each kernel, step and program of each machine.
pub fn lines(lines: &[Line]) -> String {
    let mut text = String::from(
        "\nMeasured figures; the limits in brackets. Instructions (not cycles) include loading the arguments, storing the results,\n\
         the frame and the return, but not the call. A program starts and steps one system; its flash is that of the whole program less\n\
         an empty one. A board has a row for each loop and a row for the whole firmware. A loop's row\n\
         is its longest tick: the stack includes the simulated machine, the instructions do not. cortex-m4f-small is opt-level \"s\".\n",
    );
    let mut machine = "";
    for line in lines {
        if line.machine != machine {
            machine = line.machine;
            text += &format!(
                "\n{machine:42} {:>19} {:>16} {:>16} {:>16}\n",
                "instructions", "stack, bytes", "flash, bytes", "RAM, bytes"
            );
        }
        text += &format!("  {:40}", line.row);
        let limits = line.limits.unwrap_or_default().figures;
        for ((measured, limit), width) in line.measured.all().into_iter().zip(limits.all()).zip([11, 7, 7, 7]) {
            let measured = measured.map(|measured| measured.to_string()).unwrap_or_default();
            let shown = match limit {
                Some(limit) => format!("[{limit}]"),
                None if measured.is_empty() => String::new(),
                None => "[none]".to_owned(),
            };
            text += &format!(" {measured:>width$} {shown:>8}");
        }
        for ((_, unit), ceiling) in NAMES.iter().zip(line.limits.unwrap_or_default().ceiling.all()) {
            text += &ceiling.map(|ceiling| format!("  at most {ceiling} {unit}")).unwrap_or_default();
        }
        text = text.trim_end().to_owned() + "\n";
    }
    text
}

/// The cheapest and the costliest step of each kind, and the costliest failure.
pub fn steps(machine: &str, counted: &[Counted]) -> String {
    let mut text = format!(
        "\n{:42} {:>9} {:>9} {:>9}  {}\n",
        format!("instructions per step on {machine}"),
        "cheapest",
        "costliest",
        "steps",
        "costliest failure"
    );
    for step in counted.iter().filter(|counted| counted.count > 1) {
        let failure = step.costliest_failure().map_or(String::new(), |(kind, count)| format!("{count}, {kind}"));
        let Counted { name, cheapest, costliest, count, .. } = step;
        text += &format!("  {name:40} {cheapest:>9} {costliest:>9} {count:>9}  {failure}\n");
    }
    text
}
