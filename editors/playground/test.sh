#!/usr/bin/env bash
# Uses the playground in headless Chromium. Plain `cargo test` does not need it.
#
# It installs what it needs (tests/browser/browser.sh). WASM names a module that is built already.
set -euo pipefail
cd "$(dirname "$0")"

script=editors/playground/test.sh
source ../../tests/browser/browser.sh
command -v xz >/dev/null || install_package xz-utils || without "no xz"

dist="$(mktemp -d)"
trap 'rm -rf "$dist"' EXIT
./build.sh "$dist"
node test/page.mjs "$browser" "$dist/index.html"
