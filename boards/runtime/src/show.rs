//! What a board says about its run. The host reads these lines; their words are the host's words.

use loops::{Sample, Summary};

use crate::run::Run;
use crate::signals::Signals;

/// What is going to run, on a board of that name.
pub fn beginning(board: &str, run: &Run) {
    let fault = run.options.inject.map_or("none", |inject| inject.fault.name());
    defmt::info!(
        "begin board={=str} loop={=str} rate={=u32} ticks={=u64} inject={=str}",
        board,
        run.which.name(),
        run.which.rate(),
        run.ticks(),
        fault
    );
}

/// A tick. Nothing of it depends on the board.
pub fn sample(sample: &Sample, run: &Run) {
    let Sample { tick, place: [x, y], target: [target_x, target_y], efforts: [effort, other_effort], .. } = *sample;
    defmt::info!(
        "telemetry tick={=u64} time={=f32} state={=str} output={=str} fault={=str} x={=f32} y={=f32} target_x={=f32} \
         target_y={=f32} error={=f32} residual={=f32} effort_1={=f32} effort_2={=f32}",
        tick,
        tick as f32 / run.which.rate() as f32,
        sample.state.name(),
        sample.output.name(),
        sample.code.name(),
        x,
        y,
        target_x,
        target_y,
        sample.error,
        sample.residual,
        effort,
        other_effort
    );
}

/// What the loop did. Nothing of it depends on the board.
pub fn result(summary: &Summary) {
    defmt::info!(
        "result calls={=u32} running={=u32} worst_error={=f32} worst_residual={=f32} faults={=u32} last_fault={=str} \
         stuck={=u32} digest={=u32:08x}",
        summary.calls,
        summary.running,
        summary.worst_error,
        summary.worst_residual,
        summary.faults,
        summary.last_fault.name(),
        summary.stuck,
        summary.digest
    );
}

/// How the board did it, with a clock of so many counts a second and a tick; lateness and execution are counts of that clock.
pub fn timing(summary: &Summary, dropped: u32, signals: &Signals, (frequency, period): (u32, u32)) {
    defmt::info!(
        "timing frequency={=u32} period={=u32} worst_lateness={=u32} worst_execution={=u32} skipped={=u32} overruns={=u32} \
         dropped={=u32} fed={=u32} hungry={=u32} stack={=u32}",
        frequency,
        period,
        summary.worst_lateness,
        summary.worst_execution,
        summary.skipped,
        summary.overruns,
        dropped,
        signals.fed(),
        signals.hungry(),
        signals.stack()
    );
}
