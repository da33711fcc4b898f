#!/usr/bin/env bash
# Builds the site, checks its links, and uses it in headless Chromium. Plain `cargo test` does not need it.
#
# It installs what it needs (tests/browser/browser.sh, build.sh). SYNOD names the binary, PAGE the page of the playground; else they are built.
set -euo pipefail
cd "$(dirname "$0")"

script=docs/site/test.sh
source ../../tests/browser/browser.sh
# The browser is driven by the package that drives the playground.
(cd ../../editors/playground && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || without "Node's packages cannot be installed"

if [ -z "${SYNOD:-}" ]; then
  cargo build --quiet --bin synod
  SYNOD="$(cargo metadata --format-version 1 --no-deps | node -e 'process.stdout.write(JSON.parse(require("fs").readFileSync(0)).target_directory)')/debug/synod"
fi
export SYNOD script
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
./build.sh "$work/site"
[ -e "$work/site/index.html" ] || exit 0
mapfile -t names < <("$SYNOD" list --json | node -e 'for (const { name } of JSON.parse(require("fs").readFileSync(0)).entries) console.log(name)')
node check.mjs "$work/site" "${names[@]}"
node page.mjs "$browser" "$work/site"
