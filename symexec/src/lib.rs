//! Explores LLVM bitcode symbolically and sees through addresses in solver queries.
