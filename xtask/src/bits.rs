//! The same bits on every target.

/// Not there yet.
pub fn run() -> anyhow::Result<()> {
    Ok(())
}
