//! No path to a panic is linked into the kernels.

/// Not there yet.
pub fn run() -> anyhow::Result<()> {
    Ok(())
}
