#!/usr/bin/env bash
# Tests what a release publishes, with a stand-in for the binary: installer, archives, npm packages, and the action's annotations.
#
# Nothing is downloaded: releases are folders, or served on the loopback interface. It needs node, npm and jq. Where they cannot be had it
# says SKIPPED, and ends with 0; under CI it fails. SYNOD names the binary for the annotations; without it they are not tested.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"

without() {
  echo "packaging/test.sh: $1"
  [ -z "${CI:-}" ] || exit 1
  echo "packaging/test.sh: SKIPPED, nothing was tested"
  exit 0
}
for tool in node npm jq curl; do
  command -v "$tool" >/dev/null || without "no $tool"
done

work="$(mktemp -d)"
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

passed=0
# A test: a subshell that must succeed, whose first failing command ends it. (In a condition, `set -e` would have no effect.)
check() {
  local name="$1" code
  shift
  set +e
  (
    set -e
    "$@"
  ) >"$work/output" 2>&1
  code=$?
  set -e
  if [ "$code" != 0 ]; then
    echo "packaging/test.sh: FAILED: $name"
    cat "$work/output"
    exit 1
  fi
  passed=$((passed + 1))
}
says() { grep -qF -- "$1" "$work/said" || { echo "expected: $1"; cat "$work/said"; return 1; }; }
# Run a command that must fail, and keep what it says.
refuses() { if "$@" >"$work/said" 2>&1; then cat "$work/said"; return 1; fi; }

# ─── A release ──────────────────────────────────────────────────────────────────────────────────────────────────────

version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
mkdir -p "$work/bin"
cat >"$work/bin/synod" <<'SH'
#!/bin/sh
[ "$1" != --quiet ] || shift
case "$1" in
  --version) echo "synod 9.9.9" ;;
  completions) echo "# completions for $2" ;;
  man) echo page >"$2/synod.1" ;;
  exit) exit "$2" ;;
  wait) trap 'echo partial; exit 3' TERM; echo ready; while :; do sleep 0.1; done ;;
  *) echo "$@" ;;
esac
SH
chmod +x "$work/bin/synod"

release="$work/releases/download/v9.9.9"
targets="x86_64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-gnu aarch64-unknown-linux-musl x86_64-apple-darwin aarch64-apple-darwin"
for target in $targets; do
  .github/packaging/archive.sh pack "$work/bin/synod" "$target" "$release"
done
# The archive for Windows, without the program that packs it there.
mkdir -p "$work/zip/synod-x86_64-pc-windows-msvc"
cp "$work/bin/synod" "$work/zip/synod-x86_64-pc-windows-msvc/synod.exe"
node - "$work/zip" "$release/synod-x86_64-pc-windows-msvc.zip" <<'JS'
// A zip file with one stored member.
const fs = require("fs"), zlib = require("zlib");
const [folder, out] = process.argv.slice(2);
const name = Buffer.from("synod-x86_64-pc-windows-msvc/synod.exe"), data = fs.readFileSync(`${folder}/${name}`);
const common = Buffer.alloc(26);
common.writeUInt16LE(20, 0); common.writeUInt32LE(zlib.crc32(data), 10);
common.writeUInt32LE(data.length, 14); common.writeUInt32LE(data.length, 18); common.writeUInt16LE(name.length, 22);
const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, data]);
const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, Buffer.alloc(14), name]);
const end = Buffer.alloc(22);
end.write("PK\x05\x06"); end.writeUInt16LE(1, 8); end.writeUInt16LE(1, 10);
end.writeUInt32LE(central.length, 12); end.writeUInt32LE(local.length, 16);
fs.writeFileSync(out, Buffer.concat([local, central, end]));
JS
.github/packaging/archive.sh finish "file://$work/releases" "$release"
mkdir -p "$work/releases/latest"
ln -s "$release" "$work/releases/latest/download"

holds_everything() {
  local listed member
  listed="$(tar -tzf "$release/synod-x86_64-unknown-linux-musl.tar.gz")"
  for member in synod README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT man/man1/synod.1 completions/_synod completions/synod.{bash,fish,elv} completions/_synod.ps1; do
    grep -qx "synod-x86_64-unknown-linux-musl/$member" <<<"$listed" || { echo "no $member"; return 1; }
  done
}
check "an archive holds command, completions, manual page and licences" holds_everything
sums_fit() { cd "$release" && sha256sum --quiet -c SHA256SUMS && [ "$(wc -l <SHA256SUMS)" = 8 ]; }
check "SHA256SUMS names every file" sums_fit

# ─── The installer ──────────────────────────────────────────────────────────────────────────────────────────────────

shells="sh"
for shell in dash bash busybox; do
  if command -v "$shell" >/dev/null; then shells="$shells $shell"; fi
done
# The installer of the release, in a shell, into a folder of its own.
install_with() {
  local shell="$1"
  shift
  [ "$shell" != busybox ] || shell="busybox sh"
  rm -rf "${work:?}/home"
  # shellcheck disable=SC2086 # `busybox sh` is two words
  env -u SYNOD_RELEASES HOME="$work/home" $shell "$release/install.sh" "$@"
}
installs() {
  install_with "$@" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
  says "installed synod 9.9.9: $work/home/.local/bin/synod"
  says "is not in PATH"
  [ "$("$work/home/.local/bin/synod" hello)" = hello ]
  [ "$(ls -A "$work/home/.local/bin")" = synod ]
}
for shell in $shells; do
  check "$shell installs the latest release" installs "$shell"
  check "$shell installs a version" installs "$shell" v9.9.9
done

replaces() {
  mkdir -p "$work/own folder"
  echo old >"$work/own folder/synod"
  SYNOD_INSTALL="$work/own folder" PATH="$work/own folder:$PATH" install_with sh >"$work/said"
  says "installed synod 9.9.9: $work/own folder/synod"
  if grep "not in PATH" "$work/said"; then return 1; fi
  [ "$("$work/own folder/synod" hello)" = hello ]
}
check "an older command is replaced, in a folder of one's own" replaces

leaves_nothing() { [ ! -e "$work/home/.local/bin/synod" ] || { echo "a command was installed"; return 1; }; }
wrong_checksum() {
  cp -r "$work/releases" "$work/changed"
  for target in $targets; do echo more >>"$work/changed/download/v9.9.9/synod-$target.tar.gz"; done
  SYNOD_RELEASES="file://$work/changed" refuses sh .github/packaging/install.sh 9.9.9
  says "nothing is installed"
  leaves_nothing
}
check "an archive with another checksum is refused" wrong_checksum

# Commands that stand in for those of another system.
pretend() {
  mkdir -p "$work/pretended"
  # shellcheck disable=SC2016 # a script
  printf '#!/bin/sh\ncase "$1" in -s) echo "%s" ;; -m) echo "%s" ;; esac\n' "$1" "$2" >"$work/pretended/uname"
  printf '#!/bin/sh\n%s\n' "${3:-exit 1}" >"$work/pretended/getconf"
  chmod +x "$work/pretended/"*
}
unknown_platform() {
  pretend "$1" "$2"
  PATH="$work/pretended:$PATH" refuses install_with sh
  says "$3"
  leaves_nothing
}
check "an unknown system is named" unknown_platform Plan9 x86_64 "there is no binary for Plan9"
check "an unknown processor is named" unknown_platform Linux s390x "there is no binary for the processor s390x"
recognises() {
  pretend "$1" "$2" "$3"
  # A release without archives: the error names the archive that was sought.
  mkdir -p "$work/empty/latest/download"
  : >"$work/empty/latest/download/SHA256SUMS"
  PATH="$work/pretended:$PATH" SYNOD_RELEASES="file://$work/empty" refuses sh .github/packaging/install.sh
  says "no archive synod-$4"
}
check "an old libc gets the binary for musl" recognises Linux x86_64 'echo glibc 2.31' x86_64-unknown-linux-musl.tar.gz
check "a new libc gets its own binary" recognises Linux aarch64 'echo glibc 2.41' aarch64-unknown-linux-gnu.tar.gz
check "a system without GNU libc gets the binary for musl" recognises Linux aarch64 'exit 1' aarch64-unknown-linux-musl.tar.gz
check "macOS on arm64" recognises Darwin arm64 'exit 1' aarch64-apple-darwin.tar.gz
check "Windows" recognises MINGW64_NT-10.0 x86_64 'exit 1' x86_64-pc-windows-msvc.zip
if command -v unzip >/dev/null; then
  on_windows() {
    pretend MSYS_NT-10.0 x86_64
    PATH="$work/pretended:$PATH" install_with sh >"$work/said"
    says "installed synod 9.9.9: $work/home/.local/bin/synod.exe"
  }
  check "a zip file is unpacked" on_windows
fi

unknown_version() { refuses install_with sh 1.2.3; says "v1.2.3/SHA256SUMS cannot be downloaded"; leaves_nothing; }
check "a version without a release" unknown_version
no_version() { refuses install_with sh newest; says "newest\` is not a version"; }
check "a word in place of a version" no_version
no_address() { unset SYNOD_RELEASES; refuses sh .github/packaging/install.sh; says "set SYNOD_RELEASES"; }
check "the script of a checkout knows no address" no_address
no_network() { SYNOD_RELEASES=http://127.0.0.1:1 refuses sh .github/packaging/install.sh; says "http://127.0.0.1:1/latest/download/SHA256SUMS cannot be downloaded"; }
check "no connection" no_network
does_not_start() {
  cp -r "$work/releases" "$work/broken"
  printf '#!/bin/sh\nexit 1\n' >"$work/wrong"
  chmod +x "$work/wrong"
  for target in $targets; do
    mkdir -p "$work/broken.d/synod-$target"
    cp "$work/wrong" "$work/broken.d/synod-$target/synod"
    tar -czf "$work/broken/download/v9.9.9/synod-$target.tar.gz" -C "$work/broken.d" "synod-$target"
  done
  .github/packaging/archive.sh finish "file://$work/broken" "$work/broken/download/v9.9.9"
  SYNOD_RELEASES="file://$work/broken" HOME="$work/home" refuses sh .github/packaging/install.sh 9.9.9
  says "does not start here"
  leaves_nothing
}
check "a command that does not start is not installed" does_not_start
no_folder() { SYNOD_INSTALL="$release/SHA256SUMS/bin" refuses install_with sh; says "cannot be made"; }
check "a folder that cannot be made" no_folder

# wget, from a server.
if command -v wget >/dev/null; then
  node -e '
    const root = process.argv[1];
    require("http").createServer((ask, answer) => {
      require("fs").readFile(root + ask.url, (error, data) => { answer.statusCode = error ? 404 : 200; answer.end(data); });
    }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
  ' "$work/releases" >"$work/port" &
  server=$!
  while [ ! -s "$work/port" ]; do sleep 0.1; done
  # All commands but curl.
  mkdir -p "$work/no curl"
  for tool in sh wget tar gzip awk sed cut mktemp rm mv cp mkdir chmod uname getconf sha256sum cat; do
    ln -s "$(command -v "$tool")" "$work/no curl/$tool"
  done
  by_wget() {
    HOME="$work/home" SYNOD_RELEASES="http://127.0.0.1:$(cat "$work/port")" PATH="$work/no curl" sh .github/packaging/install.sh >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    says "installed synod 9.9.9"
  }
  check "without curl, wget downloads" by_wget
  rm "$work/no curl/wget"
  by_nothing() { SYNOD_RELEASES=https://127.0.0.1 PATH="$work/no curl" refuses sh .github/packaging/install.sh; says "curl or wget is needed"; }
  check "without curl and wget" by_nothing
fi

# ─── npm ────────────────────────────────────────────────────────────────────────────────────────────────────────────

packages() {
  node .github/packaging/npm/build.mjs "$release" "$work/npm"
  for package in "$work/npm"/*; do (cd "$package" && npm pack --silent --pack-destination "$work"); done
  [ "$(find "$work" -maxdepth 1 -name "synod*-$version.tgz" | wc -l)" = 6 ]
  node -e '
    const root = require(process.argv[1] + "/synod/package.json");
    const names = Object.keys(root.optionalDependencies);
    if (names.length !== 5 || names.some((name) => root.optionalDependencies[name] !== root.version)) process.exit(1);
  ' "$work/npm"
}
if command -v unzip >/dev/null; then
  platform="$(node -p 'process.platform + "-" + process.arch')"
  check "packages for npm from the archives" packages
  installed() {
    mkdir -p "$work/project"
    cd "$work/project"
    echo '{ "private": true }' >package.json
    npm install --offline --silent --no-audit --no-fund "$work/synod-$version.tgz" "$work/synod-$platform-$version.tgz"
    [ "$(npx synod hello there)" = "hello there" ]
  }
  check "npm installs the package of the platform" installed
  launcher="$work/project/node_modules/.bin/synod"
  same_code() { code=0; "$launcher" exit 3 || code=$?; [ "$code" = 3 ]; }
  check "the launcher ends with the code of the command" same_code
  passes_signal() {
    "$launcher" wait >"$work/said" &
    child=$!
    while ! grep -q ready "$work/said"; do sleep 0.1; done
    kill -TERM "$child"
    code=0
    wait "$child" || code=$?
    [ "$code" = 3 ] && says partial
  }
  check "the launcher passes signals on and waits" passes_signal
  no_binary() { rm -rf "$work/project/node_modules"/synod-*; refuses "$launcher" hello; says "is not installed; npm leaves it out with --omit=optional"; }
  check "the launcher names a package that is missing" no_binary
  incomplete() { mkdir -p "$work/few"; cp "$release"/*gnu* "$work/few"; refuses node .github/packaging/npm/build.mjs "$work/few" "$work/npm2"; says "are missing"; }
  check "packages are not made of some archives only" incomplete
else
  [ -z "${CI:-}" ] || { echo "packaging/test.sh: no unzip"; exit 1; }
  echo "packaging/test.sh: no unzip, the npm packages are not tested"
fi

# ─── The action ─────────────────────────────────────────────────────────────────────────────────────────────────────

action_installs() {
  mkdir -p "$work/tools"
  RUNNER_TOOL_CACHE="$work/tools" GITHUB_PATH="$work/path" GITHUB_OUTPUT="$work/outputs" VERSION=9.9.9 SYNOD_RELEASES="file://$work/releases" sh .github/action/install.sh
  grep -qx "$work/tools/synod/bin" "$work/path" && grep -qx version=9.9.9 "$work/outputs"
}
check "the action installs a release" action_installs

if [ -n "${SYNOD:-}" ]; then
  mkdir -p "$work/real" "$work/repository/programs"
  ln -s "$(realpath "$SYNOD")" "$work/real/synod"
  cp .github/action/test/*.syn "$work/repository/programs"
  cd "$work/repository/programs"
  annotates() {
    local expected="$1" files="$2"
    shift 2
    code=0
    env PATH="$work/real:$PATH" SYNOD_FOLDER=programs SYNOD_FILES="$files" "$@" sh "$root/.github/action/run.sh" >"$work/said" 2>"$work/errors" || code=$?
    diff -u "$root/.github/action/test/$expected" <(cat "$work/said"; echo "exit code $code") || { cat "$work/errors"; return 1; }
  }
  check "annotations of check" annotates check.txt . SYNOD_COMMANDS=check
  check "annotations of test" annotates test.txt scenarios.syn SYNOD_COMMANDS=test
  check "a finding of two commands is annotated once" annotates once.txt broken.syn SYNOD_COMMANDS='check test'
  check "annotations of snapshots" annotates snapshots.txt scenarios.syn SYNOD_COMMANDS=snapshots
  check "annotations of verify" annotates verify.txt $'scenarios.syn\nviolated.syn\nbroken.syn' SYNOD_COMMANDS=verify SYNOD_ARGUMENTS='--on=ring(3)'
  check "annotations of a limit" annotates limit.txt scenarios.syn SYNOD_COMMANDS=verify SYNOD_ARGUMENTS=$'--on=ring(4)\n--max-configurations=2'
  check "annotations of a missing file and an unknown command" annotates missing.txt missing.syn SYNOD_COMMANDS='check nothing'
  junit() { env PATH="$work/real:$PATH" SYNOD_FILES=scenarios.syn SYNOD_COMMANDS=test SYNOD_JUNIT="$work/junit.xml" sh "$root/.github/action/run.sh" || true; grep -q 'failures="1"' "$work/junit.xml"; }
  check "results as JUnit" junit
  quality() {
    { "$SYNOD" check --json broken.syn || true; "$SYNOD" test --json scenarios.syn broken.syn || true; } >"$work/results"
    jq -s --arg form gitlab --arg folder programs -f "$root/.github/action/findings.jq" "$work/results" |
      jq -e 'length == 2 and all(.[]; (.location.path | startswith("programs/")) and .location.lines.begin > 0 and .severity == "major" and (.fingerprint | length > 0))'
  }
  check "a report of code quality for GitLab" quality
fi

echo "packaging/test.sh: $passed passed"
