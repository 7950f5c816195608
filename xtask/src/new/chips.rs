//! The chips that `new` makes firmware for: their memory maps, HALs and clocks.
//!
//! Two of the boards are missing. The micro:bit's nRF51 has no SysTick and 16 KB of RAM, and the HiFive1 is no Cortex-M: their timers need a
//! beat of their own, as `boards/microbit` and `boards/hifive1` have, and without an FPU they are too slow for most machines.

use anyhow::{Context, Result};

/// A board that `new` knows.
pub struct Chip {
    /// The name of the board and of its firmware.
    pub name: &'static str,
    /// Its product name, its chip and its core.
    pub title: &'static str,
    /// Rust's name for its instruction set.
    pub target: &'static str,
    /// Its processor's clock, Hz.
    pub clock: u32,
    /// probe-rs's name for the chip.
    pub probe: &'static str,
    /// The HAL: lines of `Cargo.toml`, all optional.
    pub hal: &'static [(&'static str, &'static str)],
    /// Its memory map, `board.x`.
    pub memory: &'static str,
    /// `chip.rs`, which starts the clock.
    pub start: &'static str,
    /// An expression of that file: where the clock comes from.
    pub source: &'static str,
}

const M0: &str = "thumbv6m-none-eabi";
const M4F: &str = "thumbv7em-none-eabihf";
const M33: &str = "thumbv8m.main-none-eabihf";

const F4: &str = include_str!("chips/stm32f4.rs");
const NRF52: &str = include_str!("chips/nrf52.rs");

/// A row of the table, with the files that belong to it.
macro_rules! chip {
    ($name:literal, $title:literal, $target:ident, $clock:literal, $probe:literal, $hal:expr, $memory:literal, $start:expr, $source:literal) => {
        Chip {
            name: $name,
            title: $title,
            target: $target,
            clock: $clock,
            probe: $probe,
            hal: &$hal,
            memory: include_str!($memory),
            start: $start,
            source: $source,
        }
    };
}

/// The default one first: it is also the one that is emulated.
#[rustfmt::skip]
pub const CHIPS: [Chip; 11] = [
    chip!("olimex-h405", "Olimex STM32-H405 (STM32F405, Cortex-M4F)", M4F, 168_000_000, "STM32F405RGTx",
        [("stm32f4xx-hal", r#"version = "0.23", features = ["stm32f405"]"#)], "../../../boards/olimex-h405/memory.x", F4, "Config::hse(8.MHz())"),
    chip!("nucleo-f446re", "STM32 Nucleo-F446RE (Cortex-M4F)", M4F, 180_000_000, "STM32F446RETx",
        [("stm32f4xx-hal", r#"version = "0.23", features = ["stm32f446"]"#)], "chips/nucleo-f446re.x", F4, "Config::hse(8.MHz()).bypass_hse_oscillator()"),
    chip!("blackpill-f411", "WeAct Black Pill (STM32F411, Cortex-M4F)", M4F, 100_000_000, "STM32F411CEUx",
        [("stm32f4xx-hal", r#"version = "0.23", features = ["stm32f411"]"#)], "chips/blackpill-f411.x", F4, "Config::hse(25.MHz())"),
    chip!("nucleo-g474re", "STM32 Nucleo-G474RE (Cortex-M4F)", M4F, 170_000_000, "STM32G474RETx",
        [("stm32g4xx-hal", r#"version = "0.1", features = ["stm32g474"]"#)], "../../../boards/nucleo-g474re/memory.x", include_str!("chips/stm32g4.rs"), ""),
    chip!("nucleo-f303re", "STM32 Nucleo-F303RE (Cortex-M4F)", M4F, 72_000_000, "STM32F303RETx",
        [("stm32f3xx-hal", r#"version = "0.10", features = ["ld", "rt", "stm32f303xe"]"#)], "chips/nucleo-f303re.x", include_str!("chips/stm32f3.rs"), ""),
    chip!("nucleo-l476rg", "STM32 Nucleo-L476RG (Cortex-M4F)", M4F, 80_000_000, "STM32L476RGTx",
        [("stm32l4xx-hal", r#"version = "0.7", features = ["rt", "stm32l476"]"#)], "chips/nucleo-l476rg.x", include_str!("chips/stm32l4.rs"), ""),
    chip!("nucleo-h743zi", "STM32 Nucleo-H743ZI (Cortex-M7)", M4F, 400_000_000, "STM32H743ZITx",
        [("stm32h7xx-hal", r#"version = "0.16", features = ["rt", "stm32h743v"]"#)], "chips/nucleo-h743zi.x", include_str!("chips/stm32h7.rs"), ""),
    chip!("nrf52840-dk", "nRF52840-DK (Cortex-M4F)", M4F, 64_000_000, "nRF52840_xxAA",
        [("nrf52840-hal", r#"version = "0.19", default-features = false, features = ["rt"]"#)], "../../../boards/nrf52840-dk/memory.x", NRF52, ""),
    chip!("nrf52832-dk", "nRF52-DK (nRF52832, Cortex-M4F)", M4F, 64_000_000, "nRF52832_xxAA",
        [("nrf52832-hal", r#"version = "0.19", default-features = false, features = ["rt", "xxAA-package"]"#)], "chips/nrf52832-dk.x", NRF52, ""),
    chip!("pico", "Raspberry Pi Pico (RP2040, Cortex-M0+)", M0, 125_000_000, "RP2040",
        [("rp2040-hal", r#"version = "0.12", features = ["rt"]"#), ("rp2040-boot2", r#"version = "0.3""#)], "chips/pico.x", include_str!("chips/rp2040.rs"), ""),
    chip!("pico2", "Raspberry Pi Pico 2 (RP2350, Cortex-M33)", M33, 150_000_000, "RP235x",
        [("rp235x-hal", r#"version = "0.4", features = ["rt"]"#)], "../../../boards/pico2/memory.x", include_str!("chips/rp2350.rs"), ""),
];

impl Chip {
    /// Finds a chip by the name of its board.
    pub fn named(name: &str) -> Result<&'static Self> {
        let names = || CHIPS.map(|chip| chip.name).join(", ");
        CHIPS
            .iter()
            .find(|chip| chip.name == name)
            .with_context(|| format!("unknown board {name}; there are {}", names()))
    }
}
