//! How the characters of a stream are bytes.

/// An encoding, as SWI-Prolog names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// A byte is the character of that code.
    Octet,
    /// The same, as characters of ISO 8859-1.
    Latin1,
    /// A byte is the character of that code; only those below 128 are written.
    Ascii,
    /// UTF-16, the higher byte first.
    Utf16Be,
    /// UTF-16, the lower byte first.
    Utf16Le,
}

/// What tells at the beginning of a text how it is encoded.
const MARKS: [(&[u8], Encoding); 3] =
    [(b"\xef\xbb\xbf", Encoding::Utf8), (b"\xfe\xff", Encoding::Utf16Be), (b"\xff\xfe", Encoding::Utf16Le)];

impl Encoding {
    /// The encoding that a name stands for, SWI-Prolog's or that of IANA's register.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "utf8" | "text" | "UTF-8" => Self::Utf8,
            "octet" => Self::Octet,
            "iso_latin_1" | "ISO-8859-1" => Self::Latin1,
            "ascii" | "US-ASCII" => Self::Ascii,
            "utf16be" | "unicode_be" | "UTF-16BE" => Self::Utf16Be,
            "utf16le" | "unicode_le" | "UTF-16LE" => Self::Utf16Le,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf8",
            Self::Octet => "octet",
            Self::Latin1 => "iso_latin_1",
            Self::Ascii => "ascii",
            Self::Utf16Be => "utf16be",
            Self::Utf16Le => "utf16le",
        }
    }

    /// The encoding that the first bytes of a text tell, and how many of them do.
    #[must_use]
    pub fn marked(bytes: &[u8]) -> Option<(Self, usize)> {
        let found = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark));
        found.map(|&(mark, encoding)| (encoding, mark.len()))
    }

    /// Moves as many bytes as possible to a text, all of them if no more come. False if some were no characters:
    /// [`char::REPLACEMENT_CHARACTER`] stands for them.
    pub(in crate::machine) fn decode(self, bytes: &mut Vec<u8>, text: &mut String, ended: bool) -> bool {
        match self {
            Self::Octet | Self::Latin1 | Self::Ascii => {
                text.extend(bytes.drain(..).map(char::from));
                true
            }
            Self::Utf8 => decode_utf8(bytes, text, ended),
            Self::Utf16Be => decode_utf16(u16::from_be_bytes, bytes, text, ended),
            Self::Utf16Le => decode_utf16(u16::from_le_bytes, bytes, text, ended),
        }
    }

    /// Adds the bytes of a text. False, behind those of the characters before it, if one has none.
    #[must_use]
    pub(in crate::machine) fn encode(self, text: &str, bytes: &mut Vec<u8>) -> bool {
        let mut below = |limit: u32| {
            text.chars().all(|character| {
                let fits = u32::from(character) < limit;
                if fits {
                    bytes.push(u32::from(character) as u8);
                }
                fits
            })
        };
        match self {
            Self::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Self::Octet | Self::Latin1 => return below(256),
            Self::Ascii => return below(128),
            Self::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        }
        true
    }
}

fn decode_utf8(bytes: &mut Vec<u8>, text: &mut String, ended: bool) -> bool {
    let mut all_valid = true;
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                rest = &[];
            }
            Err(error) => {
                let (valid, behind) = rest.split_at(error.valid_up_to());
                // What is valid needs no look at its bytes again, but a proof for the compiler.
                text.push_str(&String::from_utf8_lossy(valid));
                rest = behind;
                let Some(wrong) = error.error_len().or(ended.then_some(behind.len())) else { break };
                text.push(char::REPLACEMENT_CHARACTER);
                all_valid = false;
                rest = &behind[wrong..];
            }
        }
    }
    let decoded = bytes.len() - rest.len();
    bytes.drain(..decoded);
    all_valid
}

fn decode_utf16(unit: fn([u8; 2]) -> u16, bytes: &mut Vec<u8>, text: &mut String, ended: bool) -> bool {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    let mut left = odd.len();
    // The second half of a character may come later.
    if !ended && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
        units.pop();
        left += 2;
    }
    let mut all_valid = true;
    for character in char::decode_utf16(units) {
        all_valid &= character.is_ok();
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if ended && left > 0 {
        text.push(char::REPLACEMENT_CHARACTER);
        (all_valid, left) = (false, 0);
    }
    bytes.drain(..bytes.len() - left);
    all_valid
}
