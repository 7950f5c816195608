//! How a mechanism is driven: paths, inverse models, controllers, supervised loops; one claim a module.

mod closed_loop_arm;
mod closed_loop_crane;
mod closed_loop_five_bar;
mod comparison;
mod delta_points;
mod disturbance;
mod evaluations;
mod hostile_control;
mod hostile_trajectories;
mod patterns;
mod replans;
mod running;
mod s_curve;
mod scripted;
mod servo_arms;
mod servo_crane;
mod servo_five_bar;
mod servo_two_masses;
mod supervisor_homing;
mod supervisor_order;
mod supervisor_requests;
mod supervisor_watchdog;
mod trajectories;
mod travel;
