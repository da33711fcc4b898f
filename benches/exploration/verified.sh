#!/bin/bash
# Writes stdlib/verified.tsv: for each algorithm of the library the largest network of its kind of which every schedule was
# looked at within so many seconds (default 10), and in how many configurations. What is not promised may be violated.
# Algorithms that tolerate faults have more lines, which say how many; in all others nothing goes wrong.
#
#     cargo build --release && benches/exploration/verified.sh [SECONDS] > stdlib/verified.tsv
#
# The time a machine takes decides where the table ends, and nothing else: its numbers are the same everywhere. Whether
# they still are can be seen without a search for larger networks, line by line, of all algorithms or of those named:
#
#     benches/exploration/verified.sh --again [ALGORITHM…]
set -u
again=
[ "${1:-}" = --again ] && { again=1; shift; }
seconds=10
[ -z "$again" ] && seconds=${1:-10}
cd "$(dirname "$0")/../.."
synod=${SYNOD:-target/release/synod}

# Networks of the family, the smallest first.
networks() {
    case "$1" in
        *ring) for n in 1 2 3 4 5 6 7 8 9 10 12 14 16 20 24 32 48 64; do echo "ring($n)"; done ;;
        complete) for n in 1 2 3 4 5 6 7 8; do echo "complete($n)"; done ;;
        star) for n in 1 2 3 4 5 6 7 8 10 12 16; do echo "star($n)"; done ;;
        tree) for n in 1 2 3 4 5 6 7 8 9 10; do echo "tree($n)"; done ;;
        *mesh) for n in '1, 1' '1, 2' '2, 2' '2, 3' '3, 3' '3, 4' '4, 4'; do echo "mesh($n)"; done ;;
        *torus) for n in '3, 3' '3, 4' '4, 4'; do echo "torus($n)"; done ;;
        *hypercube) for d in 0 1 2 3 4; do echo "hypercube($d)"; done ;;
        *) for n in 1 2; do echo "line($n)"; done
           for n in 3 4 5 6 7 8 10 12; do echo "ring($n)"; done ;;
    esac
}

judging() { printf ' --property %s' "$@"; }

# Of lines with these words somebody may be blocked, and nothing else may go wrong.
blocked="where some are blocked"

# What is finite with a parameter only, what has a load of its own, and what tolerates faults; given ten times as long: more
# lines of the table, with the words that say so.
special() {
    case "$1" in
        ben_or) echo "complete(3)|with turns 1 but for termination and cost|--set turns=1$(judging validity agreement integrity one_proposal locked no_more_rounds unanimous)" ;;
        floodset) echo "complete(5)|with a crash|--faults crash<=1"
                  echo "complete(4)|with f 2 and 2 crashes|--set f=2 --faults crash<=2"
                  echo "complete(3)|with f 3 and 3 crashes|--set f=3 --faults crash<=3" ;;
        paxos) echo "complete(2)|with attempts 1|--set attempts=1"
               echo "complete(2)|with attempts 2|--set attempts=2"
               echo "complete(3)|with attempts 1 and proposers 2|--set attempts=1 --set proposers=2"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash|--set attempts=1 --set proposers=1 --faults crash<=1"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash and a restart|--set attempts=1 --set proposers=1 --faults crash<=1,restart<=1" ;;
        two_phase_commit) echo "star(4)|with a crash $blocked|--faults crash<=1"
                          echo "star(3)|with 2 crashes $blocked|--faults crash<=2" ;;
        two_phase_commit_recovery) echo "star(3)|with a crash and a restart|--faults crash<=1,restart<=1"
                                   echo "star(2)|with 2 crashes and 2 restarts|--faults crash<=2,restart<=2" ;;
        bully) echo "complete(3)|with 2 crashes|--faults crash<=2"
               echo "complete(2)|with a crash and a restart|--faults crash<=1,restart<=1" ;;
        bully_estimate | bully_suspects) echo "complete(3)|with a crash|--faults crash<=1" ;;
        lelann_regeneration) echo "ring(6)|with a loss|--faults loss<=1"
                             echo "ring(4)|with 2 losses|--faults loss<=2" ;;
        basic_crashing | reliable) echo "complete(2)|with a crash|--faults crash<=1" ;;
        # What holds only after the last wrong answer is left out.
        leader_oracle) echo "complete(8)|with a wrong answer but for same_leader|--faults lie<=1$(judging one_leader never_none)" ;;
        leader_oracle_ring) echo "ring(3)|with a wrong answer but for no_second|--faults lie<=1$(judging one_leader)" ;;
        # Whoever gives twice, a half, a third or a quarter of what it has, makes millions of them.
        chandy_lamport) echo "line(2)|with gifts 1|--set gifts=1"
                        echo "line(2)|with gifts 2 and capital 2|--set gifts=2 --set capital=2" ;;
        lai_yang) echo "line(2)|with gifts 1|--set gifts=1" ;;
        # Everybody chooses whom to tell: with three rounds there are millions on a ring.
        alpha | beta) echo "line(3)|with pulses 2|--set pulses=2"
                      echo "ring(3)|with pulses 1|--set pulses=1"
                      echo "ring(3)|with full_load|--set full_load=true" ;;
        gamma) echo "line(3)|with pulses 2|--set pulses=2"
               echo "ring(3)|with pulses 1|--set pulses=1"
               echo "ring(3)|with pulses 1 and two clusters|--set pulses=1 --set trees={(1,2)} --set preferred={(2,3)}"
               echo "ring(3)|with full_load|--set full_load=true" ;;
        round_synchronizer) echo "line(3)|with pulses 2|--set pulses=2"
                            echo "ring(3)|with pulses 1|--set pulses=1"
                            echo "ring(6)|with full_load|--set full_load=true" ;;
    esac
}

configurations() { grep -o '"configurations":[0-9]*' <<< "$1" | head -1 | cut -d: -f2; }

# What was found is complete but for properties that make infinitely many configurations by what they count or tell apart: which.
but_for() {
    grep -q '"cut":null' <<< "$1" || return 1
    local names
    names=$(grep -o '"name":"[A-Za-z0-9_]*","kind":"[a-z ]*","verdict":"pending","promised":true' <<< "$1" | cut -d'"' -f4 | paste -sd, | sed 's/,/, /g')
    [ -n "$names" ] && echo " but for $names"
}

# All has been seen, every promise is kept, and all that goes wrong is that somebody waits for ever.
only_blocked() {
    grep -q '"cut":null' <<< "$1" && grep -q '"outcome":"stuck"' <<< "$1" &&
        ! grep -qE '"verdict":"(violated|pending|not checked)","promised":true' <<< "$1"
}

# One line of the table: algorithm, network, seconds. Ends as `synod verify` does.
line() {
    local found code words=
    found=$("$synod" verify "$1" --on "$2" --timeout "${3}s" --json 2> /dev/null < /dev/null)
    code=$?
    if [ $code = 3 ]; then words=$(but_for "$found") || return 3; fi
    if [ $code = 0 ] || [ $code = 3 ]; then printf '%s\t%s%s\t%s\n' "$1" "$2" "$words" "$(configurations "$found")"; fi
    return $code
}

# One of the special lines: algorithm, network, words, flags, seconds.
special_line() {
    local found code more=
    [[ "$3" = *"$blocked" ]] && more=--keep-going
    # shellcheck disable=SC2086
    found=$("$synod" verify "$1" --on "$2" $4 $more --timeout "${5}s" --json 2> /dev/null < /dev/null)
    code=$?
    if [ -n "$more" ]; then
        only_blocked "$found" || return 1
    elif [ $code != 0 ]; then
        return 1
    fi
    printf '%s\t%s %s\t%s\n' "$1" "$2" "$3" "$(configurations "$found")"
}

# What a line of the table says now, whatever time that takes.
measured_again() {
    local network words flags
    while IFS='|' read -r network words flags; do
        if [ "$network $words" = "$2" ]; then special_line "$1" "$network" "$words" "$flags" 100000; return; fi
    done < <(special "$1")
    line "$1" "${2%% but for *}" 100000
}

if [ -n "$again" ]; then
    failed=0
    while IFS=$'\t' read -r name network figure; do
        if [[ "$name" = '#'* ]]; then printf '%s\t%s\t%s\n' "$name" "$network" "$figure"; continue; fi
        if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
        if ! found=$(measured_again "$name" "$network") && [ -z "$found" ]; then
            echo "$name on $network: this holds no more" >&2
            failed=1
        fi
        [ -n "$found" ] && printf '%s\n' "$found"
    done < stdlib/verified.tsv
    exit $failed
fi

printf '# algorithm\tnetwork\tconfigurations; written by benches/exploration/verified.sh\n'
COLUMNS=1000 "$synod" list | awk '
    NR == 1 { problem = index($0, "PROBLEM"); topology = index($0, "TOPOLOGY"); model = index($0, "MODEL"); next }
    { name = substr($0, 1, problem - 1); shape = substr($0, topology, model - topology)
      gsub(/ +$/, "", name); gsub(/ +$/, "", shape); print name "\t" shape }' |
while IFS=$'\t' read -r name shape; do
    best=
    while read -r network; do
        # A network that the algorithm does not take (exit 2) says nothing of larger ones.
        found=$(line "$name" "$network" "$seconds")
        code=$?
        [ -n "$found" ] && best=$found
        case $code in
            0 | 2) ;;
            3) [ -n "$found" ] || break ;;
            # Of one process or two it may say nothing; what goes wrong on a larger one ends the row.
            1) [ -n "$best" ] && break ;;
            *) break ;;
        esac
    done < <(networks "$shape")
    if [ -n "$best" ]; then printf '%s\n' "$best"; fi
    special "$name" | while IFS='|' read -r network words flags; do
        special_line "$name" "$network" "$words" "$flags" "$((10 * seconds))"
    done
done
