(algorithm "algorithm" @context name: (name) @name) @item
(problem "problem" @context name: (name) @name) @item
(role "role" @context name: (name) @name) @item
(state "state" @context name: (name) @name) @item
(on_handler "on" @context (message_guard pattern: (_) @name)) @item
(function "function" @context name: (name) @name) @item
(procedure "procedure" @context name: (name) @name) @item
(operation "operation" @context name: (name) @name) @item
(property kind: _ @context name: (name) @name) @item
(scenario "scenario" @context name: (name) @name) @item
