//! The report: an HTML page that begins with the goals and needs nothing from elsewhere; beside it a page with the
//! charts that are many, all tables as text, and all raw numbers as JSON.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::chart::Chart;
use super::goals::Goals;
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
    pub(crate) goals: Goals,
    /// The charts that a reader sees first: one for each paper.
    pub(crate) overview: Vec<Chart>,
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
.missed td:first-child { color: #b00; font-weight: bold; } section { scroll-margin-top: 1rem; }
svg { max-width: 100%; height: auto; margin: .5rem 0; } polyline { fill: none; }
";

/// What was written.
#[derive(Debug)]
pub(crate) struct Files {
    /// The report: goals, one chart for each paper, contents, tables.
    pub(crate) page: PathBuf,
    /// All tables as text.
    pub(crate) tables: PathBuf,
}

/// Writes the report below the target folder, the other charts and what programs printed as a page beside it, all
/// tables as text, and all raw numbers as JSON.
pub(crate) fn write(sections: &[Section], size: &str) -> Result<Files, Error> {
    let folder = target_folder()?.join("bench");
    fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::writing(&path)).map(|()| path)
    };
    let all: Vec<Value> = sections
        .iter()
        .map(|section| {
            json!({
                "tool": section.tool, "goals": section.goals, "tables": section.tables, "runs": section.raw,
            })
        })
        .collect();
    let json = json!({ "size": size, "sections": all });
    put("report.json", format!("{json:#}\n"))?;
    let tables = put("report.txt", text(sections))?;
    put(FIGURES, page("Reprise: figures", &figures(sections)?))?;
    let page = put("report.html", page("Reprise: benchmarks", &report(sections, size)?))?;
    Ok(Files { page, tables })
}

/// The page of charts that are many.
const FIGURES: &str = "figures.html";

/// All tables, for terminals.
fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        text.push_str(&format!("{}: goals\n{}\n", section.tool, section.goals.text()));
        for table in &section.tables {
            text.push_str(&table.text());
            text.push('\n');
        }
    }
    text
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// What a title is called where something leads to it.
fn anchor(section: &Section, number: usize) -> String {
    format!("{}-{number}", section.tool)
}

fn report(sections: &[Section], size: &str) -> Result<String, Error> {
    let mut html = format!(
        "<p>A {size} run. Counts do not depend on the machine. Times are processor time, given as ratios of \
         runs that alternated with each other in this one invocation. All raw numbers are in \
         <code>report.json</code> beside this file, all tables as text in <code>report.txt</code>, further charts in \
         <a href=\"{FIGURES}\">{FIGURES}</a>.</p>\n<h2>Goals</h2>\n"
    );
    for section in sections {
        html.push_str(&format!("<h3>{}</h3>\n{}", escape(section.tool), section.goals.html()));
    }
    for chart in sections.iter().flat_map(|section| &section.overview) {
        html.push_str(&chart.svg()?);
        html.push('\n');
    }
    html.push_str("<h2>Contents</h2>\n<ul>\n");
    for section in sections {
        html.push_str(&format!("<li><a href=\"#{0}\">{0}</a><ul>\n", escape(section.tool)));
        for (number, table) in section.tables.iter().enumerate() {
            let (place, title) = (anchor(section, number), escape(&table.title));
            html.push_str(&format!("<li><a href=\"#{place}\">{title}</a></li>\n"));
        }
        html.push_str("</ul></li>\n");
    }
    html.push_str("</ul>\n");
    for section in sections {
        html.push_str(&format!("<h2 id=\"{0}\">{0}</h2>\n", escape(section.tool)));
        for note in &section.notes {
            html.push_str(&format!("<p>{}</p>\n", escape(note)));
        }
        for (number, table) in section.tables.iter().enumerate() {
            html.push_str(&format!(
                "<section id=\"{}\">\n{}</section>\n",
                anchor(section, number),
                table.html()
            ));
        }
    }
    Ok(html)
}

fn figures(sections: &[Section]) -> Result<String, Error> {
    let mut html = String::new();
    for section in sections {
        html.push_str(&format!("<h2>{}</h2>\n", escape(section.tool)));
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
    Ok(html)
}

#[cfg(test)]
mod tests {
    use super::{Section, page, report};
    use crate::bench::table::Table;

    #[test]
    fn a_report_begins_with_goals_has_contents_and_needs_nothing_from_elsewhere() {
        let mut section = Section { tool: "rtcheck", notes: vec!["a < b".to_owned()], ..Section::default() };
        section.goals.add("be quick", "1.00x", Some(true));
        section.tables.push(Table::new("All", "", &["one"]));
        let page = page("Reprise", &report(&[section], "smoke").unwrap());
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
        assert!(place("be quick") < place("Contents") && place("Contents") < place("a &lt; b"));
        assert!(place("href=\"#rtcheck-0\"") < place("id=\"rtcheck-0\""));
        for foreign in ["<script", "src=", "href=\"http", "@import", "url("] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
