//! Functions of `math.h` that Rust's library does not reach: those of `long double`, and the rarer ones; and those of
//! `complex.h`, whose numbers go there and back in two parts (`runtime/world/complex_outside.c`).
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

/// Of one complex number, in all three formats.
const ONE_COMPLEX: &[&str] = &[
    "cacos", "cacosh", "casin", "casinh", "catan", "catanh", "ccos", "ccosh", "cexp", "clog", "clog10",
    "csin", "csinh", "csqrt", "ctan", "ctanh",
];

/// What stands before the name of a function of complex numbers that is called with their parts.
const BY_PARTS: &str = "__symexec_";

/// The types of the formats, and what their functions' names end with.
const FORMATS: &[(&str, &str)] = &[("double", ""), ("float", "f"), ("long double", "l")];

/// The prototype of a function of this name.
fn prototype(name: &str) -> Option<String> {
    for (format, suffix) in FORMATS {
        let complex = name.strip_prefix(BY_PARTS).and_then(|name| name.strip_suffix(suffix));
        if let Some(base) = complex {
            let numbers = match base {
                "cpow" => 2,
                _ if ONE_COMPLEX.contains(&base) => 1,
                _ => continue,
            };
            let parts = [*format].repeat(2 * numbers).join(", ");
            return Some(format!("void {name}({parts}, {format} *, {format} *)"));
        }
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

/// The definition, in C, of a function of complex numbers that is called with their parts, by the system's own one;
/// `None` for all others.
pub(crate) fn by_parts(declaration: &Declaration) -> Option<String> {
    let name = declaration.name.strip_prefix(BY_PARTS)?;
    let (format, _) = declaration.text.split_once('(')?.1.split_once(',')?;
    let places: Vec<usize> = (0..declaration.parameters.len().checked_sub(2)?).collect();
    let all = |each: &dyn Fn(usize) -> String, of: &[usize]| {
        of.iter().map(|place| each(*place)).collect::<Vec<_>>().join(", ")
    };
    let firsts: Vec<usize> = places.iter().copied().step_by(2).collect();
    let complex = all(&|_| format!("{format} _Complex"), &firsts);
    let parameters = all(&|place| format!("{format} p{place}"), &places);
    let arguments = all(&|place| format!("__builtin_complex(p{place}, p{})", place + 1), &firsts);
    Some(format!(
        "extern {format} _Complex {name}({complex});\n\
         static void {BY_PARTS}{name}({parameters}, {format} *real, {format} *imaginary) {{\n  \
         {format} _Complex result = {name}({arguments});\n  \
         *real = __real__ result;\n  *imaginary = __imag__ result;\n}}"
    ))
}
