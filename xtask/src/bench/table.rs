//! Tables of results, for the terminal and for the report.

use std::fmt::Write as _;

use serde::Serialize;

/// A table: a title, a sentence on how to read it, column heads, and rows of cells.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) reading: String,
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, reading: &str, heads: &[&str]) -> Table {
        Table {
            title: title.to_owned(),
            reading: reading.to_owned(),
            heads: heads.iter().map(|head| (*head).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// For terminals: columns of numbers to the right, others to the left, long cells on several lines.
    pub(crate) fn text(&self) -> String {
        let columns = self.heads.len();
        let cell = |row: &'_ [String], column: usize| row.get(column).cloned().unwrap_or_default();
        let rows: Vec<Vec<String>> = self.rows.iter().flat_map(|row| wrapped(row)).collect();
        let lines = || std::iter::once(&self.heads).chain(&rows);
        let widths: Vec<usize> = (0..columns)
            .map(|column| lines().map(|row| cell(row, column).chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = format!("{}\n", self.title);
        for (index, row) in lines().enumerate() {
            let mut line = String::new();
            for (column, width) in widths.iter().enumerate() {
                let cell = cell(row, column);
                let space = " ".repeat(width - cell.chars().count());
                if self.is_numeric(column) {
                    line.push_str(&format!("{space}{cell}  "));
                } else {
                    line.push_str(&format!("{cell}{space}  "));
                }
            }
            text.push_str(&format!("  {}\n", line.trim_end()));
            if index == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                text.push_str(&format!("  {}\n", rule.join("  ")));
            }
        }
        text
    }

    /// For the report.
    pub(crate) fn html(&self) -> String {
        let mut html = format!(
            "<h3>{}</h3>\n<p>{}</p>\n<div class=\"wide\"><table>\n",
            escape(&self.title),
            escape(&self.reading)
        );
        let mut line = |tag: &str, row: &[String]| {
            html.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let class = if self.is_numeric(column) { " class=\"number\"" } else { "" };
                // Writing to a string cannot fail.
                write!(html, "<{tag}{class}>{}</{tag}>", escape(cell)).ok();
            }
            html.push_str("</tr>\n");
        };
        line("th", &self.heads);
        for row in &self.rows {
            line("td", row);
        }
        html.push_str("</table></div>\n");
        html
    }

    /// Whether every cell of a column begins like a number or says that there is none.
    fn is_numeric(&self, column: usize) -> bool {
        let numeric =
            |cell: &String| cell == "-" || cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit());
        self.rows.iter().filter_map(|row| row.get(column)).all(numeric)
    }
}

/// The widest cell on a terminal.
const WIDEST: usize = 48;

/// A row as several, where cells are too wide: broken between words.
fn wrapped(row: &[String]) -> Vec<Vec<String>> {
    let cells: Vec<Vec<String>> = row.iter().map(|cell| lines_of(cell)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let line =
        |number: usize| cells.iter().map(|cell| cell.get(number).cloned().unwrap_or_default()).collect();
    (0..height).map(line).collect()
}

fn lines_of(cell: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in cell.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDEST => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text as HTML shows it.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A ratio with three significant digits.
pub(crate) fn ratio(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}x")
}

/// A part of a whole in per cent.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::{Table, lines_of, percent, ratio};

    #[test]
    fn numbers_stand_to_the_right_and_text_is_escaped() {
        let mut table = Table::new("A & B", "Less is better.", &["name", "count"]);
        table.rows.push(vec!["<one>".to_owned(), "1".to_owned()]);
        table.rows.push(vec!["two".to_owned(), "1234".to_owned()]);
        let text = "A & B\n  name   count\n  -----  -----\n  <one>      1\n  two     1234\n";
        assert_eq!(table.text(), text);
        assert!(table.html().contains("<td>&lt;one&gt;</td><td class=\"number\">1</td>"));
    }

    #[test]
    fn long_cells_are_broken_between_words() {
        let long = "word ".repeat(20);
        assert_eq!(lines_of(long.trim()).iter().map(String::len).collect::<Vec<_>>(), [44, 44, 9]);
        assert_eq!(lines_of("a b"), ["a b"]);
        let mut table = Table::new("T", "", &["what", "n"]);
        table.rows.push(vec![long.trim().to_owned(), "1".to_owned()]);
        assert_eq!(table.text().lines().count(), 1 + 2 + 3);
    }

    #[test]
    fn ratios_have_three_digits_and_what_is_undefined_has_none() {
        assert_eq!(
            [ratio(1.0), ratio(12.34), ratio(123.4), ratio(1.0 / 0.0)],
            ["1.00x", "12.3x", "123x", "-"]
        );
        assert_eq!([percent(1, 3), percent(0, 0)], ["33.3 %", "-"]);
    }
}
