//! What the project set out to reach, and what a run measured: the first thing that a reader sees.

use serde::Serialize;

use super::table::escape;

/// Columns of the terminal that the page is made for.
const COLUMNS: usize = 100;
/// Columns of a goal, beside which the measurement stands.
const GOAL: usize = 60;

/// A goal and what was measured.
#[derive(Debug, Clone, Serialize)]
struct Goal {
    goal: String,
    measured: String,
    /// Absent where this run cannot tell.
    reached: Option<bool>,
}

impl Goal {
    fn mark(&self) -> &'static str {
        match self.reached {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        }
    }
}

/// The goals of one tool.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Goals(Vec<Goal>);

impl Goals {
    /// Adds a goal. Goals begin with what tells them apart, since terminals show their beginnings.
    pub(crate) fn add(
        &mut self,
        goal: impl Into<String>,
        measured: impl Into<String>,
        reached: Option<bool>,
    ) {
        self.0.push(Goal { goal: goal.into(), measured: measured.into(), reached });
    }

    /// A line each, whatever its length.
    pub(crate) fn text(&self) -> String {
        self.lines(usize::MAX, usize::MAX)
    }

    /// A line each that fits a terminal; what does not fit is in the files.
    pub(crate) fn page(&self) -> String {
        self.lines(GOAL, COLUMNS)
    }

    fn lines(&self, goal: usize, columns: usize) -> String {
        let width = self.0.iter().map(|it| it.goal.chars().count()).max().unwrap_or(0).min(goal);
        let line = |it: &Goal| {
            let goal = cut(&it.goal, goal);
            let space = " ".repeat(width.saturating_sub(goal.chars().count()));
            cut(&format!("  {:3}  {goal}{space}  {}", it.mark(), it.measured), columns) + "\n"
        };
        self.0.iter().map(line).collect()
    }

    /// For the report.
    pub(crate) fn html(&self) -> String {
        let mut html = String::from(
            "<div class=\"wide\"><table>\n<tr><th>reached</th><th>goal</th><th>measured</th></tr>\n",
        );
        for it in &self.0 {
            html.push_str(&format!(
                "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                if it.reached == Some(false) { "missed" } else { "other" },
                it.mark(),
                escape(&it.goal),
                escape(&it.measured)
            ));
        }
        html.push_str("</table></div>\n");
        html
    }
}

/// The beginning of a text that is too long, with a sign that it goes on.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::Goals;

    #[test]
    fn goals_fit_a_terminal_a_line_each() {
        let mut goals = Goals::default();
        goals.add("short", "1.00x", Some(true));
        goals.add("long ".repeat(30), "0.5 of many ".repeat(10), Some(false));
        goals.add("other", "not measured", None);
        let page = goals.page();
        assert_eq!(page.lines().count(), 3);
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
        assert!(page.starts_with("  yes  short ") && page.contains('…'), "{page}");
        assert!(goals.text().contains(&"0.5 of many ".repeat(10)));
    }
}
