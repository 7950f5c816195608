//! Constraints that depend on each other, with every method: the rank is found, multipliers are those of smallest norm, and the
//! motion is that of an independent description.
//!
//! The double pendulum with a third constraint that follows from the others, everywhere; and the ring of six pieces, whose 18
//! constraints have rank 17 where they hold and where no fixed one is redundant (Hairer, Example I.3.2).

use crate::variants::{
    Any, Claim, Exact, Reports, assert_order, errors, every_variant, every_variant_for_any_mass, seconds,
};
use mechanisms::{DoublePendulum, Ring};
use nalgebra::{DMatrix, vector};
use taut::linalg::{Semidefinite, SymmetricFactors, Vector};
use taut::method::Report;
use taut::scalar::Real;
use taut::start::{Start, State};
use taut::system::{Diagonal, Mechanical};

/// The double pendulum with g₃ = g₁ + g₂.
struct Tripled(DoublePendulum<f64>);

impl Mechanical<4, 3> for Tripled {
    type Base = f64;
    type Mass = Diagonal<f64, 4>;

    fn mass(&self) -> Diagonal<f64, 4> {
        self.0.mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>) -> Vector<S, 3> {
        let g = self.0.constraint(t, q);
        vector![g[0], g[1], g[0] + g[1]]
    }
}

#[test]
fn a_constraint_that_follows_from_others_changes_nothing() {
    let double = DoublePendulum::standard();
    let (q, v) = ([0.6, -0.8, 1.4, -0.2], [0.8, 0.6, 1.4, -0.2]);
    let first = Start::at(&double, seconds(2e-3), q).limit(0.1).moving(v).unwrap();
    let tripled = Tripled(double);
    let redundant = Start::at(&tripled, seconds(2e-3), q).redundant().limit(0.1).moving(v).unwrap();
    let (plain, redundant) = (histories(&double, &first), histories(&tripled, &redundant));
    for ((name, expected, end), (_, reports, tripled_end)) in plain.iter().zip(&redundant) {
        for (n, (report, expected)) in reports.iter().zip(expected).enumerate() {
            assert_eq!((report.rank, expected.rank), (2, 2), "{name}");
            // Gᵀ λ is the same, and of all such λ the smallest is orthogonal to (1, 1, −1): the third is a third of the sum.
            // Round-off enters as ε/h² times the size of the multipliers.
            let [a, b] = [expected.multipliers[0], expected.multipliers[1]];
            let third = (a + b) / 3.0;
            let off = (report.multipliers - vector![a - third, b - third, third]).amax();
            assert!(off < 1e-7, "{name}, step {n}: {} is not that of {}", report.multipliers, expected.multipliers);
        }
        let off = (end - tripled_end).amax();
        // The third constraint makes other columns of G the largest. Where it makes the partition another one, the motions differ by as
        // much as by the error of the method, 1e-11 at this step; with one partition, by 1e-16.
        let bound = if *name == "runge_kutta_4_partitioned" { 2e-11 } else { 1e-11 };
        assert!(off < bound, "{name}: {off:e} apart");
        assert!((end - Vector::from(q)).amax() > 0.1, "it has moved");
    }
}

/// Name, reports and last positions.
type History<const M: usize> = (&'static str, Vec<Report<f64, M>>, Vector<f64, 4>);

/// 200 steps with every method.
fn histories<System, F, const M: usize>(system: &System, start: &State<f64, 4, M, F>) -> Vec<History<M>>
where
    System: Mechanical<4, M, Base = f64, Mass = Diagonal<f64, 4>>,
    F: SymmetricFactors<f64, M>,
{
    let mut histories = Vec::new();
    every_variant(&mut |method: &Any<System, f64, 4, M, F>| {
        let mut state = *start;
        let reports = (0..200).map(|_| method.step(system, &mut state).unwrap()).collect();
        histories.push((method.name(), reports, *state.position()));
    });
    histories
}

type RingState = State<f64, 18, 18, Semidefinite<f64, 18>>;
type RingMethod<'a> = Any<Ring<f64>, f64, 18, 18, Semidefinite<f64, 18>>;

fn ring_start(limit: f64) -> RingState {
    let velocity = Ring::<f64>::tangent().map(|component| 0.3 * component);
    Start::at(&Ring::fixed(), seconds(0.01), Ring::position()).redundant().limit(limit).moving(velocity).unwrap()
}

/// w with |w| = 1 and the smallest wᵀ G: the redundancy.
fn redundancy(state: &RingState) -> Vector<f64, 18> {
    let jacobian = Ring::fixed().jacobian(0.0, state.position());
    let svd = DMatrix::from_fn(18, 18, |i, j| jacobian[(i, j)]).svd(true, false);
    let smallest = svd.singular_values.imin();
    let u = svd.u.unwrap();
    Vector::from_fn(|i, _| u[(i, smallest)])
}

#[test]
fn multipliers_of_the_ring_have_no_part_along_the_redundancy() {
    every_variant_for_any_mass(&mut |method: &RingMethod| {
        let name = method.name();
        // Positions drift by 0.01 on the lower levels of implicit Euler.
        let mut state = ring_start(0.1);
        for n in 0..100 {
            let begin = redundancy(&state);
            let report = method.step(&Ring::fixed(), &mut state).unwrap();
            // Rank 17 as well where the positions have drifted and the rows do not quite depend on each other any more.
            assert_eq!(report.rank, 17, "{name}, step {n}");
            // F.curve.sv17min: the smallest singular value of G on the curve is 0.2397, its square bounds the pivots.
            assert!(report.smallest_pivot > 0.057, "{name}, step {n}: {:e}", report.smallest_pivot);
            let redundancy = if Claim::of(name).reports == Reports::End { redundancy(&state) } else { begin };
            let along = report.multipliers.dot(&redundancy);
            assert!(along.abs() < 1e-9 && report.multipliers.norm() > 4.0, "{name}, step {n}: {along:e}");
        }
    });
}

/// F.fixed.q.T2, F.fixed.vel.T2: the ring at T = 2 from 0.3 times the unit tangent.
fn ring_end() -> Exact<18, 18> {
    let (mut q, mut v) = (Vector::from(Ring::<f64>::position()), Vector::zeros());
    let position = [
        0.0,
        0.9348792231640151,
        -0.35496596751836323,
        0.6257021645014221,
        1.211774703350138,
        0.37429783549857765,
        0.17963324935646063,
        0.5718377343605099,
        1.0,
    ];
    let velocity = [
        0.0,
        -0.05581490412332053,
        -0.1470005549337196,
        0.7618047191372912,
        -0.15805001021759357,
        -0.7618047191372904,
        0.5243908330629398,
        0.752298734304741,
        0.0,
    ];
    for i in 0..9 {
        q[6 + i] = position[i];
        v[6 + i] = velocity[i];
    }
    let end = Start::at(&Ring::fixed(), seconds(0.01), q).redundant().moving(v).unwrap();
    let multipliers = end.multipliers(&Ring::fixed()).unwrap();
    Exact { q, v, multipliers }
}

#[test]
fn every_method_follows_the_ring_with_its_order() {
    let exact = ring_end();
    every_variant_for_any_mass(&mut |method: &RingMethod| {
        let (name, order) = (method.name(), Claim::of(method.name()).order);
        let counts = match order {
            1 => [100, 200, 400],
            8 => [6, 12, 24],
            _ => [50, 100, 200],
        };
        let errors = counts.map(|count| errors(method, &Ring::fixed(), &ring_start(0.1), (2.0, count), &exact));
        if order == 8 {
            // Between steps that are too coarse for a slope and the round-off of the reference there is room for one halving.
            let slopes = [0, 1, 2, 3].map(|k| (errors[1][k] / errors[2][k]).log2());
            assert!(slopes.iter().all(|slope| (slope - 8.0).abs() < 0.3), "{name}: {slopes:?}, {errors:?}");
        } else {
            assert_order(name, 0.25, errors);
        }
    });
}

/// The ring without one of its constraints, which follows from the others near the start (F.droppable.a).
struct Dropped;

impl Mechanical<18, 17> for Dropped {
    type Base = f64;
    type Mass = Diagonal<f64, 18>;

    const VELOCITY_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<f64, 18> {
        Ring::fixed().mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 18>, v: &Vector<S, 18>) -> Vector<S, 18> {
        Ring::fixed().force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 18>) -> Vector<S, 17> {
        let g = Ring::fixed().constraint(t, q);
        Vector::from_fn(|i, _| g[i])
    }
}

/// The last positions of so many, twice as many and four times as many steps to t = 0.5.
fn ends<System, F, const M: usize>(
    system: &System,
    start: &State<f64, 18, M, F>,
) -> Vec<(&'static str, [Vector<f64, 18>; 3])>
where
    System: Mechanical<18, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let mut ends = Vec::new();
    every_variant_for_any_mass(&mut |method: &Any<System, f64, 18, M, F>| {
        // Projected velocities leave so little that it takes more steps to see it fall.
        let least = match method.name() {
            "implicit_euler_accelerations_projected" => 200,
            "runge_kutta_8" => 1,
            "radau_iia_5" => 5,
            _ => 25,
        };
        let end = |count: u32| {
            let mut state = *start;
            state.clock_mut().set_step(0.5 / f64::from(count)).unwrap();
            for _ in 0..count {
                let _ = method.step(system, &mut state).unwrap();
            }
            *state.position()
        };
        ends.push((method.name(), [least, 2 * least, 4 * least].map(end)));
    });
    ends
}

#[test]
fn the_ring_moves_as_without_its_redundant_constraint() {
    let velocity = Ring::<f64>::tangent().map(|component| 0.3 * component);
    let dropped = Start::at(&Dropped, seconds(0.01), Ring::position()).limit(0.1).moving(velocity).unwrap();
    let (ring, dropped) = (ends(&Ring::fixed(), &ring_start(0.1)), ends(&Dropped, &dropped));
    for ((name, ring), (_, dropped)) in ring.into_iter().zip(dropped) {
        let apart: [f64; 3] = core::array::from_fn(|k| (ring[k] - dropped[k]).amax());
        // Where every place that a method looks at is on the constraints, the spaces of forces are the same, and so is the motion.
        // Elsewhere they differ, by as much as the place is off, and the motions by far less than their errors.
        if matches!(
            name,
            "half_explicit_1"
                | "implicit_euler"
                | "implicit_euler_positions"
                | "runge_kutta_4_tangent"
                | "runge_kutta_4_partitioned"
        ) {
            assert!(apart.iter().all(|apart| *apart < 1e-14), "{name}: {apart:?}");
        } else {
            assert!(apart[0] < 2e-8, "{name}: {apart:?}");
            let slope = (apart[0] / apart[2]).log2() / 2.0;
            assert!(slope > f64::from(Claim::of(name).order) - 0.1, "{name}: slope {slope}, {apart:?}");
        }
    }
}
