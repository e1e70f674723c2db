//! Settings of Z3: made before the context that they hold for, each one looked at, since Z3 itself says nothing
//! where it is told of a setting that it does not have, and then takes none of those that come with it.

/// Sets everything back, and makes the settings of a query. A name without a module is one of the solver's
/// (`qi.eager_threshold`, for `smt.qi.eager_threshold`) if it has one of that name, as Boogie's users write it.
///
/// # Errors
/// A setting that this version of Z3 does not have, or a value that it does not take there.
pub(crate) fn make(settings: &[(String, String)]) -> Result<(), String> {
    z3::reset_all_global_params();
    for (name, value) in settings {
        let name = name.to_ascii_lowercase();
        let of_solver = format!("smt.{name}");
        let found = [of_solver, name.clone()]
            .into_iter()
            .find_map(|key| z3::get_global_param(&key).map(|before| (key, before)));
        let Some((key, before)) = found else {
            return Err(format!("Z3 has no option {name}"));
        };
        z3::set_global_param(&key, value);
        let after = z3::get_global_param(&key);
        if after.as_ref() == Some(&before) && !is_same(&before, value) {
            return Err(format!("Z3's option {name} cannot be {value}"));
        }
    }
    Ok(())
}

/// Whether a setting that did not change had this value before.
fn is_same(before: &str, value: &str) -> bool {
    before == value
        || matches!((before.parse::<f64>(), value.parse::<f64>()), (Ok(before), Ok(value)) if before == value)
}
