//! How methods step: orders, invariants, limits and refusals, one claim a module.

#[cfg(feature = "std")]
mod advise;
mod bdf2;
mod dae_limits;
mod dae_time;
mod half_explicit;
mod implicit_euler;
mod implicit_systems;
mod index_three;
mod last_correction;
mod massless;
mod mixed_index;
mod moving_constraint;
mod natural_coordinates;
mod one_door;
mod orders;
mod pendulum_energy;
mod radau;
mod radau_daes;
mod rattle_energy;
mod rattle_geometry;
mod redundant;
mod ring;
mod robot_arm;
mod robustness;
mod runge_kutta;
mod semi_explicit;
mod serial;
mod spherical_pendulum;
mod time;
mod variants;
mod varying_mass;
