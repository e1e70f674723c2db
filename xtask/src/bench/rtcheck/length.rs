//! `length/2` on a list that is checked at every step: the example of the paper's section 3.

use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::Size;
use super::figures::shown;
use super::grid::{Grid, Policy, Setting, Timing, seconds};
use super::workload::LENGTH;
use crate::error::Error;
use crate::programs::Programs;

/// What was found.
pub(super) struct Length {
    /// Node visits per element at the least and at the greatest N, for the policy that visits least there.
    pub(super) visits: Option<(f64, f64)>,
}

/// Measures, and adds a table.
pub(super) fn measure(
    programs: &Programs,
    size: Size,
    timing: Timing,
    section: &mut Section,
) -> Result<Length, Error> {
    let ns: &[usize] = match size {
        Size::Smoke => &[256, 1024],
        Size::Default => &[256, 1024, 4096],
        Size::Full => &[256, 1024, 4096, 16_384, 65_536],
    };
    let mut settings = vec![Setting::Unchecked, Setting::Uncached];
    settings.extend(Policy::ALL.map(|policy| Setting::Cached { policy, size: 256, depth: Some(2) }));
    let mut grid = Grid::new(programs)?;
    for &n in ns {
        // Without a cache the last would take minutes.
        let slow = |setting: &Setting| *setting == Setting::Uncached && n > 16_384;
        let points: Vec<_> =
            settings.iter().filter(|setting| !slow(setting)).map(|setting| (n, *setting)).collect();
        grid.time(&LENGTH, &points, timing)?;
    }
    grid.write_raw(&mut section.raw);
    let mut table = Table::new(
        "rtcheck: length/2 on a list that is checked at every step, 256 entries, depth limit 2",
        "Node visits per element of the list: constant where the whole is linear. The cells of a list of more than \
         256 push each other out; only inheritance makes the next step's check an argument of the last one's.",
        &["checks done as"],
    );
    for n in ns {
        table.heads.extend([format!("N = {n}: visits per element"), "times no checks".to_owned()]);
    }
    let per_element =
        |n: usize, setting| grid.get(LENGTH.name, n, setting).map(|cost| cost.visits as f64 / n as f64);
    for setting in &settings {
        let name = match setting {
            Setting::Unchecked | Setting::Older | Setting::EveryLevel(_) | Setting::Proved => continue,
            Setting::Uncached => "no cache",
            Setting::Cached { policy, .. } => policy.name(),
        };
        let mut row = vec![name.to_owned()];
        for &n in ns {
            row.push(
                per_element(n, *setting).map_or_else(|| "-".to_owned(), |visits| format!("{visits:.2}")),
            );
            row.push(shown(grid.ratio((LENGTH.name, n, *setting), Setting::Unchecked, seconds)));
        }
        table.rows.push(row);
    }
    section.tables.push(table);
    let (first, last) = (ns[0], ns[ns.len() - 1]);
    let spans = settings
        .iter()
        .skip(2)
        .filter_map(|setting| Some((per_element(first, *setting)?, per_element(last, *setting)?)));
    Ok(Length { visits: spans.reduce(|one, other| if other.1 < one.1 { other } else { one }) })
}

impl Length {
    /// Whether visits per element stay the same, and the numbers.
    pub(super) fn is_linear(&self) -> (String, bool) {
        let Some((small, large)) = self.visits else { return ("not measured".to_owned(), false) };
        let growth = large / small;
        (format!("{small:.2} and {large:.2} visits per element, {}", ratio(growth)), growth <= 1.1)
    }
}
