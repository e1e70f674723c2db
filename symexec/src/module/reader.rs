//! What is said between the engine and the worker that reads programs.

use std::path::{Path, PathBuf};

use cache_core::codec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Module;

/// Reads, compiles and links.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    /// C and C++ sources, bitcode and LLVM assembly, linked in this order.
    pub files: Vec<PathBuf>,
    /// Macros for C sources, as after the compiler's `-D`.
    pub defines: Vec<String>,
    /// Folders in which C sources look for headers.
    pub include: Vec<PathBuf>,
    /// What else the compiler is told for C sources.
    pub flags: Vec<String>,
    /// The compiler; `clang-19` on the search path if absent.
    pub clang: Option<PathBuf>,
    /// Whether the runtime's start is linked in, which makes arguments and files that are not known.
    pub start: bool,
    /// Whether the program is wanted in LLVM's assembly language as well.
    pub assembly: bool,
    /// Whether it is wanted as bitcode as well.
    pub bitcode: bool,
    /// Whether the program (not the runtime) is optimized as by `-O2`, without loops over vectors.
    pub optimize: bool,
    /// Whether it loses what it tells of its sources.
    pub strip: bool,
    /// Whether weak symbols that nobody defines have an address: a planted fault.
    #[cfg(feature = "plant")]
    pub keeps_missing: bool,
}

/// Extensions of C++ files.
const CXX: [&str; 6] = ["cpp", "cc", "cxx", "c++", "C", "ii"];

/// Whether a file is one that is compiled before it is read, by its name.
#[must_use]
pub fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i") || is_cxx(file)
}

/// Whether a file is C++, by its name.
#[must_use]
pub fn is_cxx(file: &Path) -> bool {
    file.extension().is_some_and(|extension| CXX.iter().any(|known| extension == *known))
}

/// The program, or why there is none, for users to read.
pub type Response = Result<Module, String>;

/// Puts a message into bytes.
///
/// # Errors
/// Says why the message does not go into bytes.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, String> {
    codec::encode(message).map_err(|error| error.to_string())
}

/// Takes a message out of bytes.
///
/// # Errors
/// Says why the bytes are no such message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    codec::decode(bytes).map_err(|error| error.to_string())
}
