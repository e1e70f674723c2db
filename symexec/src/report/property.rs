//! Properties of the International Competition on Software Testing: what a test suite is to cover.

/// What a suite is to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Every side of every decision; statements, conditions and blocks are covered with them as far as they can be.
    Branches,
    /// A call of this function.
    Call(String),
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function that runs start with.
    pub entry: String,
    /// What is to be covered.
    pub goal: Goal,
}

/// Reads the text of a property file, such as `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.
///
/// # Errors
/// Says what is expected where the text is no property that is known.
pub fn parse(text: &str) -> Result<Property, String> {
    let unknown = || {
        format!(
            "`{}` is no property that is known: COVER( init(main()), FQL(COVER EDGES(GOAL)) ), where GOAL is \
             @DECISIONEDGE, @CONDITIONEDGE, @BASICBLOCKENTRY or @CALL(FUNCTION)",
            text.trim()
        )
    };
    let text: String = text.split_whitespace().collect();
    let rest = text.strip_prefix("COVER(init(").ok_or_else(unknown)?;
    let (entry, rest) = rest.split_once("()),FQL(COVEREDGES(@").ok_or_else(unknown)?;
    let goal = rest.strip_suffix(")))").ok_or_else(unknown)?;
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    };
    let called = goal.strip_prefix("CALL(").and_then(|goal| goal.strip_suffix(')'));
    let goal = match (goal, called) {
        ("DECISIONEDGE" | "CONDITIONEDGE" | "BASICBLOCKENTRY", _) => Goal::Branches,
        (_, Some(function)) if is_name(function) => Goal::Call(function.to_owned()),
        _ => return Err(unknown()),
    };
    if !is_name(entry) {
        return Err(unknown());
    }
    Ok(Property { entry: entry.to_owned(), goal })
}

#[cfg(test)]
mod tests {
    use super::{Goal, Property, parse};

    #[test]
    fn the_competition_s_properties_are_read() {
        let property = |entry: &str, goal| Ok(Property { entry: entry.to_owned(), goal });
        let branches = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n\n";
        assert_eq!(parse(branches), property("main", Goal::Branches));
        let error = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";
        assert_eq!(parse(error), property("main", Goal::Call("reach_error".to_owned())));
        assert_eq!(
            parse("COVER(init(start()),FQL(COVER EDGES(@BASICBLOCKENTRY)))"),
            property("start", Goal::Branches)
        );
    }

    #[test]
    fn other_texts_are_told() {
        let wrong = [
            "",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "COVER( init(main()), FQL(COVER EDGES(@CALL())) )",
            "COVER( init(main()), FQL(COVER EDGES(@PATHS)) )",
            "COVER( init(), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE))",
        ];
        for text in wrong {
            assert!(parse(text).is_err_and(|message| message.contains("@DECISIONEDGE")), "{text}");
        }
    }
}
