#!/bin/sh
# The first step of the action (action.yml): installs the release that its own Cargo.toml names, or VERSION of it, and puts it into PATH.
set -eu
root="$(cd "$(dirname "$0")/../.." && pwd)"

# Print a text of the section [package].
field() { sed -n "s/^$1 = \"\\(.*\\)\"\$/\\1/p" "$root/Cargo.toml" | head -n 1; }

SYNOD_RELEASES="${SYNOD_RELEASES:-$(field repository)/releases}"
SYNOD_INSTALL="${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:?}}/synod/bin"
export SYNOD_RELEASES SYNOD_INSTALL
version="${VERSION:-$(field version)}"
sh "$root/.github/packaging/install.sh" "$version"
echo "$SYNOD_INSTALL" >>"${GITHUB_PATH:?}"
echo "version=$("$SYNOD_INSTALL/synod" --version | cut -d ' ' -f 2)" >>"${GITHUB_OUTPUT:?}"
