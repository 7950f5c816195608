//! The runs: one line each, with the cost of a step.

use mechanisms::{
    Arm, Bead, Chain, DoublePendulum, Driven, FourBar, Lines, Pendulum, Ring, SliderCrank, SphericalPendulum,
    StiffActuator,
};
use taut::control;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, LocalRungeKutta4, RadauIia, Rattle, RungeKutta4, RungeKutta8,
    SymplecticEuler,
};
use taut::start::{Compensated, Plain, Precise};

use super::attitude;
use super::general::{driven_pendulum, problem_5_1, robot_arm};
use super::linear::{gains, lagging_motor};
use super::rigid_body::rigid_body;
use super::serial::{chain_in_space, hanging_chain, mobile, ring_of_bars, suspended_chain};
use super::servo::{crane, five_bar, five_bar_loop, projected_crane, two_masses};
use super::structure::{both, connector, pencils};
use super::{Cost, Run, daes, histories, manifolds as globes, run, run_off, run_with};

/// The costs in double precision if given, else a placeholder that is never used.
const fn double(costs: &[u32]) -> [u32; 2] {
    if let [double, short] = costs { [*double, *short] } else { [u32::MAX; 2] }
}

/// The limit if given, else no limit.
const fn max_steps(limit: &[u64]) -> u64 {
    if let [limit] = limit { *limit } else { u64::MAX }
}

/// Rows for a scalar and a share of the steps: the name, the costs of a step, a limit on the steps if the run would fail later, and the
/// function that makes the run. Each system makes all steps with one method; other methods and precisions make only a share of them.
macro_rules! runs {
    ($float:ident, $share:literal; $(
        $name:literal [
            $hardware:literal $software:literal $short:literal $(, $double:literal $short_double:literal)? $(; $limit:literal)?
        ] $make:expr;
    )*) => {
        &[$(Run {
            name: concat!(stringify!($float), " ", $name),
            cost: Cost { single: [$hardware, $software, $short], double: const { double(&[$($double, $short_double)?]) } },
            share: $share,
            max_steps: const { max_steps(&[$($limit)?]) },
            is_double: size_of::<$float>() > size_of::<f32>(),
            make: $make,
        }),*]
    };
}

/// RATTLE with the pendulums and linkages.
macro_rules! rattle {
    ($float:ident) => {
        runs! { $float, 1;
            "pendulum, RATTLE" [110 4_600 8_300, 12_000 31_000] |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &Rattle::new());
            "double pendulum, RATTLE" [290 13_000 24_000, 35_000 91_000] |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &Rattle::new());
            "spherical pendulum, RATTLE" [120 6_600 12_000, 17_000 47_000]
                |recorder| run::<SphericalPendulum<$float>, 3, 1>(recorder, &Rattle::new());
            "slider-crank, RATTLE" [360 14_000 26_000, 57_000 150_000] |recorder| run::<SliderCrank<$float>, 2, 1>(recorder, &Rattle::new());
            "chain of 4, RATTLE" [1_900 56_000 98_000, 150_000 320_000] |recorder| run::<Chain<$float, 8, 4>, 8, 4>(recorder, &Rattle::new());
            "four-bar, RATTLE" [6_200 140_000 240_000, 430_000 940_000] |recorder| run::<FourBar<$float>, 9, 8>(recorder, &Rattle::new());
            "serial chain of 16, RATTLE" [3_200 130_000 230_000, 350_000 750_000] |recorder| hanging_chain::<$float>(recorder, &Rattle::new());
            "suspended chain of 9, RATTLE" [2_200 90_000 150_000, 240_000 500_000] |recorder| suspended_chain::<$float>(recorder, &Rattle::new());
            "ring of 4 bars, RATTLE" [3_500 140_000 240_000, 400_000 900_000] |recorder| ring_of_bars::<$float>(recorder, &Rattle::new());
            "tree of 7, RATTLE" [8_000 330_000 580_000, 880_000 1_900_000] |recorder| mobile::<$float>(recorder, &Rattle::new());
        }
    };
}

/// RATTLE with compensated and precise states.
macro_rules! rattle_digits {
    ($float:ident) => {
        runs! { $float, 4;
            "pendulum, RATTLE, compensated" [150 7_000 12_000, 15_000 37_000]
                |recorder| run_with::<Pendulum<$float>, Compensated, 2, 1>(recorder, &Rattle::new());
            "pendulum, RATTLE, precise" [280 17_000 28_000, 31_000 71_000]
                |recorder| run_with::<Pendulum<$float>, Precise, 2, 1>(recorder, &Rattle::new());
            "double pendulum, RATTLE, compensated" [450 19_000 33_000, 44_000 120_000]
                |recorder| run_with::<DoublePendulum<$float>, Compensated, 4, 2>(recorder, &Rattle::new());
            "double pendulum, RATTLE, precise" [810 42_000 71_000, 80_000 190_000]
                |recorder| run_with::<DoublePendulum<$float>, Precise, 4, 2>(recorder, &Rattle::new());
        }
    };
}

/// The other methods. Two of them fail in long runs: half-explicit of order 1, which adds energy to the pendulums, and implicit Euler
/// on the acceleration level, which drifts off the position constraints.
macro_rules! others {
    ($float:ident) => {
        runs! { $float, 20;
            "pendulum, symplectic Euler" [110 4_200 7_800, 11_000 29_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &SymplecticEuler::new());
            "pendulum, Suzuki" [450 21_000 38_000, 54_000 140_000] |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &Composition::suzuki());
            "pendulum, Kahan–Li" [790 36_000 68_000, 100_000 260_000] |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &Composition::kahan_li());
            "pendulum, half-explicit 1" [150 5_600 11_000, 14_000 36_000; 100_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &HalfExplicit::order_one());
            "pendulum, half-explicit 2" [220 8_200 18_000, 21_000 54_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &HalfExplicit::order_two());
            "pendulum, half-explicit 3" [430 14_000 26_000, 28_000 72_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &HalfExplicit::order_three());
            "pendulum, half-explicit 4" [820 24_000 44_000, 45_000 110_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &HalfExplicit::order_four());
            "pendulum, Runge–Kutta 4" [250 12_000 22_000, 22_000 55_000] |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &RungeKutta4::new());
            "pendulum, implicit Euler" [470 21_000 36_000, 80_000 190_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &ImplicitEuler::new());
            "pendulum, stabilised implicit Euler" [470 22_000 37_000, 81_000 200_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &ImplicitEuler::new().projecting_velocities());
            "pendulum, implicit Euler, velocity level" [510 22_000 37_000, 61_000 150_000]
                |recorder| run_off::<Pendulum<$float>, 2, 1>(recorder, &ImplicitEuler::velocity_level());
            "pendulum, implicit Euler, acceleration level" [600 31_000 56_000, 96_000 220_000; 30_000]
                |recorder| run_off::<Pendulum<$float>, 2, 1>(recorder, &ImplicitEuler::acceleration_level());
            "pendulum, Radau IIA 3" [1_900 70_000 120_000, 220_000 500_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &RadauIia::order_three());
            "pendulum, Radau IIA 5" [3_100 110_000 200_000, 360_000 820_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &RadauIia::order_five());
            "double pendulum, Radau IIA 3" [7_200 220_000 400_000, 800_000 1_800_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &RadauIia::order_three());
            "double pendulum, symplectic Euler" [320 12_000 23_000, 34_000 91_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &SymplecticEuler::new());
            "double pendulum, Suzuki" [1_300 59_000 110_000, 170_000 440_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &Composition::suzuki());
            "double pendulum, Kahan–Li" [2_300 110_000 190_000, 300_000 780_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &Composition::kahan_li());
            "double pendulum, half-explicit 1" [560 20_000 36_000, 45_000 120_000; 10_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &HalfExplicit::order_one());
            "double pendulum, half-explicit 2" [900 31_000 56_000, 68_000 170_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &HalfExplicit::order_two());
            "double pendulum, half-explicit 3" [1_300 43_000 77_000, 85_000 210_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &HalfExplicit::order_three());
            "double pendulum, half-explicit 4" [2_100 70_000 120_000, 130_000 320_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &HalfExplicit::order_four());
            "double pendulum, Runge–Kutta 4" [730 38_000 68_000, 66_000 170_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &RungeKutta4::new());
            "double pendulum, implicit Euler" [3_100 82_000 140_000, 410_000 820_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &ImplicitEuler::new());
            "double pendulum, stabilised implicit Euler" [3_100 84_000 150_000, 430_000 830_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &ImplicitEuler::new().projecting_velocities());
        }
    };
}

/// Smaller systems: driven ones, and one that has invariants.
macro_rules! small {
    ($float:ident) => {
        runs! { $float, 1;
            "arm, RATTLE" [120 5_500 10_000, 14_000 36_000] |recorder| run::<control::Driven<Arm<$float>, $float, 1>, 2, 1>(recorder, &Rattle::new());
            "damped pendulum, RATTLE" [150 7_200 13_000, 17_000 43_000] |recorder| run::<Driven<$float>, 3, 1>(recorder, &Rattle::new());
            "free body, implicit midpoint" [1_100 34_000 62_000, 200_000 480_000] attitude::free_body::<$float>;
            "heavy top, Munthe-Kaas 4" [690 26_000 48_000, 70_000 180_000] attitude::heavy_top::<$float>;
            "coning, Magnus 4" [400 12_000 15_000, 20_000 50_000] attitude::coning_motion::<$float>;
            "rigid body, onto the sphere" [130 4_300 8_400, 13_000 35_000] rigid_body::<$float, 1>;
            "rigid body, onto sphere and ellipsoid" [260 8_300 16_000, 25_000 68_000] rigid_body::<$float, 2>;
        }
    };
}

/// RATTLE in single precision.
#[inline]
pub fn rattle_f32() -> &'static [Run] {
    rattle!(f32)
}

/// Turning cranks with compensated and precise states in `f32`. An `f64` needs no more digits.
#[inline]
pub fn turning_f32() -> &'static [Run] {
    runs! { f32, 4;
        "slider-crank, RATTLE, compensated" [760 27_000 49_000] |recorder| run_with::<SliderCrank<f32>, Compensated, 2, 1>(recorder, &Rattle::new());
        "slider-crank, RATTLE, precise" [2_100 95_000 160_000] |recorder| run_with::<SliderCrank<f32>, Precise, 2, 1>(recorder, &Rattle::new());
        "four-bar, RATTLE, compensated" [7_600 180_000 320_000] |recorder| run_with::<FourBar<f32>, Compensated, 9, 8>(recorder, &Rattle::new());
        "four-bar, RATTLE, precise" [12_000 380_000 640_000] |recorder| run_with::<FourBar<f32>, Precise, 9, 8>(recorder, &Rattle::new());
    }
}

/// RATTLE with compensated and precise states in single precision.
#[inline]
pub fn rattle_digits_f32() -> &'static [Run] {
    rattle_digits!(f32)
}

/// RATTLE in double precision.
#[inline]
pub fn rattle_f64() -> &'static [Run] {
    rattle!(f64)
}

/// RATTLE with compensated and precise states in double precision.
#[inline]
pub fn rattle_digits_f64() -> &'static [Run] {
    rattle_digits!(f64)
}

/// Smaller systems in single precision.
#[inline]
pub fn small_f32() -> &'static [Run] {
    small!(f32)
}

/// Smaller systems in double precision.
#[inline]
pub fn small_f64() -> &'static [Run] {
    small!(f64)
}

/// Systems that run in double precision only. The bead is flung off its wire in the end.
#[inline]
pub fn only_f64() -> &'static [Run] {
    runs! { f64, 1;
        "bead, RATTLE" [580 26_000 62_000, 58_000 160_000; 5_000] |recorder| run::<Bead, 2, 1>(recorder, &Rattle::new());
        "lines, RATTLE" [130 5_900 13_000, 12_000 33_000] |recorder| run::<Lines<1>, 2, 1>(recorder, &Rattle::new());
    }
}

/// Order 8 in single precision.
#[inline]
pub fn order_8_f32() -> &'static [Run] {
    runs! { f32, 20;
        "pendulum, Runge–Kutta 8" [1_800 54_000 99_000] |recorder| run::<Pendulum<f32>, 2, 1>(recorder, &RungeKutta8::new());
    }
}

/// Order 8 in double precision.
#[inline]
pub fn order_8_f64() -> &'static [Run] {
    runs! { f64, 20;
        "pendulum, Runge–Kutta 8" [1_800 54_000 99_000, 91_000 240_000] |recorder| run::<Pendulum<f64>, 2, 1>(recorder, &RungeKutta8::new());
    }
}

/// The ring in single precision: its start takes 60 KiB of stack.
#[inline]
pub fn ring_f32() -> &'static [Run] {
    runs! { f32, 1;
        "ring, RATTLE" [190_000 2_700_000 4_500_000] |recorder| run::<Ring<f32>, 18, 18>(recorder, &Rattle::new());
    }
}

/// The ring in double precision, for machines with enough memory.
#[inline]
pub fn ring_f64() -> &'static [Run] {
    runs! { f64, 1;
        "ring, RATTLE" [190_000 2_700_000 4_500_000, 6_700_000 15_000_000] |recorder| run::<Ring<f64>, 18, 18>(recorder, &Rattle::new());
    }
}

/// The other methods in single precision.
#[inline]
pub fn others_f32() -> &'static [Run] {
    others!(f32)
}

/// The other methods in double precision.
#[inline]
pub fn others_f64() -> &'static [Run] {
    others!(f64)
}

/// Other methods with compensated and precise states in `f32`.
#[inline]
pub fn digits_f32() -> &'static [Run] {
    runs! { f32, 20;
        "pendulum, symplectic Euler, precise" [290 16_000 27_000]
            |recorder| run_with::<Pendulum<f32>, Precise, 2, 1>(recorder, &SymplecticEuler::new());
        "pendulum, Suzuki, compensated" [760 32_000 58_000]
            |recorder| run_with::<Pendulum<f32>, Compensated, 2, 1>(recorder, &Composition::suzuki());
        "pendulum, half-explicit 2, precise" [560 22_000 38_000]
            |recorder| run_with::<Pendulum<f32>, Precise, 2, 1>(recorder, &HalfExplicit::order_two());
        "pendulum, half-explicit 4, compensated" [940 30_000 53_000]
            |recorder| run_with::<Pendulum<f32>, Compensated, 2, 1>(recorder, &HalfExplicit::order_four());
        "pendulum, implicit Euler, precise" [620 35_000 62_000]
            |recorder| run_with::<Pendulum<f32>, Precise, 2, 1>(recorder, &ImplicitEuler::new());
        "double pendulum, Runge–Kutta 4, compensated" [870 43_000 77_000]
            |recorder| run_with::<DoublePendulum<f32>, Compensated, 4, 2>(recorder, &RungeKutta4::new());
        "double pendulum, Runge–Kutta 4, precise" [1_200 65_000 120_000]
            |recorder| run_with::<DoublePendulum<f32>, Precise, 4, 2>(recorder, &RungeKutta4::new());
        "Problem 5.1, implicit Euler, compensated" [910 27_000 48_000] problem_5_1::<f32, Compensated>;
        "Problem 5.1, implicit Euler, precise" [1_100 36_000 61_000] problem_5_1::<f32, Precise>;
        "Problem 5.2, general implicit Euler, precise" [3_100 93_000 150_000] daes::problem_5_2_precise::<f32>;
    }
}

/// Servo constraints.
macro_rules! servo {
    ($float:ident) => {
        runs! { $float, 1;
            "five-bar, inverse dynamics" [3_500 51_000 91_000, 180_000 440_000] five_bar::<$float>;
            "two masses, flat output" [680 17_000 26_000, 27_000 56_000] two_masses::<$float>;
            "crane, flat output" [1_500 38_000 60_000, 60_000 130_000] crane::<$float>;
        }
    };
}

/// The five-bar linkage in a closed loop, and the crane by projection.
macro_rules! servo_otherwise {
    ($float:ident) => {
        runs! { $float, 4;
            "five-bar, closed loop" [11_000 290_000 530_000, 750_000 1_900_000] five_bar_loop::<$float>;
            "crane, projected" [1_600 38_000 59_000, 59_000 130_000] projected_crane::<$float>;
        }
    };
}

/// Servo constraints in single and in double precision.
#[inline]
pub fn servo() -> [&'static [Run]; 4] {
    [servo!(f32), servo_otherwise!(f32), servo!(f64), servo_otherwise!(f64)]
}

/// Systems of the general forms.
macro_rules! general {
    ($float:ident) => {
        runs! { $float, 1;
            "driven pendulum, general implicit Euler" [3_400 75_000 130_000, 300_000 790_000] driven_pendulum::<$float>;
            "robot arm, half-explicit 1" [5_100 120_000 220_000, 670_000 1_700_000] robot_arm::<$float>;
            "Problem 5.1, implicit Euler" [450 21_000 38_000, 97_000 230_000] problem_5_1::<$float, Plain>;
            "Problem 5.2, general implicit Euler" [2_700 64_000 110_000, 280_000 600_000] daes::problem_5_2_plain::<$float>;
            "steering wheel, implicit Euler" [710 23_000 41_000, 130_000 320_000] daes::wheel_implicit_euler::<$float>;
        }
    };
}

/// One of them with other methods.
macro_rules! general_otherwise {
    ($float:ident) => {
        runs! { $float, 4;
            "steering wheel, half-explicit 4" [1_900 60_000 110_000, 360_000 940_000] daes::wheel_half_explicit::<$float>;
            "steering wheel, Runge–Kutta 4" [1_600 50_000 90_000, 300_000 800_000] daes::wheel_runge_kutta::<$float>;
            "motor with a lag, Runge–Kutta 4" [20_000 600_000 1_000_000, 1_500_000 3_000_000] lagging_motor::<$float>;
            "gains of a pendulum on a cart" [300_000 9_000_000 15_000_000, 25_000_000 50_000_000; 200] gains::<$float>;
            "steering wheel as M u' = F, implicit Euler" [1_300 31_000 55_000, 150_000 340_000] daes::wheel_implicit::<$float>;
        }
    };
}

/// Systems of the general forms in single and in double precision.
#[inline]
pub fn general() -> [&'static [Run]; 4] {
    [general!(f32), general_otherwise!(f32), general!(f64), general_otherwise!(f64)]
}

/// BDF2, Radau IIA on the forms that have other rows with other methods, and Runge–Kutta in local coordinates.
macro_rules! stiff {
    ($float:ident) => {
        runs! { $float, 20;
            "pendulum, BDF2" [720 25_000 45_000, 95_000 230_000] histories::bdf_2::<Pendulum<$float>, Plain, 2, 1>;
            "pendulum, Runge–Kutta 4, partitioned" [400 20_000 36_000, 60_000 150_000] histories::partitioned::<Pendulum<$float>, Plain, 2, 1>;
            "pendulum, Runge–Kutta 4, tangent" [360 17_000 31_000, 60_000 150_000]
                |recorder| run::<Pendulum<$float>, 2, 1>(recorder, &LocalRungeKutta4::tangent());
            "double pendulum, Radau IIA 5" [13_000 400_000 700_000, 1_400_000 3_100_000]
                |recorder| run::<DoublePendulum<$float>, 4, 2>(recorder, &RadauIia::order_five());
            "Problem 5.2, general Radau IIA 3" [8_000 250_000 450_000, 900_000 2_000_000] daes::problem_5_2_radau::<$float>;
            "steering wheel, Radau IIA 3" [2_500 80_000 140_000, 300_000 750_000] daes::wheel_radau::<$float>;
            "steering wheel, BDF2" [750 24_000 43_000, 130_000 320_000] daes::wheel_bdf_2::<$float>;
            "steering wheel as M u' = F, Radau IIA 3" [3_500 100_000 180_000, 400_000 1_000_000] daes::wheel_implicit_radau::<$float>;
        }
    };
}

/// The same in single and in double precision.
#[inline]
pub fn stiff() -> [&'static [Run]; 2] {
    [stiff!(f32), stiff!(f64)]
}

/// Stiff forces that use the velocity.
macro_rules! actuator {
    ($float:ident) => {
        runs! { $float, 20;
            "stiff actuator, stabilised implicit Euler" [860 33_000 60_000, 160_000 370_000]
                |recorder| run::<StiffActuator<$float>, 2, 1>(recorder, &ImplicitEuler::new().projecting_velocities());
            "stiff actuator, BDF2" [840 34_000 60_000, 160_000 370_000] histories::bdf_2::<StiffActuator<$float>, Plain, 2, 1>;
            "stiff actuator, Radau IIA 3" [2_100 76_000 140_000, 310_000 770_000]
                |recorder| run::<StiffActuator<$float>, 2, 1>(recorder, &RadauIia::order_three());
        }
    };
}

/// Compensated and precise states of Radau IIA, BDF2 and local coordinates, in `f32`.
macro_rules! held_digits {
    ($float:ident) => {
        runs! { $float, 20;
            "pendulum, Radau IIA 3, compensated" [1_900 62_000 110_000]
                |recorder| run_with::<Pendulum<$float>, Compensated, 2, 1>(recorder, &RadauIia::order_three());
            "pendulum, Radau IIA 3, precise" [2_000 71_000 120_000]
                |recorder| run_with::<Pendulum<$float>, Precise, 2, 1>(recorder, &RadauIia::order_three());
            "pendulum, BDF2, compensated" [630 29_000 51_000] histories::bdf_2::<Pendulum<$float>, Compensated, 2, 1>;
            "pendulum, BDF2, precise" [810 39_000 67_000] histories::bdf_2::<Pendulum<$float>, Precise, 2, 1>;
            "pendulum, Runge–Kutta 4, tangent, compensated" [380 16_000 29_000]
                |recorder| run_with::<Pendulum<$float>, Compensated, 2, 1>(recorder, &LocalRungeKutta4::tangent());
            "pendulum, Runge–Kutta 4, tangent, precise" [510 25_000 45_000]
                |recorder| run_with::<Pendulum<$float>, Precise, 2, 1>(recorder, &LocalRungeKutta4::tangent());
            "pendulum, Runge–Kutta 4, partitioned, compensated" [380 16_000 29_000]
                histories::partitioned::<Pendulum<$float>, Compensated, 2, 1>;
            "pendulum, Runge–Kutta 4, partitioned, precise" [510 25_000 44_000]
                histories::partitioned::<Pendulum<$float>, Precise, 2, 1>;
        }
    };
}

/// A stiff actuator in single and in double precision, and methods for such systems with more digits.
#[inline]
pub fn actuator() -> [&'static [Run]; 3] {
    [actuator!(f32), held_digits!(f32), actuator!(f64)]
}

/// Systems with singular matrices.
macro_rules! structure {
    ($float:ident) => {
        runs! { $float, 20;
            "pencils of index 1 and 2, implicit Euler" [6_600 74_000 130_000, 120_000 320_000] pencils::<$float>;
            "index 1 and 2 together, implicit Euler" [1_200 30_000 52_000, 130_000 320_000]
                |recorder| both::<$float, _>(recorder, &ImplicitEuler::new());
            "index 1 and 2 together, half-explicit 4" [7_700 160_000 280_000, 670_000 1_600_000]
                |recorder| both::<$float, _>(recorder, &HalfExplicit::order_four());
            "index 1 and 2 together, Radau IIA 3" [3_400 88_000 160_000, 400_000 960_000]
                |recorder| both::<$float, _>(recorder, &RadauIia::order_three());
            "slider without mass, RATTLE" [900 90_000 160_000, 200_000 510_000] |recorder| connector::<$float>(recorder, &Rattle::new());
            "slider without mass, Runge–Kutta 4" [2_200 150_000 280_000, 290_000 750_000]
                |recorder| connector::<$float>(recorder, &RungeKutta4::new());
            "slider without mass, implicit Euler" [7_700 230_000 390_000, 1_200_000 2_300_000]
                |recorder| connector::<$float>(recorder, &ImplicitEuler::new());
        }
    };
}

/// The same in single and in double precision.
#[inline]
pub fn structure() -> [&'static [Run]; 2] {
    [structure!(f32), structure!(f64)]
}

/// Serial mechanisms with Runge–Kutta, and with a redundant constraint.
macro_rules! serial {
    ($float:ident) => {
        runs! { $float, 20;
            "serial chain of 16, Runge–Kutta 4" [14_000 390_000 690_000, 640_000 1_800_000]
                |recorder| hanging_chain::<$float>(recorder, &RungeKutta4::new());
            "suspended chain of 9, Runge–Kutta 4" [8_700 240_000 430_000, 400_000 1_100_000]
                |recorder| suspended_chain::<$float>(recorder, &RungeKutta4::new());
            "ring of 4 bars, Runge–Kutta 4" [20_000 710_000 1_300_000, 1_600_000 4_000_000]
                |recorder| ring_of_bars::<$float>(recorder, &RungeKutta4::new());
            "tree of 7, Runge–Kutta 4" [21_000 340_000 630_000, 610_000 1_600_000] |recorder| mobile::<$float>(recorder, &RungeKutta4::new());
            "chain of 9 in space, by rank, RATTLE" [8_900 250_000 450_000, 610_000 1_300_000]
                |recorder| chain_in_space::<$float>(recorder, &Rattle::new());
            "chain of 9 in space, by rank, Runge–Kutta 4" [22_000 680_000 1_200_000, 1_200_000 2_700_000]
                |recorder| chain_in_space::<$float>(recorder, &RungeKutta4::new());
        }
    };
}

/// The same in single and in double precision.
#[inline]
pub fn serial() -> [&'static [Run]; 2] {
    [serial!(f32), serial!(f64)]
}

/// Charts, projections of matrices, and methods of low order for bodies that turn.
macro_rules! manifolds {
    ($float:ident) => {
        runs! { $float, 20;
            "globe, Runge–Kutta 4" [500 18_000 32_000, 50_000 120_000] globes::globe_projected::<$float>;
            "globe, projected stages" [800 30_000 55_000, 120_000 300_000] globes::globe_projected_stages::<$float>;
            "globe, tangent chart" [700 27_000 50_000, 100_000 250_000] globes::globe_tangent::<$float>;
            "globe, stereographic chart" [600 22_000 40_000, 50_000 120_000] globes::globe_stereographic::<$float>;
            "matrices, projected" [900 35_000 65_000, 250_000 600_000] globes::matrices::<$float>;
            "free body, Munthe-Kaas 1 and 2" [700 27_000 50_000, 75_000 190_000] attitude::free_body_explicit::<$float>;
            "coning motion, Magnus 2" [250 9_000 16_000, 25_000 60_000] attitude::coning_motion_order_2::<$float>;
        }
    };
}

/// The same in single and in double precision.
#[inline]
pub fn manifolds() -> [&'static [Run]; 2] {
    [manifolds!(f32), manifolds!(f64)]
}
