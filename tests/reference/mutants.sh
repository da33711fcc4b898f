#!/bin/sh
# Sensitivity of the random programs: each patch of tests/reference/mutants reverts the fix of a known fault, and the fixed batch of
# tests/reference/random must find it.
#
#   tests/reference/mutants.sh [NUMBER…]      all patches, or those with these numbers, such as 04
#
# Applies each patch to the last commit, and prints how many programs of the batch are examined up to the first difference. The exit code is 1 if
# the batch misses a fault, and 2 if a patch does not apply or the batch does not run. Each patch takes a build of the tests, whose target
# folder is kept, and a batch: five to ten minutes. SYNOD_RANDOM_SEED and SYNOD_RANDOM_PROGRAMS select other programs.
set -u
cd "$(dirname "$0")/../.." || exit 2
patches=$PWD/tests/reference/mutants
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")/mutants
export CARGO_TARGET_DIR SYNOD_RANDOM_FIRST=1 SYNOD_RANDOM_SHRINK=0
first=${SYNOD_RANDOM_SEED:-0}
work=$(mktemp -d)
tree=$work/tree
log=$work/log
: > "$log"
trap 'git worktree remove --force "$tree" 2> "$log"; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
git worktree add --quiet --detach "$tree" HEAD || exit 2

fail() {
    echo "$1" >&2
    tail -n 20 "$log" >&2
    exit 2
}

# PATCH: the number of programs up to the first difference, or of all programs.
measure() {
    name=$(basename "$1" .patch)
    git -C "$tree" apply "$1" 2> "$log" || fail "$name does not apply"
    (cd "$tree" && cargo test --quiet --no-run --test reference) > "$log" 2>&1 || fail "$name does not build"
    (cd "$tree" && cargo test --quiet --test reference -- fixed_batch --nocapture) > "$log" 2>&1
    seed=$(sed -n 's/^==== .*, first with seed \([0-9]*\))$/\1/p' "$log" | sort -n | head -n 1)
    programs=$(sed -n 's/^\([0-9]*\) programs, .*/\1/p' "$log")
    if [ -n "$seed" ]; then
        echo "$name: found after $((seed - first + 1)) programs"
    elif [ -n "$programs" ]; then
        echo "$name: NOT FOUND in $programs programs"
        missed=1
    else
        fail "$name: the batch did not run to its end"
    fi
    git -C "$tree" reset --quiet --hard
}

missed=0
if [ $# -eq 0 ]; then set -- ''; fi
for number; do
    for patch in "$patches/$number"*.patch; do
        [ -f "$patch" ] || fail "there is no patch $number"
        measure "$patch"
    done
done
exit "$missed"
