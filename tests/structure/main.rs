//! The structure of equations and their derivative arrays: the examples of Mattsson and Söderlind, *Index Reduction in
//! Differential-Algebraic Equations Using Dummy Derivatives*, and of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.

#![cfg(feature = "std")]

mod texts;

use mechanisms::{
    Both, Connector, GearPetzold, IndexOne, LaggingMotor, LinearImplicit, Lines, Pendulum, Problem51, Problem52, Ring,
    Sine, SteeringWheel, Turning, TwoMasses,
};
use nalgebra::{DMatrix, matrix, vector};
use proptest::prelude::*;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::start::{Clock, Start};
use taut::structure::{
    Dae, DerivativeArray, Structure, StructureError, analyse, hessenberg, implicit, index_three, mechanical,
    semi_explicit,
};
use taut::system::{Diagonal, Massless, Mechanical};

use texts::{Chain, Example1, Example5, equations};

/// (4.1): mass, length and gravity; the unknowns are x, y and λ.
struct Cartesian(f64, f64, f64);

impl Dae for Cartesian {
    type Base = f64;
    fn size(&self) -> usize {
        3
    }
    fn residual<S: Real<Base = f64>>(&self, _t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let Self(mass, length, gravity) = *self;
        vec![
            x(0, 0).square() + x(1, 0).square() - length * length,
            x(0, 2) * mass + x(2, 0) * x(0, 0) / length,
            x(1, 2) * mass + x(2, 0) * x(1, 0) / length + mass * gravity,
        ]
    }
}

fn determinant(structure: &Structure, rows: &[usize], columns: &[usize]) -> f64 {
    DMatrix::from_fn(rows.len(), columns.len(), |i, j| structure.jacobian[rows[i]][columns[j]]).determinant()
}

fn close(ours: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), expected.len());
    for (ours, expected) in ours.iter().zip(expected) {
        assert!((ours - expected).abs() <= tolerance, "{ours} {expected}");
    }
}

#[test]
fn example_1_has_nine_unknowns_and_example_2_six() {
    let structure = Structure::of(&Example1, 0.3, &[]).unwrap();
    assert_eq!(structure.differentiations, [2, 2, 1, 0]);
    assert_eq!(structure.orders, [2, 2, 2, 1]);
    // The text says one block; but of the highest derivatives, (3.1c') has only x₄'.
    assert_eq!(structure.blocks.len(), 2);
    assert_eq!(
        (structure.blocks[0].equations.as_slice(), structure.blocks[0].unknowns.as_slice()),
        (&[2][..], &[3][..])
    );
    assert!((determinant(&structure, &[0, 1, 2, 3], &[0, 1, 2, 3]) + 1.0).abs() < 1e-15);
    // The columns that make the first three rows regular: {1, 3, 4} and {2, 3, 4}.
    for (columns, is_regular) in [([0, 1, 2], false), ([0, 1, 3], false), ([0, 2, 3], true), ([1, 2, 3], true)] {
        let chosen = columns.iter().all(|&j| structure.dummies.contains(&(j, structure.orders[j])));
        let determinant = determinant(&structure, &[0, 1, 2], &columns);
        assert!(if is_regular { determinant.abs() > 0.5 } else { determinant.abs() < 1e-15 && !chosen });
    }
    assert_eq!((structure.dummies.len(), structure.augmented(), structure.reduced()), (5, 9, 6));
    // Two values may be chosen: those of the unknown without dummies, x₁ or x₂, and of its derivative.
    let state = structure.free[0].0;
    assert!(state < 2 && structure.free == [(state, 0), (state, 1)]);
}

/// x₁'' − x₁' = u₂'' + u₃' − u₄ from x₁ = x₁' = 0.
#[test]
fn example_1_is_solved_as_the_underlying_equation_of_the_derivative_array() {
    let least = DerivativeArray::least(&Example1, 0.0, &[]).unwrap();
    assert_eq!((least.names.join(" ").as_str(), least.free.len()), ("x[0] x[0]' x[1] x[1]' x[2] x[2]' x[3]", 2));
    // The state x₂, x₂' stands at 2 and 3.
    let solve = |t: f64, state: [f64; 2]| {
        let point: [&[f64]; 2] = [&[0.0, state[0], 0.0, 0.0], &[0.0, state[1], 0.0, 0.0]];
        DerivativeArray::holding(&Example1, t, &point, least.differentiations, &[2, 3]).unwrap()
    };
    let rate = |t: f64, state: [f64; 2]| {
        let array = solve(t, state);
        [array.rates[2], array.rates[3]]
    };
    let (steps, mut y) = (64, [0.0, -1.0]);
    let h = 1.0 / f64::from(steps);
    for step in 0..steps {
        let t = f64::from(step) * h;
        let along = |k: [f64; 2], part: f64| [y[0] + k[0] * part * h, y[1] + k[1] * part * h];
        let k1 = rate(t, y);
        let k2 = rate(t + h / 2.0, along(k1, 0.5));
        let k3 = rate(t + h / 2.0, along(k2, 0.5));
        let k4 = rate(t + h, along(k3, 1.0));
        y = [0, 1].map(|i| y[i] + (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) * h / 6.0);
    }
    let end = solve(1.0, y).values;
    // Runge–Kutta 4 at h = 1/64: about h⁴/100, 6e-10.
    let exact = [0.4036577117458342, -1.2451286965537307, 0.3011686789397568, -1.312955138571516];
    close(&[end[0], end[2], end[4], end[6]], &exact, 1e-8);
    close(&[end[3]], &[-1.0117864596317591], 1e-8);
    let u = 1.0_f64;
    let x1 = -u.exp() / 10.0 - (2.0 * u).sin() / 5.0 + (u + core::f64::consts::FRAC_PI_4).sin() / 2.0_f64.sqrt()
        - 2.0 * (2.0 * u).cos() / 5.0;
    close(&[exact[0]], &[x1], 1e-15);
}

#[test]
fn the_pendulum_differentiates_its_length_twice_and_pivots() {
    let pendulum = Cartesian(0.7, 1.5, 9.81);
    for (x, y, replaced) in [(1.2, -0.9, 0), (0.9, 1.2, 1)] {
        let structure = Structure::of(&pendulum, 0.0, &[&[x, y, 0.0]]).unwrap();
        assert_eq!((structure.differentiations.as_slice(), structure.index()), ([2, 0, 0].as_slice(), 3));
        // −2 m L
        assert!((determinant(&structure, &[0, 1, 2], &[0, 1, 2]) + 2.0 * 0.7 * 1.5).abs() < 1e-14);
        // (4.2) where |x| > |y|, else (4.3).
        assert_eq!(structure.dummies, [(replaced, 2), (replaced, 1)]);
        assert_eq!(structure.free, [(1 - replaced, 0), (1 - replaced, 1)]);
    }
    // Example 4: n + 3 m unknowns, and with first derivatives q' = v is differentiated as well.
    let structure = Structure::of(&mechanical(&Pendulum::<f32>::standard()), 0.0, &[&[0.6, -0.8, 0.0]]).unwrap();
    assert_eq!((structure.augmented(), structure.differentiations.as_slice()), (5, [0, 0, 2].as_slice()));
    let (p, q) = Problem52::<f64>::exact(1.0);
    let point = [&p[..], &q, &[0.0; 2]].concat();
    let structure = Structure::of(&index_three(&Problem52::<f64>::new()), 1.0, &[&point]).unwrap();
    assert_eq!((structure.differentiations.as_slice(), structure.index()), ([1, 1, 1, 0, 0, 0, 2, 2].as_slice(), 3));
}

#[test]
fn a_chain_of_derivatives_has_nothing_to_choose() {
    let structure = Structure::of(&Chain, 0.0, &[]).unwrap();
    assert_eq!((structure.differentiations.as_slice(), structure.index()), ([1, 0, 2].as_slice(), 3));
    assert_eq!((structure.free.len(), structure.augmented()), (0, 6));
    let mut dummies = structure.dummies.clone();
    dummies.sort_unstable();
    assert_eq!(dummies, [(0, 1), (0, 2), (1, 1)]); // x', x'', y' of (1.4)
    assert_eq!(structure.blocks.len(), 3);
    let array = DerivativeArray::least(&Chain, 0.4, &[]).unwrap();
    assert_eq!(array.differentiations, 3);
    let (sin, cos) = 0.4_f64.sin_cos();
    close(&array.values, &[sin, cos, -sin], 1e-14);
    close(&array.rates, &[cos, -sin, -cos], 1e-14);
}

#[test]
fn a_superfluous_differentiation_is_left_out() {
    equations!(Sum, 2, |_t, x| vec![x(0, 1) + x(1, 1) - 1.0, x(0, 0) - x(1, 0)]);
    let structure = Structure::of(&Sum, 0.0, &[]).unwrap();
    assert_eq!((structure.differentiations.as_slice(), structure.index()), ([0, 1].as_slice(), 1));
    assert_eq!((structure.augmented(), structure.reduced(), structure.free.len()), (3, 2, 1));
}

#[test]
fn example_5_is_refused_by_its_structure_and_answered_by_its_derivatives() {
    let analysis = analyse(&Example5, 0.7, &[]);
    let refused = analysis.structure.as_ref().unwrap_err();
    assert_eq!(refused.to_string(), "the Jacobian of the highest derivatives is singular: F[0], F[1] have rank 1 of 2");
    let array = analysis.array.as_ref().unwrap();
    assert_eq!((array.differentiations, array.rows, array.rank, array.rank_of_higher), (2, 6, 4, 2));
    assert!(array.free.is_empty());
    // y = f₂' − f₁, x = f₂ − t y.
    let y = -2.0 * 1.4_f64.sin() - 0.7_f64.sin();
    close(&array.values, &[1.4_f64.cos() - 0.7 * y, y], 1e-14);
    let text = analysis.to_string();
    assert!(text.contains("structure         no answer: the Jacobian") && text.contains("index 2:"), "{text}");
    // At t = 0 as well: the time is a variable, so that t y' is not overlooked.
    assert!(matches!(Structure::of(&Example5, 0.0, &[]), Err(StructureError::Singular { rank: 1, .. })));
}

/// Hairer and Wanner, (2.1), n = 5.
#[test]
fn the_derivative_array_of_the_pendulum_is_one_full_after_three_differentiations() {
    let pendulum = Pendulum::<f64>::unit();
    let form = mechanical(&pendulum);
    let point: [&[f64]; 2] = [&[0.6, -0.7, 0.0], &[0.4, 0.1, 0.0]];
    let ranks = |m: usize| {
        let array = DerivativeArray::of(&form, 0.0, &point, m).unwrap();
        (array.rows, array.rank, array.rank_of_higher, array.is_one_full(), array.has_full_row_rank)
    };
    assert_eq!(ranks(2), (15, 12, 8, false, true));
    assert_eq!(ranks(3), (20, 17, 12, true, true));
    // The remark after lemma 2.3: the array of one differentiation less has all constraints, for an equivalent problem of index 1.
    let constraints = |m: usize| DerivativeArray::of(&form, 0.0, &point, m).unwrap().constraints;
    assert_eq!([0, 1, 2, 3].map(constraints), [1, 2, 3, 3]);
    let array = DerivativeArray::least(&form, 0.0, &point).unwrap();
    assert_eq!((array.differentiations, array.constraints), (3, 3));
    assert_eq!(array.names.join(" "), "q[0] q[0]' q[1] q[1]' λ[0]");
    assert_eq!(array.free.len(), 2);
    let array = DerivativeArray::holding(&form, 0.0, &point, 3, &[0, 1]).unwrap();
    close(&array.values, &[0.6, 0.4, -0.8, 0.3, 1.05], 1e-13);
    close(&array.rates, &[0.4, -0.63, 0.3, -0.16, -0.9], 1e-12);
    // Held values stay, and what they cannot give is refused: at x = 1.2 there is no y.
    let held = |x: f64| DerivativeArray::holding(&form, 0.0, &[&[x, -0.7, 0.0], &[0.4, 0.1, 0.0]], 3, &[0, 1]);
    assert_eq!(held(0.3).unwrap().values[..2], [0.3, 0.4]);
    assert!(matches!(held(1.2), Err(StructureError::NotConverged { .. })), "{:?}", held(1.2));
}

/// (1.9): the steering wheel.
#[test]
fn the_derivative_array_of_index_two_is_one_full_after_two_differentiations() {
    let wheel = SteeringWheel::<f64, 2>::new();
    let array = DerivativeArray::least(&semi_explicit(&wheel), 0.0, &[&[0.8, -0.6, 1.0]]).unwrap();
    assert_eq!((array.differentiations, array.rows, array.rank, array.rank_of_higher), (2, 9, 7, 4));
    assert_eq!((array.free.len(), array.constraints), (1, 2));
}

#[test]
fn every_form_has_the_index_that_its_source_names() {
    let index = |analysis: taut::structure::Analysis| {
        let free = analysis.structure.as_ref().map(|structure| structure.free.len()).unwrap();
        let array = analysis.array.unwrap();
        assert_eq!(array.free.len(), free);
        (array.differentiations, free)
    };
    let at: [&[f64]; 2] = [&[0.6, -0.8, 0.0], &[0.4, 0.3, 0.0]];
    assert_eq!(index(analyse(&mechanical(&Problem51::<f64>::new()), 0.0, &at)), (3, 2));
    assert_eq!(index(analyse(&mechanical(&TwoMasses::<f64>::standard()), 0.0, &[])), (0, 4));
    assert_eq!(index(analyse(&semi_explicit(&SteeringWheel::<f64, 1>::new()), 0.0, &[])), (1, 2));
    assert_eq!(index(analyse(&implicit(&SteeringWheel::<f64, 2>::new()), 0.0, &[&[0.8, -0.6, 1.0]])), (2, 1));
    let linear = LinearImplicit { mass: [1.0, 0.0], force: matrix![-1.0, 1.0; 2.0, 1.0] };
    assert_eq!(index(analyse(&implicit(&linear), 0.0, &[])), (1, 1));
    let (p, q) = Problem52::<f64>::exact(1.0);
    let point = [&p[..], &q, &[0.0; 2]].concat();
    assert_eq!(index(analyse(&index_three(&Problem52::<f64>::new()), 1.0, &[&point])), (3, 2));
}

/// Its structure would be that of index 2: u₃ enters the constraint and its derivative with factors that cancel.
#[test]
fn the_example_of_gear_and_petzold_has_index_three_although_its_jacobian_is_singular() {
    let analysis = analyse(&implicit(&GearPetzold { eta: -0.4 }), 0.5, &[]);
    assert!(matches!(analysis.structure, Err(StructureError::Singular { rank: 2, .. })), "{:?}", analysis.structure);
    let array = analysis.array.unwrap();
    assert_eq!((array.differentiations, array.free.len()), (3, 0));
    close(&array.values, &GearPetzold { eta: -0.4 }.exact(0.5), 1e-12);
}

/// What a model declares decides which methods step it.
#[test]
fn the_methods_are_those_that_step_the_form() {
    let at: [&[f64]; 1] = [&[0.6, -0.8, 0.0]];
    let methods = analyse(&mechanical(&Pendulum::<f64>::unit()), 0.0, &at).methods;
    let all = taut::method::NAMES.join(", ") + ", bdf_2, runge_kutta_4_partitioned, runge_kutta_4_tangent";
    assert_eq!(methods, all);
    // The arms of this list have a mass of the type that varies, although its matrix is constant.
    let arms = mechanisms::parts::ConnectedPendulums::<f64>::new().build().unwrap();
    let at = [arms.assembled().as_slice(), &[0.0]].concat();
    let methods = analyse(&mechanical(&arms), 0.0, &[&at]).methods;
    assert!(methods.starts_with("half_explicit_1, ") && all.ends_with(&methods), "{methods}");
    let methods = analyse(&implicit(&GearPetzold { eta: -0.4 }), 0.5, &[]).methods;
    assert_eq!(methods, "none");
    assert!(analyse(&Chain, 0.0, &[]).methods.contains("Mechanical or IndexThree"));
}

/// The whole table, line by line.
#[test]
fn the_analysis_is_a_table() {
    let table = analyse(&Cartesian(1.0, 1.0, 1.0), 0.0, &[&[0.6, -0.8, 0.0]]).to_string();
    let expected = [
        "structural index  3",
        "differentiate     F[0]''",
        "dummies           x[1]'', x[1]'",
        "initial values    2 to choose: x[0], x[0]'",
        "blocks            1, the largest of 3",
        "derivative array  differentiation index 3: 20 equations, ranks 17 and 12",
        "                  3 constraints, 2 values to choose: x[0], x[0]'",
        "methods           write it as Mechanical or IndexThree, then radau_iia_5",
        "",
    ];
    assert_eq!(table, expected.join("\n"));
    let table = analyse(&Example5, 0.7, &[]).to_string();
    let expected = [
        "structure         no answer: the Jacobian of the highest derivatives is singular: F[0], F[1] have rank 1 of 2",
        "derivative array  differentiation index 2: 6 equations, ranks 4 and 2",
        "                  2 constraints, 0 values to choose: none",
        "methods           write it as SemiExplicit or Implicit, then radau_iia_5",
        "",
    ];
    assert_eq!(table, expected.join("\n"));
}

/// Those that step it in tests/methods/mixed_index.rs.
#[test]
fn a_mixed_index_is_stepped_by_the_methods_that_take_it() {
    for mix in [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.5], [-2.0, 1.0]]] {
        let system = Both { mix, broken: 0.0 };
        let analysis = analyse(&semi_explicit(&system), 0.4, &[&Both::exact(0.4)]);
        let array = analysis.array.as_ref().unwrap();
        // y₂ is free: y₁ follows from it, and both z.
        assert_eq!((array.differentiations, array.free.len()), (2, 1));
        close(&array.values, &Both::exact(0.4), 1e-12);
        let methods = "implicit_euler, half_explicit_1 to 4, bdf_2, radau_iia_3, radau_iia_5";
        assert_eq!(analysis.methods, methods, "{analysis}");
    }
    // Each by itself is stepped by the classical method, too.
    for methods in [
        analyse(&semi_explicit(&IndexOne), 0.0, &[&[1.0, 1.0]]).methods,
        analyse(&semi_explicit(&SteeringWheel::<f64, 2>::new()), 0.0, &[&[0.8, -0.6, 1.0]]).methods,
    ] {
        assert_eq!(methods, "implicit_euler, half_explicit_1 to 4, runge_kutta_4, bdf_2, radau_iia_3, radau_iia_5");
    }
}

/// Hairer & Wanner VII.2, exercise 2: M must be injective on the kernel of G.
#[test]
fn a_singular_mass_needs_the_treatment_of_massless_parts() {
    let point: [&[f64]; 1] = [&[0.6, -0.8, -0.8, 0.0, 0.0]];
    let bare = analyse(&mechanical(&Connector::STRAIGHT), 0.0, &point);
    assert_eq!(bare.array.as_ref().unwrap().differentiations, 3);
    assert!(bare.methods.starts_with("M is singular; wrapped in `Massless`: rattle, "), "{}", bare.methods);
    let wrapped = Massless::new(Connector::STRAIGHT, 1.0).unwrap();
    let methods = analyse(&mechanical(&wrapped), 0.0, &point).methods;
    assert!(methods.starts_with("rattle, ") && bare.methods.ends_with(&methods), "{methods}");

    /// s has neither mass nor constraint: 0 = sin t − s.
    struct Loose;
    impl Mechanical<3, 1> for Loose {
        type Base = f64;
        type Mass = Diagonal<f64, 3>;
        fn mass(&self) -> Diagonal<f64, 3> {
            Diagonal::new([1.0, 1.0, 0.0])
        }
        fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
            vector![S::zero(), S::constant(-9.81), t.sin() - q[2]]
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
            vector![q[0] * q[0] + q[1] * q[1] - 1.0]
        }
    }
    let analysis = analyse(&mechanical(&Loose), 0.0, &[&[0.6, -0.8, 0.0, 0.0]]);
    assert_eq!(analysis.array.as_ref().unwrap().differentiations, 3);
    assert_eq!(analysis.methods, "none: M is singular on motions that the constraints allow");
}

#[test]
fn a_hessenberg_system_has_the_index_that_it_declares() {
    let motor = LaggingMotor::standard(Sine);
    let analysis = analyse(&hessenberg(&motor), 0.3, &[]);
    let array = analysis.array.as_ref().unwrap();
    // p₂ and v₂ are free (Clark 1992, theorem 3: p = Σ (n_i − n_r)).
    assert_eq!((array.differentiations, array.free.len()), (4, 2));
    assert_eq!(analysis.structure.as_ref().unwrap().index(), 4);
    let turning = analyse(&hessenberg(&Turning), 0.3, &[]);
    assert_eq!((turning.index(), turning.array.as_ref().unwrap().free.len()), (Some(3), 2));
    assert_eq!(turning.methods, "runge_kutta_4 of its state space");
}

/// A pendulum whose length is prescribed twice.
struct Twice;

impl Mechanical<2, 2> for Twice {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::constant(-9.81)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        let length = q.dot(q) - 1.0;
        vector![length, length * 2.0]
    }
}

#[test]
fn redundant_constraints_leave_multipliers_open() {
    let (form, point) = (mechanical(&Twice), [0.6, -0.8, 0.0, 0.0]);
    // The two constraints are a block of their own: they would determine both accelerations.
    let structure = Structure::of(&form, 0.0, &[&point]);
    let Err(StructureError::Singular { rank: 1, equations }) = &structure else { panic!("{structure:?}") };
    assert_eq!(equations.join(" "), "constraint[0] constraint[1]");
    let array = DerivativeArray::least(&form, 0.0, &[&point]);
    let Err(StructureError::NotDetermined { unknowns, .. }) = &array else { panic!("{array:?}") };
    assert!(matches!(&unknowns[..], [one] if one.starts_with("λ[")), "{unknowns:?}");
}

#[test]
fn redundant_constraints_are_left_out_with_their_multipliers() {
    let analysis = analyse(&mechanical(&Twice), 0.0, &[&[0.6, -0.8, 0.0, 0.0], &[0.4, 0.3, 0.0, 0.0]]);
    // The smaller one of two gradients in the same direction. What is left is the pendulum.
    assert_eq!(analysis.redundant, ["constraint[0]"]);
    let unit = Pendulum::<f64>::unit();
    let pendulum = analyse(&mechanical(&unit), 0.0, &[&[0.6, -0.8, 0.0], &[0.4, 0.3, 0.0]]);
    assert!(pendulum.redundant.is_empty());
    let array = analysis.array.as_ref().unwrap();
    assert_eq!((array.differentiations, array.free.len()), (3, 2));
    let (structure, expected) = (analysis.structure.as_ref().unwrap(), pendulum.structure.as_ref().unwrap());
    assert_eq!((structure.index(), &structure.free), (3, &expected.free));
    assert_eq!(structure.equations, ["force[0]", "force[1]", "constraint[1]"]);
    assert_eq!(analysis.methods, pendulum.methods);
    let text = analysis.to_string();
    assert!(text.starts_with("redundant         constraint[0]: left out with their multipliers\n"), "{text}");
    // The ring of exercise I.4.7 (Hairer, *Solving Differential Equations on Manifolds*): 18 constraints of rank 17.
    let point = [Ring::<f64>::position(), Ring::tangent()].map(|x| [&x[..], &[0.0; 18]].concat());
    let ring = analyse(&mechanical(&Ring::<f64>::fixed()), 0.0, &[&point[0], &point[1]]);
    assert_eq!((ring.redundant.len(), ring.index()), (1, Some(3)));
    // Parameters in single precision hide nothing.
    let ring = analyse(&mechanical(&Ring::<f32>::fixed()), 0.0, &[&point[0], &point[1]]);
    assert_eq!((ring.redundant.len(), ring.index()), (1, Some(3)));
}

#[test]
fn constraints_that_contradict_each_other_are_not_redundant() {
    let left_out = |second: [f64; 4]| {
        let lines = Lines { rows: [[1.0, 1.0, 0.0, 1.0], second], masses: [1.0, 2.0] };
        analyse(&mechanical(&lines), 0.0, &[&[0.0; 4]]).redundant.len()
    };
    assert_eq!(left_out([2.0, 2.0, 0.0, 2.0]), 1);
    // Another place, another speed, and another direction.
    assert_eq!([[2.0, 2.0, 1.0, 2.0], [2.0, 2.0, 0.0, 1.0], [2.0, 1.0, 0.0, 2.0]].map(left_out), [0; 3]);
    // At its centre a pendulum has no direction, which is not redundancy.
    let unit = Pendulum::<f64>::unit();
    let centre = analyse(&mechanical(&unit), 0.0, &[]);
    assert!(centre.redundant.is_empty() && centre.structure.is_err(), "{centre}");
}

#[test]
fn bad_input_is_refused_by_name() {
    let refused = |result: Result<Structure, StructureError>| result.unwrap_err().to_string();
    let pendulum = Pendulum::<f64>::unit();
    let form = mechanical(&pendulum);
    let point = |order: usize, number: f64| {
        let mut point = [[0.6, -0.8, 0.0], [0.0; 3]];
        point[order][1] = number;
        point
    };
    let of = |point: [[f64; 3]; 2]| Structure::of(&form, 0.0, &[&point[0], &point[1]]);
    assert_eq!(refused(of(point(1, f64::NAN))), "q[1]' of the point is NaN or infinite");
    assert_eq!(refused(of(point(0, f64::INFINITY))), "q[1] of the point is NaN or infinite");
    let at = |t: f64, numbers: &[f64]| refused(Structure::of(&form, t, &[numbers]));
    assert_eq!(at(f64::NAN, &[0.6, -0.8, 0.0]), "the time is NaN or infinite");
    assert_eq!(at(0.0, &[0.6, -0.8]), "2 numbers for derivative 0 of 3 unknowns; give one for each");
    // Beyond the range of a double.
    assert_eq!(
        at(0.0, &[1e200, 0.0, 0.0]),
        "constraint[0] or its derivative is NaN or infinite at the point; choose another point"
    );

    equations!(Short, 3, |_t, x| vec![x(0, 1), x(1, 0)]);
    assert_eq!(
        refused(Structure::of(&Short, 0.0, &[])),
        "the model has 2 equations for 3 unknowns; they must be as many"
    );
    equations!(Same, 3, |t, x| vec![x(1, 1) - t, x(0, 0) * x(1, 0) + x(2, 2), x(1, 0) + 1.0]);
    assert_eq!(refused(Structure::of(&Same, 0.0, &[])), "2 equations for 1 unknowns: F[0], F[2] use only x[1]");
    equations!(Empty, 2, |t, x| vec![x(0, 1) + x(1, 0), t]);
    assert!(refused(Structure::of(&Empty, 0.0, &[])).starts_with("1 equations for 0 unknowns: F[1]"));
    equations!(High, 1, |_t, x| vec![x(0, 6)]);
    assert_eq!(refused(Structure::of(&High, 0.0, &[])), "the model is too large: 6, and at most 5 fit");
    equations!(Large, 129, |_t, x| (0..129).map(|j| x(j, 0)).collect());
    assert_eq!(refused(Structure::of(&Large, 0.0, &[])), "the model is too large: 129, and at most 128 fit");
    assert!(matches!(DerivativeArray::least(&Short, 0.0, &[]), Err(StructureError::NotSquare { .. })));
    // Nothing is consistent with x² = −1.
    equations!(Nowhere, 1, |_t, x| vec![x(0, 0).square() + 1.0]);
    assert!(matches!(DerivativeArray::least(&Nowhere, 0.0, &[&[0.3]]), Err(StructureError::NotConverged { .. })));
}

/// x₁' = a₁₁ x₁ + b₁ x₂, …, x_r' = …, 0 = x₁ − sin t: a force acts through r − 1 lags; Hessenberg form of index r.
struct Lags {
    backward: Vec<f64>,
    forward: Vec<f64>,
}

impl Dae for Lags {
    type Base = f64;
    fn size(&self) -> usize {
        self.forward.len() + 1
    }
    fn residual<S: Real<Base = f64>>(&self, t: S, x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
        let lags = self.forward.iter().zip(&self.backward).enumerate();
        let mut rows: Vec<S> =
            lags.map(|(i, (b, a))| x(i, 1) - x(i, 0) * *a - x(0, 0) * *a - x(i + 1, 0) * *b).collect();
        rows.push(x(0, 0) - Real::sin(t));
        rows
    }
}

proptest! {
    #[test]
    fn structure_and_derivatives_agree_on_random_hessenberg_systems(
        numbers in proptest::collection::vec((-1.0..1.0, 0.3..2.0), 0..=4),
        t in 0.0..3.0,
    ) {
        let (backward, forward): (Vec<f64>, Vec<f64>) = numbers.into_iter().unzip();
        let lags = Lags { backward, forward };
        let structure = Structure::of(&lags, t, &[]).unwrap();
        let array = DerivativeArray::least(&lags, t, &[]).unwrap();
        prop_assert_eq!((structure.index(), array.differentiations), (lags.size(), lags.size()));
        prop_assert!(structure.free.is_empty() && array.free.is_empty());
        prop_assert!((array.values[0] - t.sin()).abs() < 1e-12);
    }
}

#[test]
fn the_base_of_the_model_does_not_matter() {
    fn of<T: Float>() -> Structure {
        Structure::of(&mechanical(&Pendulum::<T>::unit()), 0.0, &[&[0.6, -0.8, 0.0]]).unwrap()
    }
    assert_eq!(of::<f32>(), of::<f64>());
}

/// Andrews' squeezing mechanism moves in hundredths of a second, and its accelerations are of the order 1e4: by the second, the derivatives
/// in its array grow by 1e2 to 1e3 from one to the next, and no ranks are left.
#[test]
fn the_ranks_of_a_fast_mechanism_are_found_in_its_own_time() {
    let andrews = mechanisms::parts::Andrews::<f64>::new().build().unwrap();
    let point = [andrews.assembled().as_slice(), &[0.0; 6]].concat();
    let array = DerivativeArray::least(&mechanical(&andrews), 0.0, &[&point]).unwrap();
    assert_eq!((array.differentiations, array.constraints, array.free.len()), (3, 18, 2));
    // The accelerations of the acceleration level, which the multipliers of the start have.
    let start = Start::at(&andrews, Clock::at_rate(1e3).unwrap(), andrews.assembled()).at_rest().unwrap();
    let found = Vector::<f64, 6>::from_fn(|row, _| array.values[14 + row]);
    let expected = start.multipliers(&andrews).unwrap();
    // Of a conditioning of 1e4.
    assert!((found - expected).amax() < 1e-11 * expected.amax(), "{found} {expected}");
}
