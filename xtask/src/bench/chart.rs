//! Charts as SVG, drawn by `plotters`; they need no script to be looked at.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::Error;

const SIZE: (u32, u32) = (760, 380);
/// How much of the width the names of the series have.
const LEGEND: u32 = 170;
/// Told apart by people who see red and green alike as well.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(117, 112, 30),
    RGBColor(90, 90, 90),
];

/// Lines over a common horizontal axis.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    pub(crate) title: String,
    pub(crate) across: String,
    pub(crate) up: String,
    pub(crate) series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Groups of bars, one bar per series in each.
#[derive(Debug, Clone)]
pub(crate) struct Bars {
    pub(crate) title: String,
    pub(crate) up: String,
    pub(crate) groups: Vec<String>,
    /// A value per group.
    pub(crate) series: Vec<(String, Vec<f64>)>,
}

/// Either kind.
#[derive(Debug, Clone)]
pub(crate) enum Chart {
    Lines(Lines),
    Bars(Bars),
}

impl Chart {
    /// The chart as an SVG element.
    pub(crate) fn svg(&self) -> Result<String, Error> {
        let mut svg = String::new();
        let (title, drawn) = match self {
            Chart::Lines(lines) => (&lines.title, lines.draw(&mut svg)),
            Chart::Bars(bars) => (&bars.title, bars.draw(&mut svg)),
        };
        drawn.map_err(|error| Error::Chart { chart: title.clone(), detail: error.to_string() })?;
        Ok(lean(&svg))
    }
}

/// The same chart in half of the bytes: without attributes that say what holds in any case, what the page's style says,
/// and ends of lines.
fn lean(svg: &str) -> String {
    const SMALL: &str = " font-size=\"9.67741935483871\"";
    let implied = [
        SMALL,
        " opacity=\"1\"",
        " stroke-width=\"1\"",
        " font-family=\"sans-serif\"",
        " fill=\"#000000\"",
        " stroke=\"none\"",
        " text-anchor=\"start\"",
        " xmlns=\"http://www.w3.org/2000/svg\"",
        "\n",
    ];
    let inherited = format!("<svg font-family=\"sans-serif\"{SMALL} ");
    let lean = implied.iter().fold(svg.to_owned(), |svg, said| svg.replace(said, ""));
    let lean = lean.replacen("<svg ", &inherited, 1).replace("<polyline fill=\"none\"", "<polyline");
    let lean = lean.replace(" opacity=\"0.2\" stroke=\"#000000\"", " stroke=\"#ccc\"");
    joined(&lean.replace(" \"/>", "\"/>"))
}

/// The same chart with lines that follow each other in one style, as those of a grid do, as one path.
fn joined(svg: &str) -> String {
    const END: &str = "\"/>";
    let mut parts = svg.split("<line");
    let mut joined = parts.next().unwrap_or_default().to_owned();
    let mut open = None;
    for part in parts {
        let line = line(part);
        let style = line.map(|(style, ..)| style);
        if open.is_some() && open != style {
            joined += END;
            open = None;
        }
        let Some((style, [left, top, right, bottom], behind)) = line else {
            joined += "<line";
            joined += part;
            continue;
        };
        if open.is_none() {
            joined += &format!("<path{style} d=\"");
        }
        joined += &format!("M{left} {top}L{right} {bottom}");
        open = Some(style);
        if !behind.is_empty() {
            joined += END;
            joined += behind;
            open = None;
        }
    }
    if open.is_some() {
        joined += END;
    }
    joined
}

/// What follows `<line`, taken apart: how it looks, its ends, and what stands behind it.
fn line(part: &str) -> Option<(&str, [&str; 4], &str)> {
    let (attributes, behind) = part.split_once("/>")?;
    let (style, ends) = attributes.split_once(" x1=")?;
    let ends = ends.split('"').skip(1).step_by(2).collect::<Vec<_>>().try_into().ok()?;
    Some((style, ends, behind))
}

/// Adds a point to the series of a name, which begins with it where it is new.
pub(crate) fn add_point(series: &mut Vec<(String, Vec<(f64, f64)>)>, name: &str, point: (f64, f64)) {
    match series.iter_mut().find(|(known, _)| known == name) {
        Some((_, points)) => points.push(point),
        None => series.push((name.to_owned(), vec![point])),
    }
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Lines {
    /// Both axes are logarithmic, since sizes and counts grow by factors here; zero is drawn at the
    /// lower edge.
    fn draw(&self, svg: &mut String) -> Drawn {
        let values = || self.series.iter().flat_map(|(_, points)| points.iter().copied());
        let low =
            |of: fn((f64, f64)) -> f64| values().map(of).filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let high = |of: fn((f64, f64)) -> f64| values().map(of).fold(1.0, f64::max);
        let finite = |value: f64| if value.is_finite() { value } else { 1.0 };
        let (left, bottom) = (finite(low(|p| p.0)), finite(low(|p| p.1)) / 1.5);
        let (right, top) = (high(|p| p.0).max(left * 2.0), high(|p| p.1).max(bottom * 2.0) * 1.5);

        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 17))
            .margin(10)
            .margin_right(LEGEND)
            .x_label_area_size(38)
            .y_label_area_size(76)
            .build_cartesian_2d((left..right).log_scale(), (bottom..top).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(&self.across)
            .y_desc(&self.up)
            .label_style(("sans-serif", 12))
            .max_light_lines(0)
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .draw()?;
        for (index, (_, points)) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let points: Vec<(f64, f64)> = points.iter().map(|(x, y)| (*x, y.max(bottom))).collect();
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
        }
        legend(&area, self.series.iter().map(|(name, _)| name.as_str()))?;
        area.present()?;
        Ok(())
    }
}

impl Bars {
    fn draw(&self, svg: &mut String) -> Drawn {
        let top =
            self.series.iter().flat_map(|(_, values)| values.iter().copied()).fold(0.0, f64::max).max(1e-9)
                * 1.08;
        let across = self.groups.len().max(1) as f64;
        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 17))
            .margin(10)
            .margin_right(LEGEND)
            .x_label_area_size(38)
            .y_label_area_size(76)
            .build_cartesian_2d(0.0..across, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(&self.up)
            .label_style(("sans-serif", 12))
            .max_light_lines(0)
            .y_label_formatter(&|value| number(*value))
            .draw()?;
        let width = 0.8 / self.series.len().max(1) as f64;
        for (index, (_, values)) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let bars = values.iter().enumerate().map(|(group, value)| {
                let left = group as f64 + 0.1 + width * index as f64;
                Rectangle::new([(left, 0.0), (left + width * 0.92, *value)], colour.filled())
            });
            chart.draw_series(bars)?;
        }
        let style =
            ("sans-serif", 12).into_font().into_text_style(&area).pos(Pos::new(HPos::Center, VPos::Top));
        // Many names stand on two lines in turn, so that neighbours do not meet.
        let lines = if self.groups.len() > 6 { 2 } else { 1 };
        for (group, name) in self.groups.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
            let line = i32::try_from(group % lines)?;
            area.draw(&Text::new(name.clone(), (x, y + 6 + 14 * line), style.clone()))?;
        }
        legend(&area, self.series.iter().map(|(name, _)| name.as_str()))?;
        area.present()?;
        Ok(())
    }
}

/// The names of the series with their colours, in the free space to the right.
fn legend<'n>(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    names: impl Iterator<Item = &'n str>,
) -> Drawn {
    let left = i32::try_from(SIZE.0 - LEGEND)? + 10;
    let style = ("sans-serif", 12).into_font().into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    for (index, name) in names.enumerate() {
        let y = 56 + 19 * i32::try_from(index)?;
        let colour = COLOURS[index % COLOURS.len()];
        area.draw(&Rectangle::new([(left, y - 5), (left + 12, y + 5)], colour.filled()))?;
        area.draw(&Text::new(name.to_owned(), (left + 18, y), style.clone()))?;
    }
    Ok(())
}

/// A number on an axis, short.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1e9 => format!("{}G", value / 1e9),
        size if size >= 1e6 => format!("{}M", value / 1e6),
        size if size >= 1e4 => format!("{}k", value / 1e3),
        size if size >= 10.0 || value.fract().abs() < 1e-9 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bars, Chart, Lines, joined};

    #[test]
    fn charts_name_what_they_show_also_where_there_is_nothing() {
        let lines = |series: Vec<(String, Vec<(f64, f64)>)>| {
            Chart::Lines(Lines {
                title: "Visits".to_owned(),
                across: "N".to_owned(),
                up: "visits".to_owned(),
                series,
            })
        };
        let svg = lines(vec![("lru".to_owned(), vec![(64.0, 0.0), (256.0, 1000.0)])]).svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("Visits") && svg.contains("lru"));
        assert!(lines(Vec::new()).svg().is_ok());
        let bars = Bars {
            title: "Queries".to_owned(),
            up: "queries".to_owned(),
            groups: vec!["v0".to_owned()],
            series: vec![("off".to_owned(), vec![3.0]), ("basic".to_owned(), vec![0.0])],
        };
        assert!(Chart::Bars(bars).svg().unwrap().contains("basic"));
    }

    #[test]
    fn lines_of_one_style_are_one_path() {
        let line = |style: &str, y: u32| {
            format!("<line stroke=\"{style}\" x1=\"1\" y1=\"{y}\" x2=\"5\" y2=\"{y}\"/>")
        };
        let svg = format!(
            "<svg>{}{}{}<text/>{}<line/></svg>",
            line("a", 1),
            line("a", 2),
            line("b", 3),
            line("b", 4)
        );
        assert_eq!(
            joined(&svg),
            "<svg><path stroke=\"a\" d=\"M1 1L5 1M1 2L5 2\"/><path stroke=\"b\" d=\"M1 3L5 3\"/><text/>\
             <path stroke=\"b\" d=\"M1 4L5 4\"/><line/></svg>"
        );
        assert_eq!(joined(&line("a", 1)), "<path stroke=\"a\" d=\"M1 1L5 1\"/>");
    }
}
