//! Dual numbers and jets against num-dual, over random expressions and points.
//!
//! An expression is a random tree; it is evaluated once with our scalars and once with num-dual's. Both apply the chain
//! rule in f64, in different orders of operations, so they agree to round-off multiplied by the conditioning of the
//! expression: trees whose intermediate numbers leave [1e-3, 1e3] are rejected, and 1e-9 relative is left for what those
//! numbers can amplify 1e-16 to.

use num_dual::{Dual2_64, Dual64, DualNum};
use proptest::prelude::*;
use taut::scalar::{Dual, Jet, Real};

#[derive(Clone, Debug)]
enum Expression {
    Variable(usize),
    Constant(f64),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug)]
enum Unary {
    Neg,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Exp,
    Ln,
    Powi(i32),
    Abs,
}

#[derive(Clone, Copy, Debug)]
enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Atan2,
    /// With the base scalar on the right.
    AddBase(f64),
    MulBase(f64),
    DivBase(f64),
}

fn expressions() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        3 => (0_usize..3).prop_map(Expression::Variable),
        1 => (-2.0..2.0).prop_map(Expression::Constant),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let unary = prop_oneof![
            Just(Unary::Neg),
            Just(Unary::Sqrt),
            Just(Unary::Sin),
            Just(Unary::Cos),
            Just(Unary::Tan),
            Just(Unary::Asin),
            Just(Unary::Acos),
            Just(Unary::Exp),
            Just(Unary::Ln),
            (-3..4).prop_map(Unary::Powi),
            Just(Unary::Abs),
        ];
        let binary = prop_oneof![
            Just(Binary::Add),
            Just(Binary::Sub),
            Just(Binary::Mul),
            Just(Binary::Div),
            Just(Binary::Atan2),
            (-2.0..2.0).prop_map(Binary::AddBase),
            (-2.0..2.0).prop_map(Binary::MulBase),
            (0.5..2.0).prop_map(Binary::DivBase),
        ];
        prop_oneof![
            (unary, inner.clone()).prop_map(|(f, x)| Expression::Unary(f, Box::new(x))),
            (binary, inner.clone(), inner).prop_map(|(f, x, y)| Expression::Binary(f, Box::new(x), Box::new(y))),
        ]
    })
}

impl Expression {
    fn ours<S: Real<Base = f64>>(&self, variables: &[S; 3]) -> S {
        match self {
            Self::Variable(i) => variables[*i],
            Self::Constant(c) => S::from(*c),
            Self::Unary(f, x) => {
                let x = x.ours(variables);
                match f {
                    Unary::Neg => -x,
                    Unary::Sqrt => x.sqrt(),
                    Unary::Sin => x.sin(),
                    Unary::Cos => x.cos(),
                    Unary::Tan => x.tan(),
                    Unary::Asin => x.asin(),
                    Unary::Acos => x.acos(),
                    Unary::Exp => x.exp(),
                    Unary::Ln => x.ln(),
                    Unary::Powi(n) => x.powi(*n),
                    Unary::Abs => x.abs(),
                }
            }
            Self::Binary(f, x, y) => {
                let (x, y) = (x.ours(variables), y.ours(variables));
                match f {
                    Binary::Add => x + y,
                    Binary::Sub => x - y,
                    Binary::Mul => x * y,
                    Binary::Div => x / y,
                    Binary::Atan2 => x.atan2(y),
                    Binary::AddBase(c) => x + *c,
                    Binary::MulBase(c) => x * *c,
                    Binary::DivBase(c) => x / *c,
                }
            }
        }
    }

    /// The same with num-dual; `None` where the expression is badly conditioned or not differentiable.
    fn theirs<D: DualNum<Primitive = f64>>(&self, variables: &[D; 3]) -> Option<D> {
        let result = match self {
            Self::Variable(i) => variables[*i].clone(),
            Self::Constant(c) => D::from(*c),
            Self::Unary(f, x) => {
                let x = x.theirs(variables)?;
                match f {
                    Unary::Neg => -x,
                    Unary::Sqrt => x.sqrt(),
                    Unary::Sin => x.sin(),
                    Unary::Cos => x.cos(),
                    Unary::Tan => x.tan(),
                    Unary::Asin if x.re().abs() < 0.99 => x.asin(),
                    Unary::Acos if x.re().abs() < 0.99 => x.acos(),
                    Unary::Asin | Unary::Acos => return None,
                    Unary::Exp => x.exp(),
                    Unary::Ln => x.ln(),
                    Unary::Powi(n) => x.powi(*n),
                    Unary::Abs => x.abs(),
                }
            }
            Self::Binary(f, x, y) => {
                let (x, y) = (x.theirs(variables)?, y.theirs(variables)?);
                match f {
                    Binary::Add => x + y,
                    Binary::Sub => x - y,
                    Binary::Mul => x * y,
                    Binary::Div => x / y,
                    Binary::Atan2 => x.atan2(y),
                    Binary::AddBase(c) => x + *c,
                    Binary::MulBase(c) => x * *c,
                    Binary::DivBase(c) => x / *c,
                }
            }
        };
        let size = result.re().abs();
        (1e-3..1e3).contains(&size).then_some(result)
    }
}

fn agree(ours: f64, theirs: f64, scale: f64) -> bool {
    (ours - theirs).abs() <= 1e-9 * scale.max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_global_rejects: 1_000_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn gradients_agree_with_num_dual(expression in expressions(), point in prop::array::uniform3(-2.0..2.0_f64)) {
        // One pass of num-dual for each variable against one pass of ours for all.
        let passes: [Option<Dual64>; 3] = std::array::from_fn(|j| {
            expression.theirs(&std::array::from_fn(|i| Dual64::new(point[i], f64::from(i == j))))
        });
        let [Some(x), Some(y), Some(z)] = passes else { return Err(TestCaseError::reject("badly conditioned")) };
        let gradient = [x.eps, y.eps, z.eps];
        let largest = gradient.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        prop_assume!(largest < 1e4);

        let ours = expression.ours(&Dual::variables(point));
        prop_assert!(agree(ours.value, x.re, x.re.abs()));
        prop_assert!(agree(ours.value, expression.ours(&point), x.re.abs()));
        for (ours, theirs) in ours.partials.iter().zip(gradient) {
            prop_assert!(agree(*ours, theirs, largest), "{ours} is not {theirs}");
        }
    }

    #[test]
    fn jets_agree_with_num_dual(
        expression in expressions(),
        point in prop::array::uniform3(-2.0..2.0_f64),
        velocity in prop::array::uniform3(-1.0..1.0_f64),
        acceleration in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let theirs: [Dual2_64; 3] = std::array::from_fn(|i| Dual2_64::new(point[i], velocity[i], acceleration[i]));
        let theirs = expression.theirs(&theirs);
        prop_assume!(theirs.is_some());
        let theirs = theirs.unwrap();
        prop_assume!(theirs.v1.abs() < 1e4 && theirs.v2.abs() < 1e4);

        let variables = std::array::from_fn(|i| Jet::new(point[i], velocity[i], acceleration[i]));
        let ours = expression.ours(&variables);
        prop_assert!(agree(ours.value, theirs.re, theirs.re.abs()));
        prop_assert!(agree(ours.first, theirs.v1, theirs.v1.abs()), "{} is not {}", ours.first, theirs.v1);
        let scale = theirs.v2.abs().max(theirs.v1 * theirs.v1);
        prop_assert!(agree(ours.second, theirs.v2, scale), "{} is not {}", ours.second, theirs.v2);
    }

    #[test]
    fn nested_duals_give_the_jet(expression in expressions(), point in prop::array::uniform3(-2.0..2.0_f64)) {
        // d²/ds² f(q + s v) = vᵀ f_qq v with the Hessian from a dual of duals.
        let velocity = [0.3, -0.7, 0.5];
        let inner = Dual::variables(point);
        let theirs = expression.theirs(&std::array::from_fn(|i| Dual2_64::new(point[i], velocity[i], 0.0)));
        prop_assume!(theirs.is_some_and(|f| f.v1.abs() < 1e3 && f.v2.abs() < 1e3));
        let hessian = expression.ours(&Dual::<Dual<f64, 3>, 3, f64>::variables(inner));
        let largest = hessian.partials.iter().flat_map(|row| row.partials).fold(0.0_f64, |a, b| a.max(b.abs()));
        prop_assume!(largest < 1e4);
        let mut second = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                second += velocity[i] * velocity[j] * hessian.partials[i].partials[j];
            }
        }
        prop_assert!(agree(second, theirs.unwrap().v2, largest), "{second} is not {}", theirs.unwrap().v2);
    }
}
