//! The pattern of G: found by evaluation, refused if it misses an entry, and without an effect on the results beyond round-off.

use mechanisms::{ByHand, Chain, DoublePendulum, FiveBar, FourBar};
use nalgebra::vector;
use taut::linalg::{Ldlt, Matrix, Vector};
use taut::method::{Bdf2, Composition, HalfExplicit, ImplicitEuler, RadauIia, Rattle, RungeKutta4, RungeKutta8, Step};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Precision, Start, StartError, State};
use taut::system::{ConstantMass, Diagonal, Full, Mass, Mechanical, Pattern, Points};

#[test]
fn the_patterns_of_the_mechanisms_are_those_of_their_equations() {
    fn agrees<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(system: System) {
        let found = Pattern::of(&system, Vector::repeat(0.3));
        assert_eq!(found, System::PATTERN, "\n{found}");
    }
    agrees(DoublePendulum::standard());
    agrees(FiveBar::standard());
    agrees(FourBar::standard());
    agrees(Chain::<f64, 16, 8>::standard());
}

/// A system without its pattern.
#[derive(Clone, Copy)]
struct Unknown<System>(System);

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Mechanical<N, M> for Unknown<System> {
    type Base = System::Base;
    type Mass = System::Mass;

    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;
    const ANGLES: [bool; N] = System::ANGLES;

    fn mass(&self) -> System::Mass {
        self.0.mass()
    }
    fn force<S: Real<Base = System::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = System::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.0.constraint(t, q)
    }
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        self.0.jacobian(t, q)
    }
}

/// Zeros that are left out change nothing, another order of elimination the round-off: 1e-13 after 1,000 steps. At 10 kHz, because the
/// motions are chaotic, and round-off grows with time.
#[test]
fn a_pattern_changes_a_motion_by_round_off_only() {
    same(FourBar::standard(), Rattle::new(), FourBar::guess());
    same(ByHand(FourBar::standard()), Rattle::new(), FourBar::guess());
    same(FourBar::standard(), RungeKutta4::new(), FourBar::guess());
    same(Chain::<f64, 16, 8>::standard(), Rattle::new(), Chain::<f64, 16, 8>::position());
    same(Chain::<f64, 16, 8>::standard(), RungeKutta4::new(), Chain::<f64, 16, 8>::position());
}

/// The same for the half-explicit and the implicit methods.
#[test]
fn a_pattern_changes_a_motion_of_other_methods_by_round_off_only() {
    same(FourBar::standard(), HalfExplicit::order_three(), FourBar::guess());
    same(FourBar::standard(), ImplicitEuler::new().projecting_velocities(), FourBar::guess());
    same(FourBar::standard(), RungeKutta8::new(), FourBar::guess());
    same(FourBar::standard(), Composition::suzuki(), FourBar::guess());
    same(FourBar::standard(), RadauIia::order_three(), FourBar::guess());
    same(Chain::<f64, 16, 8>::standard(), HalfExplicit::order_three(), Chain::<f64, 16, 8>::position());
}

/// BDF2 steps from two nodes.
#[test]
fn a_pattern_changes_a_motion_of_bdf2_by_round_off_only() {
    let (sparse, dense, bdf) = (FourBar::<f64>::standard(), Unknown(FourBar::<f64>::standard()), Bdf2::new());
    let clock = Clock::at_rate(10_000.0).unwrap();
    let start = Start::at(&sparse, clock, FourBar::guess()).at_rest().unwrap();
    let mut nodes = bdf.begin(&sparse, start).unwrap();
    let mut reference = bdf.begin(&dense, Start::at(&dense, clock, FourBar::guess()).at_rest().unwrap()).unwrap();
    for _ in 0..1_000 {
        bdf.step(&sparse, &mut nodes).unwrap();
        bdf.step(&dense, &mut reference).unwrap();
    }
    are_close(nodes.state(), reference.state());
}

fn same<System, Method, const N: usize, const M: usize>(system: System, method: Method, start: [f64; N])
where
    System: Mechanical<N, M, Base = f64> + Copy,
    System::Mass: ConstantMass<f64, N>,
    Method: Step<System, State<f64, N, M>> + Step<Unknown<System>, State<f64, N, M>>,
    <Method as Step<System, State<f64, N, M>>>::Error: core::fmt::Debug,
    <Method as Step<Unknown<System>, State<f64, N, M>>>::Error: core::fmt::Debug,
{
    let clock = Clock::at_rate(10_000.0).unwrap();
    let sparse = Start::at(&system, clock, start).at_rest().unwrap();
    let dense = Start::at(&Unknown(system), clock, start).at_rest().unwrap();
    stay_together(&system, &method, sparse, dense);
}

fn stay_together<System, Method, P: Precision, const N: usize, const M: usize>(
    system: &System,
    method: &Method,
    mut sparse: State<f64, N, M, Ldlt<f64, M>, P>,
    mut dense: State<f64, N, M, Ldlt<f64, M>, P>,
) where
    System: Mechanical<N, M, Base = f64> + Copy,
    Method: Step<System, State<f64, N, M, Ldlt<f64, M>, P>> + Step<Unknown<System>, State<f64, N, M, Ldlt<f64, M>, P>>,
    <Method as Step<System, State<f64, N, M, Ldlt<f64, M>, P>>>::Error: core::fmt::Debug,
    <Method as Step<Unknown<System>, State<f64, N, M, Ldlt<f64, M>, P>>>::Error: core::fmt::Debug,
{
    for _ in 0..1_000 {
        method.step(system, &mut sparse).unwrap();
        method.step(&Unknown(*system), &mut dense).unwrap();
    }
    are_close(&sparse, &dense);
}

fn are_close<P: Precision, const N: usize, const M: usize>(
    state: &State<f64, N, M, Ldlt<f64, M>, P>,
    reference: &State<f64, N, M, Ldlt<f64, M>, P>,
) {
    let (q, v) = (state.position() - reference.position(), state.velocity() - reference.velocity());
    assert!(q.amax() < 1e-13, "{q}");
    assert!(v.amax() < 1e-13 * (1.0 + reference.velocity().amax()), "{v}");
}

/// The same in each precision.
#[test]
fn a_pattern_changes_a_motion_of_every_precision_by_round_off_only() {
    let (system, clock, rattle) = (FourBar::<f64>::standard(), Clock::at_rate(10_000.0).unwrap(), Rattle::new());
    let unknown = Unknown(system);
    let (sparse, dense) = (Start::at(&system, clock, FourBar::guess()), Start::at(&unknown, clock, FourBar::guess()));
    stay_together(&system, &rattle, sparse.plain().at_rest().unwrap(), dense.plain().at_rest().unwrap());
    stay_together(&system, &rattle, sparse.compensated().at_rest().unwrap(), dense.compensated().at_rest().unwrap());
    stay_together(&system, &rattle, sparse.precise().at_rest().unwrap(), dense.precise().at_rest().unwrap());
}

/// A five-bar linkage as points: both elbows and the tip, with uniform rods of 0.6 kg and 0.4 m.
#[derive(Clone, Copy)]
struct FiveBarOfPoints<T, Inertia> {
    length: T,
    mass: Inertia,
}

impl<T: Float> FiveBarOfPoints<T, Points<T, 3, 2>> {
    fn new() -> Self {
        let masses = nalgebra::matrix![0.4, 0.0, 0.1; 0.0, 0.4, 0.1; 0.1, 0.1, 0.4].map(T::from_f64);
        Self { length: T::from_f64(0.4), mass: Points::new(masses).unwrap() }
    }
}

impl<T: Float> FiveBarOfPoints<T, Full<T, 6>> {
    fn with_full_matrix() -> Self {
        let points = FiveBarOfPoints::<T, Points<T, 3, 2>>::new();
        Self { length: points.length, mass: Full::new(Mass::<T, 6>::constant(&points.mass)).unwrap() }
    }
}

const ELBOWS: [f64; 6] = [-0.3, 0.35, 0.3, 0.35, 0.0, 0.6];

impl<T: Float, Inertia: ConstantMass<T, 6>> Mechanical<6, 4> for FiveBarOfPoints<T, Inertia> {
    type Base = T;
    type Mass = Inertia;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const PATTERN: Pattern<6, 4> = Pattern::rows(["xx....", "xx..xx", "..xxxx", "..xx.."]);

    fn mass(&self) -> Inertia {
        self.mass
    }
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 6>, _v: &Vector<S, 6>) -> Vector<S, 6> {
        let (o, weight) = (S::zero(), S::from(T::from_f64(-0.6 * 9.81)));
        vector![o, weight, o, weight, o, weight]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 6>) -> Vector<S, 4> {
        let (pivot, half) = (T::from_f64(0.1), T::from_f64(0.5));
        let rod = |x: S, y: S| (x * x + y * y - self.length * self.length) * half;
        vector![
            rod(q[0] + pivot, q[1]),
            rod(q[4] - q[0], q[5] - q[1]),
            rod(q[4] - q[2], q[5] - q[3]),
            rod(q[2] - pivot, q[3])
        ]
    }
}

/// The same motion as with the full matrix, to round-off, and with or without the pattern bit for bit.
#[test]
fn points_that_rods_couple_move_as_with_the_full_matrix() {
    let (points, full) = (FiveBarOfPoints::<f32, _>::new(), FiveBarOfPoints::with_full_matrix());
    let (clock, elbows) = (Clock::at_rate(1_000.0).unwrap(), ELBOWS.map(|x| x as f32));
    let mut state = Start::at(&points, clock, elbows).at_rest().unwrap();
    let mut dense = Start::at(&Unknown(points), clock, elbows).at_rest().unwrap();
    let mut solved = Start::at(&full, clock, elbows).at_rest().unwrap();
    for step in 0..200 {
        Rattle::new().step(&points, &mut state).unwrap();
        Rattle::new().step(&Unknown(points), &mut dense).unwrap();
        Rattle::new().step(&full, &mut solved).unwrap();
        assert_eq!((state.position(), state.velocity()), (dense.position(), dense.velocity()), "{step}");
        assert!((state.position() - solved.position()).amax() < 1e-5, "{step}");
    }
    assert!((state.velocity().amax()) > 0.5);
}

/// The same in `f64`: 1e-13 after 1,000 steps, with the pattern and the inverse masses against neither.
#[test]
fn points_in_f64_move_as_with_the_full_matrix() {
    let (points, full) = (FiveBarOfPoints::<f64, _>::new(), Unknown(FiveBarOfPoints::with_full_matrix()));
    let clock = Clock::at_rate(10_000.0).unwrap();
    fn run<System, Method>(system: &System, method: &Method, mut state: State<f64, 6, 4>) -> State<f64, 6, 4>
    where
        Method: Step<System, State<f64, 6, 4>, Error: core::fmt::Debug>,
    {
        for _ in 0..1_000 {
            method.step(system, &mut state).unwrap();
        }
        state
    }
    let start = Start::at(&points, clock, ELBOWS).at_rest().unwrap();
    let reference = Start::at(&full, clock, ELBOWS).at_rest().unwrap();
    are_close(&run(&points, &Rattle::new(), start), &run(&full, &Rattle::new(), reference));
    are_close(&run(&points, &RungeKutta4::new(), start), &run(&full, &RungeKutta4::new(), reference));
    are_close(&run(&points, &RungeKutta8::new(), start), &run(&full, &RungeKutta8::new(), reference));
    are_close(&run(&points, &Composition::suzuki(), start), &run(&full, &Composition::suzuki(), reference));
}

/// A double pendulum whose pattern leaves out that the second rod hangs at the first point.
struct Forgetful;

impl Mechanical<4, 2> for Forgetful {
    type Base = f64;
    type Mass = Diagonal<f64, 4>;

    const PATTERN: Pattern<4, 2> = Pattern::rows(["xx..", "..xx"]);

    fn mass(&self) -> Diagonal<f64, 4> {
        Diagonal::new([1.0; 4])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        let square = |x: S, y: S| x * x + y * y - 1.0;
        vector![square(q[0], q[1]), square(q[2] - q[0], q[3] - q[1])]
    }
}

#[test]
fn a_start_refuses_a_pattern_that_misses_an_entry() {
    let start = Start::at(&Forgetful, Clock::at_rate(1_000.0).unwrap(), [1.0, 0.0, 2.0, 0.0]);
    assert_eq!(start.at_rest().unwrap_err(), StartError::Pattern { row: 1, column: 0 });
}
