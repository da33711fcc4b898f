#!/usr/bin/env bash
# Uses the playground in headless Chromium. Plain `cargo test` does not need it.
#
# It installs what it needs by the package clients of Node and the system. Where a browser cannot be had it says SKIPPED, and ends with 0; with
# CI set, it fails. WASM names a module that is built already.
set -euo pipefail
cd "$(dirname "$0")"

without() {
  echo "editors/playground/test.sh: $1"
  echo "editors/playground/test.sh: SKIPPED, nothing was tested"
  [ -z "${CI:-}" ]
  exit
}

install_package() {
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
  { apt-get install -y --no-install-recommends "$1" || { apt-get update && apt-get install -y --no-install-recommends "$1"; }; } >/dev/null 2>&1
}

command -v node >/dev/null && command -v npm >/dev/null || install_package npm || without "no node and npm"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || without "node is older than version 20"
browser="$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)"
if [ -z "$browser" ]; then
  install_package chromium || without "no Chromium"
  browser="$(command -v chromium)" || without "no Chromium"
fi

dist="$(mktemp -d)"
trap 'rm -rf "$dist"' EXIT
./build.sh "$dist"
node test/page.mjs "$browser" "$dist/index.html"
