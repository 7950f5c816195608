//! `cargo xtask import FILE` prints the list of parts of a mechanism that is an MJCF or a URDF file.
//!
//! Both formats become a [`Model`](model::Model) of bodies and joints in the reference pose, which [`print`](mod@print) writes as Rust. What the
//! list cannot say is named in its first comment and on the standard error. That is why the readers of both formats are our own, on top of
//! `roxmltree`: the crates `mjcf-rs` and `urdf-rs` silently drop the elements and attributes that they do not know.

mod inertia;
mod loops;
mod mjcf;
mod model;
mod names;
mod print;
mod rank;
#[cfg(test)]
mod tests;
mod urdf;
mod xml;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

/// The options of the command.
#[derive(Args)]
pub struct Options {
    /// An MJCF or a URDF file
    file: PathBuf,
    /// The loops of a URDF file, a list in TOML: `[[loop]]` with name, kind (ball, hinge, weld), links, points, and the axis of a hinge
    #[arg(long, value_name = "FILE")]
    loops: Option<PathBuf>,
}

/// Prints the list.
pub fn run(options: &Options) -> Result<()> {
    let Imported { list, notes } = import(&options.file, options.loops.as_deref())?;
    for note in notes {
        eprintln!("{note}");
    }
    print!("{list}");
    Ok(())
}

/// A list in Rust, and what it does not say.
struct Imported {
    list: String,
    notes: Vec<String>,
}

fn import(file: &Path, loops: Option<&Path>) -> Result<Imported> {
    let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let loops = loops.map(|path| Ok::<_, anyhow::Error>((name(path), read(path)?))).transpose()?;
    convert(&name(file), &read(file)?, loops.as_ref().map(|(name, text)| (&name[..], &text[..])))
}

fn convert(name: &str, text: &str, loops: Option<(&str, &str)>) -> Result<Imported> {
    let document = xml::parse(name, text)?;
    let file = xml::File::new(name, &document);
    let root = file.root();
    let mut model = match root.tag() {
        "mujoco" => {
            ensure!(loops.is_none(), "{name}: MJCF has its loops in <equality>, and no list of them");
            mjcf::read(&root)?
        }
        "robot" => urdf::read(&root)?,
        other => bail!(root.error(format_args!("neither MJCF nor URDF begins with `{other}`"))),
    };
    if let Some((name, text)) = loops {
        loops::close(name, text, &mut model)?;
    }
    if model.name.is_empty() {
        model.name = name.rsplit_once('.').map_or(name, |(stem, _)| stem).into();
    }
    let fused = model.fuse()?;
    let notes = file.into_notes();
    let list = print::list(&model, name, &fused, &notes)?;
    Ok(Imported { list, notes })
}
