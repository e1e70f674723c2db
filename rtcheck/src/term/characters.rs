//! Which characters make which tokens. The reader and the writer must agree on this.
//!
//! ISO leaves characters beyond its own set to the implementation: letters and digits of any script make names
//! (variables if the first is an upper-case letter), with the marks that Unicode combines with them, and other
//! visible characters are symbols, as in `∀` or `→`.

/// Characters of symbol atoms.
#[must_use]
pub fn is_symbol(character: char) -> bool {
    if character.is_ascii() {
        return b"+-*/\\^<>=~:.?@#&$".contains(&(character as u8));
    }
    !(is_alphanumeric(character) || is_invisible(character))
}

/// Characters of names and numbers.
#[must_use]
pub fn is_alphanumeric(character: char) -> bool {
    character == '_'
        || character.is_alphanumeric()
        || character > '\u{ff}' && unicode_ident::is_xid_continue(character) && !is_invisible(character)
}

/// Whether an unquoted atom may start with this letter.
#[must_use]
pub fn starts_name(character: char) -> bool {
    character.is_alphabetic() && !character.is_uppercase()
}

/// Whether a variable starts with this character.
#[must_use]
pub fn starts_variable(character: char) -> bool {
    character == '_' || character.is_uppercase()
}

/// Layout other than the blank, controls, and what marks a text without being seen.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    (character.is_whitespace() && character != ' ')
        || character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{10ffff}')
}
