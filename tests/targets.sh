#!/usr/bin/env bash
# Checks the library without the command line for WebAssembly, which has no operating system and addresses of 32 bits.
#
#   tests/targets.sh [TARGET…]      other targets in place of WebAssembly, such as i686-unknown-linux-gnu
#
# A target whose standard library is not installed is checked with the source of the standard library (component rust-src).
# Where neither can be had it says SKIPPED, and ends with 0. With CI set, .ci/wasm-target first gets what is missing for WebAssembly.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${CI:-}" ]; then
  .ci/wasm-target
fi
installed="$(rustc --print sysroot)/lib/rustlib"
for target in "${@:-wasm32-unknown-unknown}"; do
  library=(clippy --quiet --lib --no-default-features --target "$target")
  if [ -d "$installed/$target/lib" ]; then
    cargo "${library[@]}" -- -D warnings
  elif [ -d "$installed/src/rust/library" ]; then
    RUSTC_BOOTSTRAP=1 cargo "${library[@]}" -Z build-std=std,panic_abort -- -D warnings
  else
    echo "tests/targets.sh: SKIPPED $target: neither the target nor the component rust-src is installed"
    continue
  fi
  echo "tests/targets.sh: the library builds for $target"
done
