//! The clock tree: 320 MHz from the board's 16 MHz crystal, and 32,768 Hz from its slow crystal (FE310-G002 manual, clock generation).

use e310x::{Aonclk, CLINT, Prci};

/// Brings the core to its full speed.
pub fn start(prci: &Prci, slow: &Aonclk) {
    // Run from the internal oscillator while the PLL is changed: 72 MHz, untrimmed, divided by 5.
    // SAFETY: values from the manual.
    prci.hfrosccfg().write(|w| unsafe { w.div().bits(4).trim().bits(16).enable().set_bit() });
    while prci.hfrosccfg().read().ready().bit_is_clear() {}
    prci.pllcfg().modify(|_, w| w.sel().clear_bit().bypass().set_bit());

    prci.hfxosccfg().write(|w| w.enable().set_bit());
    while prci.hfxosccfg().read().ready().bit_is_clear() {}

    // 16 MHz / 2 × 2 (39 + 1) / 2, with no further division.
    prci.pllcfg().modify(|_, w| w.refsel().set_bit());
    // SAFETY: 8, 640 and 320 MHz are within the manual's limits.
    prci.pllcfg().modify(|_, w| unsafe { w.pllr().r2().pllf().bits(39).pllq().q2().bypass().clear_bit() });
    prci.plloutdiv().write(|w| w.divby1().set_bit());
    // For 100 µs the PLL may report a lock that it does not have: wait four counts of 32,768 Hz.
    let timer = CLINT::mtimer().mtime;
    let settled = timer.read() + 4;
    while timer.read() < settled {}
    while prci.pllcfg().read().lock().bit_is_clear() {}
    prci.pllcfg().modify(|_, w| w.sel().set_bit());
    prci.hfrosccfg().write(|w| w.enable().clear_bit());

    // The timer runs from the board's slow crystal; the internal slow oscillator is not needed.
    slow.lfrosccfg().write(|w| w.enable().clear_bit());
}
