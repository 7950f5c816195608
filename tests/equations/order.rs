//! Constraints are eliminated in an order found at compile time. Their numbers change the results by round-off only.

use mechanisms::Chain;
use taut::linalg::{FactorError, Ldlt, Vector};
use taut::method::{Rattle, RungeKutta4, Step, StepError};
use taut::project::Geometry;
use taut::scalar::Real;
use taut::start::{Clock, Start, State};
use taut::system::{Diagonal, Mechanical, Pattern};

type Links = Chain<f64, 16, 8>;

/// A chain of eight whose rods are numbered at random: constraint `row` is rod `RODS[row]`. With its pattern, or dense.
#[derive(Clone, Copy)]
struct Shuffled<const DENSE: bool>(Links);

const RODS: [usize; 8] = [4, 1, 6, 3, 7, 0, 5, 2];

impl<const DENSE: bool> Mechanical<16, 8> for Shuffled<DENSE> {
    type Base = f64;
    type Mass = Diagonal<f64, 16>;

    const PATTERN: Pattern<16, 8> = {
        let (mut entries, mut row) = ([[DENSE; 16]; 8], 0);
        while row < 8 && !DENSE {
            entries[row] = <Links as Mechanical<16, 8>>::PATTERN.entries()[RODS[row]];
            row += 1;
        }
        Pattern::new(entries)
    };

    fn mass(&self) -> Diagonal<f64, 16> {
        self.0.mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 16>, v: &Vector<S, 16>) -> Vector<S, 16> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 16>) -> Vector<S, 8> {
        let g = self.0.constraint(t, q);
        Vector::from(RODS.map(|rod| g[rod]))
    }
}

/// 1,000 steps, with and without the pattern: positions and velocities to round-off, and each multiplier is that of its own row.
#[test]
fn a_chain_numbered_at_random_moves_as_the_dense_one() {
    fn agree<Method>(method: Method)
    where
        Method: Step<Shuffled<false>, State<f64, 16, 8>, Report = taut::method::Report<f64, 8>, Error = StepError<f64>>
            + Step<Shuffled<true>, State<f64, 16, 8>, Report = taut::method::Report<f64, 8>, Error = StepError<f64>>,
    {
        let (sparse, dense) = (Shuffled::<false>(Links::standard()), Shuffled::<true>(Links::standard()));
        // 0.1 s: a chain is chaotic, and round-off grows with time.
        let clock = Clock::at_rate(10_000.0).unwrap();
        let mut one = Start::at(&sparse, clock, Links::position()).at_rest().unwrap();
        let mut other = Start::at(&dense, clock, Links::position()).at_rest().unwrap();
        for step in 0..1_000 {
            let found = method.step(&sparse, &mut one).unwrap();
            let expected = method.step(&dense, &mut other).unwrap();
            // Multipliers are second differences of positions: round-off divided by h².
            let apart = (found.multipliers - expected.multipliers).amax() / expected.multipliers.amax();
            assert!(apart < 1e-9, "{step}: {apart:e}");
        }
        assert!((one.position() - other.position()).amax() < 1e-13);
        assert!((one.velocity() - other.velocity()).amax() < 1e-13 * (1.0 + other.velocity().amax()));
    }
    agree(Rattle::new());
    agree(RungeKutta4::new());
}

/// A rod of no length has no gradient. Whichever it is, its own row is refused.
#[test]
fn a_refused_pivot_has_the_number_of_its_row() {
    let system = Shuffled::<false>(Links::standard());
    for (row, rod) in RODS.into_iter().enumerate() {
        let mut q = Vector::from(Links::position());
        for axis in 0..2 {
            q[2 * rod + axis] = if rod == 0 { 0.0 } else { q[2 * rod - 2 + axis] };
        }
        let inertia = system.inertia(&q).unwrap();
        let refused = Geometry::<_, 16, 8, Ldlt<_, 8>>::at(&system, &inertia, 0.0, &q).unwrap_err();
        assert!(matches!(refused, FactorError::SmallPivot { index, pivot, .. } if index == row && pivot == 0.0));
    }
}
