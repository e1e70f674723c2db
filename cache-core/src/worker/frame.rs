//! Frames: 4 bytes magic, 4 bytes length (little-endian), then that many bytes of payload.

use std::io::{self, Read, Write};

const MAGIC: [u8; 4] = *b"RPF1";

/// The version of the protocol that both sides greet each other with.
const VERSION: u32 = 1;

/// Why no frame could be read.
#[derive(Debug)]
pub(super) enum FrameError {
    /// The stream ended between frames.
    End,
    /// The stream ended inside a frame.
    Torn,
    /// These bytes do not begin a frame.
    Garbage(Vec<u8>),
    /// The frame announces more bytes than are accepted.
    TooLong(u64),
    /// The stream could not be read.
    Unreadable,
}

/// Writes one frame and flushes. A payload of 4 GiB or more is an error.
pub(super) fn write(output: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a frame holds less than 4 GiB"))?;
    let mut header = [0; 8];
    header[..4].copy_from_slice(&MAGIC);
    header[4..].copy_from_slice(&length.to_le_bytes());
    output.write_all(&header)?;
    output.write_all(payload)?;
    output.flush()
}

/// Reads one frame of at most `bound` bytes. Memory is taken as the bytes come, so a false length costs
/// none.
pub(super) fn read(input: &mut impl Read, bound: usize) -> Result<Vec<u8>, FrameError> {
    // The magic number is compared as it comes: garbage may be shorter than a header and then wait.
    let mut header = [0; 8];
    let mut filled = 0;
    while filled < header.len() {
        match input.read(&mut header[filled..]) {
            Ok(0) if filled == 0 => return Err(FrameError::End),
            Ok(0) => return Err(FrameError::Torn),
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(FrameError::Unreadable),
        }
        if !MAGIC.starts_with(&header[..filled.min(MAGIC.len())]) {
            return Err(FrameError::Garbage(header[..filled].to_vec()));
        }
    }
    let [_, _, _, _, length @ ..] = header;
    let length = u32::from_le_bytes(length) as usize;
    if length > bound {
        return Err(FrameError::TooLong(length as u64));
    }
    let mut payload = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut payload).map_err(|_| FrameError::Unreadable)?;
    if payload.len() == length { Ok(payload) } else { Err(FrameError::Torn) }
}

/// What the parent says first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Greeting {
    /// The limit that the child sets itself, in bytes of address space.
    pub(super) memory_bytes: Option<u64>,
}

impl Greeting {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        bytes.extend(self.memory_bytes.unwrap_or(u64::MAX).to_le_bytes());
        bytes
    }

    /// `None` if this is no greeting of this version.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, memory) = bytes.split_first_chunk::<4>()?;
        if u32::from_le_bytes(*version) != VERSION {
            return None;
        }
        let memory = u64::from_le_bytes(memory.try_into().ok()?);
        Some(Self { memory_bytes: (memory != u64::MAX).then_some(memory) })
    }
}

/// What the child answers to the greeting: that it is ready, or why it is not.
pub(super) fn ready(result: Result<(), String>) -> Vec<u8> {
    let mut bytes = VERSION.to_le_bytes().to_vec();
    if let Err(why) = result {
        bytes.extend(why.into_bytes());
    }
    bytes
}

/// Reads what [`ready`] wrote.
pub(super) fn is_ready(bytes: &[u8]) -> Result<(), String> {
    match bytes.split_first_chunk::<4>() {
        Some((version, [])) if u32::from_le_bytes(*version) == VERSION => Ok(()),
        Some((version, why)) if u32::from_le_bytes(*version) == VERSION => {
            Err(String::from_utf8_lossy(why).into_owned())
        }
        _ => Err("it speaks another version of the worker protocol".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written_and_a_cut_one_is_torn() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"one").unwrap();
        write(&mut bytes, b"").unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input, 3).unwrap(), b"one");
        assert_eq!(read(&mut input, 3).unwrap(), b"");
        assert!(matches!(read(&mut input, 3), Err(FrameError::End)));
        for cut in 1..11 {
            assert!(matches!(read(&mut &bytes[..cut], 3), Err(FrameError::Torn)), "cut at {cut}");
        }
    }

    /// What a signal does to a read, before every byte.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(io::ErrorKind::Interrupted.into()) } else { self.0.read(&mut into[..1]) }
        }
    }

    #[test]
    fn a_read_that_a_signal_interrupts_goes_on_and_one_that_fails_ends() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"one").unwrap();
        assert_eq!(read(&mut Interrupted(&bytes, false), 3).unwrap(), b"one");
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        assert!(matches!(read(&mut Broken, 3), Err(FrameError::Unreadable)));
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        assert!(matches!(read(&mut &b"WARNING: x"[..], 9), Err(FrameError::Garbage(_))));
        assert!(matches!(read(&mut &b"R\n"[..], 9), Err(FrameError::Garbage(_))));
        assert!(matches!(read(&mut &b"RPF1\xff\xff\xff\x7f"[..], 9), Err(FrameError::TooLong(_))));
    }

    #[test]
    fn greetings_are_read_as_they_were_written() {
        for memory_bytes in [None, Some(0), Some(1 << 40)] {
            let greeting = Greeting { memory_bytes };
            assert_eq!(Greeting::from_bytes(&greeting.to_bytes()), Some(greeting));
        }
        assert_eq!(Greeting::from_bytes(b"\x02\0\0\0\0\0\0\0\0\0\0\0"), None);
        assert_eq!(is_ready(&ready(Ok(()))), Ok(()));
        assert_eq!(is_ready(&ready(Err("no".into()))), Err("no".into()));
        for other in [&b"\x02\0\0\0"[..], b"\x02\0\0\0no", b"\x01"] {
            assert!(is_ready(other).unwrap_err().contains("another version"));
        }
    }
}
