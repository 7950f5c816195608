//! Compiles the C: three systems in single and in double precision, chains in single precision.

use std::env;
use std::path::Path;

/// As many links as the chains of `src/lib.rs`.
const LINKS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The usual flags of gcc for fast code on an STM32F405. Fused operations are off, as in taut.
const CORTEX_M4F: [&str; 5] =
    ["-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-ffunction-sections"];

fn main() {
    println!("cargo::rerun-if-changed=c");
    for precision in ["f32", "f64"] {
        for system in ["pendulum", "double_pendulum", "four_bar"] {
            compile(system, system, precision, None);
        }
    }
    if is_cortex_m4f() {
        link_mathematics();
    }
    for links in LINKS {
        compile("chain", &format!("chain_{links}"), "f32", Some(links));
    }
}

fn compile(source: &str, name: &str, precision: &str, links: Option<usize>) {
    let mut build = cc::Build::new();
    build.file(format!("c/{source}.c"));
    // The same in every profile, so that a debug build tests the same code.
    build.opt_level(3).debug(false).warnings(true).extra_warnings(true);
    // Without the second flag, every square root would check the sign of its argument, to set errno.
    build.flags(["-std=c99", "-ffp-contract=off", "-fno-math-errno"]);
    if is_cortex_m4f() {
        build.no_default_flags(true).flag("-O3").flags(CORTEX_M4F);
    }
    build.define("LINKAGE(name)", format!("{name}_{precision}_##name").as_str());
    if precision == "f32" {
        build.define("SINGLE", None);
    }
    if let Some(links) = links {
        build.define("LINKS", links.to_string().as_str());
    }
    build.compile(&format!("{name}_{precision}"));
}

fn is_cortex_m4f() -> bool {
    env::var("TARGET").is_ok_and(|target| target == "thumbv7em-none-eabihf")
}

/// Links the sine and cosine of the compiler's own C library, as a C program would. Rust would link functions that compute in double
/// precision, which take five times as long here.
fn link_mathematics() {
    let compiler = cc::Build::new().get_compiler();
    let output = compiler.to_command().args(CORTEX_M4F).arg("-print-file-name=libm.a").output();
    let output = output.expect("the C compiler answers").stdout;
    let file = String::from_utf8(output).expect("a readable path");
    let folder = Path::new(file.trim()).parent().expect("a file in a folder");
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=m");
}
