//! The C runtime, compiled into this program.

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The header by which programs talk to the engine.
pub(crate) const KLEE_HEADER: &str = include_str!("../../../runtime/include/klee/klee.h");

/// Functions of `math.h` for which there are intrinsic ones of the same name: compilers write these where
/// nobody looks at `errno`.
const OF_MATHEMATICS: [&str; 17] = [
    "acos", "asin", "atan", "cos", "cosh", "exp", "exp10", "exp2", "ldexp", "log", "log10", "log2", "pow",
    "sin", "sinh", "tan", "tanh",
];

/// The functions that stand for an intrinsic one, for one scalar each; none if it is not computed by
/// functions. A second result comes from a function of its own.
pub(crate) fn functions_for(intrinsic: &str) -> Vec<String> {
    let name = intrinsic.strip_prefix("llvm.").unwrap_or(intrinsic);
    let name = name.strip_prefix("experimental.constrained.").unwrap_or(name);
    let mut parts = name.split('.');
    let (Some(base), Some(ty)) = (parts.next(), parts.next()) else { return Vec::new() };
    // Vectors are called by the scalar behind the number of their elements.
    let scalar =
        ty.strip_prefix('v').map_or(ty, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let (suffix, mode) = match scalar {
        "f32" => ("f", "s"),
        "f64" => ("", "d"),
        "f80" => ("l", "x"),
        _ => return Vec::new(),
    };
    match base {
        "powi" => vec![format!("__powi{mode}f2")],
        "frexp" => ["fraction", "exponent"].map(|part| format!("__symexec_{part}{suffix}")).to_vec(),
        _ if OF_MATHEMATICS.contains(&base) => vec![format!("{base}{suffix}")],
        _ => Vec::new(),
    }
}
