//! Lets the worker program `ivl-solver` find the Z3 library: beside itself when installed, in this
//! checkout's `.deps` otherwise. Nothing else of this package links Z3.

fn main() {
    println!("cargo:rerun-if-env-changed=REPRISE_DEPS");
    println!("cargo:rustc-link-arg-bin=ivl-solver=-Wl,-rpath,$ORIGIN");
    if let Ok(deps) = std::env::var("REPRISE_DEPS") {
        println!("cargo:rustc-link-arg-bin=ivl-solver=-Wl,-rpath,{deps}/z3/z3/lib");
    }
}
