//! The section with bitcode, in objects, programs, shared libraries and archives.
//!
//! It is a row of pieces: a mark, the length as eight bytes (the least significant first), the bitcode or
//! the path of a library that was linked, and zeros up to a multiple of eight bytes. A linker that joins
//! sections may put zeros between them.

/// The section's name.
pub const SECTION: &str = ".symexec.bitcode";

const BITCODE: &[u8; 16] = b"symexec bitcode\n";
const LIBRARY: &[u8; 16] = b"symexec library\n";

/// What a section has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A module.
    Bitcode(&'a [u8]),
    /// The path of an archive or a shared library that was given to the linker.
    Library(&'a [u8]),
}

impl Piece<'_> {
    /// As it stands in a section.
    pub fn bytes(&self) -> Vec<u8> {
        let (mark, content) = match self {
            Self::Bitcode(content) => (BITCODE, content),
            Self::Library(content) => (LIBRARY, content),
        };
        let mut bytes = mark.to_vec();
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(*content);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }
}

/// Takes pieces apart again; `None` if something else is between them.
pub fn pieces(mut bytes: &[u8]) -> Option<Vec<Piece<'_>>> {
    let mut found = Vec::new();
    loop {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        bytes = bytes.get(zeros..)?;
        if bytes.is_empty() {
            return Some(found);
        }
        let (mark, rest) = bytes.split_first_chunk::<16>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let content = rest.get(..length)?;
        found.push(match mark {
            BITCODE => Piece::Bitcode(content),
            LIBRARY => Piece::Library(content),
            _ => return None,
        });
        bytes = rest.get(length..)?;
    }
}

/// A file, by what it begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents<'a> {
    /// An object, program or shared library in ELF's format, with its section if it has one.
    Elf(Option<&'a [u8]>),
    /// An archive, with its members.
    Archive(Vec<Member<'a>>),
    /// A script.
    Script,
    /// Something else.
    Other,
}

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// The file that a thin archive names, relative to the archive's folder.
    File(&'a [u8]),
}

/// Looks into a file; what is damaged is an error, as a text.
///
/// # Errors
/// If an archive or the headers of an ELF file end early or contradict themselves.
pub fn contents(bytes: &[u8]) -> Result<Contents<'_>, &'static str> {
    if bytes.starts_with(b"\x7fELF") {
        return elf(bytes).map(Contents::Elf);
    }
    if let Some(rest) = bytes.strip_prefix(b"!<arch>\n") {
        return archive(rest, false).ok_or("a damaged archive").map(Contents::Archive);
    }
    if let Some(rest) = bytes.strip_prefix(b"!<thin>\n") {
        return archive(rest, true).ok_or("a damaged archive").map(Contents::Archive);
    }
    Ok(if bytes.starts_with(b"#!") { Contents::Script } else { Contents::Other })
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(N)?)?;
    usize::try_from(field.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))).ok()
}

/// The section of a 64-bit ELF file, the least significant byte first.
fn elf(bytes: &[u8]) -> Result<Option<&[u8]>, &'static str> {
    if bytes.get(4..6) != Some(&[2, 1]) {
        return Err("no ELF file of 64 bits with the least significant byte first");
    }
    let damaged = "a damaged ELF file";
    let table = number::<8>(bytes, 0x28).ok_or(damaged)?;
    let size = number::<2>(bytes, 0x3a).ok_or(damaged)?;
    let mut count = number::<2>(bytes, 0x3c).ok_or(damaged)?;
    let mut names = number::<2>(bytes, 0x3e).ok_or(damaged)?;
    if table == 0 {
        return Ok(None);
    }
    let header = |index: usize| {
        let start = index.checked_mul(size).and_then(|offset| offset.checked_add(table))?;
        bytes.get(start..start.checked_add(0x40)?)
    };
    let first = header(0).ok_or(damaged)?;
    // Numbers that the file's header is too small for stand in the first section's.
    if count == 0 {
        count = number::<8>(first, 0x20).ok_or(damaged)?;
    }
    if names == 0xffff {
        names = number::<4>(first, 0x28).ok_or(damaged)?;
    }
    let body = |section: &[u8]| {
        let start = number::<8>(section, 0x18)?;
        bytes.get(start..start.checked_add(number::<8>(section, 0x20)?)?)
    };
    let names = header(names).and_then(body).ok_or(damaged)?;
    for index in 1..count {
        let section = header(index).ok_or(damaged)?;
        let name = number::<4>(section, 0).and_then(|at| names.get(at..)).ok_or(damaged)?;
        if name.strip_prefix(SECTION.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)) {
            return body(section).ok_or(damaged).map(Some);
        }
    }
    Ok(None)
}

/// The members of an archive but its index and its table of long names.
fn archive(mut rest: &[u8], thin: bool) -> Option<Vec<Member<'_>>> {
    let mut members = Vec::new();
    let mut long_names: &[u8] = &[];
    while !rest.is_empty() {
        let (header, after) = rest.split_at_checked(60)?;
        let size: usize = std::str::from_utf8(&header[48..58]).ok()?.trim_end().parse().ok()?;
        let name = header[..16].trim_ascii_end();
        let index = [&b"/"[..], b"/SYM64/", b"__.SYMDEF"].contains(&name);
        let stored = !thin || index || name == b"//";
        let body = if stored { after.get(..size)? } else { &[] };
        if name == b"//" {
            long_names = body;
        } else if !index {
            members.push(if thin {
                Member::File(member_name(name, long_names)?)
            } else {
                Member::Bytes(body)
            });
        }
        rest = after.get(body.len()..)?;
        // Members begin at even places.
        if body.len() % 2 == 1 {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    Some(members)
}

/// A name of at most fifteen characters, or the place of one in the table of long names.
fn member_name<'a>(name: &'a [u8], long_names: &'a [u8]) -> Option<&'a [u8]> {
    let Some(place) = name.strip_prefix(b"/") else { return Some(name.strip_suffix(b"/").unwrap_or(name)) };
    let place: usize = std::str::from_utf8(place).ok()?.parse().ok()?;
    let text = long_names.get(place..)?;
    let line = text.split(|byte| *byte == b'\n').next()?;
    Some(line.strip_suffix(b"/").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::{Contents, Member, Piece, contents, pieces};

    #[test]
    fn pieces_are_found_again() {
        let all = [Piece::Bitcode(b"one"), Piece::Library(b""), Piece::Bitcode(&[0; 9])];
        let [one, two, three] = all.map(|piece| piece.bytes());
        assert_eq!(pieces(&[one.clone(), vec![0; 24], two, three].concat()), Some(all.to_vec()));
        assert_eq!(pieces(&[&one[..], &[0; 3]].concat()), Some(all[..1].to_vec()));
        assert_eq!(pieces(b"x"), None);
        assert_eq!(pieces(b"symexec unknown\n\0\0\0\0\0\0\0\0"), None);
        assert_eq!(pieces(&one[..26]), None);
    }

    #[test]
    fn damaged_files_are_errors_and_no_panics() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(contents(&program), Ok(Contents::Elf(None)));
        for length in (0..200).chain([program.len() / 2]) {
            let _ = contents(&program[..length]);
        }
        let header =
            |name: &str, size: usize| format!("{name:<16}0           0     0     644     {size:<10}`\n");
        let archive = format!("!<arch>\n{}abc\n{}ab", header("a.o/", 3), header("b.o/", 2));
        let members = vec![Member::Bytes(b"abc"), Member::Bytes(b"ab")];
        assert_eq!(contents(archive.as_bytes()), Ok(Contents::Archive(members)));
        assert_eq!(contents(&archive.as_bytes()[..100]), Err("a damaged archive"));
        let thin = format!("!<thin>\n{}d/a.o/\n\n{}{}", header("//", 8), header("/0", 9), header("b.o/", 9));
        let members = vec![Member::File(b"d/a.o"), Member::File(b"b.o")];
        assert_eq!(contents(thin.as_bytes()), Ok(Contents::Archive(members)));
    }
}
