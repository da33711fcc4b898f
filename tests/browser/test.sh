#!/usr/bin/env bash
# Drives the page of `synod draw` in headless Chromium. Plain `cargo test` does not need it.
#
# It installs what it needs (browser.sh). SYNOD names the binary to test; else it is built.
set -euo pipefail
cd "$(dirname "$0")"

script=tests/browser/test.sh
source ./browser.sh
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || without "Node's packages cannot be installed"

build_synod

pages="$(mktemp -d)"
trap 'rm -rf "$pages"' EXIT
draw() { "$SYNOD" -q draw "$@"; }
draw dolev_klawe_rodeh --on 'ring(4)' -o "$pages/dkr.html"
draw dolev_klawe_rodeh --on 'ring(1)' -o "$pages/alone.html"
draw dolev_klawe_rodeh --on 'ring(3)' --max-steps 0 -o "$pages/empty.html"
draw lamport --on 'complete(3)' -o "$pages/lamport.html"
draw bully --on 'complete(3)' --faults 'crash<=2' --seed 3 -o "$pages/bully.html"
draw itai_rodeh --on 'ring(5)' -o "$pages/rounds.html"
draw leader_oracle_ring --on 'ring(5)' --schedule random --max-steps 60 -o "$pages/pairs.html"
draw chang_roberts --on 'ring(430)' --ids worst -o "$pages/long.html"
draw ricart_agrawala --on 'complete(6)' --set entries=400 -o "$pages/many.html"
draw ricart_agrawala --on 'complete(7)' --schedule random -o "$pages/crowded.html"
draw mega_merger --on 'complete(4)' --initiators p0 --schedule random -o "$pages/woken.html"
draw chang_roberts --on 'ring(500)' --max-steps 3000 -o "$pages/wide.html"
draw echo --on 'mesh(40, 40)' --max-steps 3000 -o "$pages/mesh.html"
# Runs with cuts of all kinds: meetings, crashes, messages lost and doubled, a silent start, an error at the end.
cat > "$pages/frail.syn" <<'SYN'
algorithm frail
assumes unidirectional ring, unique ids, loses messages, duplicates messages
message Hop(k: Int)
var seen : Int
state s
  if initiator -> send Hop(1) to next
  [] otherwise -> skip
  fi
  become on_its_way
state on_its_way
  on Hop(k) when k < 9 -> seen := seen + 1; send Hop(k + 1) to next
  on Hop(k) when k >= 9 -> skip
SYN
cut() { "$SYNOD" -q run "$1" --trace "$pages/$2.trace" "${@:3}" >"$pages/$2.out" || [ $? -le 3 ]; draw "$pages/$2.trace" -o "$pages/$2.html"; }
cut leader_oracle_ring cut-pairs --on 'ring(5)' --schedule random --max-steps 40
cut leader_oracle_ring cut-pairs-2 --on 'ring(6)' --schedule random --max-steps 30 --seed 9
cut "$pages/frail.syn" cut-frail --on 'ring(4)' --faults 'loss<=2, duplication<=3' --seed 4
cut paxos cut-crashes --on 'complete(3)' --faults 'crash<=1' --seed 2 --max-steps 200
cut token_ring cut-silent --on 'ring(3)'

node page.mjs "$browser" "$pages" "$SYNOD"
