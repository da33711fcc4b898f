(iteration "od" @end) @indent
(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent
(_ "{" "}" @end) @indent
[(state) (on_handler) (when_handler) (after_handler) (procedure) (operation) (client) (scenario)] @indent
