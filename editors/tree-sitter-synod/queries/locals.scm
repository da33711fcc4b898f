; Who sees a name: what is declared by a clause, the whole file; parameters and what patterns bind, their clause.

(source_file) @local.scope
[
  (function) (procedure) (operation) (client) (state) (on_handler) (when_handler) (after_handler) (deferral) (ignorance)
  (property) (record) (message_decl)
  (block) (branch) (iteration) (quantified) (best) (list) (set)
] @local.scope

(variable name: (name) @local.definition)
(constant name: (name) @local.definition)
(parameter name: (name) @local.definition)
(enumeration case: (name) @local.definition)
(param name: (name) @local.definition)
(binder pattern: (name) @local.definition)
(binder pattern: (tuple_pattern (name) @local.definition))
(binder pattern: (message_pattern (_) (name) @local.definition))
(best pattern: (name) @local.definition)
(best pattern: (tuple_pattern (name) @local.definition))
(iteration pattern: (name) @local.definition)
(iteration pattern: (tuple_pattern (name) @local.definition))
(each_of name: (name) @local.definition)
(choose name: (name) @local.definition)

(name) @local.reference
