#!/usr/bin/env bash
# Builds the workbench for WebAssembly, and prints the path of the module.
#
#   editors/playground/wasm/build.sh [FILE]      also copies it to FILE
#
# WASM_PROFILE=dev builds a larger and slower module that checks overflow, in less time.
#
# Without the installed target, the standard library is built from its source (component rust-src). With CI set, .ci/wasm-target gets what is
# missing first.
set -euo pipefail
cd "$(dirname "$0")"
root="$(realpath ../../..)"
target=wasm32-unknown-unknown
if [ -n "${CI:-}" ]; then
  "$root/.ci/wasm-target" >&2
fi

# The same versions of packages as those of the command line.
cp "$root/Cargo.lock" Cargo.lock
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}/playground"
# Expressions and programs are evaluated recursively: their limits are meant for a stack of this size.
export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-zstack-size=8388608"

installed="$(rustc --print sysroot)/lib/rustlib"
profile="${WASM_PROFILE:-release}"
build=(build --quiet --profile "$profile" --target "$target")
if [ -d "$installed/$target/lib" ]; then
  cargo "${build[@]}"
elif [ -d "$installed/src/rust/library" ]; then
  RUSTC_BOOTSTRAP=1 cargo "${build[@]}" -Z build-std=std,panic_abort
else
  echo "editors/playground/wasm/build.sh: neither the target $target nor the component rust-src is installed" >&2
  echo "  hint: rustup target add $target" >&2
  exit 1
fi
module="$CARGO_TARGET_DIR/$target/${profile/#dev/debug}/synod_wasm.wasm"
if [ $# -gt 0 ]; then
  cp "$module" "$1"
fi
echo "$module"
