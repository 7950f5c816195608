//! Radau IIA on mechanical systems: Problem 5.1 of Arévalo, a stiff actuator, orders (Hairer, *Solving Differential Equations on
//! Manifolds*, V.1–V.3; Hairer & Wanner VII.2).

use crate::variants::Any;
use mechanisms::Problem51;
use taut::method::{RadauIia, Step};
use taut::start::{Clock, Start};

#[test]
fn numbers() {
    for n in [20, 40] {
        let run = |method: &Any<Problem51<f64>, f64, 2, 1>| {
            let (q, v, _) = Problem51::exact(0.0);
            let mut state = Start::at(&Problem51::new(), Clock::with_step(1.0 / n as f64).unwrap(), q)
                .limit(1e-2)
                .moving(v)
                .unwrap();
            let mut l = 0.0;
            for _ in 0..n {
                l = method.step(&Problem51::new(), &mut state).unwrap().multipliers[0];
            }
            let (q, v, m) = Problem51::exact(1.0);
            println!(
                "{n} {} {:.9e} {:.9e} {:.9e}",
                method.name(),
                (state.position() - q).norm(),
                (state.velocity() - v).norm(),
                (l - m).abs()
            );
        };
        run(&RadauIia::order_three());
        run(&RadauIia::order_three().without_projection().iterations::<30>());
        run(&RadauIia::order_three().iterations::<30>());
        run(&RadauIia::order_five());
        run(&RadauIia::order_five().without_projection().iterations::<30>());
        run(&RadauIia::order_five().iterations::<30>());
    }
}
