//! The report: one HTML file that needs nothing else, and all raw numbers beside it as JSON.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::chart::Chart;
use super::table::{Table, escape};
use crate::error::Error;
use crate::programs::target_folder;

/// What one tool's bench found.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// The tool.
    pub(crate) tool: &'static str,
    /// Sentences on what was run.
    pub(crate) notes: Vec<String>,
    pub(crate) tables: Vec<Table>,
    pub(crate) charts: Vec<Chart>,
    /// Charts that are many, under titles that open them.
    pub(crate) groups: Vec<(String, Vec<Chart>)>,
    /// What another program printed, each under a title.
    pub(crate) texts: Vec<(String, String)>,
    /// Every run: its parameters, its statistics and its time.
    pub(crate) raw: Vec<Value>,
}

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; color: #222; background: #fff; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: .15rem .6rem; text-align: left; vertical-align: top; max-width: 26rem; border-bottom: 1px solid #e5e5e5; }
th { border-bottom: 2px solid #999; } .number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; font-size: 12px; } summary { cursor: pointer; font-weight: bold; margin: .5rem 0; }
svg { max-width: 100%; height: auto; margin: .5rem 0; }
";

/// Writes `report.html` and `report.json` below the target folder and returns the path of the former.
pub(crate) fn write(sections: &[Section], size: &str) -> Result<PathBuf, Error> {
    let folder = target_folder()?.join("bench");
    fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
    let raw = folder.join("report.json");
    let all: Vec<Value> = sections
        .iter()
        .map(|section| json!({ "tool": section.tool, "tables": section.tables, "runs": section.raw }))
        .collect();
    let json = json!({ "size": size, "sections": all });
    fs::write(&raw, format!("{json:#}\n")).map_err(Error::writing(&raw))?;
    let page = folder.join("report.html");
    fs::write(&page, html(sections, size)?).map_err(Error::writing(&page))?;
    Ok(page)
}

fn html(sections: &[Section], size: &str) -> Result<String, Error> {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Reprise: benchmarks</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Reprise: benchmarks</h1>\n\
         <p>A {size} run. Counts do not depend on the machine. Times are processor time, given as ratios of \
         runs that alternated with each other in this one invocation. All raw numbers are in \
         <code>report.json</code> beside this file.</p>\n"
    );
    for section in sections {
        html.push_str(&format!("<h2>{}</h2>\n", escape(section.tool)));
        for note in &section.notes {
            html.push_str(&format!("<p>{}</p>\n", escape(note)));
        }
        for table in &section.tables {
            html.push_str(&table.html());
        }
        for chart in &section.charts {
            html.push_str(&chart.svg()?);
            html.push('\n');
        }
        for (title, charts) in &section.groups {
            html.push_str(&format!("<details>\n<summary>{}</summary>\n", escape(title)));
            for chart in charts {
                html.push_str(&chart.svg()?);
                html.push('\n');
            }
            html.push_str("</details>\n");
        }
        for (title, text) in &section.texts {
            html.push_str(&format!("<h3>{}</h3>\n<pre>{}</pre>\n", escape(title), escape(text)));
        }
    }
    html.push_str("</body>\n</html>\n");
    Ok(html)
}

#[cfg(test)]
mod tests {
    use super::{Section, html};

    #[test]
    fn a_report_needs_nothing_from_elsewhere() {
        let section = Section { tool: "rtcheck", notes: vec!["a < b".to_owned()], ..Section::default() };
        let page = html(&[section], "smoke").unwrap();
        assert!(page.contains("<h2>rtcheck</h2>") && page.contains("a &lt; b"));
        for foreign in ["<script", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
