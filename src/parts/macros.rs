//! The list of parts as Rust's compiler reads it.

use crate::scalar::Float;

/// A literal of a list in the scalar of the mechanism: a number, or a position.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given here",
    label = "write a number as `2.0` and a position as `[0.0, 1.0]`; `near` is for parts with coordinates"
)]
pub trait Given<T> {
    /// Rounds it.
    fn given(self) -> T;
}

// An error is about what cannot be given, not about the scalar.
#[diagnostic::do_not_recommend]
impl<T: Float> Given<T> for f64 {
    fn given(self) -> T {
        T::from_f64(self)
    }
}

impl<T: Float, const D: usize> Given<[T; D]> for [f64; D] {
    fn given(self) -> [T; D] {
        self.map(T::from_f64)
    }
}

/// Describes a mechanism as a list of parts. See the page of [`parts`](crate::parts).
#[macro_export]
macro_rules! mechanism {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident in $dimension:ident, arms as $mode:ident $(, $word:ident)? {
            $($part:tt: $kind:tt $(($($on:tt),*))? { $($field:ident: $value:expr),* $(,)? } $(near $near:expr)?),*
            $(,)?
        }
        $(gravity $gravity:expr;)?
        $(motors $($motor:ident),+;)?
        $(encoders $($encoder:ident),+;)?
        $(output $($output:ident),+;)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $visibility struct $name<T> {
            $(#[doc = concat!("The part `", stringify!($part), "`.")] pub $part: $crate::parts::$dimension::$mode::$kind<T>,)*
            /// The acceleration of gravity, along −y in the plane and −z in space.
            pub gravity: T,
        }

        // The compiler underlines the words of the list in an error if an argument or a function is one of them, and nothing else. So the
        // words are `tt`, and functions are imported by the name of the kind.
        #[allow(non_upper_case_globals, non_camel_case_types, unused_variables, unused_assignments)]
        const _: () = {
            use $crate::parts::by_hand::{self as items_of_parts, Described, Entry, Given, List, Part, Pose, Visitor};
            use $crate::parts::{BuildError, Mechanism, Problem, $dimension::{self as dimension_of_list, $mode as kinds_of_list}};

            #[repr(usize)]
            enum Ordinal { $($part),* }

            const TABLE_OF_LIST: &[Entry] = &[$(Entry {
                name: stringify!($part),
                kind: <kinds_of_list::$kind<f32> as Described<f32>>::KIND,
                on: &[$($(Ordinal::$on as usize),*)?],
            }),*];
            const COORDINATES_OF_LIST: usize = items_of_parts::coordinates(TABLE_OF_LIST);
            const CONSTRAINTS_OF_LIST: usize = items_of_parts::constraints(TABLE_OF_LIST);
            const OUTPUTS_OF_LIST: &[usize] = &[$($(Ordinal::$output as usize),+)?];
            const MOTORS_OF_LIST: &[usize] = &[$($(Ordinal::$motor as usize),+)?];
            const ENCODERS_OF_LIST: &[usize] = &[$($(Ordinal::$encoder as usize),+)?];
            const REDUNDANT_OF_LIST: bool = items_of_parts::redundant(&[$(stringify!($word))?]);
            const _: () = assert!(
                items_of_parts::movable(TABLE_OF_LIST, REDUNDANT_OF_LIST),
                concat!("`", stringify!($name), "` is over-constrained: with as many constraints as coordinates nothing can move; ",
                    "if some depend on others, say `redundant` in the header")
            );
            $(const _: () = assert!(
                items_of_parts::on_different_parts(TABLE_OF_LIST, Ordinal::$part as usize),
                concat!("`", stringify!($part), "` is on the same part twice")
            );)*
            $($(const _: () = assert!(
                items_of_parts::has_shaft(TABLE_OF_LIST, Ordinal::$motor as usize),
                concat!("motors: `", stringify!($motor), "` has no motor, because it neither turns nor slides")
            );)+)?
            $($(const _: () = assert!(
                items_of_parts::has_shaft(TABLE_OF_LIST, Ordinal::$encoder as usize),
                concat!("encoders: `", stringify!($encoder), "` has no encoder, because it neither turns nor slides")
            );)+)?
            $($(const _: () = assert!(
                items_of_parts::named_once(MOTORS_OF_LIST, Ordinal::$motor as usize),
                concat!("motors: `", stringify!($motor), "` is named twice")
            );)+)?
            $($(const _: () = assert!(
                items_of_parts::named_once(ENCODERS_OF_LIST, Ordinal::$encoder as usize),
                concat!("encoders: `", stringify!($encoder), "` is named twice")
            );)+)?
            $($(const _: () = assert!(
                items_of_parts::named_once(OUTPUTS_OF_LIST, Ordinal::$output as usize),
                concat!("output: `", stringify!($output), "` is named twice")
            );)+)?
            const _: () = assert!(
                items_of_parts::encoders_fit(MOTORS_OF_LIST, ENCODERS_OF_LIST),
                concat!("encoders", $($(" `", stringify!($encoder), "`",)+)? ": name the motors first, in their order,",
                    $($(" `", stringify!($motor), "`",)+)? "; others may follow")
            );
            const _: () = assert!(
                MOTORS_OF_LIST.len() == items_of_parts::outputs(TABLE_OF_LIST, OUTPUTS_OF_LIST),
                concat!("a mechanism has as many motors as numbers in its output: motors", $($(" `", stringify!($motor), "`",)+)?
                    "; output", $($(" `", stringify!($output), "`",)+)? ", of which a point has a number for each axis")
            );

            impl<T> $name<T> {
                /// How many coordinates, constraints, motors and encoders it has.
                pub const SIZES: [usize; 4] =
                    [COORDINATES_OF_LIST, CONSTRAINTS_OF_LIST, MOTORS_OF_LIST.len(), ENCODERS_OF_LIST.len()];
            }

            impl<T: $crate::scalar::Float> $name<T> {
                /// The parameters of the list. Gravity is 9.81 m/s² if the list says nothing else.
                pub fn new() -> Self {
                    Self {
                        $($part: { use kinds_of_list::*; $kind { $($field: Given::given($value)),* } },)*
                        gravity: { let gravity = 9.81; $(let gravity = $gravity;)? Given::given(gravity) },
                    }
                }

                /// Checks the parameters, sums the masses and assembles the mechanism. The error names the part that is wrong.
                pub fn build(&self) -> Result<Mechanism<Self, COORDINATES_OF_LIST, CONSTRAINTS_OF_LIST>, BuildError<T>> {
                    Mechanism::build(self)
                }

                /// The same for kinematics alone: the masses may be zero.
                pub fn build_kinematics(
                    &self,
                ) -> Result<Mechanism<Self, COORDINATES_OF_LIST, CONSTRAINTS_OF_LIST>, BuildError<T>> {
                    Mechanism::build_kinematics(self)
                }
            }

            impl<T: $crate::scalar::Float> Default for $name<T> {
                fn default() -> Self {
                    Self::new()
                }
            }

            impl<T: $crate::scalar::Float> List<COORDINATES_OF_LIST, CONSTRAINTS_OF_LIST> for $name<T> {
                type Base = T;
                type Mass = items_of_parts::MassOf<Self, T, { items_of_parts::varies(TABLE_OF_LIST) }, COORDINATES_OF_LIST, CONSTRAINTS_OF_LIST>;

                type Factors = items_of_parts::FactorsOf<T, REDUNDANT_OF_LIST, CONSTRAINTS_OF_LIST>;

                const TABLE: &'static [Entry] = TABLE_OF_LIST;
                const WIRING: items_of_parts::Wiring =
                    items_of_parts::Wiring { motors: MOTORS_OF_LIST, encoders: ENCODERS_OF_LIST, outputs: OUTPUTS_OF_LIST };

                #[inline(always)]
                fn gravity(&self) -> T {
                    self.gravity
                }

                #[inline(always)]
                fn visit<S: $crate::scalar::Real<Base = T>>(
                    &self,
                    pose: &Pose<'_, S, COORDINATES_OF_LIST>,
                    visitor: &mut impl Visitor<S>,
                ) {
                    $(
                        let slot = const { items_of_parts::slot(TABLE_OF_LIST, Ordinal::$part as usize) };
                        let on = ($($($on,)*)?);
                        let $part = &self.$part;
                        let $part = { use items_of_parts::placed as $kind; $kind($part, on, pose, slot) };
                        { let $part = &$part; visitor.part::<{ dimension_of_list::D }>(slot, $part) };
                    )*
                    $($(visitor.motor(&$motor);)+)?
                    $($(visitor.encoder(&$encoder);)+)?
                    $($(visitor.output(&$output);)+)?
                }

                fn check(&self) -> Result<(), (usize, Problem<T>)> {
                    $(Described::check(&self.$part).map_err(|problem| (Ordinal::$part as usize, problem))?;)*
                    Ok(())
                }

                #[inline(always)]
                fn guess(&self, q: &mut [T; COORDINATES_OF_LIST]) {
                    $(
                        let slot = const { items_of_parts::slot(TABLE_OF_LIST, Ordinal::$part as usize) };
                        let near = None $(.or(Some(Given::given($near))))?;
                        let on = ($($($on,)*)?);
                        let $part = self.$part;
                        let $part = { use items_of_parts::guessed as $kind; $kind($part, near, on, (self, &mut *q), slot) };
                    )*
                }
            }

            impl<T> items_of_parts::Motorised<{ MOTORS_OF_LIST.len() }> for $name<T> {}
            impl<T> items_of_parts::Encoded<{ ENCODERS_OF_LIST.len() }> for $name<T> {}
        };
    };

    // Without the word for the arms: angles for a machine with motors, points for a simulation.
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident in $dimension:ident $(, $word:ident)? { $($parts:tt)* }
        $(gravity $gravity:expr;)?
        motors $($wiring:tt)*
    ) => {
        $crate::mechanism! {
            $(#[$meta])* $visibility struct $name in $dimension, arms as angles $(, $word)? { $($parts)* }
            $(gravity $gravity;)?
            motors $($wiring)*
        }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident in $dimension:ident $(, $word:ident)? { $($parts:tt)* }
        $(gravity $gravity:expr;)?
    ) => {
        $crate::mechanism! {
            $(#[$meta])* $visibility struct $name in $dimension, arms as points $(, $word)? { $($parts)* }
            $(gravity $gravity;)?
        }
    };
}
