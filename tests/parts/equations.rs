//! The equations of every mechanism of the gallery are Lagrange's equations of its energies, and its hand-written derivatives are those of
//! its constraint.

use mechanisms::parts::{self, Visitor};
use taut::linalg::Vector;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::scalar::{Dual, Jet};
use taut::system::{Inertia, Mechanical, verify};

/// Numbers without a pattern, between −1 and 1.
pub fn scattered<const N: usize>(seed: u32) -> Vector<f64, N> {
    Vector::from_fn(|i, _| ((i as f64 + 1.0) * 12.9898 + f64::from(seed) * 78.233).sin())
}

/// f = −∂V/∂q + ½ vᵀ ∂M/∂q v − M' v, which is what Lagrange's equations leave beside M q''.
fn lagrange<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    q: &Vector<f64, N>,
    v: &Vector<f64, N>,
) -> Vector<f64, N> {
    let variables = Vector::from(Dual::<f64, N>::variables(q.data.0[0]));
    let potential = mechanism.potential_energy(&variables);
    let mass = mechanism.mass_matrix(&variables);
    let along = mechanism.mass_matrix(&q.zip_map(v, |q, v| Jet::new(q, v, 0.0)));
    Vector::from_fn(|i, _| {
        let mut force = -potential.partials[i];
        for j in 0..N {
            for k in 0..N {
                force += 0.5 * v[j] * mass[(j, k)].partials[i] * v[k];
            }
            force -= along[(i, j)].first * v[j];
        }
        force
    })
}

/// Compares every mechanism of the gallery.
pub struct Compare;

impl parts::Visitor<f64> for Compare {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        for seed in 0..5 {
            // Also off the constraints: the identities hold there, too.
            let (q, v) = (mechanism.assembled() + scattered::<N>(seed) * 0.05, scattered::<N>(seed + 100));
            // Thirty terms with quotients: 1e-14, and a factor for poses near a dead centre.
            verify(mechanism, 0.0, &q, &v, 1e-12).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            let (force, mut expected) = (mechanism.force(0.0, &q, &v), lagrange(mechanism, &q, &v));
            if name == "sprung-slider" {
                // Its damper of 2 N s/m is along the slider's line.
                expected[2] -= 2.0 * v[2];
            }
            let scale = 1.0 + expected.amax();
            assert!((force - expected).amax() < 1e-12 * scale, "{name}: {force} instead of {expected}");
            let mass = mechanism.mass_matrix(&q);
            assert_eq!(mass, mass.transpose(), "{name}");
            // The zeros that follow from the list are zeros: M times a vector by the pattern is M times the vector.
            let (momentum, inertia) = (mass * v, mechanism.inertia(&q).unwrap());
            assert!((inertia.momentum(&v) - momentum).amax() < 1e-13 * (1.0 + momentum.amax()), "{name}");
            // A mass matrix with a condition of at most 1e4.
            assert!((inertia.acceleration(&momentum) - v).amax() < 1e-11, "{name}");
        }
    }
}

#[test]
fn forces_follow_from_the_energies() {
    parts::visit_all(&mut Compare);
}

/// Without its damper, the slider's force follows from its energy, too.
#[test]
fn a_spring_has_an_energy() {
    let mut undamped = parts::SprungSlider::new();
    undamped.damper.damping = 0.0;
    Compare.visit("undamped slider", &undamped.build().unwrap());
}
