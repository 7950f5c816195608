//! The perturbation index: how much a small defect moves the solution (Hairer & Wanner VII.1, (1.26)–(1.27), Fig. 1.3, (1.31), (1.32)).

use mechanisms::SteeringWheel;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{RadauIia, RungeKutta4, Step};
use taut::scalar::{Real, Taylor};
use taut::start::{Clock, SemiExplicitState};
use taut::system::SemiExplicit;

use crate::{assert_error, assert_slopes};

/// y' = z² − y + δ₁, 0 = z − cos y + δ₂, with the defects of one frequency, and a constant one of the rate.
#[derive(Clone, Copy, Default)]
struct IndexOne {
    of_rate: f64,
    of_constraint: f64,
    constant: f64,
    frequency: f64,
}

impl SemiExplicit<1, 1> for IndexOne {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] * z[0] - y[0] + (t * self.frequency).sin() * self.of_rate + self.constant]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] - y[0].cos() + (t * self.frequency).sin() * self.of_constraint]
    }
}

impl IndexOne {
    /// y and z at 10,000 nodes on [0, 1].
    fn run(&self) -> Vec<[f64; 2]> {
        let clock = Clock::with_step(1e-4).unwrap();
        let mut state = SemiExplicitState::start(self, clock, [0.2], [1.0]).unwrap();
        let mut nodes = vec![];
        for _ in 0..10_000 {
            RungeKutta4::new().step(self, &mut state).unwrap();
            nodes.push([state.differential()[0], state.algebraic()[0]]);
        }
        nodes
    }

    /// The largest changes of y and z against another run.
    fn moved(&self, other: &[[f64; 2]]) -> [f64; 2] {
        self.run().iter().zip(other).fold([0.0_f64; 2], |[y, z], (ours, other)| {
            [y.max((ours[0] - other[0]).abs()), z.max((ours[1] - other[1]).abs())]
        })
    }
}

/// (1.26) and (1.27): with index 1 no derivative of a defect counts. That of the constraint moves z by its size, that of the rate moves y by its
/// integral 2 ε/ω only: in the estimate the norm is outside this integral, and inside that of the constraint's defect, whose square
/// remains.
#[test]
fn a_defect_of_index_one_moves_nothing_by_its_derivative() {
    let (exact, size) = (IndexOne::default().run(), 0.05);
    for frequency in [50.0, 200.0, 1000.0] {
        let [y, z] = IndexOne { of_rate: size, frequency, ..IndexOne::default() }.moved(&exact);
        // At t = π/ω; until then it decays by a π/ω at most, with a = 1 + sin 2y ≤ 2. z = cos y moves less than y.
        let outside = y * frequency / (2.0 * size);
        assert!((1.0 - 2.0 * 3.2 / frequency..=1.0).contains(&outside) && z < y, "ω = {frequency}: {outside}, {z:e}");

        let system = IndexOne { of_constraint: size, frequency, ..IndexOne::default() };
        let [y, z] = system.moved(&exact);
        // z − z₀ = −δ₂ − sin y (y − y₀).
        assert!((z - size).abs() <= y, "ω = {frequency}: {z:e}");
        // The mean of δ₂² drives y as ε²/2 does. What is left of y are the integrals of −2 cos y δ₂, 4 ε/ω at most, and of the rest of δ₂², which
        // is of the order ε²/ω.
        let mean = IndexOne { constant: size * size / 2.0, ..IndexOne::default() };
        let [rest, _] = system.moved(&mean.run());
        assert!(rest < 5.0 * size / frequency, "ω = {frequency}: {rest:e}");
        // So y does not vanish for ω → ∞: ε²/2 (1 − e⁻²)/2 at t = 1, where a ≤ 2.
        assert!(y > size * size / 4.0 * (1.0 - (-2.0_f64).exp()) - rest, "ω = {frequency}: {y:e}");
        assert!(y + z < 2.0 * size, "ω = {frequency}: {y:e} {z:e}");
    }
}

/// (1.9) with the defect ε sin ωt in its constraint.
struct Perturbed {
    size: f64,
    frequency: f64,
}

impl SemiExplicit<2, 1> for Perturbed {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        SteeringWheel::<f64>::new().rate(t, y, z)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 1> {
        SteeringWheel::<f64>::new().constraint(t, y, z) + vector![(t * self.frequency).sin() * self.size]
    }
}

/// The largest changes of y and z on [0, 1] by the defect, at 20,000 nodes. At its peak, z is 3e-6 of the change higher than at a node.
/// With a slow defect the peak is at t = 0.
fn moved(frequency: f64) -> [f64; 2] {
    let (sin, cos) = (-0.5_f64).sin_cos();
    let clock = Clock::with_step(1.0 / 20_000.0).unwrap();
    let run = |system: &Perturbed| {
        let mut state = SemiExplicitState::start(system, clock, [cos, sin], [1.0]).unwrap();
        let mut nodes = vec![(*state.differential(), state.algebraic()[0])];
        for _ in 0..20_000 {
            let _ = RadauIia::order_three().step(system, &mut state).unwrap();
            nodes.push((*state.differential(), state.algebraic()[0]));
        }
        nodes
    };
    let [exact, perturbed] = [0.0, 1e-3].map(|size| run(&Perturbed { size, frequency }));
    exact.iter().zip(&perturbed).fold([0.0_f64; 2], |[y, z], (exact, perturbed)| {
        [y.max((exact.0 - perturbed.0).norm()), z.max((exact.1 - perturbed.1).abs())]
    })
}

#[test]
fn an_oscillating_defect_of_index_two_moves_z_by_its_derivative() {
    let [slow, fast] = [10.0, 100.0].map(moved);
    assert_error("z, ω = 10", slow[1], 4.2283e-3, 5);
    assert_error("z, ω = 100", fast[1], 4.4522e-2, 5);
    // y moves by the size of the defect and by the square of its derivative, 0.01 (exercise 6), not by the derivative: less than twice as
    // much with ten times the frequency.
    assert!(slow[0] < 1.1e-3 && fast[0] < 2.0 * slow[0], "{slow:?} {fast:?}");
}

/// Lubich's counter-example (1.31), y₁' = y₃ y₂' − y₂ y₃', with the defects ε sin ωt and ε cos ωt of y₂ = 0 and y₃ = 0; z = (y₂', y₃').
struct Turning {
    size: f64,
    frequency: f64,
}

impl SemiExplicit<3, 2> for Turning {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 3> {
        vector![y[2] * z[0] - y[1] * z[1], z[0], z[1]]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, _z: &Vector<S, 2>) -> Vector<S, 2> {
        let (sin, cos) = (t * self.frequency).sin_cos();
        vector![y[1] - sin * self.size, y[2] - cos * self.size]
    }
}

#[test]
fn a_differentiation_index_of_one_can_be_a_perturbation_index_of_two() {
    // y₁ = ε² ω t: of the derivative of the defects, although one differentiation gives y'.
    for frequency in [10.0, 100.0] {
        let system = Turning { size: 0.1, frequency };
        let clock = Clock::with_step(1e-3).unwrap();
        let mut state = SemiExplicitState::start(&system, clock, [0.0, 0.0, 0.1], [0.1 * frequency, 0.0]).unwrap();
        for _ in 0..1_000 {
            RungeKutta4::new().step(&system, &mut state).unwrap();
        }
        // The error of the method is (ω h)⁴/120 of it, 1e-6.
        let ours = state.differential()[0];
        assert!((ours - 0.01 * frequency).abs() < 1e-6 * 0.01 * frequency + 1e-13, "ω = {frequency}: {ours}");
    }
}

/// y₁ of y_m N y' + y = δ with the defects δ_i = ε sin(ω t + i) of m = 2 and 3, by differentiation of series.
fn first(size: f64, frequency: f64, t: f64) -> [f64; 2] {
    let defect = |i: f64| (Taylor::<f64, 3>::variable(t) * frequency + Taylor::constant(i)).sin() * size;
    // The derivative of a series loses its last coefficient, which the next use does not need.
    let slope = |x: Taylor<f64, 3>| {
        let [a, b, c] = x.coefficients;
        Taylor::<f64, 3> { value: a, coefficients: [2.0 * b, 3.0 * c, 0.0] }
    };
    let two = defect(1.0) - defect(2.0) * slope(defect(2.0));
    let last = defect(3.0);
    let second = defect(2.0) - last * slope(last);
    let three = defect(1.0) - last * slope(second);
    [two.value, three.value]
}

#[test]
fn a_perturbation_index_can_be_as_large_as_the_system() {
    // (1.32): m = 2: δ₁ − δ₂ δ₂', m = 3: δ₁ − δ₃ (δ₂' − (δ₃ δ₃')').
    for (size, frequency, t) in [(0.1, 3.0, 0.4), (0.02, 40.0, 1.7)] {
        let at = |i: f64| {
            let (sin, cos) = (frequency * t + i).sin_cos();
            [size * sin, size * frequency * cos, -size * frequency * frequency * sin]
        };
        let [one, two, three] = [1.0, 2.0, 3.0].map(at);
        let exact =
            [one[0] - two[0] * two[1], one[0] - three[0] * (two[1] - three[1] * three[1] - three[0] * three[2])];
        let ours = first(size, frequency, t);
        for (ours, exact) in ours.iter().zip(exact) {
            assert!((ours - exact).abs() < 1e-13, "{ours} {exact}");
        }
    }
    // With a fixed size the change grows with ω, and with ω²: the perturbation index is m, while the differentiation index is one.
    let largest = |frequency: f64| {
        let nodes = (0..10_000).map(|i| first(0.1, frequency, 7e-4 * f64::from(i) / frequency));
        nodes.fold([0.0_f64; 2], |[two, three], now| [two.max(now[0].abs()), three.max(now[1].abs())])
    };
    let [slow, middle, fast] = [1000.0, 2000.0, 4000.0].map(largest);
    assert_slopes("m = 2", &[fast[0], middle[0], slow[0]], 1.0, 0.05);
    assert_slopes("m = 3", &[fast[1], middle[1], slow[1]], 2.0, 0.05);
}
