//! rapier2d in double precision: a physics engine at a fixed step. It allocates; joints are solved approximately, each step in four
//! substeps of first order, which is its default.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use on_target::methods::problem::Judged;
use rapier2d_f64::prelude::*;
use taut::start::Plain;

use crate::judge::{Contestant, Finish, Witness};

/// The two ways in which it joins bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joints {
    /// By impulses, iteratively.
    Impulse,
    /// In joint coordinates, where no loop is to be closed.
    Multibody,
}

/// A system made of rods.
pub trait Rods<const N: usize> {
    /// The simulated time.
    const DURATION: f64;

    /// The world at the start, and its moving bodies.
    fn world(joints: Joints) -> (PhysicsWorld, Vec<RigidBodyHandle>);

    /// Its coordinates from positions, angles and their derivatives of the bodies.
    fn coordinates(bodies: &[[f64; 3]]) -> [f64; N];
}

/// It on a system, with a step size in seconds.
pub struct Rapier<System> {
    joints: Joints,
    step: f64,
    system: PhantomData<System>,
}

impl<System> Rapier<System> {
    /// With these joints and this step size.
    pub fn new(joints: Joints, step: f64) -> Self {
        Self { joints, step, system: PhantomData }
    }
}

impl<System: Rods<N>, const N: usize> Contestant<N> for Rapier<System> {
    fn name(&self) -> String {
        format!("rapier2d-f64/{:?}", self.joints).to_lowercase()
    }

    fn setting(&self) -> String {
        format!("h={:e}", self.step)
    }

    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>> {
        let (mut world, bodies) = System::world(self.joints);
        world.integration_parameters.dt = self.step;
        let positions = |world: &PhysicsWorld| {
            let body = |handle: &RigidBodyHandle| {
                let body = &world.bodies[*handle];
                [body.translation().x, body.translation().y, body.rotation().angle()]
            };
            System::coordinates(&bodies.iter().map(body).collect::<Vec<_>>())
        };
        let velocities = |world: &PhysicsWorld| {
            let body = |handle: &RigidBodyHandle| {
                let body = &world.bodies[*handle];
                [body.linvel().x, body.linvel().y, body.angvel()]
            };
            System::coordinates(&bodies.iter().map(body).collect::<Vec<_>>())
        };
        let mut time = Duration::ZERO;
        for _ in 0..(System::DURATION / self.step).round() as usize {
            let begun = Instant::now();
            world.step();
            time += begun.elapsed();
            witness.see(positions(&world), velocities(&world));
        }
        Some(Finish { position: positions(&world), time })
    }
}

/// What a point mass has of an inertia, in kg m²: without any, a body does not turn; this changes a period by 5e-7 of it.
const INERTIA_OF_POINT: f64 = 1e-6;

/// A moving body at a pose, without a shape: nothing collides.
fn body(world: &mut PhysicsWorld, [x, y, angle]: [f64; 3], mass: f64, inertia: f64) -> RigidBodyHandle {
    let properties = MassProperties::new(Vector::ZERO, mass, inertia);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, y)).rotation(angle).can_sleep(false);
    world.insert_body(body.additional_mass_properties(properties))
}

/// Joins two bodies at a point of each, the second turned by an angle against the first.
fn join(
    world: &mut PhysicsWorld,
    joints: Joints,
    [one, other]: [RigidBodyHandle; 2],
    [[x1, y1], [x2, y2]]: [[f64; 2]; 2],
    angle: f64,
) {
    let mut joint =
        RevoluteJointBuilder::new().local_anchor1(Vector::new(x1, y1)).local_anchor2(Vector::new(x2, y2)).build();
    // Where a joint coordinate is zero.
    joint.data.local_frame1.rotation = Rotation::new(angle);
    match joints {
        Joints::Impulse => {
            world.insert_impulse_joint(one, other, joint);
        }
        Joints::Multibody => {
            let handle = world.insert_multibody_joint(one, other, joint).expect("joints without a loop");
            // Joint coordinates are damped by default.
            let (multibody, _) = world.multibody_joints.get_mut(handle).expect("the joint just inserted");
            multibody.damping_mut().fill(0.0);
        }
    }
}

/// Point masses of 1 kg on rods of 1 m, one below the other, held out horizontally.
fn rods(joints: Joints, count: usize) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
    let mut world = PhysicsWorld::new();
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    let mut bodies = vec![ground];
    for number in 1..=count {
        let mass = body(&mut world, [number as f64, 0.0, 0.0], 1.0, INERTIA_OF_POINT);
        join(&mut world, joints, [bodies[number - 1], mass], [[0.0, 0.0], [-1.0, 0.0]], 0.0);
        bodies.push(mass);
    }
    bodies.remove(0);
    (world, bodies)
}

impl Rods<2> for Pendulum<f64> {
    const DURATION: f64 = <ByHand<Self> as Judged<2, 1>>::DURATION;

    fn world(joints: Joints) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
        rods(joints, 1)
    }

    fn coordinates(bodies: &[[f64; 3]]) -> [f64; 2] {
        [bodies[0][0], bodies[0][1]]
    }
}

impl Rods<4> for DoublePendulum<f64> {
    const DURATION: f64 = <ByHand<Self> as Judged<4, 2>>::DURATION;

    fn world(joints: Joints) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
        rods(joints, 2)
    }

    fn coordinates(bodies: &[[f64; 3]]) -> [f64; 4] {
        [bodies[0][0], bodies[0][1], bodies[1][0], bodies[1][1]]
    }
}

impl Rods<9> for FourBar<f64> {
    const DURATION: f64 = <ByHand<Self> as Judged<9, 8>>::DURATION;

    fn world(joints: Joints) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
        use on_target::methods::problem::Problem;

        let start = ByHand::<Self>::system().start::<Plain>(1.0);
        let (q, v) = (start.position(), start.velocity());
        let mut world = PhysicsWorld::new();
        let ground = world.insert_body(RigidBodyBuilder::fixed());
        let mut bodies = Vec::new();
        for (rod, length) in [0.2_f64, 0.7, 0.6].into_iter().enumerate() {
            let pose = [q[3 * rod], q[3 * rod + 1], q[3 * rod + 2]];
            let handle = body(&mut world, pose, length, length.powi(3) / 12.0);
            let moving = &mut world.bodies[handle];
            moving.set_linvel(Vector::new(v[3 * rod], v[3 * rod + 1]), true);
            moving.set_angvel(v[3 * rod + 2], true);
            bodies.push(handle);
        }
        let [crank, coupler, rocker] = [bodies[0], bodies[1], bodies[2]];
        join(&mut world, joints, [ground, crank], [[0.0, 0.0], [-0.1, 0.0]], q[2]);
        join(&mut world, joints, [crank, coupler], [[0.1, 0.0], [-0.35, 0.0]], q[5] - q[2]);
        join(&mut world, joints, [coupler, rocker], [[0.35, 0.0], [0.3, 0.0]], q[8] - q[5]);
        // What closes the loop is never a joint coordinate.
        join(&mut world, Joints::Impulse, [rocker, ground], [[-0.3, 0.0], [0.8, 0.0]], 0.0);
        if joints == Joints::Multibody {
            let link = world.multibody_joints.rigid_body_link(crank).expect("the crank is joined").multibody;
            let multibody = world.multibody_joints.get_multibody_mut(link).expect("the crank is joined");
            for (rate, value) in multibody.generalized_velocity_mut().iter_mut().zip([v[2], v[5] - v[2], v[8] - v[5]]) {
                *rate = value;
            }
        }
        (world, bodies)
    }

    fn coordinates(bodies: &[[f64; 3]]) -> [f64; 9] {
        std::array::from_fn(|k| bodies[k / 3][k % 3])
    }
}
