; Neovim's captures. The library indents the commands of a clause, and what stands between `if` and `fi`, `do` and `od`,
; brackets; `[]` stands below its `if`.

[
  (state) (on_handler) (when_handler) (after_handler) (procedure) (operation) (client) (function) (property) (scenario)
  (choice) (repetition) (iteration)
  (group) (tuple) (list) (set) (map) (arguments) (params)
] @indent.begin

(choice "fi" @indent.end @indent.branch)
(repetition "od" @indent.end @indent.branch)
(iteration "od" @indent.end @indent.branch)
["[]" "□" "fi" "od" ")" "]" "}"] @indent.branch
[(comment) (doc_comment)] @indent.auto
