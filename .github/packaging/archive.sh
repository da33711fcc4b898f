#!/usr/bin/env bash
# Packs what a release publishes.
#
#   archive.sh pack BINARY TARGET OUT     OUT/synod-TARGET.tar.gz (.zip for Windows): command, completions, manual pages, licences
#   archive.sh finish RELEASES OUT        OUT/install.sh with this address of the releases, and OUT/SHA256SUMS of all files in OUT
#
# `pack` starts the binary: it runs on the platform that the binary is for.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
# On macOS, no files with attributes beside the files.
export COPYFILE_DISABLE=1

pack() {
  local binary="$1" target="$2" out="$3" work name="synod-$2" shell file
  work="$(mktemp -d)"
  mkdir -p "$work/$name/completions" "$work/$name/man/man1" "$out"
  out="$(cd "$out" && pwd)"
  cp "$binary" "$work/$name/"
  cp "$root"/{README.md,CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT} "$work/$name/"
  for shell in bash elvish fish powershell zsh; do
    # The names under which shells look for them.
    case "$shell" in
      bash) file=synod.bash ;;
      elvish) file=synod.elv ;;
      fish) file=synod.fish ;;
      powershell) file=_synod.ps1 ;;
      zsh) file=_synod ;;
    esac
    "$binary" completions "$shell" >"$work/$name/completions/$file"
  done
  "$binary" --quiet man "$work/$name/man/man1"
  case "$target" in
    *windows*) (cd "$work" && 7z a -bso0 "$out/$name.zip" "$name") ;;
    # In a fixed order and without users: GNU tar and BSD tar have no other options in common.
    *) (cd "$work" && find "$name" -type f | LC_ALL=C sort | tar -czf "$out/$name.tar.gz" --numeric-owner -T -) ;;
  esac
  rm -rf "$work"
}

finish() {
  local releases="$1" out="$2" sums
  case "$releases" in
    *[\"\$\`\\\&\|]* | "") echo "archive.sh: $releases is not an address" >&2 && exit 1 ;;
  esac
  # shellcheck disable=SC2016 # the line of the script, not its value
  sed 's|^releases="${SYNOD_RELEASES:-}"$|releases="${SYNOD_RELEASES:-'"$releases"'}"|' \
    "$root/.github/packaging/install.sh" >"$out/install.sh"
  grep -qF "$releases" "$out/install.sh" || { echo "archive.sh: install.sh has no place for the address" >&2 && exit 1; }
  rm -f "$out/SHA256SUMS"
  sums="$(cd "$out" && sha256sum -- *)"
  printf '%s\n' "$sums" >"$out/SHA256SUMS"
}

case "${1:-} $#" in
  "pack 4") pack "$2" "$3" "$4" ;;
  "finish 3") finish "$2" "$3" ;;
  *) sed -n '2,7p' "$0" >&2 && exit 2 ;;
esac
