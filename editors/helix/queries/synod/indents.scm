[
  (state) (on_handler) (when_handler) (after_handler) (procedure) (operation) (client) (scenario)
  (iteration) (group) (tuple) (list) (set) (map) (arguments) (params)
] @indent

["od" ")" "]" "}"] @outdent
