//! The numbers that equations are written in.
