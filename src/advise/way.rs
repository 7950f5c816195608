//! What can be chosen besides the rate: the method, and the digits that a state carries.

use core::fmt;
use core::str::FromStr;
use std::string::ToString;

/// A method with its default number of Newton iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// [`Rattle`](crate::method::Rattle).
    Rattle,
    /// [`Composition::suzuki`](crate::method::Composition::suzuki).
    Suzuki,
    /// [`Composition::kahan_li`](crate::method::Composition::kahan_li).
    KahanLi,
    /// [`SymplecticEuler`](crate::method::SymplecticEuler).
    SymplecticEuler,
    /// [`HalfExplicit::order_one`](crate::method::HalfExplicit::order_one).
    HalfExplicit1,
    /// [`HalfExplicit::order_two`](crate::method::HalfExplicit::order_two).
    HalfExplicit2,
    /// [`HalfExplicit::order_three`](crate::method::HalfExplicit::order_three).
    HalfExplicit3,
    /// [`HalfExplicit::order_four`](crate::method::HalfExplicit::order_four).
    HalfExplicit4,
    /// [`RungeKutta4`](crate::method::RungeKutta4) with both projections.
    RungeKutta4,
    /// [`RungeKutta8`](crate::method::RungeKutta8).
    RungeKutta8,
    /// [`ImplicitEuler`](crate::method::ImplicitEuler) on the position level, velocities projected.
    ImplicitEuler,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Rattle,
        Self::Suzuki,
        Self::KahanLi,
        Self::SymplecticEuler,
        Self::HalfExplicit1,
        Self::HalfExplicit2,
        Self::HalfExplicit3,
        Self::HalfExplicit4,
        Self::RungeKutta4,
        Self::RungeKutta8,
        Self::ImplicitEuler,
    ];

    /// A word for tables that programs read: `half_explicit_2`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rattle => "rattle",
            Self::Suzuki => "suzuki",
            Self::KahanLi => "kahan_li",
            Self::SymplecticEuler => "symplectic_euler",
            Self::HalfExplicit1 => "half_explicit_1",
            Self::HalfExplicit2 => "half_explicit_2",
            Self::HalfExplicit3 => "half_explicit_3",
            Self::HalfExplicit4 => "half_explicit_4",
            Self::RungeKutta4 => "runge_kutta_4",
            Self::RungeKutta8 => "runge_kutta_8",
            Self::ImplicitEuler => "implicit_euler",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rattle => "RATTLE",
            Self::Suzuki => "Suzuki, order 4",
            Self::KahanLi => "Kahan–Li, order 6",
            Self::SymplecticEuler => "symplectic Euler",
            Self::HalfExplicit1 => "half-explicit, order 1",
            Self::HalfExplicit2 => "half-explicit, order 2",
            Self::HalfExplicit3 => "half-explicit, order 3",
            Self::HalfExplicit4 => "half-explicit, order 4",
            Self::RungeKutta4 => "Runge–Kutta 4, projected",
            Self::RungeKutta8 => "Runge–Kutta 8, projected",
            Self::ImplicitEuler => "implicit Euler",
        })
    }
}

/// How many digits a state carries; see [`precision`](crate::start::precision).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digits {
    /// [`Plain`](crate::start::Plain).
    Plain,
    /// [`Compensated`](crate::start::Compensated).
    Compensated,
    /// [`Precise`](crate::start::Precise).
    Precise,
}

impl Digits {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Compensated, Self::Precise];
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Compensated => "compensated",
            Self::Precise => "precise",
        })
    }
}

/// A method in a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// The base scalar of the model, `f32` or `f64`.
    pub base: &'static str,
    /// The digits of the state.
    pub digits: Digits,
    /// The method.
    pub method: Method,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} {}", self.method, self.digits, self.base)
    }
}

/// A word that is not one of [`Way::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWay;

impl fmt::Display for UnknownWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a method and a precision, like rattle plain-f32")
    }
}

impl core::error::Error for UnknownWay {}

impl FromStr for Way {
    type Err = UnknownWay;

    /// From the words of a table: `half_explicit_2 compensated-f32`.
    fn from_str(words: &str) -> Result<Self, UnknownWay> {
        let (method, precision) = words.split_once(' ').ok_or(UnknownWay)?;
        let (digits, base) = precision.split_once('-').ok_or(UnknownWay)?;
        let method = Method::ALL.into_iter().find(|known| known.word() == method).ok_or(UnknownWay)?;
        let digits = Digits::ALL.into_iter().find(|known| known.to_string() == digits).ok_or(UnknownWay)?;
        let base = ["f32", "f64"].into_iter().find(|known| *known == base).ok_or(UnknownWay)?;
        Ok(Self { base, digits, method })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn every_way_is_read_from_its_words() {
        for method in Method::ALL {
            for digits in Digits::ALL {
                for base in ["f32", "f64"] {
                    let words = format!("{} {digits}-{base}", method.word());
                    assert_eq!(words.parse(), Ok(Way { base, digits, method }));
                }
            }
        }
        for wrong in ["", "rattle", "rattle plain", "rattle plain-f16", "rattles plain-f32", "rattle  plain-f32"] {
            assert_eq!(wrong.parse::<Way>(), Err(UnknownWay), "{wrong}");
        }
    }
}
