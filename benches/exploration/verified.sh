#!/bin/bash
# Writes stdlib/verified.tsv: for each algorithm of the library the largest network of its family that a search explores completely within
# some seconds (default 10), and the number of configurations. Properties that are not claimed may be violated. Algorithms that tolerate
# faults have further lines with the numbers of faults; the other lines have no faults.
#
#     cargo build --release && benches/exploration/verified.sh [SECONDS] > stdlib/verified.tsv
#
# Only the sizes depend on the speed of the machine (and on its memory, for networks with very many links): the numbers of configurations are
# the same on every machine. To explore the networks of the table again, for all algorithms or for those named:
#
#     benches/exploration/verified.sh --again [ALGORITHM…]
#
# To search for larger networks, from those of the table on, for all algorithms or for those named (the output is the lines that the table
# does not have, and that replace older ones):
#
#     benches/exploration/verified.sh --further [SECONDS] [ALGORITHM…]
set -u
mode=anew
case "${1:-}" in --again | --further) mode=${1#--}; shift ;; esac
seconds=10
if [ "$mode" != again ] && [[ "${1:-}" =~ ^[0-9]+$ ]]; then seconds=$1; shift; fi
cd "$(dirname "$0")/../.."
synod=${SYNOD:-target/release/synod}
table=stdlib/verified.tsv

# Networks of a family are numbered from 1, the smallest first.
network() {
    case "$1" in
        *ring) echo "ring($2)" ;;
        complete | star | tree) echo "$1($2)" ;;
        *mesh) echo "mesh($((($2 + 1) / 2)), $(($2 / 2 + 1)))" ;;
        *torus) echo "torus($((($2 + 1) / 2)), $(($2 / 2 + 1)))" ;;
        *hypercube) echo "hypercube($(($2 - 1)))" ;;
        *) if [ "$2" -lt 3 ]; then echo "line($2)"; else echo "ring($2)"; fi ;;
    esac
}

# The number of the last network of a family, with 1024 processes. An algorithm that reaches it has a single schedule, or a number of
# configurations in proportion to that of processes. A larger network would show nothing new.
last() {
    case "$1" in
        *mesh | *torus) echo 63 ;;
        *hypercube) echo 11 ;;
        *) echo 1024 ;;
    esac
}

judging() { printf ' --property %s' "$@"; }

# In lines with these words, processes may be blocked forever; there is no other violation.
blocked="where some are blocked"

# Further lines of the table, with their networks, words and options, for algorithms that are finite with some parameters only, tolerate
# faults, or are too large if all processes are initiators. Their searches may take ten times as long.
special() {
    case "$1" in
        ben_or) safe="--set turns=1 --max-configurations 100000000$(judging validity agreement integrity one_proposal locked no_more_rounds unanimous)"
                echo "complete(3)|with turns 1 but for termination and cost|$safe"
                echo "complete(3)|with turns 1 and a crash but for termination and cost|$safe --faults crash<=1"
                echo "complete(3)|with turns 1 and a crash that loses no message but for termination and cost|$safe --faults crash<=1,messages-survive" ;;
        floodset) echo "complete(5)|with a crash|--faults crash<=1"
                  echo "complete(4)|with f 2 and 2 crashes|--set f=2 --faults crash<=2"
                  echo "complete(3)|with f 3 and 3 crashes|--set f=3 --faults crash<=3" ;;
        paxos) echo "complete(2)|with attempts 1|--set attempts=1"
               echo "complete(2)|with attempts 2|--set attempts=2"
               echo "complete(3)|with attempts 1 and proposers 2|--set attempts=1 --set proposers=2"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash|--set attempts=1 --set proposers=1 --faults crash<=1"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash that loses no message|--set attempts=1 --set proposers=1 --faults crash<=1,messages-survive"
               echo "complete(3)|with attempts 1 and proposers 1 and a crash and a restart|--set attempts=1 --set proposers=1 --faults crash<=1,restart<=1" ;;
        two_phase_commit) echo "star(4)|with a crash $blocked|--faults crash<=1"
                          echo "star(4)|with a crash that loses no message $blocked|--faults crash<=1,messages-survive"
                          echo "star(3)|with 2 crashes $blocked|--faults crash<=2" ;;
        two_phase_commit_recovery) echo "star(3)|with a crash and a restart|--faults crash<=1,restart<=1"
                                   echo "star(3)|with a crash that loses no message and a restart|--faults crash<=1,restart<=1,messages-survive"
                                   echo "star(2)|with 2 crashes and 2 restarts|--faults crash<=2,restart<=2" ;;
        bully) echo "complete(3)|with a crash|--faults crash<=1"
               echo "complete(3)|with 2 crashes that lose no message|--faults crash<=2,messages-survive"
               echo "complete(2)|with a crash and a restart|--faults crash<=1,restart<=1" ;;
        bully_estimate | bully_suspects) echo "complete(3)|with a crash|--faults crash<=1"
                                         echo "complete(3)|with a crash that loses no message|--faults crash<=1,messages-survive" ;;
        lelann_regeneration) echo "ring(6)|with a loss|--faults loss<=1"
                             echo "ring(4)|with 2 losses|--faults loss<=2" ;;
        basic_crashing) echo "complete(2)|with a crash|--faults crash<=1"
                        echo "complete(2)|with a crash that loses no message|--faults crash<=1,messages-survive" ;;
        reliable) echo "complete(2)|with a crash that loses no message|--faults crash<=1" ;;
        # Properties that hold only after the last wrong answer are omitted.
        leader_oracle) echo "complete(8)|with a wrong answer but for same_leader|--faults lie<=1$(judging one_leader never_none)" ;;
        leader_oracle_ring) echo "ring(3)|with a wrong answer but for no_second|--faults lie<=1$(judging one_leader)" ;;
        # With more gifts there are millions of configurations.
        chandy_lamport) echo "line(2)|with gifts 1|--set gifts=1"
                        echo "line(2)|with gifts 2 and capital 2|--set gifts=2 --set capital=2" ;;
        lai_yang) echo "line(2)|with gifts 1|--set gifts=1" ;;
        # Each process chooses the receivers of its messages: three rounds on a ring have millions of configurations.
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
        torus_stages) echo "torus(3, 3)|with initiators p0, p1, p4, p5 and p8|--initiators p0,p1,p4,p5,p8"
                      echo "torus(4, 4)|with initiators p0, p5, p10 and p15|--initiators p0,p5,p10,p15"
                      echo "torus(5, 5)|with initiators p0 and p12|--initiators p0,p12" ;;
        # A torus of nine processes is too large even with one initiator. Without the links that lead back it is a mesh, and without three
        # more a ring of eight and one further process.
        torus_faulty_links) local back="(3,1),(6,4),(9,7),(7,1),(8,2),(9,3)"
                            echo "torus(2, 2)|with initiator p0|--initiators p0"
                            echo "torus(3, 3)|with initiator p0 and six dead links|--initiators p0 --set dead={$back}"
                            echo "torus(3, 3)|with initiators p0, p4 and p8 and nine dead links|--initiators p0,p4,p8 --set dead={$back,(2,5),(5,8),(5,6)}" ;;
    esac
}

configurations() { grep -o '"configurations":[0-9]*' <<< "$1" | head -1 | cut -d: -f2; }

# The properties left undecided by a search that is complete otherwise: they make the state space infinite.
but_for() {
    grep -q '"cut":null' <<< "$1" || return 1
    local names
    names=$(grep -o '"name":"[A-Za-z0-9_]*","kind":"[a-z ]*","verdict":"pending","promised":true' <<< "$1" | cut -d'"' -f4 | paste -sd, | sed 's/,/, /g')
    [ -n "$names" ] && echo " but for $names"
}

# Whether the search is complete, every claimed property holds, and the only violations are processes that are blocked forever.
only_blocked() {
    grep -q '"cut":null' <<< "$1" && grep -q '"outcome":"stuck"' <<< "$1" &&
        ! grep -qE '"verdict":"(violated|pending|not checked)","promised":true' <<< "$1"
}

# One line of the table: algorithm, network, seconds. Ends as `synod verify` does.
line() {
    local found code took words=
    found=$("$synod" verify "$1" --on "$2" --timeout "${3}s" --json 2> /dev/null < /dev/null)
    code=$?
    # The time limit ends the search, but not always the checks after it: a search that exceeds it by half is too large, too.
    took=$(grep -o '"seconds":[0-9]*' <<< "$found" | head -1 | cut -d: -f2)
    if [ $((2 * ${took:-0})) -gt $((3 * $3)) ]; then return 3; fi
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

# The present form of a line of the table, without a time limit.
measured_again() {
    local network words flags
    while IFS='|' read -r network words flags; do
        if [ "$network $words" = "$2" ]; then special_line "$1" "$network" "$words" "$flags" 100000; return; fi
    done < <(special "$1")
    line "$1" "${2%% but for *}" 100000
}

if [ "$mode" = again ]; then
    failed=0
    while IFS=$'\t' read -r name network figure; do
        if [[ "$name" = '#'* ]]; then printf '%s\t%s\t%s\n' "$name" "$network" "$figure"; continue; fi
        if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
        if ! found=$(measured_again "$name" "$network") && [ -z "$found" ]; then
            echo "$name on $network: no longer verified" >&2
            failed=1
        fi
        [ -n "$found" ] && printf '%s\n' "$found"
    done < "$table"
    exit $failed
fi

# The line of the largest network of a family that a search explores completely: algorithm, family, the number to begin with, its line if
# the table has one. Networks up to number eight are explored one after the other, then with growing steps; after the first that is too
# large, by bisection.
largest() {
    local name=$1 shape=$2 low=$3 best=$4 step=1 failed= high last first size found code
    last=$(last "$shape")
    high=$((last + 1))
    while [ $((low + 1)) -lt "$high" ]; do
        if [ -n "$failed" ]; then first=$(((low + high) / 2)); else first=$((low + step)); fi
        [ "$first" -gt "$last" ] && first=$last
        # A network that the algorithm does not accept (exit 2) does not rule out larger ones.
        size=$first
        while found=$(line "$name" "$(network "$shape" "$size")" "$seconds"); code=$?; [ $code = 2 ] && [ $((size + 1)) -lt "$high" ]; do
            size=$((size + 1))
        done
        if [ -n "$found" ]; then
            best=$found
            low=$size
            [ "$low" -ge 8 ] && step=$((2 * step))
        # On one or two processes a property may fail; a failure on a larger network ends the search.
        elif [ $code = 1 ] && [ -z "$best" ] && [ "$size" -lt 3 ]; then
            low=$size
        else
            high=$first
            failed=1
        fi
    done
    printf '%s' "${best:+$best$'\n'}"
}

# The line of the table that has neither a parameter nor faults.
known() { awk -F '\t' -v name="$1" '$1 == name && $2 !~ / with / { print; exit }' "$table"; }

# The number of the network of a line in its family; 0 if the family does not contain it.
number() {
    local on size end
    on=$(cut -f 2 <<< "$2")
    on=${on%% but for *}
    end=$(last "$1")
    for ((size = 1; size <= end; size++)); do
        if [ "$(network "$1" "$size")" = "$on" ]; then echo "$size"; return; fi
    done
    echo 0
}

families() {
    COLUMNS=1000 "$synod" list | awk '
        NR == 1 { problem = index($0, "PROBLEM"); topology = index($0, "TOPOLOGY"); model = index($0, "MODEL"); next }
        { name = substr($0, 1, problem - 1); shape = substr($0, topology, model - topology)
          gsub(/ +$/, "", name); gsub(/ +$/, "", shape); print name "\t" shape }'
}

[ "$mode" = anew ] && printf '# algorithm\tnetwork\tconfigurations; written by benches/exploration/verified.sh\n'
families | while IFS=$'\t' read -r name shape; do
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    # The list names problems, too, in several words.
    [[ "$name" = *' '* ]] && continue
    best=
    low=0
    if [ "$mode" = further ]; then
        best=$(known "$name")
        [ -n "$best" ] && low=$(number "$shape" "$best")
        [ "$low" = 0 ] && best=
    fi
    found=$(largest "$name" "$shape" "$low" "$best")
    if [ -n "$found" ] && { [ "$mode" = anew ] || [ "$found" != "$best" ]; }; then printf '%s\n' "$found"; fi
    special "$name" | while IFS='|' read -r network words flags; do
        if [ "$mode" = further ] && grep -qF "$name"$'\t'"$network $words"$'\t' "$table"; then continue; fi
        special_line "$name" "$network" "$words" "$flags" "$((10 * seconds))"
    done
done
