//! A drawing as PNG, two pixels per point.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke as Pen, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::drawing::{Anchor, Drawing, Ink, Mark, Point, Stroke, Words};
use super::font;

/// Pixels per point.
const SCALE: f32 = 2.0;

/// The whole file; `None` if the page has no area or is too large for the memory.
pub fn png(drawing: &Drawing) -> Option<Vec<u8>> {
    let pixels = |length: f64| (length as f32 * SCALE).ceil() as u32;
    let mut page = Pixmap::new(pixels(drawing.width), pixels(drawing.height))?;
    page.fill(Color::WHITE);
    let scale = Transform::from_scale(SCALE, SCALE);
    for mark in &drawing.marks {
        match mark {
            Mark::Line(points, stroke) => draw(&mut page, line(points), stroke, scale),
            Mark::Disc([x, y], radius, fill, rim) => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                if let Some(circle) = &circle {
                    page.fill_path(circle, &paint(*fill), FillRule::Winding, scale, None);
                }
                draw(&mut page, circle, rim, scale);
            }
            Mark::Words(words) => write(&mut page, words, scale),
        }
    }
    page.encode_png().ok()
}

fn paint(Ink(red, green, blue): Ink) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn line(points: &[Point]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, [x, y]) in points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

/// Strokes a path. A path without length draws nothing.
fn draw(page: &mut Pixmap, path: Option<Path>, stroke: &Stroke, transform: Transform) {
    let Some(path) = path else {
        return;
    };
    let dash = StrokeDash::new(stroke.dashes.iter().map(|length| *length as f32).collect(), 0.0);
    let pen =
        Pen { width: stroke.width as f32, line_cap: LineCap::Butt, line_join: LineJoin::Round, dash, ..Pen::default() };
    page.stroke_path(&path, &paint(stroke.ink), &pen, transform, None);
}

fn write(page: &mut Pixmap, words: &Words, scale: Transform) {
    let mut letters = Letters(PathBuilder::new());
    font::outline(&words.text, &mut letters);
    let Some(path) = letters.0.finish() else {
        return;
    };
    let back = match words.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let begin = -back * font::width(&words.text, words.size) as f32;
    let [x, y] = words.at.map(|length| length as f32);
    let size = words.size as f32;
    let turned = if words.upwards { -90.0 } else { 0.0 };
    let transform = scale
        .pre_translate(x, y)
        .pre_concat(Transform::from_rotate(turned))
        .pre_translate(begin, 0.0)
        .pre_scale(size, -size);
    page.fill_path(&path, &paint(Ink::BLACK), FillRule::Winding, transform, None);
}

/// Outlines of letters as a path.
struct Letters(PathBuilder);

impl OutlineBuilder for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of pixels that are not white.
    fn inked(drawing: &Drawing) -> usize {
        let page = Pixmap::decode_png(&png(drawing).unwrap()).unwrap();
        assert_eq!((page.width(), page.height()), (80, 40));
        page.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn lines_discs_and_letters_leave_ink() {
        let page = Drawing::new(40.0, 20.0);
        assert_eq!(inked(&page), 0);
        let mut line = page.clone();
        line.line(vec![[0.0, 10.0], [40.0, 10.0]], Stroke::solid(Ink::BLACK, 2.0));
        assert_eq!(inked(&line), 80 * 4);
        let mut disc = page.clone();
        disc.marks.push(Mark::Disc([20.0, 10.0], 5.0, Ink::BLACK, Stroke::solid(Ink::BLACK, 0.5)));
        assert!((inked(&disc) as f64 / (4.0 * 5.25 * 5.25 * std::f64::consts::PI) - 1.0).abs() < 0.05);
        let mut letters = page.clone();
        letters.words([20.0, 15.0], "λ²", 12.0, Anchor::Middle);
        assert!(inked(&letters) > 40);
        assert!(png(&Drawing::new(0.0, 1.0)).is_none());
    }
}
