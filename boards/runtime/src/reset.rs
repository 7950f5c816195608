//! Why the chip started: each board reads its register at the start, logs the cause and clears it.

/// Why the chip started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// The supply was switched on.
    PowerOn,
    /// The supply was too low for a while.
    BrownOut,
    /// The reset pin.
    Pin,
    /// A watchdog was not fed, or the one with a window was fed too soon: the loop hung, was late or ran too fast.
    Watchdog,
    /// The program asked for it.
    Software,
    /// The processor locked up: a fault in its fault handler.
    Lockup,
    /// A debugger.
    Debugger,
    /// The chip woke up from a low-power mode.
    WakeUp,
    /// The register names no cause.
    Unknown,
}

impl ResetCause {
    /// The first cause of a table whose bits are set in a register; [`Unknown`](Self::Unknown) if none is. Several bits may be set:
    /// most chips also report the reset pin after a watchdog, so the pin comes last in the table.
    pub fn of(register: u32, table: &[(u32, Self)]) -> Self {
        table.iter().find(|(bits, _)| register & bits != 0).map_or(Self::Unknown, |(_, cause)| *cause)
    }

    /// Its name in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PowerOn => "power-on",
            Self::BrownOut => "brown-out",
            Self::Pin => "pin",
            Self::Watchdog => "watchdog",
            Self::Software => "software",
            Self::Lockup => "lockup",
            Self::Debugger => "debugger",
            Self::WakeUp => "wake-up",
            Self::Unknown => "unknown",
        }
    }

    /// Logs it: `reset cause=watchdog`.
    pub fn log(self) {
        defmt::info!("reset cause={=str}", self.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watchdog_is_reported_though_the_pin_is_set_too() {
        let table = [(0b1100, ResetCause::Watchdog), (0b10, ResetCause::PowerOn), (0b1, ResetCause::Pin)];
        let causes = [0b1001, 0b0101, 0b11, 0b1, 0b1_0000].map(|register| ResetCause::of(register, &table).name());
        assert_eq!(causes, ["watchdog", "watchdog", "power-on", "pin", "unknown"]);
    }
}
