#!/usr/bin/env bash
# Uses the playground in headless Chromium, from disk and by `synod serve`. Plain `cargo test` does not need it.
#
# It installs what it needs (tests/browser/browser.sh). WASM names a module that is built already, SYNOD the binary to test; else it is built.
# PAGE names the file in which the page is kept.
set -euo pipefail
page="${PAGE:+$(realpath -m "$PAGE")}"
cd "$(dirname "$0")"

script=editors/playground/test.sh
source ../../tests/browser/browser.sh
command -v xz >/dev/null || install_package xz-utils || without "no xz"
build_synod

if [ -n "$page" ]; then
  dist="$(dirname "$page")"
else
  dist="$(mktemp -d)"
  trap 'rm -rf "$dist"' EXIT
fi
./build.sh "$dist"
node test/page.mjs "$browser" "$dist/index.html"
node test/served.mjs "$browser" "$dist/index.html" "$(realpath "$SYNOD")"
