//! Energy: what motors and prescribed motions do is what a mechanism gains and its dampers lose.

use mechanisms::parts;
use nalgebra::{DMatrix, DVector};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::{List, Load, Pose, Shaft, Visitor};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Inertia, Mechanical, Pattern};

use crate::equations::scattered;

/// The forces and the readings of all motors of a list.
struct Motors<S, const N: usize> {
    torques: Vec<f64>,
    force: [S; N],
    readings: Vec<S>,
}

impl<S: Real<Base = f64>, const N: usize> Visitor<S> for Motors<S, N> {
    fn motor(&mut self, shaft: &impl Shaft<S>) {
        let (torque, mut unit) = (self.torques.get(self.readings.len()).copied().unwrap_or(0.0), [S::zero(); N]);
        shaft.drive(&mut unit);
        for (force, unit) in self.force.iter_mut().zip(unit) {
            *force += unit * torque;
        }
        self.readings.push(shaft.reading());
    }
}

/// A mechanism with a torque at each of its motors, however many they are.
struct Powered<'a, L: List<N, M>, const N: usize, const M: usize> {
    mechanism: &'a Mechanism<L, N, M>,
    torques: Vec<f64>,
}

impl<L: List<N, M, Base = f64>, const N: usize, const M: usize> Powered<'_, L, N, M> {
    fn motors<S: Real<Base = f64>>(&self, q: &Vector<S, N>) -> Motors<S, N> {
        let mut motors = Motors { torques: self.torques.clone(), force: [S::zero(); N], readings: Vec::new() };
        self.mechanism.description().visit(&Pose::new::<L, M>(q, &[Load::NONE; N]), &mut motors);
        motors
    }

    fn energy(&self, q: &Vector<f64, N>, v: &Vector<f64, N>) -> f64 {
        self.mechanism.kinetic_energy(q, v) + self.mechanism.potential_energy(q)
    }

    /// The power of prescribed motions less that of the dampers.
    fn power(&self, t: f64, q: &Vector<f64, N>, v: &Vector<f64, N>) -> f64 {
        // The forces of dampers are those that turn round with the velocity.
        let (there, back) = (self.mechanism.force(t, q, v), self.mechanism.force(t, q, &-v));
        let damped = v.dot(&(there - back)) / 2.0;
        if !Mechanism::<L, N, M>::TIME_DEPENDENT {
            return damped;
        }
        // The forces −Gᵀ λ of the constraints have the power −λᵀ G v = λᵀ g_t, with G M⁻¹ Gᵀ λ = G M⁻¹ f + g_qq(v, v) + g_tt.
        let (g, inertia) = (self.jacobian(t, q), self.inertia(q).unwrap());
        let compliance =
            DMatrix::from_fn(M, M, |i, j| g.row(i).transpose().dot(&inertia.acceleration(&g.row(j).transpose())));
        let wanted = g * inertia.acceleration(&self.force(t, q, v)) + self.acceleration_terms(t, q, v);
        // The smallest solution: redundant constraints leave the others open. Singular values of 1e-10 of the largest are round-off.
        let decomposed = compliance.svd(true, true);
        let round_off = 1e-10 * decomposed.singular_values.iter().fold(0.0_f64, |a, &b| a.max(b));
        let multipliers = decomposed.solve(&DVector::from_iterator(M, wanted.iter().copied()), round_off).unwrap();
        damped + multipliers.dot(&DVector::from_iterator(M, self.time_derivative(t, q).iter().copied()))
    }
}

impl<L: List<N, M, Base = f64>, const N: usize, const M: usize> Mechanical<N, M> for Powered<'_, L, N, M> {
    type Base = f64;
    type Mass = L::Mass;

    const ANGLES: [bool; N] = Mechanism::<L, N, M>::ANGLES;
    const PATTERN: Pattern<N, M> = Mechanism::<L, N, M>::PATTERN;

    fn mass(&self) -> L::Mass {
        self.mechanism.mass()
    }

    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.mechanism.mass_matrix(q)
    }

    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        self.mechanism.force(t, q, v) + Vector::from(self.motors(q).force)
    }

    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.mechanism.constraint(t, q)
    }
}

/// Drives every mechanism with random torques from a random velocity.
struct Drive;

/// Steps, and the steps for which the torques stay.
const STEPS: u32 = 400;
const HOLD: u32 = 40;

impl parts::Visitor<f64> for Drive {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        for seed in 0..3 {
            let clock = Clock::with_step(1e-4).unwrap();
            let start = mechanism.start(clock).moving(scattered::<N>(seed) * 0.3).unwrap();
            let mut powered = Powered { mechanism, torques: Vec::new() };
            let mut state =
                Start::at(&powered, clock, *start.position()).redundant().moving(*start.velocity()).unwrap();
            let (begin, mut work) = (powered.energy(state.position(), state.velocity()), 0.0);
            let mut scale = mechanism.kinetic_energy(state.position(), state.velocity());
            for step in 0..STEPS {
                if step % HOLD == 0 {
                    // Up to 0.01 N m, or N: a tenth of the weights of the small machines at their motors.
                    let motors = powered.motors(state.position()).readings.len() as u32;
                    let random = |motor| scattered::<1>(1 + seed * 100 + step + motor)[0];
                    powered.torques = (0..motors).map(|motor| random(motor) * 0.01).collect();
                }
                let time = 1e-4 * f64::from(step);
                let (before, power) =
                    (powered.motors(state.position()), powered.power(time, state.position(), state.velocity()));
                RungeKutta4::new().step(&powered, &mut state).unwrap_or_else(|error| panic!("{name}: {error}"));
                let (q, v) = (state.position(), state.velocity());
                let after = powered.motors(q);
                for ((torque, a), b) in powered.torques.iter().zip(&before.readings).zip(&after.readings) {
                    // A shaft may have passed the end of its turn.
                    let moved = b - a - ((b - a) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
                    work += torque * moved;
                }
                // The trapezoidal rule: an error of T h²/12 of the second derivative of the power.
                work += 0.5e-4 * (power + powered.power(time + 1e-4, q, v));
                scale = scale.max(mechanism.kinetic_energy(q, v));
            }
            // Runge–Kutta 4: T ω (h ω)⁴/120 = 0.04 · 450 · (450 · 1e-4)⁴/120 = 6e-7 for the fastest, Andrews' spring; below 1e-10 for the others.
            let gained = powered.energy(state.position(), state.velocity()) - begin;
            assert!(scale > 1e-6, "{name} does not move: {scale} J");
            let off = (work - gained).abs();
            assert!(off < 1e-6 * scale, "{name}: {work} J of work, {gained} J gained, {scale} J");
        }
    }
}

#[test]
fn motors_do_what_is_gained_and_lost() {
    parts::visit_all(&mut Drive);
}

/// With 60 coordinates and 60 constraints it takes more stack than a test has.
#[test]
fn bricards_six_bar_gains_and_loses_nothing() {
    let drive = || parts::visit_large(&mut Drive);
    std::thread::Builder::new().stack_size(1 << 26).spawn(drive).unwrap().join().unwrap();
}
