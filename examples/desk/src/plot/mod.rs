//! Plots: charts on a page, written as SVG or PNG. Lines differ in dashes and greys, not in colours alone.
//!
//! This module writes SVG itself and pixels with tiny-skia, with an embedded font, so that every computer draws the same plot.

mod animation;
mod axis;
mod chart;
mod closed_loop;
mod curve;
mod drawing;
mod font;
mod link;
mod png;
mod svg;
mod view;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

pub use animation::Animation;
pub use chart::Chart;
use chart::Frame;
pub use closed_loop::{Tick, closed_loop};
pub use curve::Curve;
use drawing::{Anchor, Drawing};
pub use drawing::{Ink, Stroke};
pub use link::{Kind, Link};
pub use view::{Place, View};

/// Rows of charts under a title.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    rows: Vec<(f64, Vec<Chart>)>,
}

/// The width of every page, in points.
const WIDTH: f64 = 860.0;

/// The height of its title.
const TITLE: f64 = 34.0;

impl Page {
    /// A page without charts.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new() }
    }

    /// Adds a row of charts of equal width with this height in points.
    pub fn row(mut self, height: u32, charts: impl IntoIterator<Item = Chart>) -> Self {
        self.rows.push((f64::from(height), charts.into_iter().collect()));
        self
    }

    fn drawing(&self) -> Drawing {
        let height = TITLE + self.rows.iter().map(|(height, _)| height).sum::<f64>() + 6.0;
        let mut drawing = Drawing::new(WIDTH, height);
        drawing.words([WIDTH / 2.0, 24.0], &self.title, 16.0, Anchor::Middle);
        let mut y = TITLE;
        for (height, charts) in &self.rows {
            let width = WIDTH / charts.len().max(1) as f64;
            for (index, chart) in charts.iter().enumerate() {
                chart.draw(&mut drawing, Frame { x: index as f64 * width, y, width, height: *height });
            }
            y += height;
        }
        drawing
    }

    /// As the text of an SVG without blank lines, so that a page of documentation can include it.
    pub fn svg(&self) -> String {
        svg::svg(&self.drawing())
    }

    /// Writes it in the format of the file's ending.
    pub fn write(&self, file: &Path) -> Result<(), PlotError> {
        let drawing = self.drawing();
        let written = match Format::of(file)? {
            Format::Svg => svg::svg(&drawing).into_bytes(),
            Format::Png => png::png(&drawing).ok_or_else(|| PlotError::Empty { file: file.into() })?,
        };
        fs::write(file, written).map_err(|cause| PlotError::File { file: file.into(), cause })
    }
}

/// The format of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The format of a file, by its ending.
    pub fn of(file: &Path) -> Result<Self, PlotError> {
        match file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(PlotError::Format { file: file.into() }),
        }
    }
}

/// Why a plot was not written.
#[derive(Debug)]
pub enum PlotError {
    /// The ending of the file is not a known format.
    Format {
        /// The file.
        file: PathBuf,
    },
    /// The page has no area.
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file could not be written.
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format { file } => write!(f, "{}: a plot must end in .svg or .png", file.display()),
            Self::Empty { file } => write!(f, "{}: the page has no area", file.display()),
            Self::File { file, cause } => write!(f, "cannot write {}: {cause}", file.display()),
        }
    }
}

impl std::error::Error for PlotError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides() {
        assert_eq!(Format::of(Path::new("a/b.SVG")).unwrap(), Format::Svg);
        assert_eq!(Format::of(Path::new("b.png")).unwrap(), Format::Png);
        let error = Format::of(Path::new("plot.pdf")).unwrap_err().to_string();
        assert!(error.contains("plot.pdf") && error.contains(".svg or .png"), "{error}");
    }
}
