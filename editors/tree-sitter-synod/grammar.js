/**
 * @file Synod, a guarded-command language for distributed algorithms.
 * @license MIT
 *
 * The norm is `grammar/synod.pest`; rules are called as there wherever they mean the same. What pest settles by trying alternatives in
 * order is settled here in one of two ways: by precedence, or, where the text further on decides, by the scanner
 * (`src/scanner.c`), which looks as far ahead as pest and `src/syntax/clauses.rs` do.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// The rule `reserved` of the norm: `tests/suite/editors.rs` holds the two together.
const RESERVED = [
  'after', 'algorithm', 'always', 'and', 'any', 'assumes', 'await', 'become', 'before', 'bits', 'choose', 'client', 'const',
  'defer', 'div', 'do', 'else', 'enum', 'eventually', 'false', 'fi', 'finally', 'for', 'forall', 'from',
  'function', 'halt', 'if', 'iff', 'ignore', 'implies', 'in', 'initial', 'inter', 'invariant', 'listen', 'message',
  'messages', 'mod', 'none', 'not', 'od', 'on', 'operation', 'or', 'otherwise', 'output', 'param', 'pause', 'problem',
  'procedure', 'receive', 'record', 'remove', 'role', 'round', 'rounds', 'scenario', 'send', 'skip', 'some',
  'state', 'then', 'time', 'to', 'transmit', 'true', 'uses', 'var', 'when', 'with',
];

// Low to high, as in the language reference. What reaches as far to the right as it can is lowest.
const PREC = { far: -1, iff: 1, implies: 2, or: 3, and: 4, not: 5, compare: 6, range: 7, sum: 8, product: 9, negate: 10 };

const comma = rule => seq(rule, repeat(seq(',', rule)));

module.exports = grammar({
  name: 'synod',

  word: $ => $.name,

  reserved: {
    global: _ => RESERVED,
    // Words where no keyword could stand: fields, options, the words of assumptions, processes of a scenario.
    none: _ => [],
  },

  extras: $ => [/[ \t\r\n\u00A0\uFEFF]/, $.comment, $.doc_comment],

  externals: $ => [
    $.int,                 // not one that runs into letters, nor one beyond 64 bits
    $._same_line,          // nothing, but the line goes on
    $._line_process,       // the word that begins `A: enter` or `A -> B: note`
    $._own_layer,          // `algorithm`, and a dot touches it
    $._when_guard,
    $._when_clause,
    $._count,              // what follows on the line is a binder
    $._sum,
    $._least,
    $._greatest,
    $._arrived,
    $._each,               // a name and `in` follow
    $._stable,             // a name and `:` or `for` follow; as for the next five
    $._leads,
    $._settles,
    $._bound,
    $._exactly,
    $._order,
    $._persistent,         // `var` follows
    $._stamps,             // `notes` follows
    $._view,               // `without` follows, or what is no statement
    $._set_timer,          // `timer` follows
    $._cancel,
    $._set_of,             // `of` follows; as for the next six
    $._list_of,
    $._queue_of,
    $._map_of,
    $._calls,
    $._returns,
    $._upcalls,
    $._leads_to,           // `leads`, and `to` follows
    $._happened,           // `before` follows
    $._outcome,            // a word follows
    $._channel,            // no arrow follows
    $._option,             // a number follows on the line
    $._again,              // neither `holds` nor `violated` follows
    $._error_sentinel,
  ],

  conflicts: $ => [
    // `procedure f` and, on the next line, `(a, b) := e`.
    [$.param, $._head],
    [$.when_some, $._binders],
    [$.named_type, $._head],
    [$.range_type, $.range],
  ],

  supertypes: $ => [$.clause, $.statement, $.line, $.type],

  rules: {
    source_file: $ => repeat($.clause),

    // ─── Lexical matters ──────────────────────────────────────────────────────────────────────────────────────

    name: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    _word: $ => reserved('none', $.name),

    // Four slashes document nothing.
    comment: _ => token(choice(seq('//', /[^\n]*/), prec(2, seq('////', /[^\n]*/)))),
    doc_comment: _ => token(prec(1, seq('///', optional(/[^\/\n][^\n]*/)))),

    text: $ => seq('"', repeat(choice($.text_content, $.escape)), token.immediate('"')),
    text_content: _ => token.immediate(prec(1, /[^"\\\n]+/)),
    escape: _ => token.immediate(/\\["\\n]/),

    // ─── Clauses ──────────────────────────────────────────────────────────────────────────────────────────────

    clause: $ => choice(
      $.algorithm, $.problem, $.assumes, $.uses, $.message, $.enumeration, $.record, $.constant, $.parameter, $.variable,
      $.function, $.procedure, $.operation, $.client, $.role, $.state, $.always, $.on_handler, $.when_handler,
      $.after_handler, $.deferral, $.ignorance, $.stamps, $.view, $.property, $.scenario,
    ),

    algorithm: $ => seq('algorithm', field('name', $.name), optional($.variant_of), optional($.solves)),
    variant_of: $ => seq('variant', 'of', field('base', $.name)),
    solves: $ => seq(
      'solves', field('problem', $.name),
      optional(seq('(', comma($.option_choice), ')')),
      optional($.without),
    ),
    without: $ => seq('without', comma(field('property', $.name))),
    option_choice: $ => seq(field('option', $._word), ':', field('choice', $._word)),

    problem: $ => seq('problem', field('name', $.name), optional(seq('(', comma($.problem_param), ')'))),
    problem_param: $ => seq(
      field('option', $._word), ':', field('choice', $._word), repeat(seq('|', field('choice', $._word))),
      optional(seq('=', field('default', $._word))),
    ),

    assumes: $ => seq('assumes', comma($.assumption)),
    // Keywords that begin no clause may be among the words: `loses messages`. After a comma one that begins a clause
    // elsewhere does not: `eventually perfect detector`.
    assumption: $ => seq(
      choice($._assumption_word, alias('eventually', $.name)), repeat($._assumption_word), optional($.assumption_bound),
    ),
    _assumption_word: $ => choice(
      $.name, alias(choice('messages', 'bits', 'rounds', 'round', 'time', 'any', 'none', 'before'), $.name), 'and', 'or', 'not',
    ),
    assumption_bound: $ => seq(
      field('operator', choice('<=', '≤', '>=', '≥', '!=', '≠', '=', '<', '>', 'in', '∈')), field('value', $._expression),
    ),

    uses: $ => seq('uses', comma($.used)),
    used: $ => seq(field('algorithm', $.name), optional(seq('(', comma($.used_arg), ')')), optional($.alias)),
    used_arg: $ => seq(field('parameter', $._word), ':', field('value', $._expression)),
    alias: $ => seq('as', field('name', $.name)),

    message: $ => seq('message', comma($.message_decl)),
    message_decl: $ => seq(field('name', $.name), optional($.params)),
    enumeration: $ => seq('enum', field('name', $.name), '=', field('case', $.name), repeat(seq('|', field('case', $.name)))),
    record: $ => seq('record', field('name', $.name), $.params),

    constant: $ => seq('const', field('name', $.name), optional($.annotation), '=', field('value', $._expression)),
    parameter: $ => seq(
      'param', field('name', $.name), optional($.annotation), optional(seq('=', field('value', $._expression))),
    ),
    variable: $ => choice(
      seq(
        'output', comma(field('name', $.name)), optional($.annotation),
        optional(seq(choice($._assign, 'initially'), field('value', $._expression))),
      ),
      seq(
        choice(seq(alias($._persistent, 'persistent'), 'var'), 'var'),
        comma(field('name', $.name)), optional($.annotation), optional(seq($._assign, field('value', $._expression))),
      ),
    ),

    function: $ => seq(
      'function', field('name', $.name), $.params, optional($.annotation), '=', field('body', $._expression),
    ),
    procedure: $ => seq('procedure', field('name', $.name), optional($.params), optional($.block)),
    operation: $ => seq('operation', field('name', $.name), optional($.params), optional($.alias), optional($.block)),
    client: $ => seq('client', optional($.block)),

    params: $ => seq('(', optional(comma($.param)), ')'),
    param: $ => seq(field('name', $.name), optional($.annotation), optional(seq($._assign, field('default', $._expression)))),
    annotation: $ => seq(':', field('type', $.type)),

    role: $ => seq('role', field('name', $.name)),
    state: $ => seq(optional('initial'), 'state', comma(field('name', $.name)), optional($.block)),
    always: _ => 'always',

    on_handler: $ => seq('on', $.message_guard, $._arrow, optional($.block)),
    when_handler: $ => seq(
      alias($._when_clause, 'when'), choice($.when_some, field('condition', $._expression)), $._arrow, optional($.block),
    ),
    after_handler: $ => seq('after', field('time', $._expression), $._arrow, optional($.block)),
    when_some: $ => seq(choice('some', '∃'), $.binder, optional($.with_guard)),

    deferral: $ => seq('defer', comma($.message_guard)),
    ignorance: $ => seq('ignore', comma($.message_guard)),

    message_guard: $ => seq(
      // What touches a dot here is a layer.
      optional($.layer),
      field('pattern', choice(
        $.tuple_pattern, $.message_pattern, alias($._indexed_pattern, $.place_pattern), $.name, $.literal_pattern,
      )),
      optional($.origin), optional($.when_guard),
    ),
    layer: $ => seq(field('name', choice($.name, $.own_layer)), token.immediate('.')),
    when_guard: $ => seq(alias($._when_guard, 'when'), $._expression),
    with_guard: $ => prec.right(seq('with', $._expression)),
    origin: $ => seq('from', choice($.each_of, $._expression)),
    each_of: $ => prec.right(seq(
      alias($._each, 'each'), field('name', $.name), choice('in', '∈'), field('value', $._expression),
    )),

    stamps: $ => seq(alias($._stamps, 'stamps'), 'notes', 'with', field('variable', $.name)),

    view: $ => seq(alias($._view, 'view'), choice(
      seq('without', comma($.viewed)),
      seq(comma($.viewed), 'up', 'to', 'shift'),
    )),
    viewed: $ => seq(field('name', $.name), optional(seq(token.immediate('.'), field('field', $._word)))),

    // ─── Types ────────────────────────────────────────────────────────────────────────────────────────────────

    type: $ => choice(
      $.named_type, $.range_type, $.set_type, $.list_type, $.queue_type, $.map_type, $.tuple_type, $.optional_type,
    ),
    set_type: $ => prec.right(seq(alias($._set_of, 'set'), 'of', $.type)),
    list_type: $ => prec.right(seq(alias($._list_of, 'list'), 'of', $.type)),
    queue_type: $ => prec.right(seq(alias($._queue_of, 'queue'), 'of', $.type)),
    map_type: $ => prec.right(seq(alias($._map_of, 'map'), 'of', field('key', $.type), 'to', field('value', $.type))),
    tuple_type: $ => prec.dynamic(1, seq('(', comma($.type), ')')),
    optional_type: $ => prec(1, seq($.type, '?')),
    named_type: $ => $.name,
    range_type: $ => prec(PREC.range, seq(field('low', $._sum_level), '..', field('high', $._sum_level))),

    // ─── Statements ───────────────────────────────────────────────────────────────────────────────────────────

    block: $ => repeat1(choice($.statement, ';')),

    statement: $ => choice(
      $.skip, $.send, $.receive, $.wait, $.choice, $.repetition, $.iteration, $.become_state, $.halt, $.pause, $.round,
      $.transmit, $.listen, $.remove, $.choose, $.set_timer, $.cancel_timer, $.assignment, $.call_statement,
    ),

    skip: _ => 'skip',
    send: $ => seq('send', field('message', $._expression), optional($.destination)),
    destination: $ => seq('to', $._expression),
    receive: $ => seq('receive', field('pattern', $._pattern), optional($.origin)),
    wait: $ => seq('await', $._expression),
    choice: $ => seq('if', $.branch, repeat(seq($._square, $.branch)), 'fi'),
    repetition: $ => seq('do', $.branch, repeat(seq($._square, $.branch)), 'od'),
    iteration: $ => seq(
      'for', field('pattern', $._pattern), choice('in', '∈'), field('value', $._expression), 'do', optional($.block), 'od',
    ),
    become_state: $ => seq('become', field('state', $.name)),
    halt: _ => 'halt',
    pause: _ => 'pause',
    round: _ => 'round',
    transmit: $ => seq('transmit', $._expression),
    listen: _ => 'listen',
    remove: $ => seq('remove', field('element', $._expression), 'from', field('value', $._expression)),
    choose: $ => seq('choose', field('name', $.name), choice('in', '∈'), field('value', $._expression)),
    set_timer: $ => seq(
      alias($._set_timer, 'set'), 'timer', field('timer', $.name), 'after', field('time', $._expression),
    ),
    cancel_timer: $ => seq(alias($._cancel, 'cancel'), 'timer', field('timer', $.name)),

    // As many values as targets: the rule goes inwards on both sides at once.
    assignment: $ => $._assignment,
    _assignment: $ => choice(
      seq(field('target', $._target), $._assign, field('value', $._expression)),
      seq(field('target', $._target), ',', $._assignment, ',', field('value', $._expression)),
    ),
    _target: $ => choice($._place, $.tuple_place),
    tuple_place: $ => seq('(', $._target, repeat1(seq(',', $._target)), ')'),
    _place: $ => choice($._head, $._part_of_place),
    _part_of_place: $ => choice(alias($._place_index, $.index), alias($._place_field, $.field)),
    _place_index: $ => seq(
      field('of', choice($._head, $._part_of_place)), token.immediate('['), field('index', $._expression), ']',
    ),
    _place_field: $ => choice($._qualified, seq(field('of', $._part_of_place), token.immediate('.'), field('part', $._part))),
    call_statement: $ => choice($._head, alias($._qualified, $.field), $.call),

    branch: $ => seq($._guard, $._arrow, optional($.block)),
    _guard: $ => choice('otherwise', $.later_guard, $._plain_guard),
    later_guard: $ => seq('otherwise', $._plain_guard),
    _plain_guard: $ => choice($.message_arrives, $.time_passes, field('condition', $._expression)),
    message_arrives: $ => seq($.receive, optional(alias($.received_guard, $.when_guard))),
    // No clause can begin here.
    received_guard: $ => seq('when', $._expression),
    time_passes: $ => seq('after', $._expression),

    // ─── Patterns ─────────────────────────────────────────────────────────────────────────────────────────────

    _pattern: $ => choice($.tuple_pattern, $.message_pattern, $.place_pattern, $.name, $.literal_pattern),
    literal_pattern: $ => choice(seq(optional('-'), $.int), $.text, $.truth, $.none),
    tuple_pattern: $ => seq('(', comma($._pattern), ')'),
    message_pattern: $ => seq(field('message', $.name), token.immediate('('), optional(comma($._pattern)), ')'),
    place_pattern: $ => seq(
      $.name,
      repeat1(choice(seq(token.immediate('['), $._expression, ']'), seq(token.immediate('.'), $._part))),
    ),

    _indexed_pattern: $ => seq($.name, repeat1(seq(token.immediate('['), $._expression, ']'))),

    // ─── Expressions ──────────────────────────────────────────────────────────────────────────────────────────

    _expression: $ => choice($.binary, $.not, $._compare_level),

    binary: $ => choice(
      ...[
        [PREC.iff, prec.left, choice('iff', '⇔')],
        [PREC.implies, prec.right, choice('implies', '⇒')],
        [PREC.or, prec.left, choice('or', '∨')],
        [PREC.and, prec.left, choice('and', '∧')],
      ].map(([strength, side, operator]) => side(strength, seq(
        field('left', $._expression), field('operator', operator), field('right', $._expression),
      ))),
    ),

    not: $ => prec(PREC.not, seq(choice('not', '¬'), choice($.not, $._compare_level))),

    // Comparisons do not chain.
    _compare_level: $ => choice(
      alias($._comparison, $.comparison), alias($._membership, $.comparison), $._range_level,
    ),
    _comparison: $ => prec(PREC.compare, seq(
      field('left', $._range_level),
      field('operator', choice(
        '=', '!=', '≠', '<', '<=', '≤', '>', '>=', '≥', '∉', $.not_in, 'before', $.happened_before,
      )),
      field('right', choice($._range_level, $.not)),
    )),
    // Apart, since filters begin with it: `{ p in S | g }`.
    _membership: $ => prec(PREC.compare, seq(
      field('left', $._range_level), field('operator', choice('in', '∈')), field('right', choice($._range_level, $.not)),
    )),
    not_in: _ => prec(PREC.compare, seq('not', 'in')),
    happened_before: $ => prec(PREC.compare, seq(alias($._happened, 'happened'), 'before')),

    _range_level: $ => choice($.range, $._sum_level),
    range: $ => prec(PREC.range, seq(field('low', $._sum_level), '..', field('high', $._sum_level))),

    _sum_level: $ => choice($.arithmetic, $.negation, $._operand),
    arithmetic: $ => choice(
      prec.left(PREC.sum, seq(
        field('left', $._sum_level), field('operator', choice('+', '∪', '-', '∖')), field('right', $._sum_level),
      )),
      prec.left(PREC.product, seq(
        field('left', $._sum_level), field('operator', choice('*', '×', 'div', 'mod', 'inter', '∩')),
        field('right', $._sum_level),
      )),
    ),
    negation: $ => prec(PREC.negate, seq('-', $._sum_level)),

    _operand: $ => choice($._head, $.int, $._closed, $._open_ended),
    _head: $ => choice($.name, $.own_layer),
    own_layer: $ => $._own_layer,
    // Apart from names, which may be called, and numbers, which have no fields.
    _closed: $ => choice(
      $.call, $.index, $.field, $.metric, $.history, $.text, $.truth, $.none, $.any, $.empty_set, $.group, $.tuple, $.list,
      $.set, $.map,
    ),
    // What touches these on the right belongs to their last part.
    _open_ended: $ => choice($.conditional, $.quantified, $.best, $.arrived),

    // Only a name can be called, or one of a layer.
    call: $ => seq(field('function', choice($._head, alias($._qualified, $.field))), $.arguments),
    _qualified: $ => seq(field('of', $._head), token.immediate('.'), field('part', $._part)),
    arguments: $ => seq(token.immediate('('), optional(comma(choice($._expression, $.fraction))), ')'),
    // A probability is written as the fraction it is.
    fraction: $ => seq($._operand, '/', $._operand),
    index: $ => seq(field('of', choice($._head, $.int, $._closed)), token.immediate('['), field('index', $._expression), ']'),
    field: $ => choice($._qualified, seq(field('of', $._closed), token.immediate('.'), field('part', $._part))),
    _part: $ => choice(alias($._field_name, $.name), alias($._component, $.int)),
    _field_name: _ => token.immediate(/[A-Za-z_][A-Za-z0-9_]*/),
    _component: _ => token.immediate(/[0-9]+/),

    truth: _ => choice('true', 'false'),
    none: _ => choice('none', '⊥'),
    any: _ => 'any',
    empty_set: _ => '∅',

    conditional: $ => prec.right(PREC.far, seq(
      'if', field('condition', $._expression), 'then', field('yes', $._expression), 'else', field('no', $._expression),
    )),

    quantified: $ => prec.right(PREC.far, seq(
      field('quantifier', choice(
        'forall', '∀', 'some', '∃', alias($._count, 'count'), alias($._sum, 'sum'),
      )),
      $._binders, optional($.with_guard), ':', field('body', $._expression),
    )),
    _binders: $ => comma($.binder),
    binder: $ => prec.right(seq(field('pattern', $._pattern), optional(seq(choice('in', '∈'), field('value', $._expression))))),

    best: $ => prec.right(PREC.far, seq(
      choice(alias($._least, 'least'), alias($._greatest, 'greatest')), field('pattern', $._pattern), choice('in', '∈'),
      field('value', $._expression), optional($.with_guard), optional($.by),
    )),
    by: $ => prec.right(seq('by', $._expression)),

    arrived: $ => prec.right(PREC.far, seq(
      alias($._arrived, 'arrived'), field('pattern', $._pattern), optional(alias($.arrived_from, $.origin)),
      optional($.when_guard),
    )),
    arrived_from: $ => prec.right(seq('from', choice($.each_of, $._operand))),

    metric: $ => prec.right(choice(
      seq('messages', optional($._metric_of), optional($._metric_to_self), optional($._metric_per)),
      seq('bits', optional($._metric_of), optional($._metric_per)),
      seq(choice('time', 'rounds'), optional($._metric_per)),
    )),
    _metric_of: $ => seq('of', field('of', $.name), repeat(seq('.', field('of', $.name)))),
    _metric_to_self: $ => seq('to', 'self'),
    _metric_per: $ => seq('per', field('per', $.name)),
    history: $ => seq(
      choice(alias($._calls, 'calls'), alias($._returns, 'returns'), alias($._upcalls, 'upcalls')), 'of', field('of', $.name),
    ),

    group: $ => seq('(', $._expression, ')'),
    tuple: $ => seq('(', $._expression, repeat1(seq(',', $._expression)), ')'),
    list: $ => seq('[', optional($._elements), ']'),
    set: $ => seq('{', optional($._elements), '}'),
    map: $ => seq('{', choice(':', comma($.entry), seq($.entry, $.comprehension)), '}'),
    entry: $ => seq(field('key', $._expression), ':', field('value', $._expression)),
    _elements: $ => choice(
      comma($._expression),
      seq($._expression, $.comprehension),
      seq(alias($._membership, $.comparison), $.filter),
    ),
    comprehension: $ => seq('for', $._binders, optional($.filter)),
    filter: $ => seq('|', $._expression),

    // ─── Properties ───────────────────────────────────────────────────────────────────────────────────────────

    property: $ => choice(
      seq(
        field('kind', choice(
          'invariant', 'finally', 'eventually', alias($._stable, 'stable'), alias($._settles, 'settles'),
          alias($._bound, 'bound'), alias($._exactly, 'exactly'), alias($._order, 'order'),
        )),
        $._property_head, field('body', $._expression),
      ),
      seq(
        field('kind', alias($._leads, 'leads')), $._property_head,
        field('body', $._expression), $.leads_to,
      ),
    ),
    _property_head: $ => seq(field('name', $.name), optional(seq('for', $._binders)), ':'),
    leads_to: $ => seq(choice(seq(alias($._leads_to, 'leads'), 'to'), '↝'), $._expression),

    // ─── Scenarios ────────────────────────────────────────────────────────────────────────────────────────────

    scenario: $ => prec.right(seq(
      'scenario', field('name', $.name), optional(seq('on', $.topology)), optional($.settings), repeat($.line),
    )),
    // As after `--on`: `src/network/spec.rs` reads it.
    topology: $ => choice($.text, seq(field('family', $.topology_family), optional($.topology_arguments))),
    topology_family: $ => seq($._word, repeat(token.immediate(/-[A-Za-z0-9_]+/))),
    topology_arguments: $ => seq('(', repeat($._topology_argument), ')'),
    _topology_argument: $ => choice(
      alias($._topology_group, $.topology_arguments),
      alias($._topology_number, $.int), $._word, $._topology_sign,
    ),
    _topology_group: $ => seq('(', repeat($._topology_argument), ')'),
    _topology_number: _ => token(prec(2, /[0-9]+(\.[0-9]+)?(\^[0-9]+)?|0x[0-9A-Fa-f]+/)),
    _topology_sign: _ => token(/[^()A-Za-z0-9_\s]/),

    settings: $ => seq('with', comma($.setting)),
    // The value stands on the line of its key.
    setting: $ => seq(field('key', $._word), optional(seq($._same_line, field('value', choice($.round_robin, $._expression))))),
    round_robin: _ => 'round-robin',

    line: $ => choice(
      $.note, $.act, $.initially, $.hold, $.release, $.delivery, $.wake, $.crash, $.restart, $.suspicion, $.lie, $.loss, $.duplication,
      $.cut, $.slow, $.at, $.pick, $.step, $.expiry, $.cycle, $.expectation,
    ),
    // Processes may be called anything: `client: read`.
    _process: $ => alias($._line_process, $.name),
    act: $ => seq(field('process', $._process), ':', field('operation', $.name), optional($.arguments)),
    note: $ => seq(field('from', $._process), $._arrow, field('to', $._word), ':', field('label', $._word)),
    initially: $ => seq('initially', field('target', $._place), $._assign, field('value', $._expression)),
    hold: $ => seq(
      'hold', optional(alias($._channel, 'channel')), field('from', $._end), $._arrow, field('to', $._end),
      optional(seq('for', field('message', $.name))),
    ),
    _end: $ => choice('*', $._word),
    release: $ => seq('release', optional(seq($._same_line, optional(alias($._channel, 'channel')), $.link))),
    delivery: $ => seq('deliver', $._delivered),
    _delivered: $ => seq($.link, optional(seq($._same_line, field('message', $.name)))),
    link: $ => seq(field('from', $._word), $._arrow, field('to', $._word)),
    wake: $ => seq('wake', comma(field('process', $._word))),
    crash: $ => seq('crash', field('process', $._word), optional($.crash_point)),
    crash_point: $ => seq('before', 'send', optional(seq($._same_line, choice(
      seq(field('message', $.name), optional($._crash_receivers)),
      $._crash_receivers,
    )))),
    _crash_receivers: $ => seq('to', comma(field('to', $._word))),
    restart: $ => seq('restart', field('process', $._word)),
    suspicion: $ => seq(choice('suspect', 'trust'), field('process', $._word), 'at', field('at', $._word)),
    lie: $ => seq('mislead', field('process', $._word)),
    loss: $ => seq('lose', $._delivered),
    duplication: $ => seq('duplicate', $._delivered),
    cut: $ => seq('cut', $.link),
    slow: $ => seq(
      'delay', $.link, optional(seq('for', field('message', $.name))), $._assign, field('value', $._expression),
    ),
    at: $ => seq('at', $._expression),
    pick: $ => seq(
      'choose', choice(seq(alias($._option, 'option'), field('number', $.int)), field('value', $._expression)),
      'at', field('process', $._word),
    ),
    step: $ => seq('step', comma(field('process', $._word))),
    expiry: $ => seq('expire', field('process', $._word)),
    cycle: _ => 'cycle',
    expectation: $ => seq('expect', choice(
      alias($._again, 'again'),
      seq(alias($._outcome, 'outcome'), field('outcome', $._word)),
      seq(field('property', $.name), field('verdict', choice('violated', 'holds'))),
      $._expression,
    )),

    // ─── Signs ────────────────────────────────────────────────────────────────────────────────────────────────

    _arrow: _ => choice('->', '→'),
    _assign: _ => choice(':=', '←'),
    _square: _ => choice('[]', '□'),
  },
});
