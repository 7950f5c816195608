//! Linkages of rods, arms and sliders.

use core::f64::consts::FRAC_PI_2;

taut::mechanism! {
    /// A four-bar linkage, with points as coordinates. The same numbers as [`FourBar`](crate::FourBar).
    pub struct FourBar in plane {
        o: Fixed { at: [0.0, 0.0] },
        d: Fixed { at: [0.8, 0.0] },
        crank: Arm(o) { length: 0.2, mass: 0.2 } near FRAC_PI_2,
        rocker: Arm(d) { length: 0.6, mass: 0.6 } near 2.0,
        coupler: Rod(crank, rocker) { length: 0.7, mass: 0.7 },
    }
}

taut::mechanism! {
    /// The same four-bar linkage with a motor at its crank, and angles as coordinates.
    pub struct FourBarAngles in plane {
        o: Fixed { at: [0.0, 0.0] },
        d: Fixed { at: [0.8, 0.0] },
        crank: Arm(o) { length: 0.2, mass: 0.2 } near FRAC_PI_2,
        rocker: Arm(d) { length: 0.6, mass: 0.6 } near 2.0,
        coupler: Rod(crank, rocker) { length: 0.7, mass: 0.7 },
    }
    motors crank;
    encoders crank;
    output crank;
}

taut::mechanism! {
    /// A slider-crank with a heavy rod.
    pub struct SliderCrank in plane {
        o: Fixed { at: [0.0, 0.0] },
        crank: Arm(o) { length: 0.1, mass: 30.0 } near 0.5,
        slider: Slider(o) { along: [1.0, 0.0], mass: 5.0 } near 0.6,
        rod: Rod(crank, slider) { length: 0.5, mass: 1.0 },
    }
    motors crank;
    encoders crank;
    output slider;
}

taut::mechanism! {
    /// A slider-crank on an oblique line, with a spring and a damper at its slider.
    pub struct SprungSlider in plane {
        o: Fixed { at: [0.0, 0.0] },
        wall: Fixed { at: [0.72, 0.54] },
        crank: Arm(o) { length: 0.1, mass: 3.0 } near 0.5,
        slider: Slider(o) { along: [0.8, 0.6], mass: 5.0 } near 0.6,
        rod: Rod(crank, slider) { length: 0.5, mass: 1.0 },
        spring: Spring(slider, wall) { length: 0.3, stiffness: 200.0 },
        damper: Damper(slider, wall) { damping: 2.0 },
    }
}

taut::mechanism! {
    /// Peaucellier's linkage: the end `p` moves on an exact straight line while the crank turns.
    pub struct Peaucellier in plane {
        o: Fixed { at: [0.0, 0.0] },
        c: Fixed { at: [0.1, 0.0] },
        crank: Arm(c) { length: 0.1, mass: 0.05 } near 0.5,
        a: Point { mass: 0.0 } near [0.25, 0.2],
        b: Point { mass: 0.0 } near [0.25, -0.1],
        p: Point { mass: 0.1 } near [0.35, 0.1],
        long_a: Rod(o, a) { length: 0.3, mass: 0.06 },
        long_b: Rod(o, b) { length: 0.3, mass: 0.06 },
        side_1: Rod(crank, a) { length: 0.15, mass: 0.03 },
        side_2: Rod(crank, b) { length: 0.15, mass: 0.03 },
        side_3: Rod(a, p) { length: 0.15, mass: 0.03 },
        side_4: Rod(b, p) { length: 0.15, mass: 0.03 },
    }
}

taut::mechanism! {
    /// A leg of Jansen's walking machine, with Jansen's numbers in centimetres: the foot walks while the crank turns.
    pub struct JansenLeg in plane {
        axle: Fixed { at: [0.0, 0.0] },
        hip: Fixed { at: [-0.38, -0.078] },
        crank: Arm(axle) { length: 0.15, mass: 0.05 } near 1.0,
        top: Point { mass: 0.02 } near [-0.35, 0.33],
        bottom: Point { mass: 0.02 } near [-0.25, -0.45],
        back: Point { mass: 0.02 } near [-0.75, -0.15],
        knee: Point { mass: 0.02 } near [-0.6, -0.5],
        foot: Point { mass: 0.05 } near [-0.3, -0.9],
        j: Strut(crank, top) { length: 0.50 },
        b: Strut(hip, top) { length: 0.415 },
        k: Strut(crank, bottom) { length: 0.619 },
        c: Strut(hip, bottom) { length: 0.393 },
        d: Strut(hip, back) { length: 0.401 },
        e: Strut(top, back) { length: 0.558 },
        f: Strut(back, knee) { length: 0.394 },
        g: Strut(bottom, knee) { length: 0.367 },
        h: Strut(knee, foot) { length: 0.657 },
        i: Strut(bottom, foot) { length: 0.490 },
    }
}

taut::mechanism! {
    /// A pantograph: the pen `copy` draws three times as large what the point `tracer` draws.
    pub struct Pantograph in plane {
        pole: Fixed { at: [0.0, 0.0] },
        elbow: Point { mass: 0.02 } near [0.2, 0.22],
        copy: Point { mass: 0.05 } near [0.4, 0.0],
        upper: Rod(pole, elbow) { length: 0.3, mass: 0.1 },
        lower: Rod(elbow, copy) { length: 0.3, mass: 0.1 },
        inner: Corner(upper) { along: 0.1, across: 0.0, mass: 0.0 },
        outer: Corner(lower) { along: 0.1, across: 0.0, mass: 0.0 },
        tracer: Point { mass: 0.05 } near [0.13, 0.0],
        short: Rod(inner, tracer) { length: 0.1, mass: 0.03 },
        long: Rod(outer, tracer) { length: 0.2, mass: 0.06 },
    }
}

taut::mechanism! {
    /// A scissor lift of two stages, raised by a slider.
    pub struct ScissorLift in plane {
        left: Fixed { at: [0.0, 0.0] },
        right: Slider(left) { along: [1.0, 0.0], mass: 0.5 } near 0.8,
        upper_right: Point { mass: 0.2 } near [0.8, 0.6],
        upper_left: Point { mass: 0.2 } near [0.0, 0.6],
        rising: Rod(left, upper_right) { length: 1.0, mass: 1.0 },
        falling: Rod(right, upper_left) { length: 1.0, mass: 1.0 },
        middle_1: Corner(rising) { along: 0.5, across: 0.0, mass: 0.0 },
        middle_2: Corner(falling) { along: 0.5, across: 0.0, mass: 0.0 },
        pin: Pin(middle_1, middle_2) { offset: [0.0, 0.0] },
        top_left: Point { mass: 1.0 } near [0.0, 1.2],
        top_right: Point { mass: 1.0 } near [0.8, 1.2],
        second_rising: Rod(upper_left, top_right) { length: 1.0, mass: 1.0 },
        second_falling: Rod(upper_right, top_left) { length: 1.0, mass: 1.0 },
        middle_3: Corner(second_rising) { along: 0.5, across: 0.0, mass: 0.0 },
        middle_4: Corner(second_falling) { along: 0.5, across: 0.0, mass: 0.0 },
        second_pin: Pin(middle_3, middle_4) { offset: [0.0, 0.0] },
    }
}

taut::mechanism! {
    /// A five-bar linkage whose two cranks are geared: the point where its rods meet draws a closed curve.
    pub struct GearedFiveBar in plane {
        left: Fixed { at: [-0.1, 0.0] },
        right: Fixed { at: [0.1, 0.0] },
        one: Arm(left) { length: 0.05, mass: 0.05 } near 0.3,
        two: Arm(right) { length: 0.06, mass: 0.06 } near -0.6,
        gear: Gear(one, two) { ratio: -2.0, offset: 0.0 },
        pen: Point { mass: 0.02 } near [0.0, 0.15],
        rod_one: Rod(one, pen) { length: 0.2, mass: 0.04 },
        rod_two: Rod(two, pen) { length: 0.2, mass: 0.04 },
    }
    motors one;
    encoders one;
    output one;
}

taut::mechanism! {
    /// Two loads on a rope over a pulley that swings on an arm, one of them held to the side by a spring.
    pub struct ConnectedPendulums in plane, arms as angles {
        top: Fixed { at: [0.0, 0.0] },
        side: Fixed { at: [-0.6, -0.8] },
        pulley: Arm(top) { length: 0.3, mass: 0.4 } near -1.2,
        left: Point { mass: 1.0 } near [-0.2, -0.9],
        right: Point { mass: 1.1 } near [0.4, -0.8],
        rope: Rope(left, pulley, right) { length: 1.2 },
        spring: Spring(side, left) { length: 0.3, stiffness: 40.0 },
    }
}

taut::mechanism! {
    /// A pendulum: a load on a strut. The same numbers as [`Pendulum`](crate::Pendulum).
    pub struct Pendulum in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        load: Point { mass: 1.0 } near [1.0, 0.0],
        strut: Strut(pivot, load) { length: 1.0 },
    }
}

taut::mechanism! {
    /// A double pendulum. The same numbers as [`DoublePendulum`](crate::DoublePendulum).
    pub struct DoublePendulum in plane {
        pivot: Fixed { at: [0.0, 0.0] },
        first: Point { mass: 1.0 } near [1.0, 0.0],
        second: Point { mass: 1.0 } near [2.0, 0.0],
        upper: Strut(pivot, first) { length: 1.0 },
        lower: Strut(first, second) { length: 1.0 },
    }
}

taut::mechanism! {
    /// An overhead crane: a trolley on a rail, and a load on a rope that a winch on the trolley hoists at a constant rate.
    pub struct Crane in plane {
        rail: Fixed { at: [0.0, 0.0] },
        trolley: Slider(rail) { along: [1.0, 0.0], mass: 10.0 },
        winch: Slider(trolley) { along: [0.0, 1.0], mass: 10.0 } near 0.3,
        load: Point { mass: 100.0 } near [0.4, -0.9],
        rope: Rope(winch, trolley, load) { length: 1.3 },
        hoist: Feed(winch) { position: 0.3, velocity: 0.1, acceleration: 0.0, since: 0.0 },
    }
    motors trolley;
    encoders trolley;
    output trolley;
}

taut::mechanism! {
    /// A chain of five rods that hangs between two points.
    pub struct HangingChain in plane {
        left: Fixed { at: [0.0, 0.0] },
        right: Fixed { at: [1.0, 0.0] },
        a: Point { mass: 0.05 } near [0.05, -0.3],
        b: Point { mass: 0.05 } near [0.3, -0.5],
        c: Point { mass: 0.05 } near [0.6, -0.45],
        d: Point { mass: 0.05 } near [0.9, -0.25],
        rod_1: Rod(left, a) { length: 0.3, mass: 0.1 },
        rod_2: Rod(a, b) { length: 0.3, mass: 0.1 },
        rod_3: Rod(b, c) { length: 0.3, mass: 0.1 },
        rod_4: Rod(c, d) { length: 0.3, mass: 0.1 },
        rod_5: Rod(d, right) { length: 0.3, mass: 0.1 },
    }
}

taut::mechanism! {
    /// A plate that swings on two arms, with a load at its corner.
    pub struct Plate in plane, arms as angles {
        left: Fixed { at: [-0.2, 0.0] },
        right: Fixed { at: [0.25, 0.05] },
        first: Arm(left) { length: 0.3, mass: 0.1 } near -2.4,
        second: Arm(right) { length: 0.35, mass: 0.1 } near -1.9,
        plate: Body(first, second) { length: 0.5, centre: [0.25, -0.1], mass: 1.2, inertia: 0.02 },
        corner: Corner(plate) { along: 0.1, across: -0.25, mass: 0.3 },
    }
}

taut::mechanism! {
    /// Andrews' squeezing mechanism: seven bodies, a motor that turns the crank, and a spring (Hairer and Wanner, *Solving Ordinary
    /// Differential Equations II*, section VII.7; IVP test set). The bodies are K1 to K7 there. Gravity is left out.
    ///
    /// The crank is a uniform arm with the moment of inertia of K1 about its pivot: 0.04325 kg · (0.92 mm)² + 2.194e-6 kg m².
    pub struct Andrews in plane {
        o: Fixed { at: [0.0, 0.0] },
        a: Fixed { at: [-0.06934, -0.00227] },
        b: Fixed { at: [-0.03635, 0.03273] },
        c: Fixed { at: [0.014, 0.072] },
        k1: Arm(o) { length: 0.007, mass: 3.0 * (0.04325 * 0.00092 * 0.00092 + 2.194e-6) / (0.007 * 0.007) } near -0.06,
        f: Point { mass: 0.0 } near [-0.02, 0.0],
        e: Point { mass: 0.0 } near [-0.034, 0.016],
        h: Point { mass: 0.0 } near [-0.032, -0.016],
        k2: Body(k1, f) { length: 0.028, centre: [0.0115, 0.0], mass: 0.00365, inertia: 4.410e-7 },
        k3: Body(b, f) { length: 0.035, centre: [0.01874, 0.01043], mass: 0.02373, inertia: 5.255e-6 },
        k4: Body(e, f) { length: 0.02, centre: [0.02 - 0.01421, 0.0], mass: 0.00706, inertia: 5.667e-7 },
        k5: Body(a, e) { length: 0.04, centre: [0.02308, 0.00916], mass: 0.07050, inertia: 1.169e-5 },
        k6: Body(h, f) { length: 0.02, centre: [0.02 - 0.01421, 0.0], mass: 0.00706, inertia: 5.667e-7 },
        k7: Body(a, h) { length: 0.04, centre: [0.01228, 0.00449], mass: 0.05498, inertia: 1.912e-5 },
        d: Corner(k3) { along: 0.018, across: 0.02, mass: 0.0 },
        spring: Spring(c, d) { length: 0.07785, stiffness: 4530.0 },
    }
    gravity 0.0;
    motors k1;
    encoders k1;
    output k1;
}

taut::mechanism! {
    /// Chebyshev's lambda linkage, whose crank turns at a constant rate: for half a turn `foot` moves nearly straight.
    pub struct Lambda in plane, arms as angles {
        o: Fixed { at: [0.0, 0.0] },
        pivot: Fixed { at: [0.2, 0.0] },
        crank: Arm(o) { length: 0.1, mass: 0.1 } near 1.0,
        rocker: Arm(pivot) { length: 0.25, mass: 0.25 } near 1.9,
        half: Rod(crank, rocker) { length: 0.25, mass: 0.5 },
        foot: Corner(half) { along: 0.5, across: 0.0, mass: 0.2 },
        drive: Feed(crank) { position: 1.0, velocity: 5.0, acceleration: 0.0, since: 0.0 },
    }
}
