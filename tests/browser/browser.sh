# For scripts to source: node 20 or later with npm, and `browser`, the path of Chromium. It installs what is missing by the package client of the
# system. Where they cannot be had, the script says SKIPPED and ends with 0; with CI set, it fails. `script` names it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # The script that sources this sets `script`.

without() {
  echo "$script: $1"
  [ -z "${CI:-}" ] || exit 1
  echo "$script: SKIPPED, nothing was tested"
  exit 0
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

# Set SYNOD to the command to test, which is built unless the variable names it.
build_synod() {
  [ -z "${SYNOD:-}" ] || return 0
  cargo build --quiet --bin synod
  SYNOD="$(cargo metadata --format-version 1 --no-deps | node -e 'process.stdout.write(JSON.parse(require("fs").readFileSync(0)).target_directory)')/debug/synod"
}
