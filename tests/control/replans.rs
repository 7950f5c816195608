//! Nothing jumps where a plan gives way to another in the middle of a motion.

use proptest::prelude::*;
use taut::linalg::{Vector, magnitude};
use taut::scalar::Float;
use taut::trajectory::{Limits, MinimumJerk, Motion, Nonic, SCurve, Septic, Trajectory};

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn nothing_jumps_at_a_re_plan(part in 0.0..1.2_f64, x in -3.0..3.0_f64, duration in 0.5..5.0_f64) {
        fn check<T: Float>(part: f64, x: f64, duration: f64) {
            let number = T::from_f64;
            let first = Nonic::point_to_point([0.0, 1.0].map(number), [2.0, -1.0].map(number), number(3.0)).unwrap();
            let (t, to) = (number(3.0 * part), [number(x), T::zero()]);
            // A re-plan takes over as many derivatives as its degree has room for, each through k multiplications and divisions.
            let compare = |after: Motion<T, 2>, order: usize| {
                let before = first.motion(t);
                for k in 0..=order {
                    let (before, after) = (before.derivative(k), after.derivative(k));
                    let off = magnitude(&(before - after)).to_f64();
                    let limit = 16.0 * T::EPSILON.to_f64() * (1.0 + magnitude(&before).to_f64());
                    assert!(off <= limit, "derivative {k} jumps by {off:e}");
                }
            };
            let nonic = Nonic::departing(&first, t, to, number(duration)).unwrap();
            compare(nonic.motion(T::zero()), 4);
            assert_eq!(nonic.at(number(duration)), Vector::from(to));
            compare(MinimumJerk::departing(&first, t, to, number(duration)).unwrap().motion(T::zero()), 2);
            compare(Septic::departing(&first, t, to, number(duration)).unwrap().motion(T::zero()), 3);
        }
        check::<f64>(part, x, duration);
        check::<f32>(part, x, duration);
    }

    #[test]
    fn no_jerk_limited_re_plan_jumps(part in 0.0..1.0_f64, from in -3.0..3.0_f64, to in -3.0..3.0_f64) {
        fn check<T: Float>(part: f64, from: f64, to: f64) {
            let number = T::from_f64;
            let limits = Limits::new(number(1.0), number(2.0), number(10.0)).unwrap();
            let first = SCurve::point_to_point(number(from), number(-from), &limits).unwrap();
            let t = first.duration() * number(part);
            let second = SCurve::departing(&first, t, number(to), &limits).unwrap();
            let (before, after) = (first.motion(t), second.motion(T::zero()));
            assert_eq!(before.position, after.position);
            assert_eq!(before.velocity, after.velocity);
            assert_eq!(before.acceleration, after.acceleration);
        }
        check::<f64>(part, from, to);
        check::<f32>(part, from, to);
    }
}
