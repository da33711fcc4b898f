#!/usr/bin/env bash
# Tests what editors are given: the tree-sitter grammar, the extension for Visual Studio Code, the files for Vim, the mode for Emacs.
#
# It installs what it needs by the package clients of Rust, Node and the system, once: the tree-sitter command below
# ~/.cache (some minutes), Node's packages beside the extension. Where something cannot be had it says SKIPPED, and ends
# with 0: what must hold without these tools, tests/suite/editors.rs tests. SYNOD names the binary to test; else it is built.
set -euo pipefail
cd "$(dirname "$0")"

TREE_SITTER_VERSION=0.27.1
cache="${XDG_CACHE_HOME:-$HOME/.cache}/synod-editors/tree-sitter-$TREE_SITTER_VERSION"
export PATH="$cache/bin:$PATH"

without() {
  echo "editors/test.sh: $1"
  echo "editors/test.sh: SKIPPED, nothing was tested"
  exit 0
}

install_package() {
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
  { apt-get install -y --no-install-recommends "$1" || { apt-get update && apt-get install -y --no-install-recommends "$1"; }; } >/dev/null 2>&1
}

# ─── What is needed ─────────────────────────────────────────────────────────────────────────────────────────────────

command -v cc >/dev/null || without "no C compiler (cc) for the generated parser"
command -v cargo >/dev/null || without "no cargo"
command -v node >/dev/null && command -v npm >/dev/null || install_package npm || without "no node and npm"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || without "node is older than version 20"
command -v vim >/dev/null && vim --version | grep -q +syntax || install_package vim || without "no vim with syntax highlighting"

if [ ! -x "$cache/bin/tree-sitter" ]; then
  echo "editors/test.sh: building tree-sitter $TREE_SITTER_VERSION, once"
  # Not the package of npm: that one downloads a binary. Without the JavaScript engine that is built in: node is there. What it does here is
  # little, so it is built quickly.
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_TARGET_DIR="$cache/build" \
    cargo install --quiet --locked --no-default-features --root "$cache" --version "$TREE_SITTER_VERSION" tree-sitter-cli \
    || without "tree-sitter cannot be built"
  rm -rf "$cache/build"
fi
(cd vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || without "Node's packages cannot be installed"

# Announce a part; one that fails ends the script.
parts=0
part() {
  parts=$((parts + 1))
  echo "$1"
}

corpus="$(mktemp -d)"
trap 'rm -rf "$corpus"' EXIT

# ─── The grammar for tree-sitter ────────────────────────────────────────────────────────────────────────────────────

part "The committed parser is that of the grammar"
(
  mkdir "$corpus/generated"
  cp -r tree-sitter-synod/grammar.js tree-sitter-synod/tree-sitter.json "$corpus/generated"
  cd "$corpus/generated"
  tree-sitter generate
)
for file in parser.c grammar.json node-types.json; do
  cmp "$corpus/generated/src/$file" "tree-sitter-synod/src/$file" || {
    echo "run \`tree-sitter generate\` (version $TREE_SITTER_VERSION) in editors/tree-sitter-synod"
    exit 1
  }
done

part "Trees of tree-sitter"
(cd tree-sitter-synod && tree-sitter test)

part "Queries of tree-sitter, and of Helix and Zed"
./queries.sh --check
example="$PWD/../stdlib/mutex/maekawa.syn"
for query in tree-sitter-synod/queries/*.scm helix/queries/synod/*.scm zed/languages/synod/*.scm; do
  # A query for an unknown node is an error; one that finds nothing in a whole program is a mistake, too.
  found="$(cd tree-sitter-synod && tree-sitter query "../$query" "$example" 2>&1)" || { echo "$query: $found"; exit 1; }
  grep -q capture <<<"$found" || { echo "$query finds nothing in $example"; exit 1; }
done

part "The parser of Synod and tree-sitter"
(cd .. && SYNOD_CORPUS="$corpus" cargo test --quiet --test suite -- --ignored --exact editors::what_the_parser_sees)
node agreement.mjs "$corpus" tree-sitter

# ─── The others ─────────────────────────────────────────────────────────────────────────────────────────────────────

part "Scopes of TextMate, and the client"
(cd vscode && npm test --silent)
(cd vscode && npm run package --silent -- --out "$corpus/synod.vsix" >"$corpus/vsce.log" 2>&1) || { cat "$corpus/vsce.log"; exit 1; }

emacs=
if command -v emacs >/dev/null || install_package emacs-nox; then emacs=emacs; else echo "editors/test.sh: no emacs, its mode is not tested"; fi

part "Keywords, comments, texts and numbers of tree-sitter, TextMate, Vim and Emacs"
node words.mjs "$corpus" tree-sitter vim $emacs

part "Indentation of Vim"
vim -Nu NONE -es -S vim/test/indent.vim

if [ -z "${SYNOD:-}" ]; then
  (cd .. && cargo build --quiet)
  SYNOD="$(cd .. && cargo metadata --format-version 1 --no-deps | node -p 'JSON.parse(fs.readFileSync(0)).target_directory')/debug/synod"
fi
export SYNOD

# Eglot is part of Emacs from version 29 on.
eglot() { emacs --batch --eval "(progn (require 'package) (package-initialize) (require 'eglot))" >/dev/null 2>&1; }
if [ -n "$emacs" ] && { eglot || { install_package elpa-eglot && eglot; }; }; then
  part "Emacs and the language server"
  emacs --batch -l emacs/test/server.el 2>"$corpus/emacs.log" || { cat "$corpus/emacs.log"; exit 1; }
else
  echo "editors/test.sh: no Eglot, Emacs is not tested with the language server"
fi

if command -v nvim >/dev/null || install_package neovim; then
  part "Neovim and the language server"
  nvim --headless -u NONE -c "luafile vim/test/server.lua" 2>"$corpus/nvim.log" || { cat "$corpus/nvim.log"; exit 1; }
  cat "$corpus/nvim.log"
else
  echo "editors/test.sh: no Neovim, it is not tested with the language server"
fi

echo "editors/test.sh: $parts passed"
