#!/bin/sh
# The commands of the action (action.yml): runs `synod` on files and prints findings as annotations of GitHub. On other services it
# serves as an example; see docs/continuous_integration.md.
#
#   SYNOD_COMMANDS    check, test, snapshots and verify, separated by blanks, in the order of their execution
#   SYNOD_FILES       files and folders, one a line
#   SYNOD_ARGUMENTS   options for `synod verify`, one a line: --on=ring(4)
#   SYNOD_JUNIT       the file for the results of `synod test`, as JUnit XML; empty: none
#   SYNOD_FOLDER      the present folder, relative to the root of the repository: for the places of annotations
#
# It ends with the highest exit code of the commands: 0 success, 1 a finding, 2 an error in the usage or the source, 3 a limit was reached.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
command -v jq >/dev/null || { echo "run.sh: jq is needed for annotations" >&2 && exit 2; }

output="$(mktemp)"
findings="$(mktemp)"
# At the end, each finding once: `check` and `test` report the same errors.
# shellcheck disable=SC2329 # called by the trap
finish() {
  awk '!seen[$0]++' "$findings"
  rm -f "$output" "$findings"
}
trap finish EXIT
worst=0

# Run a command with --json, and keep its findings.
synod_findings() {
  program="$1"
  shift
  code=0
  # With CI, no snapshot is written.
  CI=true synod "$@" --json >"$output" || code=$?
  if ! jq -r --arg form github --arg folder "${SYNOD_FOLDER:-}" --arg program "$program" -f "$here/findings.jq" "$output" >>"$findings"; then
    cat "$output"
    [ "$code" != 0 ] || code=2
  fi
  [ "$code" -le "$worst" ] || worst="$code"
}

report() {
  echo "$1"
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || echo "* $1" >>"$GITHUB_STEP_SUMMARY"
}

# Lines are separate arguments; other blanks and patterns are part of them.
set -f
newline='
'
lines() {
  IFS="$newline"
}
words() {
  IFS=" $newline$(printf '\t')"
}

lines
# shellcheck disable=SC2086 # lines
set -- ${SYNOD_FILES:-.}
words
for verb in ${SYNOD_COMMANDS:-check test}; do
  case "$verb" in
    check)
      synod_findings "" check "$@"
      report "check: $(jq -r '"files: \(.files // [] | length), errors: \(.errors // 1), warnings: \(.warnings // 0)"' "$output")"
      ;;
    test | snapshots)
      # `snapshots`: each scenario has a snapshot, and each snapshot a scenario.
      if [ "$verb" = snapshots ]; then set -- --snapshot --check --unreferenced=reject "$@"; fi
      if [ -n "${SYNOD_JUNIT:-}" ]; then set -- --junit "$SYNOD_JUNIT" "$@"; fi
      synod_findings "" test "$@"
      report "$verb: $(jq -r '"passed: \(.passed // 0), failed: \(.failed // 0), errors: \(.errors // 1)"
        + (.snapshots // empty | "; snapshots equal: \(.same), different: \(.different), not accepted: \(.new)")' "$output")"
      # Without the options.
      lines
      # shellcheck disable=SC2086 # lines
      set -- ${SYNOD_FILES:-.}
      words
      ;;
    verify)
      # One program at a time; problems cannot be verified.
      programs="$(CI=true synod check --json "$@" | jq -r '.files // [] | .[] | select(.kind == "algorithm").file' | tr -d '\r')" || true
      if [ -z "$programs" ]; then
        echo "::error title=synod verify::no program was found" >>"$findings"
        worst=2
      fi
      lines
      for program in $programs; do
        # shellcheck disable=SC2086 # lines
        synod_findings "$program" verify "$program" ${SYNOD_ARGUMENTS:-}
        report "verify $program: $(jq -r 'if .verdict then "\(.verdict) on \(.network.topology), \(.configurations) configurations" else "error" end' "$output")"
      done
      words
      ;;
    *)
      echo "::error title=synod::\`$verb\` is no command of the action: check, test, snapshots, verify" >>"$findings"
      worst=2
      ;;
  esac
done
exit "$worst"
