//! What the check prints.

use super::Line;
use super::steps::Steps;

/// Measured against allowed, a row for each kernel, step and program of each machine.
pub fn lines(lines: &[Line]) -> String {
    let mut text = String::from(
        "\nMeasured, and allowed in brackets. Instructions are those of the whole kernel, arguments fetched and results stored,\n\
         without the call and the return; they are not cycles. Flash is the kernel's own symbol, without the functions that it\n\
         calls; of a program, it is all but the table of interrupt vectors. Of a board, a row is a loop's longest tick, its simulated\n\
         machine on the stack but not among the instructions, and the whole firmware.\n",
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
        let limits = line.limits.map(|limits| limits.figures).unwrap_or_default();
        let columns = line.measured.with_units().into_iter().zip(limits.with_units()).zip([11, 7, 7, 7]);
        for (((_, measured), (_, limit)), width) in columns {
            let measured = measured.map(|measured| measured.to_string()).unwrap_or_default();
            let shown = match limit {
                Some(limit) => format!("[{limit}]"),
                None if measured.is_empty() => String::new(),
                None => "[none]".to_owned(),
            };
            text += &format!(" {measured:>width$} {shown:>8}");
        }
        let ceilings = line.limits.map(|limits| limits.ceiling).unwrap_or_default().with_units();
        for (unit, ceiling) in ceilings.into_iter().filter_map(|(unit, ceiling)| Some((unit, ceiling?))) {
            text += &format!("  at most {ceiling} {unit}");
        }
        text = text.trim_end().to_owned() + "\n";
    }
    text
}

/// The cheapest and the dearest step of each kind, and the dearest that fails.
pub fn steps(machine: &str, steps: &[Steps]) -> String {
    let mut text = format!(
        "\n{:42} {:>9} {:>9} {:>9}  {}\n",
        format!("instructions of a step on {machine}"),
        "cheapest",
        "dearest",
        "of steps",
        "dearest failure"
    );
    for step in steps {
        let failure = step.dearest_failure();
        let failure = failure.map(|(kind, instructions)| format!("{instructions}, {kind}")).unwrap_or_default();
        text += &format!("  {:40} {:>9} {:>9} {:>9}  {failure}\n", step.name, step.cheapest, step.dearest, step.count);
    }
    text
}
