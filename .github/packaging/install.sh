#!/bin/sh
# Installs the `synod` command from the archives of a release.
#
#   sh install.sh [VERSION]      such as 0.1.0; without it, the latest release
#
#   SYNOD_INSTALL    the folder for the command (~/.local/bin)
#   SYNOD_RELEASES   the address of the releases, where this copy of the script does not know it; https:// or file://
#   SYNOD_TARGET     the platform, such as x86_64-unknown-linux-musl, where it is not recognised
#
# The script checks the archive against SHA256SUMS of the same release, and starts the command once before it installs it.
# It needs curl or wget, tar (on Windows: unzip), and sha256sum, shasum or openssl.
set -eu

# A release writes its own address here: see archive.sh.
releases="${SYNOD_RELEASES:-}"

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Print the platform as Rust names it. Binaries for GNU libc need version 2.35 or later; the others need no libc at all.
platform() {
  system="$(uname -s)"
  machine="$(uname -m)"
  case "$machine" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no binary for the processor $machine; build Synod from source with cargo" ;;
  esac
  case "$system" in
    Linux)
      libc="$(getconf GNU_LIBC_VERSION 2>/dev/null || true)"
      case "$libc" in
        "glibc 2.3"[5-9] | "glibc 2."[4-9][0-9]) echo "$machine-unknown-linux-gnu" ;;
        *) echo "$machine-unknown-linux-musl" ;;
      esac
      ;;
    Darwin) echo "$machine-apple-darwin" ;;
    MINGW* | MSYS* | CYGWIN*)
      # Windows on arm64 runs binaries for x86-64.
      echo x86_64-pc-windows-msvc
      ;;
    *) fail "there is no binary for $system; build Synod from source with cargo" ;;
  esac
}

# Download an address to a file.
download() {
  if has curl; then
    curl --fail --silent --show-error --location --retry 2 --output "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "curl or wget is needed to download"
  fi || fail "$1 cannot be downloaded"
}

sha256() {
  if has sha256sum; then
    sum="$(sha256sum "$1")"
  elif has shasum; then
    sum="$(shasum -a 256 "$1")"
  elif has openssl; then
    sum="$(openssl dgst -sha256 -r "$1")"
  else
    fail "sha256sum, shasum or openssl is needed to check the download"
  fi
  echo "${sum%% *}"
}

# As a function, which runs only when the whole script has arrived.
main() {
  [ $# -le 1 ] || fail "one version is expected, such as 0.1.0"
  version="${1:-latest}"
  version="${version#v}"
  case "$version" in
    latest) ;;
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) fail "\`$version\` is not a version; an example is 0.1.0" ;;
  esac
  [ -n "$releases" ] || fail "this copy knows no address: set SYNOD_RELEASES to the address of the releases"
  target="${SYNOD_TARGET:-$(platform)}"
  folder="${SYNOD_INSTALL:-${HOME:?set HOME or SYNOD_INSTALL}/.local/bin}"

  case "$target" in
    *windows*) archive="synod-$target.zip" command=synod.exe ;;
    *) archive="synod-$target.tar.gz" command=synod ;;
  esac
  if [ "$version" = latest ]; then
    from="$releases/latest/download"
  else
    from="$releases/download/v$version"
  fi

  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  download "$from/SHA256SUMS" "$work/SHA256SUMS"
  expected="$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")"
  [ -n "$expected" ] || fail "the release has no archive $archive: $from/SHA256SUMS"
  download "$from/$archive" "$work/$archive"
  actual="$(sha256 "$work/$archive")"
  [ "$actual" = "$expected" ] ||
    fail "$archive has the checksum $actual, and SHA256SUMS says $expected; nothing is installed"

  case "$archive" in
    *.zip) unzip -q "$work/$archive" -d "$work" ;;
    *) tar -xzf "$work/$archive" -C "$work" ;;
  esac || fail "$archive cannot be unpacked"
  binary="$work/synod-$target/$command"
  [ -f "$binary" ] || fail "$archive contains no synod-$target/$command"
  chmod 755 "$binary"
  what="$("$binary" --version)" || fail "the command of $archive does not start here; set SYNOD_TARGET to another platform"

  mkdir -p "$folder" || fail "the folder $folder cannot be made"
  # Moved within the folder, so that a command in use is replaced at once.
  { cp "$binary" "$folder/.$command.$$" && mv -f "$folder/.$command.$$" "$folder/$command"; } ||
    fail "$folder/$command cannot be written"
  echo "installed $what: $folder/$command"
  case ":${PATH}:" in
    *":$folder:"*) ;;
    *) echo "$folder is not in PATH" ;;
  esac
}

main "$@"
