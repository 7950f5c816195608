//! An axis: its label, its range, and its ticks with their labels.

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its label, with the unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub logarithmic: bool,
}

/// The range of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    logarithmic: bool,
    /// The low end, as a logarithm on a logarithmic axis.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

impl Scale {
    /// A range that covers all values that can be shown: with a margin, or to whole powers of ten.
    pub fn over(values: impl Iterator<Item = f64>, logarithmic: bool) -> Self {
        let shown = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        let mut shown: Vec<f64> = shown.map(|value| if logarithmic { value.log10() } else { value }).collect();
        shown.sort_by(f64::total_cmp);
        let (Some(&first), Some(&high)) = (shown.first(), shown.last()) else {
            return Self { logarithmic, low: 0.0, high: 1.0 };
        };
        if logarithmic {
            // An error that crosses zero has a very small logarithm there, so 2% of the values may be below the axis.
            let low = shown[shown.len() / 50].floor();
            return Self { logarithmic, low, high: high.ceil().max(low + 1.0) };
        }
        let margin = if high > first { 0.05 * (high - first) } else { 0.5 * high.abs().max(1.0) };
        Self { logarithmic, low: first - margin, high: high + margin }
    }

    /// Without the margins, as for time.
    pub fn tight(mut self) -> Self {
        if !self.logarithmic {
            let margin = (self.high - self.low) * 0.05 / 1.1;
            self = Self { low: self.low + margin, high: self.high - margin, ..self };
        }
        self
    }

    /// Widens the range by `more` units, half of them at each end.
    pub fn widened(self, more: f64) -> Self {
        Self { low: self.low - more / 2.0, high: self.high + more / 2.0, ..self }
    }

    /// The place of a value: 0 at the low end, 1 at the high end; `None` if it cannot be shown.
    pub fn place(&self, value: f64) -> Option<f64> {
        let value = if self.logarithmic { value.log10() } else { value };
        let place = (value - self.low) / (self.high - self.low);
        place.is_finite().then_some(place.clamp(0.0, 1.0))
    }

    /// The places and labels of about this many ticks.
    pub fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        let span = self.high - self.low;
        let step =
            if self.logarithmic { (span / about as f64).ceil().max(1.0) } else { round_step(span / about as f64) };
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let largest = self.low.abs().max(self.high.abs());
        let mut ticks = Vec::new();
        let mut count = first;
        while count <= last {
            let value = count * step;
            let text = if self.logarithmic { power_of_ten(value as i32) } else { number(value, step, largest) };
            ticks.push(((value - self.low) / span, text));
            count += 1.0;
        }
        ticks
    }
}

/// Rounds up to one, two or five times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= 0.999 * least).unwrap_or(least)
}

/// A number with as many digits as the step has.
fn number(value: f64, step: f64, largest: f64) -> String {
    if value.abs() < 1e-9 * step {
        return "0".to_owned();
    }
    if (1e-2..1e5).contains(&largest) {
        let digits = (-step.log10().floor()).max(0.0) as usize;
        return minus(format!("{value:.digits$}"));
    }
    // Whole multiples of the step's power of ten give the shortest text.
    let exponent = (step.log10() + 1e-9).floor();
    minus(format!("{:.0}", value / 10_f64.powf(exponent))) + "·" + &power_of_ten(exponent as i32)
}

fn minus(number: String) -> String {
    number.replace('-', "−")
}

/// 10⁻³ for −3.
fn power_of_ten(exponent: i32) -> String {
    let raised = |letter: char| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(digit as u32 - '0' as u32 + '⁰' as u32).unwrap_or(digit),
    };
    "10".to_owned() + &exponent.to_string().chars().map(raised).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale, about: usize) -> Vec<String> {
        scale.ticks(about).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        let scale = Scale::over([0.0, 10.0].into_iter(), false).tight();
        assert_eq!(texts(&scale, 5), ["0", "2", "4", "6", "8", "10"]);
        let scale = Scale::over([-0.32, 0.3].into_iter(), false);
        assert_eq!(texts(&scale, 4), ["−0.2", "0", "0.2"]);
        let scale = Scale::over([0.0, 3.1e-7].into_iter(), false);
        assert_eq!(texts(&scale, 4), ["0", "1·10⁻⁷", "2·10⁻⁷", "3·10⁻⁷"]);
        let scale = Scale::over([-1e-3, 2e-4].into_iter(), false);
        assert_eq!(texts(&scale, 3), ["−10·10⁻⁴", "−5·10⁻⁴", "0"]);
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten_and_leaves_out_what_has_no_logarithm() {
        let scale = Scale::over([0.0, -1.0, f64::NAN, 3e-6, 2e-3].into_iter(), true);
        assert_eq!(texts(&scale, 6), ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]);
        assert_eq!(scale.place(1e-4), Some(0.5));
        assert_eq!(scale.place(0.0), None);
        assert_eq!(scale.place(1e-9), Some(0.0), "below the axis, at its end");
    }

    #[test]
    fn no_values_and_equal_values_have_an_axis() {
        for scale in [Scale::over([].into_iter(), false), Scale::over([2.0, 2.0].into_iter(), false)] {
            assert!(scale.high > scale.low);
        }
    }
}
