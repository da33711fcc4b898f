#!/usr/bin/env bash
# Builds the site of the documents: a folder of pages that load nothing else. Usage: build.sh [DIST].
#
# It needs node 20 or later and mdBook. A binary of mdBook comes from PyPI (requirements.txt), once, below the target folder: building it takes
# minutes. SYNOD names the binary of Synod, else it is built; PAGE the page of the playground, else that is built, too.
set -euo pipefail
dist="$(realpath -m "${1:-$(dirname "$0")/dist}")"
page="${PAGE:+$(realpath -m "$PAGE")}"
cd "$(dirname "$0")/../.."
target="${CARGO_TARGET_DIR:-target}"

# As in tests/browser/browser.sh.
script="${script:-docs/site/build.sh}"
without() {
  echo "$script: $1"
  [ -z "${CI:-}" ] || exit 1
  echo "$script: SKIPPED, nothing was built"
  exit 0
}
command -v node >/dev/null || without "no node"
[ -z "$page" ] || [ -e "$page" ] || without "no page of the playground at $page"
if ! command -v mdbook >/dev/null; then
  tools="$target/mdbook"
  if ! cmp -s docs/site/requirements.txt "$tools/requirements.txt"; then
    command -v python3 >/dev/null || without "no mdbook, and no python3 to install it"
    rm -rf "$tools"
    python3 -m venv "$tools" || without "python3 has no module venv"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --requirement docs/site/requirements.txt || without "mdbook cannot be installed"
    cp docs/site/requirements.txt "$tools/requirements.txt"
  fi
  PATH="$(cd "$tools/bin" && pwd):$PATH"
fi
if [ -z "${SYNOD:-}" ]; then
  cargo build --quiet --bin synod
  SYNOD="$(cargo metadata --format-version 1 --no-deps | node -e 'process.stdout.write(JSON.parse(require("fs").readFileSync(0)).target_directory)')/debug/synod"
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -z "$page" ]; then
  editors/playground/build.sh "$work/page"
  page="$work/page/index.html"
fi
cp docs/site/book.toml docs/site/theme.css docs/site/run.js "$work"
SYNOD="$SYNOD" node docs/site/collect.mjs "$work/src"
install -D -m 644 "$page" "$work/src/playground/index.html"
repository="$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)"
rm -rf "$dist"
MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL="$repository" MDBOOK_LOG=warn mdbook build "$work" --dest-dir "$dist"
