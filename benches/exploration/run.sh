#!/usr/bin/env bash
# Exploration beside Spin, Stateright and explorers written by hand for one model, in turn, on this machine:
#
#   benches/exploration/run.sh [rounds]        default 5; the table goes to the standard output
#
# Needs Debian's spin, a C compiler and cargo. Figures are medians of the rounds, ratios medians of the rounds' ratios.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); root=$(cd "$here/../.." && pwd); rounds=${1:-5}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
(cd "$root" && cargo build -q --release --bin synod)
(cd "$here/stateright" && cargo build -q --release)
(cd "$here/limit" && cargo build -q --release)
bin=$CARGO_TARGET_DIR/release
ids12=1,7,4,10,2,8,5,11,3,9,6,12
ids14=1,8,4,12,2,10,6,14,3,11,5,13,7,9
ids16=1,9,5,13,3,11,7,15,2,10,6,14,4,12,8,16

# configurations, seconds, bytes per configuration
synod() {
  "$bin/synod" verify "$@" --no-reduction --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["configurations"], d["seconds"], round(d["bytes_per_configuration"]))'
}
# name, configurations and so on as the kits print them
spin() {
  bash "$here/spin/verify.sh" "$@" | python3 -c '
import re, sys
t = sys.stdin.read()
n = int(re.search(r"(\d+) states, stored", t).group(1))
mb = float(re.search(r"([\d.]+)\s+total actual memory", t).group(1))
# The hash table of 2^24 slots is there whatever is stored.
print(n, re.search(r"elapsed time ([\d.]+)", t).group(1), round((mb * 2**20 - 2**27) / n))'
}
sr() { "$bin/sr" "$@" | tail -1 | awk '{print $4, $7, 0}'; }
limit() { "$bin/explore" "$@" | tail -1 | awk '{print $2, $5, $8}'; }

rate() { awk '{printf "%.0f", $1 / $2}'; }
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# label | synod | spin | stateright | limit (-: there is none)
row() {
  local label=$1 ours=$2 theirs=$3 actors=$4 hand=$5
  local o=() s=() a=() h=() so=() ao=() ho=() out
  for _ in $(seq "$rounds"); do
    out=$(synod $ours -j 1); o+=("$(rate <<< "$out")"); count=${out%% *}; bytes=${out##* }
    out=$(spin $theirs); s+=("$(rate <<< "$out")"); spinbytes=${out##* }; spincount=${out%% *}
    out=$(sr $actors); a+=("$(rate <<< "$out")")
    if [ "$hand" = - ]; then h+=(0); else out=$(limit $hand); h+=("$(rate <<< "$out")"); fi
    so+=("$(awk "BEGIN {print ${o[-1]} / ${s[-1]}}")")
    ao+=("$(awk "BEGIN {print ${o[-1]} / ${a[-1]}}")")
    ho+=("$(awk "BEGIN {print ${h[-1]} ? ${o[-1]} / ${h[-1]} : 0}")")
  done
  local m; m() { printf '%s\n' "$@" | median; }
  local byhand='–' of='–'
  if [ "$hand" != - ]; then
    byhand="$(($(m "${h[@]}") / 1000)) k/s"
    of="1/$(awk "BEGIN {printf \"%.1f\", 1 / $(m "${ho[@]}")}")"
  fi
  printf '| %s | %s | %s k/s, %s B | %s k/s, %s B (%s) | %s k/s | %s | %.1f | %.1f | %s |\n' "$label" "$count" \
    $(($(m "${o[@]}") / 1000)) "$bytes" $(($(m "${s[@]}") / 1000)) "$spinbytes" "$spincount" \
    $(($(m "${a[@]}") / 1000)) "$byhand" "$(m "${so[@]}")" "$(m "${ao[@]}")" "$of"
}

echo '| Model | configurations | Synod, one thread | Spin -O2 (its configurations) | Stateright, breadth first | by hand, memoised | × Spin | × Stateright | of by hand |'
echo '|---|---|---|---|---|---|---|---|---|'
dkr() { echo "dolev_klawe_rodeh_announced --on ring($1) --ids $2 --property uniqueness"; }
row 'Dolev–Klawe–Rodeh, n = 12' "$(dkr 12 $ids12)" "dkr $ids12" "dkr $ids12 bfs 1" "dkr-memo $ids12"
row 'Dolev–Klawe–Rodeh, n = 14' "$(dkr 14 $ids14)" "dkr $ids14" "dkr $ids14 bfs 1" "dkr-memo $ids14"
row 'Chang–Roberts, n = 16' "chang_roberts_announced --on ring(16) --ids $ids16 --property uniqueness" "cr $ids16" "cr $ids16 bfs 1" -
ra() { echo "$here/ricart_agrawala.syn --on complete($1) --set entries=$2 --property ME1"; }
row 'Ricart–Agrawala, 3 processes × 4 entries' "$(ra 3 4)" "ra 3 4" "ra 3 4 bfs 1" "ra-memo 3 4"
row 'Ricart–Agrawala, 4 processes × 1 entry' "$(ra 4 1)" "ra 4 1" "ra 4 1 bfs 1" "ra-memo 4 1"

echo
echo '| Model | one thread, k/s | two threads, k/s | two threads against one | two searches at once against one |'
echo '|---|---|---|---|---|'
# What the machine has to give: two searches of one thread each, that share nothing, at the same time.
at_once() {
  local first; first=$(mktemp)
  synod $1 -j 1 > "$first" &
  local second; second=$(synod $1 -j 1 | rate); wait
  awk "BEGIN {print $(rate < "$first") + $second}"; rm "$first"
}
two() {
  local one=() both=() ratio=() once=()
  for _ in $(seq "$rounds"); do
    one+=("$(synod $2 -j 1 | rate)"); both+=("$(synod $2 -j 2 | rate)")
    ratio+=("$(awk "BEGIN {print ${both[-1]} / ${one[-1]}}")")
    once+=("$(awk "BEGIN {print $(at_once "$2") / ${one[-1]}}")")
  done
  m() { printf '%s\n' "$@" | median; }
  printf '| %s | %s | %s | %.2f | %.2f |\n' "$1" $(($(m "${one[@]}") / 1000)) $(($(m "${both[@]}") / 1000)) \
    "$(m "${ratio[@]}")" "$(m "${once[@]}")"
}
two 'Dolev–Klawe–Rodeh, n = 12' "$(dkr 12 $ids12)"
two 'Dolev–Klawe–Rodeh, n = 14' "$(dkr 14 $ids14)"
two 'Chang–Roberts, n = 16' "chang_roberts_announced --on ring(16) --ids $ids16 --property uniqueness"
two 'Ricart–Agrawala, 3 processes × 4 entries' "$(ra 3 4)"
two 'Ricart–Agrawala, 3 processes × 8 entries' "$(ra 3 8)"
two 'Ricart–Agrawala, 4 processes × 1 entry' "$(ra 4 1)"

echo
echo '| Dolev–Klawe–Rodeh with reduction, all properties | configurations | seconds |'
echo '|---|---|---|'
for n in 64 256 1000; do
  "$bin/synod" verify dolev_klawe_rodeh --on "ring($n)" -j 1 --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print("| n = %s | %s | %.3f |" % (d["network"]["n"], d["configurations"], d["seconds"]))'
done
