//! When a step is correct.

use super::{Claim, Outcome};
use taut::linalg::{SymmetricFactors, Vector, magnitude};
use taut::scalar::Float;
use taut::start::{State, check};
use taut::system::{ConstantMass, Inertia, Mechanical};

/// Says what is wrong with a step: coordinates that are not finite, wrong numbers in the report, residuals above their limits, or
/// unsolved equations of implicit Euler.
pub fn flaw<System, T, F, const N: usize, const M: usize>(
    system: &System,
    before: &State<T, N, M, F>,
    outcome: &Outcome<T, F, N, M>,
) -> Option<String>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let Outcome { name, result: Ok(report), after } = outcome else { return None };
    let (claim, h) = (Claim::of(name), before.clock().step());
    let implicit = claim.is_implicit();
    let mut numbers = after.position().iter().chain(after.velocity()).chain(&report.multipliers);
    if !numbers.all(|x| x.is_finite()) {
        return Some(format!("{name}: not finite: {after:?}, {report:?}"));
    }
    let [tick, next] = [before, after].map(|state| state.clock().tick());
    if next != tick + 1 {
        return Some(format!("{name}: tick {next} after {tick}"));
    }
    let consistency = check(system, after);
    let jacobian = system.jacobian(after.clock().time(), after.position());
    let velocity_limit = velocity_limit(system, before, outcome);
    for row in 0..M {
        let [g, told] = [consistency.position_residual[row], report.position_residual[row]].map(Float::to_f64);
        let limit = before.limits()[row].to_f64();
        // The report has a difference along the step, so the two agree up to the round-off of the evaluations at its ends.
        let gradient = jacobian.row(row).iter().map(|x| x.to_f64().powi(2)).sum::<f64>().sqrt();
        let reach = [before, after].map(|state| magnitude(state.position()).to_f64()).iter().sum::<f64>();
        let round_off = 8.0 * T::EPSILON.to_f64() * gradient * (1.0 + reach);
        if !(told.abs() <= limit && g.abs() <= limit + round_off && (g - told).abs() <= round_off) {
            return Some(format!("{name}: position residual {g:e}, told {told:e}, limit {limit:e}"));
        }
        let [g, told] = [consistency.velocity_residual[row], report.velocity_residual[row]].map(Float::to_f64);
        // On the velocity level of implicit Euler it is iterations that meet the constraint, up to the limit of the start; elsewhere a
        // projection, up to round-off of what was projected. That of the positions is what their iterations had to remove. In local
        // coordinates it is both.
        let by_iterations = limit * (magnitude(after.velocity()).to_f64() + 1.0);
        let removed = report.predicted_residual[row].to_f64().abs() / h.to_f64();
        let projected = gradient * velocity_limit + 100.0 * T::EPSILON.to_f64() * removed;
        let limit = match *name {
            "implicit_euler_velocities" => by_iterations,
            "runge_kutta_4_tangent" | "runge_kutta_4_partitioned" => by_iterations + projected,
            _ => projected,
        };
        if g != told || claim.velocities && !(g.abs() <= limit) {
            return Some(format!("{name}: velocity residual {g:e}, told {told:e}, limit {limit:e}"));
        }
    }
    if implicit { unbalanced(system, before, outcome) } else { None }
}

/// How far velocities that are projected may be off, along a gradient: by √ε in a second, or of themselves where they are large,
/// and by the round-off of what was projected.
fn velocity_limit<System, T, F, const N: usize, const M: usize>(
    system: &System,
    before: &State<T, N, M, F>,
    Outcome { after, .. }: &Outcome<T, F, N, M>,
) -> f64
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let (speed, h) = (magnitude(after.velocity()).to_f64() + 1.0, before.clock().step().to_f64());
    // The velocities, what the forces and the multipliers change of them, and the round-off of positions over a step.
    let round_off = 10.0 * T::EPSILON.to_f64() * magnitude(after.position()).to_f64() / h;
    let mut projected =
        speed + magnitude(before.velocity()).to_f64() + change(system, before) + change(system, after) + round_off;
    let multipliers = after.save().multipliers;
    for row in 0..M {
        let direction = magnitude(&after.correction().directions.column(row).into_owned()).to_f64();
        projected += direction * multipliers[row].to_f64().abs() * h;
    }
    T::ROOT_EPSILON.to_f64() * speed + 100.0 * T::EPSILON.to_f64() * projected
}

/// By how much the forces at a state change the velocity in a step.
fn change<System, T, F, const N: usize, const M: usize>(system: &System, state: &State<T, N, M, F>) -> f64
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let force = system.force(state.clock().time(), state.position(), state.velocity());
    magnitude(&system.mass().acceleration(&force)).to_f64() * state.clock().step().to_f64()
}

/// Whether h (v_n₊₁ − v_n) = h² M⁻¹ (f(t, q, v) − Gᵀ λ) does not hold for a step of implicit Euler, up to the limit of the start, round-off of
/// its terms and of the positions. v is the displacement divided by h.
fn unbalanced<System, T, F, const N: usize, const M: usize>(
    system: &System,
    before: &State<T, N, M, F>,
    outcome: &Outcome<T, F, N, M>,
) -> Option<String>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let Outcome { name, result: Ok(report), after, .. } = outcome else { return None };
    let (q, t, mass, h) = (after.position(), after.clock().time(), system.mass(), before.clock().step());
    let displacement = q - before.position();
    // The stabilised form evaluates the force at the projected velocity.
    let rate = if *name == "implicit_euler" { *after.velocity() } else { displacement * (T::one() / h) };
    let mut force = system.force(t, q, &rate);
    let jacobian = system.jacobian(t, q);
    let mut scale = (magnitude(&displacement) + magnitude(before.velocity()) * h).to_f64();
    let mut terms = vec![mass.acceleration(&force) * (h * h)];
    for row in 0..M {
        let push = Vector::<T, N>::from_fn(|i, _| jacobian[(row, i)] * report.multipliers[row]);
        terms.push(mass.acceleration(&push) * (h * h));
        force -= push;
    }
    for term in &terms {
        scale += magnitude(term).to_f64();
    }
    let off = (after.velocity() - before.velocity()) * h - mass.acceleration(&force) * (h * h);
    let off = magnitude(&off).to_f64();
    let round_off = 10.0 * T::EPSILON.to_f64() * (scale + magnitude(q).to_f64());
    let limit = before.save().limit.to_f64() + round_off;
    (!(off <= limit)).then(|| format!("{name}: equations off by {off:e}, limit {limit:e}, scale {scale:e}"))
}
