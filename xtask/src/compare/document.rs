//! The tables, as Markdown that can be read on a terminal, too.

use super::curves::{Curve, curves, exponent, quickest};
use super::results::{Point, Results};

/// What the page says of the contestants.
const WHO: &str = "\
| name | what it is |
|---|---|
| `taut` | fixed step, no heap; states plain or compensated in `f32`, plain in `f64`; derivatives by hand |
| `c` | RATTLE by hand in C (`benches/baseline/c`): plain arrays, Cholesky, as many Newton iterations as taut's; checks nothing, reports nothing |
| `diffsol` | variable step, allocates. `bdf`, `esdirk34`: (q, v, λ) with the constraint differentiated twice by hand; `tsit45`: (q, v), multipliers eliminated by hand |
| `differential-equations` | variable step, allocates. `radau5`: (q, v, λ) with the constraint differentiated once or twice by hand; `dop853`: (q, v), multipliers eliminated by hand |
| `rapier2d-f64` | a physics engine at a fixed step, allocates; joints by impulses, or in joint coordinates with damping switched off |
| `mujoco` | a physics engine at a fixed step, in joint coordinates; the loop of the linkage is closed by a soft constraint, as stiff as its manual allows |
| `casadi` | SUNDIALS, variable step, allocates. `idas`: (q, v, λ) with the constraint differentiated twice; `cvodes`: (q, v), multipliers eliminated |

Where multipliers are eliminated or constraints differentiated beforehand, nothing keeps the system on its constraints: it drifts,
and the equations have been prepared by a person (exact Jacobians; eliminated by taut's own factorisation, in Rust). Nothing of what
is done once before the first step is in the times, but for `differential-equations` and `casadi`, which make a start of each run.
";

/// The errors at which times are compared.
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
         Cortex-M4F.{skipped}\nTimes are ratios within the run, on a computer that also does other things: a tenth more or less means nothing.\n\n{WHO}"
    );
    text += &shortfalls(results);
    text += "\n## Instructions of a step on an emulated Cortex-M4F\n\n";
    text += "RATTLE in `f32`, plain, derivatives by hand, two Newton iterations; instructions are not cycles. A ratio above 1 is where we lose. \
             `prepared` has what the C has: the mass divided by, weight and square of length computed beforehand.\n\n";
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
    if !results.failures.is_empty() {
        text += &format!("\n## Runs that failed\n\n{}\n", failures(&results.failures));
    }
    if !results.points.is_empty() {
        text += "\n![error against time](comparison.svg)\n";
    }
    text
}

/// How many times as long as we every other library was meant to take on a system.
fn goal(system: &str) -> f64 {
    if system == "four_bar" { 3.0 } else { 10.0 }
}

/// Who is counted besides the C, and what of it: `prepared` is taut with the parameters that the C has.
const WAYS: [(&str, &str); 4] = [
    ("taut", "with its report"),
    ("taut_without_report", "success alone"),
    ("prepared", "prepared, with its report"),
    ("prepared_without_report", "prepared, success alone"),
];

/// Where we lose, or lead by less than we meant to.
fn shortfalls(results: &Results) -> String {
    let mut rows = String::new();
    for system in ["pendulum", "double_pendulum"] {
        let Some(c) = results.count(system, "c") else { continue };
        for (who, what) in WAYS {
            if let Some(ours) = results.count(system, who).filter(|ours| *ours > c) {
                let row = format!("taut, {what}: {ours} instructions on the Cortex-M4F, the C {c}");
                rows +=
                    &format!("| {} | {row} | {:.2} of the C's, 1.00 meant |\n", plain(system), ours as f64 / c as f64);
            }
        }
    }
    for system in results.systems() {
        let points: Vec<&Point> = results.of(system).collect();
        let curves = curves(&points);
        let is_ours = |name: &str| name.starts_with("taut/");
        let goal = goal(system);
        for (name, curve) in curves.iter().filter(|(name, _)| !is_ours(name) && !name.starts_with("c/")) {
            let at = |error: &f64| {
                let ours = quickest(&curves, is_ours, *error)?.1;
                let times = curve.seconds_for(*error)? / ours;
                (times < goal).then(|| format!("{} at {error:.0e}", ratio(times)))
            };
            let times: Vec<String> = ERRORS.iter().filter_map(at).collect();
            if !times.is_empty() {
                rows += &format!("| {} | {name} | {}; {goal:.0} meant |\n", plain(system), times.join(", "));
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n## Where we lose, or lead by less than we meant to\n\nTimes are those of the other at an error of the position, ours being 1: below 1 it is \
         quicker than we are.\n\n| system | who | how much |\n|---|---|---|\n{rows}{}",
        bounds(results)
    )
}

/// How much quicker than the others anybody could be who evaluates prepared equations as often.
fn bounds(results: &Results) -> String {
    let mut rows: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (system, name, setting, part) in results.parts_of_evaluations() {
        let tolerances = ["rtol=1e-4", "rtol=1e-6", "rtol=1e-8", "rtol=1e-10"];
        if tolerances.contains(&setting) {
            let most = format!("{:.1} at {setting}", 1.0 / part);
            match rows.iter_mut().find(|row| (row.0, row.1) == (system, name)) {
                Some(row) => row.2.push(most),
                None => rows.push((system, name, vec![most])),
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nSome of these solve equations from which the multipliers have been eliminated by hand, with our own factorisation: a good part of \
         their time is spent in that. It has been timed by itself, and the evaluations of each run were counted. Who evaluates as often, and does \
         nothing else at all, is quicker by no more than this:\n\n| system | who | at most |\n|---|---|---|\n",
    );
    for (system, name, most) in rows {
        text += &format!("| {} | {name} | {} |\n", plain(system), most.join(", "));
    }
    text
}

/// Ours and the C's on the target.
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

/// A step of 1 ms, or what those that choose their steps take for a simulated millisecond.
fn at_one_kilohertz(points: &[&Point], unit: f64) -> String {
    let mut text = String::from(
        "\nAt 1 kHz; those that choose their steps, at a relative tolerance of 1e-6. The time of a simulated millisecond, that of the C in \
         `f32` being 1, and the errors of the position at the end and, at their largest, of the energy and of the constraints.\n\n\
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

/// How many times longer each takes than our quickest method to the same error.
fn at_equal_error(points: &[&Point]) -> String {
    let curves = curves(points);
    let is_ours = |name: &str| name.starts_with("taut/");
    let ours = ERRORS.map(|error| quickest(&curves, is_ours, error));
    let mut text = String::from(
        "\nAt equal error of the position: how many times as long as the quickest of our methods each takes (below 1: it is quicker \
         than we are). The least is over all its runs with an error below 0.1 that we reach, too.\n\n|",
    );
    text += &ERRORS.iter().map(|error| format!(" | {error:.0e}")).collect::<String>();
    text += " | least |\n|---|--:|--:|--:|--:|--:|--:|\n| our quickest |";
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
    // Beyond an error of 0.1 a position says nothing.
    let meaningful = curve.points().iter().filter(|point| point.1 < 0.1);
    let ratios = meaningful.filter_map(|(theirs, error)| Some(theirs / quickest(curves, &is_ours, *error)?.1));
    ratios.min_by(f64::total_cmp)
}

/// What the length of a chain costs.
fn chains(results: &Results) -> String {
    let mut text = String::from(
        "\n## Chains\n\nA step of RATTLE in `f32`, derivatives by hand, dense. On this computer: the time relative to one link in C; on the Cortex-M4F: \
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
    use crate::machines::Counter;

    fn results() -> Results {
        let mut results = Results::default();
        let counts = "nops 0 1\nnops 40 41\nnops 400 401\ncost pendulum c 100 10\ncost pendulum taut 145 10\n";
        results.add_counts(counts, &Counter { shift: 5, frequency: None }).unwrap();
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
