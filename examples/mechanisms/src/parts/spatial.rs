//! Bodies and joints in space.

use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

taut::mechanism! {
    /// A heavy top, tilted by 0.6 rad: it spins about its third axis, and its point stays on the ground. About its centre of mass, its moments are 0.05, 0.06
    /// and 0.02 kg m².
    pub struct HeavyTop in space {
        point: Fixed { at: [0.0, 0.0, 0.0] },
        top: Top(point) { mass: 1.0, centre: [0.0, 0.0, 0.3], moments: [0.14, 0.15, 0.02] } near [0.955_336, 0.295_520, 0.0, 0.0],
    }
}

taut::mechanism! {
    /// A gyroscope on a stand: its axle is horizontal, one end of it is held, and it does not fall while it spins.
    pub struct Gyroscope in space {
        stand: Fixed { at: [0.0, 0.0, 0.3] },
        wheel: Top(stand) { mass: 0.5, centre: [0.0, 0.0, 0.1], moments: [6.4e-3, 6.4e-3, 2.5e-3] }
            near [FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0],
    }
}

taut::mechanism! {
    /// A wheel in two rings: the outer one turns about x, the inner one about y, the wheel about z.
    pub struct Gimbal in space {
        middle: Fixed { at: [0.0, 0.0, 0.0] },
        outer: Top(middle) { mass: 0.4, centre: [0.0, 0.0, -0.02], moments: [5e-3, 8e-3, 5e-3] },
        inner: Top(middle) { mass: 0.3, centre: [0.03, 0.0, 0.0], moments: [4e-3, 3e-3, 3e-3] },
        wheel: Top(middle) { mass: 0.5, centre: [0.0, 0.0, 0.0], moments: [6e-4, 6e-4, 1e-3] },
        roll: Aligned(middle, outer) { axis: [1.0, 0.0, 0.0] },
        pitch: Aligned(outer, inner) { axis: [0.0, 1.0, 0.0] },
        spin: Aligned(inner, wheel) { axis: [0.0, 0.0, 1.0] },
        ring_1: Corner(outer) { at: [0.1, 0.0, 0.0] },
        ring_2: Corner(outer) { at: [0.0, 0.1, 0.0] },
        rim: Corner(wheel) { at: [0.05, 0.0, 0.0] },
        ring_3: Corner(inner) { at: [0.0, 0.0, 0.08] },
    }
    motors roll, pitch, spin;
    encoders roll, pitch, spin;
    output roll, pitch, spin;
}

taut::mechanism! {
    /// Two shafts that meet at an angle of 36.9°, with a universal joint between them. The second has a weight at its side.
    pub struct UniversalJoint in space {
        cross: Fixed { at: [0.0, 0.0, 0.0] },
        shaft_1: Top(cross) { mass: 0.5, centre: [-0.1, 0.0, 0.0], moments: [4e-4, 7e-3, 7e-3] },
        shaft_2: Top(cross) { mass: 0.6, centre: [0.1, 0.02, 0.01], moments: [2e-3, 1.1e-2, 1.1e-2] },
        bearing_1: Aligned(cross, shaft_1) { axis: [1.0, 0.0, 0.0] },
        bearing_2: Aligned(cross, shaft_2) { axis: [0.8, 0.6, 0.0] },
        joint: Square(shaft_1, shaft_2) { first: [0.0, 0.0, 1.0], second: [-0.6, 0.8, 0.0] },
        end_1: Corner(shaft_1) { at: [-0.2, 0.0, 0.0] },
        fork_1: Corner(shaft_1) { at: [0.0, 0.0, 0.05] },
        end_2: Corner(shaft_2) { at: [0.16, 0.12, 0.0] },
        fork_2: Corner(shaft_2) { at: [-0.03, 0.04, 0.0] },
    }
    motors bearing_1;
    encoders bearing_1, bearing_2;
    output bearing_1;
}

taut::mechanism! {
    /// A spatial four-bar: a crank, a rod with a ball joint at each end, and a rocker about another axis.
    pub struct SpatialFourBar in space {
        crank_axle: Fixed { at: [0.0, 0.0, 0.0] },
        rocker_axle: Fixed { at: [0.5, 0.3, 0.0] },
        crank: Body { mass: 0.3, centre: [0.0, 0.05, 0.0], moments: [3e-4, 1e-4, 3e-4] } near [0.0, 0.0, 0.0],
        rocker: Body { mass: 0.8, centre: [0.0, 0.0, 0.15], moments: [6e-3, 6e-3, 4e-4] } near [0.5, 0.3, 0.0],
        drive: Hinge(crank_axle, crank) { axis: [1.0, 0.0, 0.0] },
        swing: Hinge(rocker_axle, rocker) { axis: [0.0, 1.0, 0.0] },
        pin: Corner(crank) { at: [0.0, 0.1, 0.0] },
        tip: Corner(rocker) { at: [0.0, 0.0, 0.3] },
        rod: Rod(pin, tip) { length: 0.6, mass: 0.2 },
    }
    motors drive;
    encoders drive;
    output swing;
}

taut::mechanism! {
    /// A Stewart platform: six motors move a platform in space.
    pub struct Stewart in space {
        foot_1: Fixed { at: [0.30, 0.05, 0.0] },
        foot_2: Fixed { at: [-0.106_7, 0.284_8, 0.0] },
        foot_3: Fixed { at: [-0.193_3, 0.234_8, 0.0] },
        foot_4: Fixed { at: [-0.193_3, -0.234_8, 0.0] },
        foot_5: Fixed { at: [-0.106_7, -0.284_8, 0.0] },
        foot_6: Fixed { at: [0.30, -0.05, 0.0] },
        platform: Body { mass: 4.0, centre: [0.0, 0.0, 0.02], moments: [0.02, 0.02, 0.035] } near [0.0, 0.0, 0.4],
        joint_1: Corner(platform) { at: [0.118_3, 0.155, 0.0] },
        joint_2: Corner(platform) { at: [0.075_1, 0.18, 0.0] },
        joint_3: Corner(platform) { at: [-0.193_4, 0.025, 0.0] },
        joint_4: Corner(platform) { at: [-0.193_4, -0.025, 0.0] },
        joint_5: Corner(platform) { at: [0.075_1, -0.18, 0.0] },
        joint_6: Corner(platform) { at: [0.118_3, -0.155, 0.0] },
        leg_1: Piston(foot_1, joint_1) { offset: 0.4 },
        leg_2: Piston(foot_2, joint_2) { offset: 0.4 },
        leg_3: Piston(foot_3, joint_3) { offset: 0.4 },
        leg_4: Piston(foot_4, joint_4) { offset: 0.4 },
        leg_5: Piston(foot_5, joint_5) { offset: 0.4 },
        leg_6: Piston(foot_6, joint_6) { offset: 0.4 },
    }
    motors leg_1, leg_2, leg_3, leg_4, leg_5, leg_6;
    encoders leg_1, leg_2, leg_3, leg_4, leg_5, leg_6;
    output leg_1, leg_2, leg_3, leg_4, leg_5, leg_6;
}

taut::mechanism! {
    /// An ankle: two motors in the shank tilt a foot about two axes, each with an arm and a rod behind the ankle.
    pub struct Ankle in space {
        joint: Fixed { at: [0.0, 0.0, 0.0] },
        motor_1: Fixed { at: [0.0, 0.04, 0.2] },
        motor_2: Fixed { at: [0.0, -0.04, 0.25] },
        arm_1: Arm(motor_1) { zero: [-1.0, 0.0, 0.0], quarter: [0.0, 0.0, 1.0], length: 0.05, mass: 0.05 },
        arm_2: Arm(motor_2) { zero: [-1.0, 0.0, 0.0], quarter: [0.0, 0.0, 1.0], length: 0.05, mass: 0.05 },
        foot: Top(joint) { mass: 0.8, centre: [0.04, 0.0, -0.05], moments: [5e-3, 8e-3, 5e-3] },
        cross: Square(joint, foot) { first: [0.0, 1.0, 0.0], second: [1.0, 0.0, 0.0] },
        heel_1: Corner(foot) { at: [-0.05, 0.04, -0.02] },
        heel_2: Corner(foot) { at: [-0.05, -0.04, -0.02] },
        rod_1: Rod(arm_1, heel_1) { length: 0.22, mass: 0.04 },
        rod_2: Rod(arm_2, heel_2) { length: 0.27, mass: 0.04 },
        toe: Corner(foot) { at: [0.15, 0.0, -0.07] },
    }
    motors arm_1, arm_2;
    encoders arm_1, arm_2;
    output arm_1, arm_2;
}

taut::mechanism! {
    /// Six corner pieces joined to a ring, one of them held. By their number, nothing could move. The same numbers as [`Ring`](crate::Ring).
    pub struct Ring in space, redundant {
        a: Fixed { at: [1.0, 0.0, 0.0] },
        b: Fixed { at: [0.0, 0.0, 0.0] },
        c: Point { mass: 1.0 } near [0.0, 1.0, 0.0],
        d: Point { mass: 1.0 } near [0.0, 1.0, 1.0],
        e: Point { mass: 1.0 } near [0.0, 0.0, 1.0],
        f: Fixed { at: [1.0, 0.0, 1.0] },
        edge_1: Strut(b, c) { length: 1.0 },
        edge_2: Strut(c, d) { length: 1.0 },
        edge_3: Strut(d, e) { length: 1.0 },
        edge_4: Strut(e, f) { length: 1.0 },
        corner_b: Strut(a, c) { length: SQRT_2 },
        corner_c: Strut(b, d) { length: SQRT_2 },
        corner_d: Strut(c, e) { length: SQRT_2 },
        corner_e: Strut(d, f) { length: SQRT_2 },
        corner_f: Strut(e, a) { length: SQRT_2 },
    }
    gravity 1.0;
}

taut::mechanism! {
    /// Bricard's six-bar: six links along the edges of a cube, with a hinge across each of its corners. By their number, nothing could move.
    pub struct Bricard in space, redundant {
        corner_1: Fixed { at: [0.2, 0.0, 0.0] },
        corner_6: Fixed { at: [0.0, 0.0, 0.0] },
        link_2: Body { mass: 0.1, centre: [0.0, 0.1, 0.0], moments: [3.5e-4, 4e-5, 3.5e-4] } near [0.2, 0.0, 0.0],
        link_3: Body { mass: 0.1, centre: [0.0, 0.0, 0.1], moments: [3.5e-4, 3.5e-4, 4e-5] } near [0.2, 0.2, 0.0],
        link_4: Body { mass: 0.1, centre: [-0.1, 0.0, 0.0], moments: [4e-5, 3.5e-4, 3.5e-4] } near [0.2, 0.2, 0.2],
        link_5: Body { mass: 0.1, centre: [0.0, -0.1, 0.0], moments: [3.5e-4, 4e-5, 3.5e-4] } near [0.0, 0.2, 0.2],
        link_6: Body { mass: 0.1, centre: [0.0, 0.0, -0.1], moments: [3.5e-4, 3.5e-4, 4e-5] } near [0.0, 0.0, 0.2],
        corner_2: Corner(link_2) { at: [0.0, 0.2, 0.0] },
        corner_3: Corner(link_3) { at: [0.0, 0.0, 0.2] },
        corner_4: Corner(link_4) { at: [-0.2, 0.0, 0.0] },
        corner_5: Corner(link_5) { at: [0.0, -0.2, 0.0] },
        end: Corner(link_6) { at: [0.0, 0.0, -0.2] },
        hinge_1: Hinge(corner_1, link_2) { axis: [0.0, 0.0, 1.0] },
        hinge_2: Hinge(corner_2, link_3) { axis: [1.0, 0.0, 0.0] },
        hinge_3: Hinge(corner_3, link_4) { axis: [0.0, 1.0, 0.0] },
        hinge_4: Hinge(corner_4, link_5) { axis: [0.0, 0.0, 1.0] },
        hinge_5: Hinge(corner_5, link_6) { axis: [1.0, 0.0, 0.0] },
        hinge_6: Hinge(corner_6, end) { axis: [0.0, 1.0, 0.0] },
    }
}
