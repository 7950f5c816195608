//! Writes the tables as Markdown that is also readable on a terminal.

use crate::curves::{Curve, curves, exponent, quickest};
use crate::linkages;
use crate::results::{Point, Results};

/// The page's description of the libraries.
const WHO: &str = "\
| name | what it is |
|---|---|
| `taut` | fixed step, no heap; states plain or compensated in `f32`, plain in `f64`; derivatives by hand |
| `c` | RATTLE by hand in C (`benches/baseline/c`): plain arrays, Cholesky, the same number of Newton iterations as taut; no checks, no report |
| `diffsol` | variable step, allocates. `bdf`, `esdirk34`: (q, v, λ) with the constraint differentiated twice by hand; `tsit45`: (q, v), multipliers eliminated by hand, densely; `structured-tsit45`: with taut's accelerations |
| `differential-equations` | variable step, allocates. `radau5`: (q, v, λ) with the constraint differentiated once or twice by hand; `dop853`, `structured-dop853`: as above |
| `rapier2d-f64` | a physics engine at a fixed step, allocates; joints by impulses, or in joint coordinates with damping switched off |
| `mujoco` | a physics engine at a fixed step, in joint coordinates; the loop of the linkage is closed by a soft constraint, as stiff as its manual allows |
| `pinocchio` | rigid-body dynamics in joint coordinates: accelerations for an integrator of your own |
| `casadi` | SUNDIALS, variable step, allocates. `idas`: (q, v, λ) with the constraint differentiated twice; `cvodes`: (q, v), multipliers eliminated |

Libraries that need eliminated multipliers or differentiated constraints drift off the constraints, and a person has to prepare the
equations. Here they are prepared with exact Jacobians and eliminated by taut's own factorisation, in Rust. The times do not include
the work before the first step, except for `differential-equations` and `casadi`, which set up every run anew.
";

/// The position errors at which times are compared.
const ERRORS: [f64; 5] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10];

/// The whole page.
pub fn written(results: &Results, compiler: &str, c_compiler: &str) -> String {
    let versions = results.versions.join(", ");
    let skipped = match results.skipped.join(", ") {
        skipped if skipped.is_empty() => String::new(),
        skipped => format!(" Not installed and skipped: {skipped}."),
    };
    let mut text = format!(
        "# How taut compares\n\nWritten by `cargo xtask compare --update`, measured in one run: {compiler}, {versions}; gcc {c_compiler} for the \
         Cortex-M4F.{skipped}\nTimes are ratios within the run, on a computer with other load: differences below 10% mean nothing.\n\n{WHO}"
    );
    text += &shortfalls(results);
    text += "\n## Instructions of a step on an emulated Cortex-M4F\n\n";
    text += "RATTLE in `f32`, plain, derivatives by hand, two Newton iterations; instructions are not cycles. Above a ratio of 1, the C is \
         faster. `prepared` has the same precomputed values as the C: inverse mass, weight and squared length.\n\n";
    text += &instructions(results);
    for system in results.systems() {
        let points: Vec<&Point> = results.of(system).collect();
        text += &format!("\n## {}\n", capital(system));
        if let Some(unit) = results.unit(system) {
            text += &at_one_kilohertz(&points, unit);
        }
        text += &at_equal_error(&points);
    }
    if !results.chains.is_empty() {
        text += &chains(results);
    }
    text += &linkages::table(results);
    if !results.failures.is_empty() {
        text += &format!("\n## Runs that failed\n\n{}\n", failures(&results.failures));
    }
    if !results.points.is_empty() {
        text += "\n![error against time](comparison.svg)\n";
    }
    text
}

/// The goal on a system: the other library takes this many times as long as taut.
fn goal(system: &str, name: &str) -> f64 {
    let explicit = name.ends_with("tsit45") || name.ends_with("dop853");
    match (system, explicit) {
        // They evaluate the same accelerations: what is left is what a step adds to them.
        _ if name.contains("structured-") => 1.2,
        ("four_bar", true) => 2.0,
        ("four_bar", false) => 3.0,
        _ => 10.0,
    }
}

/// The counted variants of taut; `prepared` has the same precomputed parameters as the C.
const VARIANTS: [(&str, &str); 4] = [
    ("taut", "with its report"),
    ("taut_without_report", "success alone"),
    ("prepared", "prepared, with its report"),
    ("prepared_without_report", "prepared, success alone"),
];

/// Where taut is slower than another, or faster by less than its goal.
fn shortfalls(results: &Results) -> String {
    let mut rows = String::new();
    for system in ["pendulum", "double_pendulum"] {
        let Some(c) = results.count(system, "c") else { continue };
        for (who, what) in VARIANTS {
            if let Some(ours) = results.count(system, who).filter(|ours| *ours > c) {
                let row = format!("taut, {what}: {ours} instructions on the Cortex-M4F, the C {c}");
                rows +=
                    &format!("| {} | {row} | {:.2} of the C's; goal 1.00 |\n", plain(system), ours as f64 / c as f64);
            }
        }
    }
    for system in results.systems() {
        let points: Vec<&Point> = results.of(system).collect();
        let curves = curves(&points);
        let is_ours = |name: &str| name.starts_with("taut/");
        for (name, curve) in curves.iter().filter(|(name, _)| !is_ours(name) && !name.starts_with("c/")) {
            let goal = goal(system, name);
            let at = |error: &f64| {
                let ours = quickest(&curves, is_ours, *error)?.1;
                let times = curve.seconds_for(*error)? / ours;
                (times < goal).then(|| format!("{times:.2} at {error:.0e}"))
            };
            let times: Vec<String> = ERRORS.iter().filter_map(at).collect();
            if !times.is_empty() {
                rows += &format!("| {} | {name} | {}; goal {goal} |\n", plain(system), times.join(", "));
            }
        }
    }
    for (system, rods, _) in results.linkages() {
        let goal = linkages::goal(system);
        if let Some((_, theirs, times)) = linkages::compared(results, system, *rods).filter(|(.., times)| *times < goal)
        {
            let name = plain(system);
            rows +=
                &format!("| {name}, {rods} rods | {} | {} at equal step; goal {goal} |\n", theirs.who, ratio(times));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n## Where taut is slower, or misses its goal\n\nTimes are relative to taut's at the same position error: below 1, the other library is \
         faster. \"Goal\" is the ratio that taut aims for.\n\n| system | who | how much |\n|---|---|---|\n{rows}{}",
        bounds(results)
    )
}

/// The largest possible speedup over the libraries that evaluate equations without multipliers.
fn bounds(results: &Results) -> String {
    let mut rows: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (system, name, setting, part) in results.parts_of_evaluations() {
        let tolerances = ["rtol=1e-4", "rtol=1e-6", "rtol=1e-8", "rtol=1e-10"];
        if tolerances.contains(&setting) {
            let speedup = format!("{:.1} at {setting}", 1.0 / part);
            match rows.iter_mut().find(|row| (row.0, row.1) == (system, name)) {
                Some(row) => row.2.push(speedup),
                None => rows.push((system, name, vec![speedup])),
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nSome of these solve equations without multipliers, which were eliminated by hand with taut's own factorisation. That takes a large \
         part of their time. The table shows how many times faster a solver could be at most if it did nothing but the same evaluations; it \
         follows from their number and the time of one:\n\n| system | who | at most |\n|---|---|---|\n",
    );
    for (system, name, speedups) in rows {
        text += &format!("| {} | {name} | {} |\n", plain(system), speedups.join(", "));
    }
    text
}

/// The instructions of taut and of the C on the target.
pub fn instructions(results: &Results) -> String {
    let mut text =
        String::from("| system | C | taut | taut / C | taut, success alone | taut / C |\n|---|--:|--:|--:|--:|--:|\n");
    let chain = |links: usize| format!("chain_{links}");
    let names = ["pendulum", "double_pendulum", "four_bar"].map(str::to_owned);
    for name in names.into_iter().chain([1, 2, 4, 8, 16, 32].map(chain)) {
        let Some(c) = results.count(&name, "c") else { continue };
        text += &format!("| {} | {c} |", name.replace('_', " "));
        let columns = |with_report, without| {
            [with_report, without].map(|who| match results.count(&name, who) {
                Some(ours) => format!(" {ours} | {:.2} |", ours as f64 / c as f64),
                None => " does not fit | |".to_owned(),
            })
        };
        text += &(columns("taut", "taut_without_report").concat() + "\n");
        if results.count(&name, "prepared").is_some() {
            text += &format!("| {}, prepared | {c} |", name.replace('_', " "));
            text += &(columns("prepared", "prepared_without_report").concat() + "\n");
        }
    }
    text
}

/// The time of a simulated millisecond: one step at a fixed step of 1 ms, several at a variable step.
fn at_one_kilohertz(points: &[&Point], unit: f64) -> String {
    let mut text = String::from(
        "\nAt 1 kHz, or at a relative tolerance of 1e-6 with a variable step. The time is that of a simulated millisecond, relative to the C in \
         `f32`. The errors are those of the position at the end, and the largest of the energy and of the constraints.\n\n\
         | | setting | time | position | energy | constraints |\n|---|---|--:|--:|--:|--:|\n",
    );
    let ours = ["taut/rattle/", "taut/runge_kutta_4/", "taut/runge_kutta_8/"];
    let shown = |point: &&&Point| {
        ["h=1e-3", "rtol=1e-6"].contains(&point.setting.as_str())
            && (!point.name.starts_with("taut/") || ours.iter().any(|ours| point.name.starts_with(ours)))
    };
    for point in points.iter().filter(shown) {
        text += &format!(
            "| {} | {} | {} | {:.0e} | {:.0e} | {:.0e} |\n",
            point.name,
            point.setting,
            ratio(point.seconds / unit),
            point.error,
            point.energy_error,
            point.constraint_error
        );
    }
    text
}

/// The time of each library relative to taut's fastest method at the same error.
fn at_equal_error(points: &[&Point]) -> String {
    let curves = curves(points);
    let is_ours = |name: &str| name.starts_with("taut/");
    let ours = ERRORS.map(|error| quickest(&curves, is_ours, error));
    let mut text = String::from(
        "\nTimes at equal position error, relative to taut's fastest method (below 1: the other is faster). `least` is the smallest ratio over \
         all its runs with an error below 0.1 that taut reaches, too.\n\n|",
    );
    text += &ERRORS.iter().map(|error| format!(" | {error:.0e}")).collect::<String>();
    text += " | least |\n|---|--:|--:|--:|--:|--:|--:|\n| taut's fastest |";
    for ours in ours {
        text += &format!(" {} |", ours.map_or("", |(name, _)| name.trim_start_matches("taut/")));
    }
    text += " |\n";
    for (name, curve) in curves.iter().filter(|(name, _)| !is_ours(name)) {
        text += &format!("| {name} |");
        for (error, ours) in ERRORS.iter().zip(ours) {
            let theirs = curve.seconds_for(*error);
            text += &match (theirs, ours) {
                (Some(theirs), Some((_, ours))) => format!(" {} |", ratio(theirs / ours)),
                (None, Some(_)) => " not reached |".to_owned(),
                _ => " |".to_owned(),
            };
        }
        text += &least(curve, &curves, is_ours).map_or(" |\n".to_owned(), |least| format!(" {} |\n", ratio(least)));
    }
    text
}

/// The least ratio over a curve's own points.
fn least(curve: &Curve, curves: &[(&str, Curve)], is_ours: impl Fn(&str) -> bool) -> Option<f64> {
    // A position error above 0.1 is meaningless.
    let meaningful = curve.points().iter().filter(|point| point.1 < 0.1);
    let ratios = meaningful.filter_map(|(theirs, error)| Some(theirs / quickest(curves, &is_ours, *error)?.1));
    ratios.min_by(f64::total_cmp)
}

/// The cost of a step against the length of a chain.
fn chains(results: &Results) -> String {
    let mut text = String::from(
        "\n## Chains\n\nA step of RATTLE in `f32`, derivatives by hand; the C is dense, taut follows the zeros up to 16 coordinates. A serial mechanism \
         has linear cost: see the table beside Pinocchio. On this computer: the time relative to one link in C; on the Cortex-M4F: \
         instructions. The exponents p of cost ~ linksᵖ are fitted to chains of four links and more.\n\n\
         | links | taut, time | C, time | taut / C | taut, instructions | C, instructions | taut / C |\n|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let seconds = |links: usize, who: &str| {
        results.chains.iter().find(|chain| chain.0 == links && chain.1 == who).map(|chain| chain.2)
    };
    let Some(unit) = seconds(1, "c") else { return String::new() };
    let mut fits: [Vec<(f64, f64)>; 4] = Default::default();
    let lengths = results.chains.iter().filter(|chain| chain.1 == "c").map(|chain| chain.0);
    for links in lengths {
        let (Some(ours), Some(theirs)) = (seconds(links, "taut"), seconds(links, "c")) else { continue };
        text += &format!("| {links} | {} | {} | {:.2} |", ratio(ours / unit), ratio(theirs / unit), ours / theirs);
        let counts = ["taut", "c"].map(|who| results.count(&format!("chain_{links}"), who).map(|count| count as f64));
        for count in counts {
            text += &count.map_or(" does not fit |".to_owned(), |count| format!(" {count} |"));
        }
        text += &match counts {
            [Some(ours), Some(theirs)] => format!(" {:.2} |\n", ours / theirs),
            _ => " |\n".to_owned(),
        };
        let costs = [Some(ours), Some(theirs), counts[0], counts[1]];
        for (fit, cost) in fits.iter_mut().zip(costs).filter(|_| links >= 4) {
            fit.extend(cost.map(|cost| (links as f64, cost)));
        }
    }
    let [ours, theirs, our_count, their_count] = fits.map(|fit| exponent(&fit));
    text += &format!("| p | {ours:.2} | {theirs:.2} | | {our_count:.2} | {their_count:.2} | |\n");
    text
}

/// Contestants on systems, each with the settings at which it failed.
fn failures(failures: &[String]) -> String {
    let mut grouped: Vec<(String, Vec<&str>)> = Vec::new();
    for failure in failures {
        let Some((who, setting)) = failure.rsplit_once(' ') else { continue };
        match grouped.iter_mut().find(|group| group.0 == who) {
            Some(group) => group.1.push(setting),
            None => grouped.push((who.to_owned(), vec![setting])),
        }
    }
    let line = |(who, settings): &(String, Vec<&str>)| format!("- {who}: {}", settings.join(", "));
    grouped.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Two digits are enough for a time.
fn ratio(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// A system's name for people.
fn plain(name: &str) -> String {
    name.replace('_', " ")
}

fn capital(name: &str) -> String {
    let name = plain(name);
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let mut results = Results::default();
        results.add_count("pendulum", "c", 90);
        results.add_count("pendulum", "taut", 135);
        let runs = "point pendulum c/f32 h=1e-3 1e-5 1e-3 1e-3 1e-7\n\
                    point pendulum taut/rattle/plain-f64 h=1e-2 1e-6 1e-3 1e-3 1e-16\n\
                    point pendulum taut/rattle/plain-f64 h=1e-3 1e-5 1e-5 1e-5 1e-16\n\
                    point pendulum diffsol/bdf rtol=1e-6 5e-5 1e-4 1e-4 1e-4\n\
                    failure pendulum diffsol/bdf rtol=1e-8\nfailure pendulum diffsol/bdf rtol=1e-9\n\
                    chain 1 taut 2e-8\nchain 1 c 1e-8\nchain 4 taut 2e-7\nchain 4 c 1e-7\nchain 8 taut 16e-7\nchain 8 c 4e-7\n";
        results.add_runs(runs).unwrap();
        results
    }

    #[test]
    fn a_page_says_where_we_lose() {
        let text = written(&results(), "rustc 1", "12");
        assert!(text.contains("| pendulum | 90 | 135 | 1.50 |"), "{text}");
        assert!(
            text.contains(
                "| pendulum | taut, with its report: 135 instructions on the Cortex-M4F, the C 90 | 1.50 of the C's"
            ),
            "{text}"
        );
        // 1e-4 takes us the geometric mean of 1e-6 and 1e-5.
        assert!(text.contains("| diffsol/bdf | 50 | 16 | |"), "{text}");
        assert!(text.contains("| diffsol/bdf | rtol=1e-6 | 5.0 | 1e-4 |"), "{text}");
        assert!(text.contains("- pendulum diffsol/bdf: rtol=1e-8, rtol=1e-9"), "{text}");
        assert!(text.contains("| p | 3.00 | 2.00 |"), "{text}");
    }
}
