#!/bin/bash
# Runs `synod verify` with its default options on each algorithm of the library, and prints the table of docs/claims.md: network,
# configurations, seconds, memory in MB, and the verdict.
#
#     cargo build --release && benches/exploration/defaults.sh [ALGORITHM…]
#
# Configurations and verdicts are the same on every machine; time and memory are those of one thread on this one.
set -u
cd "$(dirname "$0")/../.."
synod=${SYNOD:-target/release/synod}
report=$(mktemp)
memory=$(mktemp)
trap 'rm -f "$report" "$memory"' EXIT

field() { grep -o "\"$1\":[^,}]*" "$report" | head -1 | cut -d: -f2- | tr -d '"'; }

# Properties with this verdict, claimed by the algorithm or not.
properties() {
    grep -o "\"name\":\"[A-Za-z0-9_]*\",\"kind\":\"[a-z ]*\",\"verdict\":\"$1\",\"promised\":$2" "$report" | cut -d'"' -f4 | paste -sd, | sed 's/,/, /g'
}

names=("$@")
if [ ${#names[@]} = 0 ]; then
    mapfile -t names < <(find stdlib -name '*.syn' -not -path '*/problems/*' -exec basename {} .syn \; | sort)
fi
printf '| algorithm | network | configurations | s | MB | verdict |\n|---|---|--:|--:|--:|---|\n'
for name in "${names[@]}"; do
    command time -o "$memory" -f %M "$synod" verify "$name" -j 1 --json > "$report" 2> /dev/null < /dev/null
    megabytes=$(($(tail -1 "$memory") / 1024))
    violated=$(properties violated false)
    open=$(properties '\(pending\|not checked\)' true)
    verdict=$(field verdict)
    case "$verdict" in
        holds) words="all claimed properties hold" ;;
        violated)
            words=$(properties violated true)
            words=${words:+violated: $words}
            if grep -q '"what":"stuck"' "$report"; then words="${words:+$words; }some run deadlocks"; fi ;;
        *) words="undecided: $open" ;;
    esac
    if [ -n "$violated" ]; then words="$words; not claimed and violated: $violated"; fi
    parameters=$(grep -o '"parameters":{[^}]*}' "$report" | head -1 | sed 's/.*{\(.*\)}/\1/; s/"//g; s/:/ /g; s/,/, /g')
    topology=$(grep -o '"network":{"topology":"[^"]*"' "$report" | cut -d'"' -f6)
    printf '| `%s` | `%s`%s | %s | %.1f | %s | %s |\n' "$name" "$topology" "${parameters:+ with $parameters}" "$(field configurations)" "$(field seconds)" "$megabytes" "$words"
done
