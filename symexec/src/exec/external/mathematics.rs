//! Functions of `math.h` that Rust's library does not reach: those of `long double`, and the rarer ones.
//!
//! They are called as declared functions are, in a program of their own, so their results are the system's to the
//! last bit; nobody needs to declare them. Where no compiler makes that program, they are undefined.

use super::Declaration;

/// Of one number, in all three formats.
const ONE: &[&str] =
    &["acosh", "asinh", "atanh", "erf", "erfc", "exp10", "gamma", "j0", "j1", "lgamma", "tgamma", "y0", "y1"];

/// Of one number, in `long double`: the others are computed where the engine is.
const ONE_LONG: &[&str] = &[
    "acos", "asin", "atan", "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2",
    "sin", "sinh", "tan", "tanh",
];

/// Of two numbers, in `long double`.
const TWO_LONG: &[&str] = &["atan2", "hypot", "pow"];

/// The types of the formats, and what their functions' names end with.
const FORMATS: &[(&str, &str)] = &[("double", ""), ("float", "f"), ("long double", "l")];

/// The prototype of a function of this name.
fn prototype(name: &str) -> Option<String> {
    for (format, suffix) in FORMATS {
        let is = |base: &&str| name.strip_prefix(*base) == Some(*suffix);
        let long = *suffix == "l";
        if ONE.iter().any(is) || long && ONE_LONG.iter().any(is) {
            return Some(format!("{format} {name}({format})"));
        }
        if long && TWO_LONG.iter().any(is) {
            return Some(format!("{format} {name}({format}, {format})"));
        }
        if ["jn", "yn"].iter().any(is) {
            return Some(format!("{format} {name}(int, {format})"));
        }
        if name.strip_prefix("sincos") == Some(*suffix) {
            return Some(format!("void {name}({format}, {format} *, {format} *)"));
        }
        if name.strip_prefix("lgamma").and_then(|rest| rest.strip_suffix("_r")) == Some(*suffix) {
            return Some(format!("{format} {name}({format}, int *)"));
        }
    }
    None
}

/// The declaration of a function of `math.h` that is called outside without having been declared.
#[must_use]
pub fn mathematics(name: &str) -> Option<Declaration> {
    prototype(name)?.parse().ok()
}
