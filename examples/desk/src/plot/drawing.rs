//! The elements of a plot before it becomes SVG or PNG: lines, discs and words, in points from the upper left corner.

/// A place on the page.
pub type Point = [f64; 2];

/// A colour, as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8);

impl Ink {
    /// Almost black.
    pub const BLACK: Self = Self(25, 25, 25);
    /// Dark when printed in grey.
    pub const BLUE: Self = Self(0, 92, 175);
    /// Light when printed in grey.
    pub const ORANGE: Self = Self(230, 126, 0);
    /// The paper.
    pub const WHITE: Self = Self(255, 255, 255);

    /// From black at 0 to white at 1.
    pub fn grey(lightness: f64) -> Self {
        let level = (255.0 * lightness.clamp(0.0, 1.0)) as u8;
        Self(level, level, level)
    }
}

/// How a line is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width.
    pub width: f64,
    /// The lengths of dashes and gaps in turn; empty for a solid line.
    pub dashes: Vec<f64>,
}

impl Stroke {
    /// A solid line.
    pub fn solid(ink: Ink, width: f64) -> Self {
        Self { ink, width, dashes: Vec::new() }
    }

    /// The stroke of a chart's nth curve. The strokes differ in grey, too.
    pub fn nth(n: usize) -> Self {
        let (ink, width, dashes) = match n % 4 {
            0 => (Ink::BLACK, 1.4, vec![]),
            1 => (Ink::BLUE, 1.6, vec![7.0, 3.0]),
            2 => (Ink::ORANGE, 2.0, vec![1.8, 2.2]),
            _ => (Ink::grey(0.6), 2.6, vec![]),
        };
        Self { ink, width, dashes }
    }
}

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Words.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The baseline at the anchor.
    pub at: Point,
    /// The text.
    pub text: String,
    /// The height of the font.
    pub size: f64,
    /// The part of the text that is at `at`.
    pub anchor: Anchor,
    /// Whether they run upwards.
    pub upwards: bool,
}

/// One thing on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Vec<Point>, Stroke),
    /// A filled circle with a rim.
    Disc(Point, f64, Ink, Stroke),
    /// Words.
    Words(Words),
}

/// A page of marks, later ones above earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its marks.
    pub marks: Vec<Mark>,
}

impl Drawing {
    /// An empty page.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    /// Draws a line.
    pub fn line(&mut self, points: Vec<Point>, stroke: Stroke) {
        self.marks.push(Mark::Line(points, stroke));
    }

    /// Writes words that run to the right.
    pub fn words(&mut self, at: Point, text: impl Into<String>, size: f64, anchor: Anchor) {
        self.marks.push(Mark::Words(Words { at, text: text.into(), size, anchor, upwards: false }));
    }
}
