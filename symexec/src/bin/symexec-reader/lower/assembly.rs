//! Where instructions stand in LLVM's assembly language.
//!
//! LLVM prints one instruction per line, two spaces in; labels begin in the first column, and what belongs
//! to the instruction above (cases of a switch, the ways on from an invoke) is further in or a bracket.

use rustc_hash::FxHashMap;

/// The lines of the instructions of each function, in order, counted from 1.
pub(super) fn instruction_lines(text: &str) -> FxHashMap<String, Vec<u32>> {
    let mut all = FxHashMap::default();
    let mut current: Option<(String, Vec<u32>)> = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        match &mut current {
            None => current = name(line).map(|name| (name, Vec::new())),
            Some(_) if line == "}" => all.extend(current.take()),
            Some((_, lines)) => {
                let rest = line.strip_prefix("  ").unwrap_or(" ");
                if !rest.is_empty() && !rest.starts_with([' ', ']', ';', '#']) {
                    lines.push(number);
                }
            }
        }
    }
    all
}

/// The name of the function that begins on a line.
fn name(line: &str) -> Option<String> {
    let rest = line.strip_prefix("define ")?;
    // Attributes before the name have no `@` outside of quotes, nor has the result's type.
    let rest = &rest[rest.find('@')? + 1..];
    if let Some(quoted) = rest.strip_prefix('"') {
        return Some(unescaped(&quoted[..quoted.find('"')?]));
    }
    Some(rest[..rest.find('(')?].to_owned())
}

/// A quoted name, in which odd bytes are a backslash and two hexadecimal digits.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let escaped = (*first == b'\\').then(|| more.get(..2)).flatten();
        let byte = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::instruction_lines;

    #[test]
    fn labels_records_and_parts_of_instructions_are_no_instructions() {
        let text = "target triple = \"x\"\n\
            \n\
            define dso_local i32 @f(i32 noundef %0) #0 !dbg !9 {\n  \
              %2 = alloca i32, align 4\n    \
                #dbg_declare(ptr %2, !5, !DIExpression(), !6)\n  \
              switch i32 %0, label %3 [\n    \
                i32 1, label %4\n  \
              ], !dbg !10\n\
            \n\
            3:                                                ; preds = %1\n  \
              ret i32 0\n\
            \n\
            named:\n  \
              ; a comment\n  \
              unreachable\n\
            }\n\
            declare void @g()\n\
            define void @\"od\\22d\"() {\n  \
              ret void\n\
            }\n";
        let lines = instruction_lines(text);
        assert_eq!(lines["f"], [4, 6, 11, 15]);
        assert_eq!(lines["od\"d"], [19]);
        assert_eq!(lines.len(), 2);
    }
}
