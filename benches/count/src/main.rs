//! Prints the cost of every step in taut and in C, in ticks of the counter. `cargo xtask compare` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cost;
#[cfg(target_os = "none")]
mod prepared;

on_target::program!(print_costs);
on_target::report_panics!();

#[cfg(target_os = "none")]
fn print_costs() {
    use mechanisms::{Chain, DoublePendulum, FourBar, Pendulum};

    use crate::cost::{Beginning, of_both, of_c, of_taut};
    use crate::prepared::Rods;

    on_target::measure::start();
    let prepared = ["prepared", "prepared_without_report"];
    let (pendulum, beginning) = (Pendulum::standard(), Beginning::at_rest([1.0, 0.0]));
    of_both("pendulum", pendulum, &beginning);
    of_taut("pendulum", &Rods::<1>::from(pendulum), &beginning, prepared);
    let (pendulum, beginning) = (DoublePendulum::standard(), Beginning::at_rest([1.0, 0.0, 2.0, 0.0]));
    of_both("double_pendulum", pendulum, &beginning);
    of_taut("double_pendulum", &Rods::<2>::from(pendulum), &beginning, prepared);
    of_both("four_bar", FourBar::standard(), &Beginning::four_bar());

    macro_rules! chains {
        ($of:ident: $($links:literal)*) => {$(
            let chain = Chain::<f32, { 2 * $links }, $links>::standard();
            let beginning = Beginning::at_rest(Chain::<f32, { 2 * $links }, $links>::position());
            $of(concat!("chain_", $links), chain, &beginning);
        )*};
    }
    chains! { of_both: 1 2 4 8 16 }
    // Starting taut with 32 links takes more stack than the chip has.
    chains! { of_c: 32 }
}

#[cfg(not(target_os = "none"))]
fn print_costs() {
    eprintln!("instructions are counted in the emulator: run `cargo xtask compare`");
}
