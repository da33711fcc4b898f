[(function) (procedure) (operation) (on_handler) (when_handler) (after_handler)] @function.around
(procedure (block) @function.inside)
(operation (block) @function.inside)
(on_handler (block) @function.inside)
(when_handler (block) @function.inside)
(after_handler (block) @function.inside)
(function body: (_) @function.inside)

[(state) (role)] @class.around
(state (block) @class.inside)

(scenario) @test.around
(param) @parameter.inside
[(comment) (doc_comment)] @comment.inside
