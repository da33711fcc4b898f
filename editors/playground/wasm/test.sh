#!/usr/bin/env bash
# Builds the WebAssembly module and compares its answers with those of the library, byte for byte. Where it cannot be built, it says SKIPPED.
#
#   editors/playground/wasm/test.sh [ANSWERS]      the answers, as the test `workbench::answers_do_not_depend_on_the_session` has written them
set -euo pipefail
cd "$(dirname "$0")"
root="$(realpath ../../..)"

installed="$(rustc --print sysroot)/lib/rustlib"
if [ -z "${CI:-}" ] && [ ! -d "$installed/wasm32-unknown-unknown/lib" ] && [ ! -d "$installed/src/rust/library" ]; then
  echo "editors/playground/wasm/test.sh: SKIPPED: neither the target wasm32-unknown-unknown nor the component rust-src is installed"
  exit 0
fi
answers="${1:-${CARGO_TARGET_DIR:-$root/target}/tmp/workbench_answers.jsonl}"
if [ ! -f "$answers" ]; then
  (cd "$root" && cargo test --quiet --test suite -- workbench::answers_do_not_depend_on_the_session > /dev/null)
fi
cargo fmt --check
warnings="$(mktemp)"
trap 'rm -f "$warnings"' EXIT
module="$(./build.sh 2> >(tee "$warnings" >&2))"
# The library has neither an operating system nor addresses of 64 bits there.
if grep -q '^warning' "$warnings"; then
  echo "editors/playground/wasm/test.sh: the library builds with warnings for WebAssembly" >&2
  exit 1
fi
node test.mjs "$module" "$root/tests/suite/workbench/requests.jsonl" "$answers"
