//! A method and the digits that a state carries.

use core::fmt;
use std::string::ToString;

use crate::method::NAMES;

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
    /// The [name](crate::method::Step::name) of the method: `half_explicit_2`.
    pub method: &'static str,
}

impl Way {
    /// From the words of a table: `half_explicit_2 compensated-f32`. `None` for anything else.
    pub fn from_words(words: &str) -> Option<Self> {
        let (method, precision) = words.split_once(' ')?;
        let (digits, base) = precision.split_once('-')?;
        let method = NAMES.into_iter().find(|known| *known == method)?;
        let digits = Digits::ALL.into_iter().find(|known| known.to_string() == digits)?;
        let base = ["f32", "f64"].into_iter().find(|known| *known == base)?;
        Some(Self { base, digits, method })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} {}", self.method, self.digits, self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn every_way_is_read_from_its_words() {
        for method in NAMES {
            for digits in Digits::ALL {
                for base in ["f32", "f64"] {
                    let words = format!("{method} {digits}-{base}");
                    assert_eq!(Way::from_words(&words), Some(Way { base, digits, method }));
                }
            }
        }
        for wrong in ["", "rattle", "rattle plain", "rattle plain-f16", "rattles plain-f32", "rattle  plain-f32"] {
            assert_eq!(Way::from_words(wrong), None, "{wrong}");
        }
    }
}
