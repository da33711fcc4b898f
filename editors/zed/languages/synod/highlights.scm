; Made from ../../../tree-sitter-synod/queries/highlights.scm by editors/queries.sh; edit there.
; No two patterns take the same node: editors differ in which one they would let win.
; The word lists are those of ../../keywords.json; tests/suite/editors.rs compares them.

; ─── Comments and literals ─────────────────────────────────────────────────────────────────────────────────────────

(comment) @comment
(doc_comment) @comment.doc
(text) @string
(escape) @string.escape
(int) @number
(truth) @boolean
[(none) (any) (empty_set)] @constant

; ─── Words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

; clause
[
  "after" "algorithm" (always) "assumes" "client" "const" "defer" "enum" "eventually" "finally" "function" "ignore"
  "initial" "invariant" "message" "on" "operation" "output" "param" "problem" "procedure" "record" "role" "scenario"
  "state" "uses" "var" "when"
  "bound" "exactly" "leads" "notes" "order" "persistent" "settles" "shift" "stable" "stamps" "up" "view"
] @keyword

; header
["as" "of" "solves" "variant" "without"] @keyword

; statement
[
  "await" "become" "choose" "from" (listen) "receive" "remove" "send" (skip) "to" "transmit" "with"
  "cancel" "each" "set" "timer"
] @keyword
["if" "then" "else" "otherwise" "fi"] @keyword
["do" "od" "for"] @keyword
[(halt) (pause) (round)] @keyword

; operator
["and" "before" "div" "iff" "implies" "in" "inter" "mod" "not" "or" "happened"] @keyword

; quantifier
["forall" "some" "arrived" "by" "count" "greatest" "least" "sum"] @keyword

; metric
["bits" "messages" "rounds" "time" "calls" "per" "returns" "self" "upcalls"] @keyword

; type
["list" "map" "queue"] @keyword

; scenario
[
  "again" "at" "channel" "crash" "cut" "delay" "deliver" "duplicate" "expect" "expire" "hold" "holds"
  "initially" "lose" "mislead" "option" "outcome" "release" "restart" "step" "suspect" "trust" "violated" "wake"
] @keyword
(cycle) @keyword
(round_robin) @constant

; ─── Signs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

[
  "=" "!=" "≠" "<" "<=" "≤" ">" ">=" "≥" "∈" "∉" "∧" "∨" "¬" "⇒" "⇔" "∀" "∃" "+" "-" "*" "×" "∪" "∖" "∩" ".." ":=" "←"
  "/" "?" "↝"
] @operator
; What separates guards from commands, and branches from one another, is what the eye looks for.
["->" "→" "[]" "□"] @keyword
["," ";" ":" "." "|"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

; ─── What is declared ──────────────────────────────────────────────────────────────────────────────────────────────

(algorithm name: (name) @namespace)
(variant_of base: (name) @namespace)
(solves problem: (name) @namespace)
(problem name: (name) @namespace)
(used algorithm: (name) @namespace)
(alias name: (name) @namespace)
(layer name: (name) @namespace)
(own_layer) @keyword

(without property: (name) @property)
(viewed field: (name) @property)
(option_choice option: (name) @property choice: (name) @constant)
(problem_param option: (name) @property choice: (name) @constant)
(problem_param default: (name) @constant)
(assumption (name) @attribute)

(message_decl name: (name) @constructor)
(message_pattern message: (name) @constructor)
(message_guard pattern: (name) @constructor)
(hold message: (name) @constructor)
(slow message: (name) @constructor)
(delivery message: (name) @constructor)
(loss message: (name) @constructor)
(duplication message: (name) @constructor)
(crash_point message: (name) @constructor)
(metric of: (name) @constructor)
; A message without fields, or any other capitalised name: so the library writes messages, roles, layers and records.
((receive pattern: (name) @constructor)
  (#match? @constructor "^[A-Z]"))
((send message: (name) @constructor)
  (#match? @constructor "^[A-Z]"))
((transmit (name) @constructor)
  (#match? @constructor "^[A-Z]"))

(enumeration name: (name) @type case: (name) @constant)
(record name: (name) @type)
(role name: (name) @type)
(named_type (name) @type
  (#not-any-of? @type "Bool" "Heard" "Id" "Int" "Port" "Value"))
(named_type (name) @type
  (#any-of? @type "Bool" "Heard" "Id" "Int" "Port" "Value"))

(constant name: (name) @constant)
(parameter name: (name) @constant)
(variable name: (name) @variable)
(param name: (name) @variable.parameter)

(function name: (name) @function)
(procedure name: (name) @function)
(operation name: (name) @function)
(state name: (name) @label)
(become_state state: (name) @label)
(set_timer timer: (name) @label)
(cancel_timer timer: (name) @label)

(property name: (name) @function)
(scenario name: (name) @function)
(expectation property: (name) @function)
(expectation outcome: (name) @constant)

; ─── Calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

(call function: (name) @function.special
  (#any-of? @function.special
    "abs" "chord" "coin" "connects" "dimension" "far_end" "first" "has" "head" "identifier" "ids" "int" "keys" "last" "list" "log2_ceil"
    "log2_floor" "max" "min" "multicast_before" "neighbour" "opposite" "port" "pow" "random" "second" "set" "size" "sort"
    "sum" "tail" "values" "weight"))
; Capitalised: a message, or a record that is made.
(call function: (name) @constructor
  (#match? @constructor "^[A-Z]"))
(call function: (name) @function
  (#match? @function "^[a-z_]")
  (#not-any-of? @function
    "abs" "chord" "coin" "connects" "dimension" "far_end" "first" "has" "head" "identifier" "ids" "int" "keys" "last" "list" "log2_ceil"
    "log2_floor" "max" "min" "multicast_before" "neighbour" "opposite" "port" "pow" "random" "second" "set" "size" "sort"
    "sum" "tail" "values" "weight"))
(call function: (field of: (name) @namespace part: (name) @function))
(call_statement (name) @function)
(call_statement (field of: (name) @namespace part: (name) @function))
(act operation: (name) @function)
(used_arg parameter: (name) @property)

; ─── Scenarios ─────────────────────────────────────────────────────────────────────────────────────────────────────

(topology_family) @type
(setting key: (name) @property)
(act process: (name) @variable.special)
(note from: (name) @variable.special to: (name) @variable.special)
(note label: (name) @string.special)
(link from: (name) @variable.special to: (name) @variable.special)
(hold from: (name) @variable.special)
(hold to: (name) @variable.special)
(wake process: (name) @variable.special)
(crash process: (name) @variable.special)
(restart process: (name) @variable.special)
(lie process: (name) @variable.special)
(pick process: (name) @variable.special)
(step process: (name) @variable.special)
(expiry process: (name) @variable.special)
(suspicion process: (name) @variable.special at: (name) @variable.special)
(crash_point to: (name) @variable.special)

