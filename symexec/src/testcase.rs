//! Tests in KLEE's ktest format, so that its tools and replay library read them.
//!
//! All integers have 32 bits, the highest byte first: `KTEST`, the version, the number of arguments and
//! each with its length, then (from version 2 on) two numbers on symbolic arguments, then the number of
//! objects and each one's name and bytes, with their lengths.

/// What every file begins with.
const MAGIC: &[u8; 5] = b"KTEST";

/// The version that is written; earlier ones can be read as well.
const VERSION: u32 = 3;

/// A test: the bytes of every input of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KTest {
    /// The program's file and arguments.
    pub arguments: Vec<String>,
    /// How many symbolic arguments the POSIX runtime made.
    pub symbolic_arguments: u32,
    /// And of what length.
    pub symbolic_argument_length: u32,
    /// Inputs by name, in the order in which the program made them.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// Why bytes are no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KTestError {
    /// They begin with something else.
    #[error("not a ktest file: it does not begin with KTEST")]
    Magic,
    /// Of a version that is not known.
    #[error("ktest version {0} is not known; this program reads versions 1 to {VERSION}")]
    Version(u32),
    /// They end too early.
    #[error("the ktest file ends in the middle, at byte {0}")]
    Short(usize),
    /// They go on after the end.
    #[error("{0} bytes follow the end of the ktest file's content")]
    Long(usize),
    /// A number, or a length, does not fit the format.
    #[error("an input of {0} bytes does not fit a ktest file")]
    TooLarge(usize),
}

impl KTest {
    /// The bytes of the file.
    ///
    /// # Errors
    /// If something is too long for the format.
    pub fn to_bytes(&self) -> Result<Vec<u8>, KTestError> {
        let mut out = MAGIC.to_vec();
        put(&mut out, VERSION as usize)?;
        put(&mut out, self.arguments.len())?;
        for argument in &self.arguments {
            put_bytes(&mut out, argument.as_bytes())?;
        }
        out.extend(self.symbolic_arguments.to_be_bytes());
        out.extend(self.symbolic_argument_length.to_be_bytes());
        put(&mut out, self.objects.len())?;
        for (name, bytes) in &self.objects {
            put_bytes(&mut out, name.as_bytes())?;
            put_bytes(&mut out, bytes)?;
        }
        Ok(out)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are no ktest file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KTestError> {
        let rest =
            bytes.strip_prefix(MAGIC).or_else(|| bytes.strip_prefix(b"BOUT\n")).ok_or(KTestError::Magic)?;
        let mut reader = Reader { all: bytes.len(), rest };
        let version = reader.number()?;
        if version == 0 || version > VERSION {
            return Err(KTestError::Version(version));
        }
        let mut test = Self::default();
        for _ in 0..reader.number()? {
            test.arguments.push(String::from_utf8_lossy(reader.bytes()?).into_owned());
        }
        if version >= 2 {
            test.symbolic_arguments = reader.number()?;
            test.symbolic_argument_length = reader.number()?;
        }
        for _ in 0..reader.number()? {
            let name = String::from_utf8_lossy(reader.bytes()?).into_owned();
            test.objects.push((name, reader.bytes()?.to_vec()));
        }
        if reader.rest.is_empty() { Ok(test) } else { Err(KTestError::Long(reader.rest.len())) }
    }
}

fn put(out: &mut Vec<u8>, number: usize) -> Result<(), KTestError> {
    let number = u32::try_from(number).map_err(|_| KTestError::TooLarge(number))?;
    out.extend(number.to_be_bytes());
    Ok(())
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), KTestError> {
    put(out, bytes.len())?;
    out.extend(bytes);
    Ok(())
}

struct Reader<'a> {
    all: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], KTestError> {
        let at = self.all - self.rest.len();
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(KTestError::Short(at))?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, KTestError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn bytes(&mut self) -> Result<&'a [u8], KTestError> {
        let length = self.number()?;
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }
}
