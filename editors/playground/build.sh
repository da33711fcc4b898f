#!/usr/bin/env bash
# Builds the playground: `dist/index.html`, one file that loads nothing else. Usage: build.sh [DIST].
#
# It needs Rust with the target wasm32-unknown-unknown, xz, and node 20 or later with npm. WASM names a module that is built already.
set -euo pipefail
dist="$(realpath -m "${1:-$(dirname "$0")/dist}")"
module="${WASM:+$(realpath "$WASM")}"
cd "$(dirname "$0")"

if [ -z "$module" ]; then
  module="$(wasm/build.sh)"
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node build.mjs "$module" "$dist"
