#!/usr/bin/env bash
# Helix and Zed call their colours differently: their highlights are made from those of tree-sitter.
# `queries.sh` writes them, `queries.sh --check` says whether they are as it would write them.
set -euo pipefail
cd "$(dirname "$0")"
source=tree-sitter-synod/queries/highlights.scm

made_for() {
  echo "; Made from ../../../$source by editors/queries.sh; edit there."
  case $1 in
    helix)
      sed -e 's/@comment\.documentation/@comment.line.documentation/g' -e 's/@boolean/@constant.builtin.boolean/g' \
        -e 's/@string\.escape/@constant.character.escape/g' -e 's/@number/@constant.numeric.integer/g' \
        -e 's/@module/@namespace/g' -e 's/@property/@variable.other.member/g' -e 's/@function\.call/@function/g' \
        -e 's/@keyword\.conditional/@keyword.control.conditional/g' -e 's/@keyword\.repeat/@keyword.control.repeat/g' \
        -e 's/@keyword\.return/@keyword.control.return/g' "$source"
      ;;
    zed)
      sed -e 's/@comment\.documentation/@comment.doc/g' -e 's/@module/@namespace/g' -e 's/@function\.call/@function/g' \
        -e 's/@function\.builtin/@function.special/g' -e 's/@keyword\.[a-z]*/@keyword/g' \
        -e 's/@constant\.builtin/@constant/g' -e 's/@type\.builtin/@type/g' -e 's/@variable\.builtin/@variable.special/g' \
        "$source"
      ;;
  esac
}

for editor in helix zed; do
  case $editor in helix) place=helix/queries/synod ;; zed) place=zed/languages/synod ;; esac
  if [ "${1:-}" = --check ]; then
    made_for $editor | diff -u "$place/highlights.scm" - || { echo "run editors/queries.sh"; exit 1; }
  else
    made_for $editor >"$place/highlights.scm"
  fi
done
