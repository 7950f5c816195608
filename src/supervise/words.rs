//! Names of states, requests, outputs, codes and faults in logs and messages.

/// Gives every variant of an enum its name: `name`, `ALL` and `Display`.
macro_rules! words {
    ($Enum:ident: $($Variant:ident = $name:literal),+ $(,)?) => {
        impl $Enum {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name),+
                }
            }
        }

        impl core::fmt::Display for $Enum {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(super) use words;
