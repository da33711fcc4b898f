#!/usr/bin/env bash
# Installs the Python package and tests it, with its types. SYNOD names the binary.
#
# It installs the package and what tests need (requirements.txt) by Python's client, below the target folder. Where that cannot be had it says
# SKIPPED, and ends with 0; under CI it fails.
set -euo pipefail
cd "$(dirname "$0")"
root="$(realpath ../..)"
target="${CARGO_TARGET_DIR:-$root/target}"
export SYNOD="${SYNOD:-$target/debug/synod}"
[ -x "$SYNOD" ] || { echo "editors/python/test.sh: there is no $SYNOD: cargo build first"; exit 2; }

without() {
  echo "editors/python/test.sh: $1"
  [ -z "${CI:-}" ] || exit 1
  echo "editors/python/test.sh: SKIPPED, nothing was tested"
  exit 0
}

tools="$target/python"
if ! cmp -s requirements.txt "$tools/requirements.txt"; then
  command -v python3 >/dev/null || without "no python3"
  rm -rf "$tools"
  python3 -m venv "$tools" || without "python3 has no module venv"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --requirement requirements.txt || without "what tests need cannot be installed"
  cp requirements.txt "$tools/requirements.txt"
fi
# The package as it is published: a wheel, built from a copy of the sources, as the build writes beside them.
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT
cp -r pyproject.toml README.md src "$build"
"$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$build/wheel" "$build"
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$build"/wheel/synod-*.whl

"$tools/bin/mypy" --cache-dir "$build/mypy" src
"$tools/bin/python" -W error -m unittest discover --start-directory tests 2>&1 | tee "$build/log"
echo "editors/python/test.sh: $(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$build/log") passed"
