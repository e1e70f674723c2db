//! Rules about `docs/soundness.md`: a claim that nothing shows is worse than none.

use super::{Finding, Tree};

const DOCUMENT: &str = "docs/soundness.md";

/// Every test that the document names exists, and every row of its tables names one or says that it does
/// not exist yet.
pub(super) fn lies_are_tested(tree: &Tree) -> Vec<Finding> {
    let text = tree.files.get(DOCUMENT).map_or("", String::as_str);
    let mut findings = Vec::new();
    let mut previous = "";
    for (index, line) in text.lines().enumerate() {
        let claims: Vec<Claim<'_>> = line.split('`').skip(1).step_by(2).filter_map(Claim::read).collect();
        for claim in &claims {
            if !claim.holds(tree) {
                let message =
                    format!("names the test `{}::{}`, which does not exist", claim.module, claim.name);
                findings.push(Finding::at(DOCUMENT, index + 1, message));
            }
        }
        // A table's first row is its heading and the second a ruler.
        let row = line.starts_with('|') && previous.starts_with('|') && !line.starts_with("| ---");
        if row && claims.is_empty() && !line.contains("not yet") {
            findings.push(Finding::at(DOCUMENT, index + 1, "names no test and does not say `not yet`"));
        }
        previous = line;
    }
    findings
}

/// A test as the document writes it: `package: module::name`.
struct Claim<'a> {
    package: &'a str,
    module: &'a str,
    name: &'a str,
}

impl<'a> Claim<'a> {
    fn read(span: &'a str) -> Option<Claim<'a>> {
        let (package, test) = span.split_once(": ")?;
        let (module, name) = test.rsplit_once("::")?;
        Some(Claim { package, module, name })
    }

    /// Whether a file of the package's tests that belongs to the module, or encloses it, has such a
    /// function.
    fn holds(&self, tree: &Tree) -> bool {
        let function = format!("fn {}(", self.name);
        let mut module = self.module;
        loop {
            let file = format!("{}/tests/it/{}.rs", self.package, module.replace("::", "/"));
            if tree.files.get(&file).is_some_and(|text| text.contains(&function)) {
                return true;
            }
            match module.rsplit_once("::") {
                Some((outer, _)) => module = outer,
                None => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::lies_are_tested;

    fn lines(document: &str) -> Vec<String> {
        let test = "#[test]\nfn it_holds() {}\nmod inner { fn so_does_this() {} }";
        places(lies_are_tested, &[(super::DOCUMENT, document), ("core/tests/it/table/marks.rs", test)])
    }

    #[test]
    fn a_test_that_does_not_exist_is_found() {
        assert!(lines("see `core: table::marks::it_holds` and `Fault` and `a: b`").is_empty());
        assert!(lines("see `core: table::marks::inner::so_does_this`").is_empty());
        assert_eq!(lines("see\n`core: table::marks::it_does_not`"), ["docs/soundness.md:2"]);
        assert_eq!(lines("see `tool: table::marks::it_holds`"), ["docs/soundness.md:1"]);
        assert_eq!(lines("see `core: table::it_holds`"), ["docs/soundness.md:1"]);
    }

    #[test]
    fn a_row_without_a_test_says_that_there_is_none_yet() {
        let table = |row: &str| format!("| lie | shown by |\n| --- | --- |\n{row}\n");
        assert!(lines(&table("| a | `core: table::marks::it_holds` |")).is_empty());
        assert!(lines(&table("| a | not yet: issue 7 |")).is_empty());
        assert_eq!(lines(&table("| a | surely |")), ["docs/soundness.md:3"]);
    }
}
