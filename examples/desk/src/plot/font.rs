//! The font: how wide words are, and the outlines of their letters.

use ttf_parser::{Face, OutlineBuilder};

/// The font families of an SVG. The layout measures the first; the second has the same width.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The embedded font.
fn face() -> Face<'static> {
    Face::parse(dejavu::sans::regular(), 0).expect("a valid embedded font")
}

/// The width of a text at a size.
pub fn width(text: &str, size: f64) -> f64 {
    let face = face();
    let units = text.chars().map(|letter| f64::from(advance(&face, letter))).sum::<f64>();
    units * size / f64::from(face.units_per_em())
}

/// Draws the outlines of a text from the origin to the right, upwards positive, at size one.
pub fn outline(text: &str, pen: &mut impl OutlineBuilder) {
    let face = face();
    let scale = 1.0 / f32::from(face.units_per_em());
    let mut x = 0.0;
    for letter in text.chars() {
        if let Some(glyph) = face.glyph_index(letter) {
            face.outline_glyph(glyph, &mut Placed { pen, x, scale });
        }
        x += f32::from(advance(&face, letter)) * scale;
    }
}

fn advance(face: &Face<'_>, letter: char) -> u16 {
    face.glyph_index(letter).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(0)
}

/// A pen that moves and scales.
struct Placed<'a, Pen> {
    pen: &'a mut Pen,
    x: f32,
    scale: f32,
}

impl<Pen: OutlineBuilder> OutlineBuilder for Placed<'_, Pen> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pen.move_to(self.x + x * self.scale, y * self.scale);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.pen.line_to(self.x + x * self.scale, y * self.scale);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (s, o) = (self.scale, self.x);
        self.pen.quad_to(o + x1 * s, y1 * s, o + x * s, y * s);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (s, o) = (self.scale, self.x);
        self.pen.curve_to(o + x1 * s, y1 * s, o + x2 * s, y2 * s, o + x * s, y * s);
    }
    fn close(&mut self) {
        self.pen.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_plots_use_is_there() {
        let face = face();
        for letter in "abcxyzλφθψωµ°·×−–⁻⁰¹²³⁴⁵⁶⁷⁸⁹₁₂₃′|/()".chars() {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
        assert!(width("mm", 10.0) > 1.9 * width("m", 10.0));
    }
}
