//! The library is embedded in the binary by a macro, which does not tell cargo what it has read.

fn main() {
    println!("cargo:rerun-if-changed=stdlib");
}
