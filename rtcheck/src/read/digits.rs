//! Decimal digits of all scripts, which SWI-Prolog reads as numbers too.

/// Where the digits from 0 to 9 of a script begin (Unicode's general category Nd).
const ZEROS: &[u32] = &[
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30,
    0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0,
    0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC,
    0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
];

/// The zero of the script that a digit belongs to.
pub(super) fn zero(character: char) -> Option<u32> {
    let code = u32::from(character);
    let below = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    (code - ZEROS[below] < 10).then(|| ZEROS[below])
}

/// Whether a number begins with a character; by the standard only ASCII's digits do.
pub(crate) fn begins_number(character: char, strict: bool) -> bool {
    character.is_ascii_digit() || !strict && zero(character).is_some()
}

/// The value of a decimal digit of any script.
pub(crate) fn weight(character: char) -> Option<u32> {
    value(character, zero(character)?)?.to_digit(10)
}

/// The value of a digit of the script with a zero.
pub(super) fn value(character: char, zero: u32) -> Option<char> {
    u32::from(character).checked_sub(zero).and_then(|value| char::from_digit(value, 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_has_the_value_that_its_place_in_its_script_gives() {
        assert!(ZEROS.is_sorted());
        for (digit, expected) in [('٣', '3'), ('९', '9'), ('𝟗', '9')] {
            let zero = zero(digit).expect("it is a digit");
            assert_eq!(value(digit, zero), Some(expected));
        }
        assert_eq!(zero('٪'), None);
        assert_eq!(zero('a'), None);
        assert_eq!(value('4', 0x0660), None);
        assert_eq!((weight('7'), weight('९'), weight('x')), (Some(7), Some(9), None));
        assert!(begins_number('٣', false) && begins_number('3', true) && !begins_number('٣', true));
    }
}
