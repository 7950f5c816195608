//! The same systems in the form that the other crates need: y = (q, v, λ) with M y' = F(y), the constraint replaced by its derivative.
//!
//! This is the work that their users do by hand: gradients and their derivatives along the velocity are written out, Jacobians are exact,
//! and for crates without constraints the multipliers are eliminated beforehand.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use on_target::methods::problem::Judged;
use taut::linalg::{Ldlt, Matrix, Vector};
use taut::project::Geometry;
use taut::scalar::{Dual, Real};
use taut::start::Plain;
use taut::system::{Equations as _, Inertia, InertiaOf, Mechanical};

/// A system with constraints of which the gradients are known in any scalar.
pub trait Equations<const N: usize, const M: usize>: Judged<N, M, Base = f64> + Copy + 'static {
    /// G = ∂g/∂q, written into zeros.
    fn gradients<S: Real<Base = f64>>(q: &[S; N], g: &mut [[S; N]; M]);

    /// g_qq(v, v).
    fn curvature<S: Real<Base = f64>>(q: &[S; N], v: &[S; N]) -> [S; M];
}

/// The derivative that replaces the constraint. The resulting system has this index.
#[derive(Clone, Copy, PartialEq)]
pub enum Index {
    /// Second derivative.
    One,
    /// First derivative.
    Two,
}

/// How the multipliers are eliminated.
#[derive(Clone, Copy, PartialEq)]
pub enum Elimination {
    /// As a person writes it down: dense matrices, factorised by taut.
    Dense,
    /// By taut, which follows the zeros of G.
    Structured,
}

/// F(y) for y = (q, v, λ) with the mass matrix (1, 1, 0).
pub struct Form<System: Mechanical<N, M>, const N: usize, const M: usize> {
    inverse_mass: [f64; N],
    acceleration: [f64; N],
    index: Index,
    elimination: Elimination,
    inertia: InertiaOf<System, N, M>,
    system: System,
    /// How often the acceleration has been evaluated.
    evaluations: Cell<u64>,
}

impl<System: Equations<N, M>, const N: usize, const M: usize> Form<System, N, M>
where
    System::Mass: Inertia<f64, N>,
{
    /// Of an index, the multipliers eliminated densely.
    pub fn of_index(index: Index) -> Self {
        let system = System::system();
        let inertia = system.inertia(&Vector::zeros()).expect("a positive mass");
        let mass = system.mass();
        let inverse_mass = mass.acceleration(&Vector::from_element(1.0)).into();
        // All forces are constant.
        let force = system.force(0.0, &Vector::zeros(), &Vector::zeros());
        let acceleration = mass.acceleration(&force).into();
        let (elimination, evaluations) = (Elimination::Dense, Cell::new(0));
        Self { inverse_mass, acceleration, index, elimination, inertia, system, evaluations }
    }

    /// The same with this elimination.
    pub fn eliminated(self, elimination: Elimination) -> Self {
        Self { elimination, ..self }
    }

    /// How the multipliers are eliminated.
    pub fn elimination(&self) -> Elimination {
        self.elimination
    }

    /// Where it starts: (q, v, λ).
    pub fn start(&self) -> Vec<f64> {
        let start = self.system.start::<Plain>(1.0);
        let (q, v): ([f64; N], [f64; N]) = ((*start.position()).into(), (*start.velocity()).into());
        let (_, multipliers) = self.motion(&q, &v);
        q.iter().chain(&v).chain(&multipliers).copied().collect()
    }

    /// The acceleration and the multipliers: (G M⁻¹ Gᵀ) λ = G M⁻¹ f + g_qq(v, v).
    #[inline]
    pub fn motion(&self, q: &[f64; N], v: &[f64; N]) -> ([f64; N], [f64; M]) {
        self.evaluations.set(self.evaluations.get() + 1);
        match self.elimination {
            Elimination::Dense => self.dense_motion(q, v),
            Elimination::Structured => self.structured_motion(&(*q).into(), &(*v).into()),
        }
    }

    #[inline]
    fn structured_motion(&self, q: &Vector<f64, N>, v: &Vector<f64, N>) -> ([f64; N], [f64; M]) {
        let (t, mut a) = (0.0, Vector::from(self.acceleration));
        let equations = self.system.equations(t, q);
        let geometry = Geometry::<f64, N, M, Ldlt<f64, M>>::of::<System>(equations.jacobian(), &self.inertia);
        let Ok(geometry) = geometry else {
            return ([f64::NAN; N], [f64::NAN; M]);
        };
        // G a with the zeros of G, as G v.
        let along = self.system.velocity_residual(&geometry.jacobian, t, q, &a);
        let residual = equations.acceleration_terms(v) + along;
        let multipliers = geometry.correction.multipliers::<System>(&residual);
        geometry.correction.subtract::<System>(&mut a, &multipliers);
        (a.into(), multipliers.into())
    }

    #[inline]
    fn dense_motion(&self, q: &[f64; N], v: &[f64; N]) -> ([f64; N], [f64; M]) {
        let mut g = [[0.0; N]; M];
        System::gradients(q, &mut g);
        let curvature = System::curvature(q, v);
        let mut right = Vector::<f64, M>::zeros();
        let mut schur = Matrix::<f64, M, M>::zeros();
        for i in 0..M {
            right[i] = curvature[i] + (0..N).map(|k| g[i][k] * self.acceleration[k]).sum::<f64>();
            for j in 0..M {
                schur[(i, j)] = (0..N).map(|k| g[i][k] * self.inverse_mass[k] * g[j][k]).sum::<f64>();
            }
        }
        let multipliers = Ldlt::factor(schur).map_or([f64::NAN; M], |factors| factors.solve(right).into());
        let a = std::array::from_fn(|k| {
            self.acceleration[k] - self.inverse_mass[k] * (0..M).map(|i| g[i][k] * multipliers[i]).sum::<f64>()
        });
        (a, multipliers)
    }

    /// How often a run evaluates the acceleration.
    pub fn evaluations<R>(&self, run: impl FnOnce() -> R) -> u64 {
        let before = self.evaluations.get();
        black_box(run());
        self.evaluations.get() - before
    }

    /// The seconds of an evaluation of the acceleration at a place that is known from the one before, as in every explicit method: the
    /// quickest of many series.
    pub fn seconds_of_an_evaluation(&self, patience: Duration) -> f64 {
        const SERIES: u32 = 100;
        let start = self.start();
        let v: [f64; N] = std::array::from_fn(|k| start[N + k]);
        let (begun, mut quickest) = (Instant::now(), Duration::MAX);
        while begun.elapsed() < patience {
            let mut q: [f64; N] = std::array::from_fn(|k| start[k]);
            let series = Instant::now();
            for _ in 0..SERIES {
                let (a, _) = self.motion(&q, &v);
                for k in 0..N {
                    q[k] += black_box(0.0) * a[k];
                }
            }
            black_box(q);
            quickest = quickest.min(series.elapsed());
        }
        quickest.as_secs_f64() / f64::from(SERIES)
    }

    /// F(y) in any scalar.
    #[inline]
    pub fn right_hand_side<S: Real<Base = f64>>(&self, y: &[S], f: &mut [S]) {
        let q: [S; N] = std::array::from_fn(|k| y[k]);
        let v: [S; N] = std::array::from_fn(|k| y[N + k]);
        let mut g = [[S::zero(); N]; M];
        System::gradients(&q, &mut g);
        for k in 0..N {
            f[k] = v[k];
            let mut pull = S::zero();
            for i in 0..M {
                pull += g[i][k] * y[2 * N + i];
            }
            f[N + k] = -(pull * self.inverse_mass[k] - self.acceleration[k]);
        }
        let curvature = if self.index == Index::One { System::curvature(&q, &v) } else { [S::zero(); M] };
        let differentiated = if self.index == Index::One { N } else { 0 };
        for i in 0..M {
            f[2 * N + i] = curvature[i];
            for k in 0..N {
                let rate = f[differentiated + k];
                f[2 * N + i] += g[i][k] * rate;
            }
        }
    }

    /// The derivative of F at y in a direction.
    pub fn derivative(&self, y: &[f64], direction: &[f64], derivative: &mut [f64]) {
        let y: Vec<Dual<f64, 1>> = y.iter().zip(direction).map(|(y, along)| Dual::new(*y, [*along])).collect();
        let mut f = vec![Dual::constant(0.0); y.len()];
        self.right_hand_side(&y, &mut f);
        for (derivative, f) in derivative.iter_mut().zip(f) {
            *derivative = f.partials[0];
        }
    }
}

impl Equations<2, 1> for ByHand<Pendulum<f64>> {
    fn gradients<S: Real<Base = f64>>(q: &[S; 2], g: &mut [[S; 2]; 1]) {
        g[0] = *q;
    }

    fn curvature<S: Real<Base = f64>>(_: &[S; 2], v: &[S; 2]) -> [S; 1] {
        [v[0] * v[0] + v[1] * v[1]]
    }
}

impl Equations<4, 2> for ByHand<DoublePendulum<f64>> {
    fn gradients<S: Real<Base = f64>>(q: &[S; 4], g: &mut [[S; 4]; 2]) {
        let (dx, dy) = (q[2] - q[0], q[3] - q[1]);
        (g[0][0], g[0][1]) = (q[0], q[1]);
        g[1] = [-dx, -dy, dx, dy];
    }

    fn curvature<S: Real<Base = f64>>(_: &[S; 4], v: &[S; 4]) -> [S; 2] {
        let (dx, dy) = (v[2] - v[0], v[3] - v[1]);
        [v[0] * v[0] + v[1] * v[1], dx * dx + dy * dy]
    }
}

impl Equations<9, 8> for ByHand<FourBar<f64>> {
    fn gradients<S: Real<Base = f64>>(q: &[S; 9], g: &mut [[S; 9]; 8]) {
        let one = S::one();
        for (row, column, sign) in
            [(0, 0, 1), (1, 1, 1), (2, 0, 1), (3, 1, 1), (4, 3, 1), (5, 4, 1), (6, 6, 1), (7, 7, 1)]
                .into_iter()
                .chain([(2, 3, -1), (3, 4, -1), (4, 6, -1), (5, 7, -1)])
        {
            g[row][column] = if sign > 0 { one } else { -one };
        }
        for (rod, half, ends) in
            [(0, 0.1, [(0, -1.0), (2, 1.0)]), (1, 0.35, [(2, 1.0), (4, 1.0)]), (2, 0.3, [(4, -1.0), (6, -1.0)])]
        {
            let (sin, cos) = q[3 * rod + 2].sin_cos();
            for (row, sign) in ends {
                g[row][3 * rod + 2] = -sin * (sign * half);
                g[row + 1][3 * rod + 2] = cos * (sign * half);
            }
        }
    }

    fn curvature<S: Real<Base = f64>>(q: &[S; 9], v: &[S; 9]) -> [S; 8] {
        let mut curvature = [S::zero(); 8];
        for (rod, half, ends) in
            [(0, 0.1, [(0, -1.0), (2, 1.0)]), (1, 0.35, [(2, 1.0), (4, 1.0)]), (2, 0.3, [(4, -1.0), (6, -1.0)])]
        {
            let (sin, cos) = q[3 * rod + 2].sin_cos();
            let square = v[3 * rod + 2] * v[3 * rod + 2];
            for (row, sign) in ends {
                curvature[row] -= cos * square * (sign * half);
                curvature[row + 1] -= sin * square * (sign * half);
            }
        }
        curvature
    }
}
