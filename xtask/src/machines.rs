//! The emulated machines and how a test program gets onto each.
