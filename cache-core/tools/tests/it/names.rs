//! Names of values on command lines.

#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Yes,
    No,
}

reprise_tools::names!(Answer, "answer": Yes = "yes", No = "no");

#[test]
fn a_value_is_known_by_its_name() {
    for answer in Answer::ALL {
        assert_eq!(answer.to_string().parse(), Ok(answer));
    }
    let error = "perhaps".parse::<Answer>().unwrap_err();
    assert_eq!(error.to_string(), "unknown answer `perhaps`: use yes or no");
}
