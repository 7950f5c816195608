//! A drawing as SVG.

use std::fmt::Write;

use super::drawing::{Anchor, Drawing, Ink, Mark, Point, Stroke, Words};
use super::font::FAMILY;

/// The whole file.
pub fn svg(drawing: &Drawing) -> String {
    let Drawing { width, height, marks } = drawing;
    let mut file = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         style=\"max-width:100%;height:auto\" font-family=\"{FAMILY}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for mark in marks {
        match mark {
            Mark::Line(points, stroke) => line(&mut file, points, stroke),
            Mark::Disc([x, y], radius, fill, rim) => {
                let (fill, rim) = (colour(*fill), pen(rim));
                push(
                    &mut file,
                    format_args!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{fill}\" {rim}/>"),
                );
            }
            Mark::Words(it) => words(&mut file, it),
        }
    }
    file + "</svg>\n"
}

fn push(file: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(file, "{element}").expect("writing to a string");
}

fn line(file: &mut String, points: &[Point], stroke: &Stroke) {
    let mut places = String::new();
    for [x, y] in points {
        write!(places, "{x:.2},{y:.2} ").expect("writing to a string");
    }
    let (places, pen) = (places.trim_end(), pen(stroke));
    push(file, format_args!("<polyline points=\"{places}\" fill=\"none\" stroke-linejoin=\"round\" {pen}/>"));
}

fn words(file: &mut String, words: &Words) {
    let Words { at: [x, y], text, size, anchor, upwards } = words;
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let turned = if *upwards { format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"") } else { String::new() };
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let ink = colour(Ink::BLACK);
    push(
        file,
        format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{ink}\"{turned}>{text}</text>"
        ),
    );
}

/// A colour as SVG writes it.
pub fn colour(Ink(red, green, blue): Ink) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn pen(Stroke { ink, width, dashes }: &Stroke) -> String {
    let mut pen = format!("stroke=\"{}\" stroke-width=\"{width:.2}\"", colour(*ink));
    if !dashes.is_empty() {
        let lengths: Vec<_> = dashes.iter().map(f64::to_string).collect();
        write!(pen, " stroke-dasharray=\"{}\"", lengths.join(" ")).expect("writing to a string");
    }
    pen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_elements_and_text_is_escaped() {
        let mut drawing = Drawing::new(20.0, 10.0);
        drawing.line(vec![[0.0, 1.0], [2.5, 3.0]], Stroke::nth(1));
        drawing.words([1.0, 2.0], "a < b & c", 9.0, Anchor::Middle);
        let file = svg(&drawing);
        assert!(file.contains("viewBox=\"0 0 20 10\""), "{file}");
        assert!(file.contains("points=\"0.00,1.00 2.50,3.00\"") && file.contains("stroke-dasharray=\"7 3\""), "{file}");
        assert!(file.contains("text-anchor=\"middle\"") && file.contains(">a &lt; b &amp; c</text>"), "{file}");
    }
}
