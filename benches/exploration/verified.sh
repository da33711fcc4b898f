#!/bin/bash
# Writes stdlib/verified.tsv: for each algorithm of the library the largest network of its kind of which every schedule was
# looked at within so many seconds (default 10), and in how many configurations. What is not promised may be violated.
#
#     cargo build --release && benches/exploration/verified.sh [SECONDS] > stdlib/verified.tsv
#
# The time a machine takes decides where the table ends, and nothing else: its numbers are the same everywhere.
set -u
seconds=${1:-10}
cd "$(dirname "$0")/../.."
synod=${SYNOD:-target/release/synod}

# Networks of the family, the smallest first.
networks() {
    case "$1" in
        *ring) for n in 1 2 3 4 5 6 7 8 9 10 12 14 16 20 24 32 48 64; do echo "ring($n)"; done ;;
        complete) for n in 1 2 3 4 5 6 7 8; do echo "complete($n)"; done ;;
        star) for n in 1 2 3 4 5 6 7 8; do echo "star($n)"; done ;;
        tree) for n in 1 2 3 4 5 6 7 8 9 10; do echo "tree($n)"; done ;;
        *mesh) for n in '1, 1' '1, 2' '2, 2' '2, 3' '3, 3' '3, 4' '4, 4'; do echo "mesh($n)"; done ;;
        *torus) for n in '3, 3' '3, 4' '4, 4'; do echo "torus($n)"; done ;;
        *hypercube) for d in 0 1 2 3 4; do echo "hypercube($d)"; done ;;
        *) for n in 1 2; do echo "line($n)"; done
           for n in 3 4 5 6 7 8 10 12; do echo "ring($n)"; done ;;
    esac
}

judging() { printf ' --property %s' "$@"; }

# What is finite with a parameter only, and given ten times as long: more lines of the table, with the words that say so.
special() {
    case "$1" in
        ben_or) echo "complete(3)|with turns 1 but for termination and cost|--set turns=1$(judging validity agreement integrity one_proposal locked no_more_rounds unanimous)" ;;
        paxos) echo "complete(2)|with attempts 1|--set attempts=1"
               echo "complete(2)|with attempts 2|--set attempts=2"
               echo "complete(3)|with attempts 1 and proposers 2|--set attempts=1 --set proposers=2"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash and a restart|--set attempts=1 --set proposers=1 --faults crash<=1,restart<=1" ;;
        # Whoever gives twice, a half, a third or a quarter of what it has, makes millions of them.
        chandy_lamport) echo "line(2)|with gifts 1|--set gifts=1"
                        echo "line(2)|with gifts 2 and capital 2|--set gifts=2 --set capital=2" ;;
        lai_yang) echo "line(2)|with gifts 1|--set gifts=1" ;;
    esac
}

# What was found is complete but for properties that make infinitely many configurations by what they count or tell apart: which.
but_for() {
    grep -q '"cut":null' <<< "$1" || return 1
    local names
    names=$(grep -o '"name":"[A-Za-z0-9_]*","kind":"[a-z ]*","verdict":"pending","promised":true' <<< "$1" | cut -d'"' -f4 | paste -sd, | sed 's/,/, /g')
    [ -n "$names" ] && echo " but for $names"
}

printf '# algorithm\tnetwork\tconfigurations; written by benches/exploration/verified.sh\n'
COLUMNS=1000 "$synod" list | awk '
    NR == 1 { problem = index($0, "PROBLEM"); topology = index($0, "TOPOLOGY"); model = index($0, "MODEL"); next }
    { name = substr($0, 1, problem - 1); shape = substr($0, topology, model - topology)
      gsub(/ +$/, "", name); gsub(/ +$/, "", shape); print name "\t" shape }' |
while IFS=$'\t' read -r name shape; do
    best=
    while read -r network; do
        # A network that the algorithm does not take (exit 2) says nothing of larger ones.
        found=$("$synod" verify "$name" --on "$network" --timeout "${seconds}s" --json 2> /dev/null < /dev/null)
        case $? in
            0) best="$name\t$network\t$(grep -o '"configurations":[0-9]*' <<< "$found" | head -1 | cut -d: -f2)" ;;
            2) ;;
            3) words=$(but_for "$found") || break
               best="$name\t$network$words\t$(grep -o '"configurations":[0-9]*' <<< "$found" | head -1 | cut -d: -f2)" ;;
            # Of one process or two it may say nothing; what goes wrong on a larger one ends the row.
            1) [ -n "$best" ] && break ;;
            *) break ;;
        esac
    done < <(networks "$shape")
    if [ -n "$best" ]; then printf "$best\n"; fi
    special "$name" | while IFS='|' read -r network words flags; do
        # shellcheck disable=SC2086
        found=$("$synod" verify "$name" --on "$network" $flags --timeout "$((10 * seconds))s" --json 2> /dev/null < /dev/null) &&
            printf '%s\t%s %s\t%s\n' "$name" "$network" "$words" "$(grep -o '"configurations":[0-9]*' <<< "$found" | head -1 | cut -d: -f2)"
    done
done
