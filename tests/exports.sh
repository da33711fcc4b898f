#!/bin/sh
# Exported traces and drawn measurements, read by the tools they are for, where these are installed. What is not is skipped, and
# said so. The unit tests in src/trace/tests/exports.rs need none of them.
#
#   tests/exports.sh [SYNOD]      the binary; else target/debug/synod
#   MERMAID=…/mermaid.min.js      of the npm package mermaid; with chromium it parses the diagrams
set -u
cd "$(dirname "$0")/.." || exit 2
synod=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/debug/synod}")
[ -x "$synod" ] || { echo "there is no $synod: cargo build first"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

has() {
    command -v "$1" > /dev/null && return 0
    echo "SKIPPED $2: there is no $1"
    return 1
}

# NAME COMMAND…: its output only where it fails.
try() {
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        echo "ok      $name"
    else
        echo "FAILED  $name"
        tail -n 20 "$work/log"
        failed=1
    fi
}

# Runs of several models: bare values, texts, rounds, time, faults, pairs; and one that ends early.
traces='dolev_klawe_rodeh ricart_agrawala flooding bully causal ghs'
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

if has dot DOT; then
    for file in *.dot; do try "$file in Graphviz" dot -Tsvg "$file" -o "$file.svg"; done
fi
if has plantuml PlantUML; then
    for file in *.plantuml; do try "$file in PlantUML" plantuml -syntax -pipe < "$file"; done
    # A syntax check passes labels that the drawing chokes on.
    try "texts.plantuml drawn" plantuml -tsvg -pipe < texts.plantuml
fi
if has pdflatex TikZ; then
    for file in *.tikz; do
        printf '\\documentclass{article}\n\\usepackage{tikz}\n\\usepackage[paperwidth=4000mm,paperheight=500mm]{geometry}\n\\begin{document}\n\\input{%s}\n\\end{document}\n' "$file" > "page-${file%.tikz}.tex"
        case $file in
            # pdflatex knows no ⊥ outside mathematics; lualatex with a font does.
            texts*) sed -i 's/⊥//g' "$file" ;;
        esac
        try "$file in LaTeX" pdflatex -interaction=nonstopmode -halt-on-error "page-${file%.tikz}.tex"
    done
fi
if [ -n "${MERMAID:-}" ] && has chromium Mermaid; then
    cp "$MERMAID" mermaid.min.js
    for file in *.mermaid; do
        {
            echo '<pre id="text">'
            sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$file"
            echo '</pre><p id="said">nothing</p><script src="mermaid.min.js"></script><script>
                const text = document.getElementById("text").textContent.trim();
                const said = document.getElementById("said");
                mermaid.parse(text).then(() => said.textContent = "PARSED", error => said.textContent = "" + error);
            </script>'
        } > "$file.html"
        try "$file in Mermaid" sh -c "chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=8000 \
            --allow-file-access-from-files --dump-dom 'file://$work/$file.html' 2> /dev/null | tee page | grep -q '>PARSED<' \
            || { grep 'id=\"said\"' page; false; }"
    done
else
    echo "SKIPPED Mermaid: MERMAID names no mermaid.min.js, or there is no chromium"
fi
if has python3 JSON; then
    for file in *.itf *.perfetto; do try "$file as JSON" python3 -m json.tool "$file"; done
    for file in *.csv; do
        try "$file as CSV" python3 -c "import csv, sys; rows = list(csv.reader(open(sys.argv[1], newline=''))); assert len({len(r) for r in rows}) == 1" "$file"
    done
    for file in *.shiviz; do
        try "$file by its own expression" python3 -c "
import json, re, sys
expression, empty, log = open(sys.argv[1]).read().split('\n', 2)
assert empty == ''
found = list(re.finditer(expression.replace('(?<', '(?P<'), log))
assert len(found) * 2 == log.count('\n'), (len(found), log.count('\n'))
seen = {}
for m in found:
    host, clock = m['host'], json.loads(m['clock'])
    seen[host] = seen.get(host, 0) + 1
    assert clock[host] == seen[host], m[0]
" "$file"
    done
fi
exit $failed
