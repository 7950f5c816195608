//! The mechanical systems of the tests that are not in the gallery.

use mechanisms::{
    Arm, Bead, Breathing, CartPole, Chain, Connector, Delta, DeltaPoints, Driven, FourBar, FourBarPoints,
    HeavySliderCrank, Lever, Lines, Problem51, Ring, SphericalPendulum, StiffActuator, TwoMasses,
};
use taut::advise::Study;
use taut::linalg::Vector;
use taut::start::{Clock, Start};
use taut::system::Massless;

use crate::advice::{cell, cheapest};
use crate::rows::Answers;

/// Adds a mechanical system, with advice from a study.
macro_rules! add {
    ($all:ident, $name:literal, $system:expr, $q:expr, $v:expr, $run:path $(, $redundant:ident)?) => {{
        let (system, q, v) = (&$system, Vector::from($q), Vector::from($v));
        $all.add_mechanical($name, system, [q, v], || cell(Study::of(system, q)$(.$redundant())?.moving(v), $run));
    }};
}

/// Adds all of them.
pub fn add(all: &mut Answers) {
    add!(all, "problem-5-1", Problem51::<f64>::new(), [0.6, -0.8], [0.4, 0.3], cheapest);
    add!(all, "arm", Arm::<f64>::standard(), [0.3, -0.4], [0.4, 0.3], cheapest);
    add!(all, "bead", Bead, [1.0, 0.0], [0.0, 3.0], cheapest);
    add!(all, "driven", Driven::<f64>::standard(), [0.6, -0.8, 0.0], [0.4, 0.3, 1.0], cheapest);
    let lines = Lines { rows: [[1.0, 1.0, 0.0, 1.0]], masses: [1.0, 2.0] };
    add!(all, "lines", lines, [0.0, 0.0], [0.5, 0.5], cheapest);
    let twice = Lines { rows: [[1.0, 1.0, 0.0, 1.0], [2.0, 2.0, 0.0, 2.0]], masses: [1.0, 2.0] };
    add!(all, "lines-twice", twice, [0.0, 0.0], [0.5, 0.5], cheapest, redundant);
    let [q, v] = [SphericalPendulum::<f64>::position(), SphericalPendulum::velocity()];
    add!(all, "spherical-pendulum", SphericalPendulum::<f64>::default(), q, v, cheapest);
    let [q, v] = [mechanisms::SliderCrank::<f64>::position(), mechanisms::SliderCrank::velocity()];
    add!(all, "heavy-slider-crank", HeavySliderCrank::<f64>::standard(), q, v, Study::run_plain_any_mass);
    let linkage = FourBar::<f64>::standard();
    let start = Clock::at_rate(1_000.0).map_err(|error| error.to_string());
    let start =
        start.and_then(|clock| Start::at(&linkage, clock, FourBar::guess()).at_rest().map_err(|e| e.to_string()));
    let bodies = *start.expect("an assembled linkage").position();
    add!(all, "four-bar-bodies", linkage, bodies, [0.0; 9], cheapest);
    let points = FourBarPoints::<f64>::standard().expect("positive masses");
    add!(all, "four-bar-points", points, FourBarPoints::position(&bodies), [0.0; 4], cheapest);
    let robot = Delta::<f64>::standard();
    let points = DeltaPoints::new(robot).expect("positive masses");
    add!(all, "delta-points", points, points.elbows_out([0.03, 0.0, -0.22].into()), [0.0; 12], cheapest);
    add!(all, "chain", Chain::<f64, 8, 4>::standard(), Chain::<f64, 8, 4>::position(), [0.0; 8], cheapest);
    add!(all, "ring-by-hand", Ring::<f64>::fixed(), Ring::position(), Ring::tangent(), cheapest, redundant);
    add!(all, "two-masses", TwoMasses::<f64>::standard(), [0.1, 0.0], [0.0; 2], Study::run_plain);
    let [q, v] = StiffActuator::<f64>::start();
    add!(all, "stiff-actuator", StiffActuator::<f64>::new(), q, v, Study::run_plain);
    let cart = CartPole::<f64>::standard();
    add!(all, "cart-pole", cart, cart.tilted(0.3), [0.0; 3], cheapest);
    let connector = Connector::STRAIGHT;
    let (q, v) = ([0.6, -0.8, -0.8], [0.4, 0.3, 0.3]);
    add!(all, "connector", connector, q, v, cheapest);
    let massless = Massless::new(connector, 1.0).expect("a weight of one");
    add!(all, "connector-massless", massless, q, v, cheapest);
    let lever = Massless::new(Lever, 1.0).expect("a weight of one");
    add!(all, "lever-massless", lever, [0.0; 3], [1.0, 2.0, 2.0], cheapest);
    let (q, v) = ([0.6, 0.0, -0.8], [0.54, 1.5, -0.095]);
    add!(all, "breathing", Breathing::<f64>::new(), q, v, cheapest);
}
