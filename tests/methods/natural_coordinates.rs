//! One linkage in two sets of coordinates moves in one way: the mass of points that rods couple is that of the rods.

use mechanisms::{ByHand, FourBar, FourBarPoints};
use taut::method::{RungeKutta8, Step};
use taut::start::{Clock, Start};

#[test]
fn the_four_bar_as_points_moves_like_the_one_as_bodies() {
    let clock = || Clock::at_rate(1_000.0).unwrap();
    let (bodies, points) = (ByHand(FourBar::<f64>::standard()), FourBarPoints::<f64>::standard().unwrap());
    let assembled = Start::at(&bodies, clock(), FourBar::guess()).at_rest().unwrap();
    let q = *assembled.position();
    let mut as_bodies = Start::at(&bodies, clock(), q).moving(FourBar::turning(&q)).unwrap();
    let start = [FourBarPoints::position(as_bodies.position()), FourBarPoints::velocity(as_bodies.velocity())];
    let mut as_points = Start::at(&points, clock(), start[0]).moving(start[1]).unwrap();

    let method = RungeKutta8::new();
    for _ in 0..1_000 {
        method.step(&bodies, &mut as_bodies).unwrap();
        method.step(&points, &mut as_points).unwrap();
    }
    // The crank has turned by more than a radian, so that a wrong mass would show. At 1 ms the method is exact to 1e-12.
    let crank = |place: &[f64]| place[1].atan2(place[0]);
    assert!((crank(as_points.position().as_slice()) - crank(&start[0])).abs() > 1.0);
    let difference = as_points.position() - taut::linalg::Vector::from(FourBarPoints::position(as_bodies.position()));
    assert!(difference.amax() < 1e-10, "{difference}");
}
