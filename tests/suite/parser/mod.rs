//! Parsing: accepted texts, their trees, and the diagnostics of the rest.

use synod::internals::diagnostic::Diagnostic;
use synod::internals::ir::Quantifier;
use synod::internals::source::Source;
use synod::internals::syntax::parse;

/// Return place, code, sentence, underlined text, and fix of a diagnostic.
fn shown(text: &str, finding: &Diagnostic) -> String {
    let (line, column) = Source::new("", text).line_column(finding.span.start);
    let mut shown = format!("{line}:{column} {} {}", finding.code(), finding.message());
    shown += &format!("\n    at: {}", text[finding.span.range()].escape_debug());
    for (span, why) in &finding.related {
        shown += &format!("\n    see: {} ({why})", text[span.range()].escape_debug());
    }
    if let Some(hint) = finding.advice() {
        shown += &format!("\n    hint: {hint}");
    }
    shown
}

#[test]
fn mistakes_are_explained_in_the_users_words() {
    let mut answers = String::new();
    for text in include_str!("mistakes.txt").split("---\n") {
        let (module, findings) = parse(0, text);
        answers += &format!("{}\n", text.trim_end());
        for finding in &findings {
            answers += &format!("  => {}\n", shown(text, finding));
        }
        answers += &format!("  ({} clauses read)\n\n", module.clauses.len());
    }
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("mistakes", answers);
    });
}

mod foreign_types;
mod random;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;
use synod::internals::syntax::ast::{BinaryOp, ClauseKind, Expr, ExprKind, Module, Pattern, UnaryOp};
use synod::internals::syntax::{MAX_NESTING, MAX_SOURCE_BYTES, Parsed, RESERVED, parse_expr};

const LANGUAGE: &str = include_str!("language.syn");
const FORMS: &str = include_str!("forms.syn");

fn read(text: &str) -> Module {
    let (module, findings) = parse(0, text);
    let findings: Vec<String> = findings.iter().map(|finding| shown(text, finding)).collect();
    assert!(findings.is_empty(), "{text}\n{}", findings.join("\n"));
    module
}

fn codes(text: &str) -> Vec<u16> {
    parse(0, text).1.iter().map(|finding| finding.code().0).collect()
}

// ─── Programs ───

#[test]
fn the_programs_of_the_language_page_read_without_a_word() {
    assert_eq!(read(LANGUAGE).clauses.len(), 70);
}

#[test]
fn every_form_reads() {
    read(FORMS);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the test reads the files of the repository")]
fn every_program_of_the_repository_reads() {
    let mut folders = vec![std::path::PathBuf::from("stdlib")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "syn") {
                read(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
}

#[test]
fn unicode_and_ascii_forms_give_the_same_tree() {
    let ascii = "when a != b and c <= d and not (x in S or x not in T) implies forall p: some q: p >= q iff e = none\n\
                 -> x := S + T - U; y := S inter T * 2; if x = {} -> skip [] y > 1 -> skip fi\nleads l: a leads to b";
    let unicode = "when a ≠ b ∧ c ≤ d ∧ ¬ (x ∈ S ∨ x ∉ T) ⇒ ∀ p: ∃ q: p ≥ q ⇔ e = ⊥\n\
                   → x ← S ∪ T ∖ U; y ← S ∩ T × 2; if x = ∅ → skip □ y > 1 → skip fi\nleads l: a ↝ b";
    assert_eq!(bare(&read(ascii)), bare(&read(unicode)));
}

/// Return the tree without places.
fn bare(module: &Module) -> String {
    let debug = format!("{:?}", module.clauses);
    let mut bare = String::new();
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("span: ") {
        bare.push_str(&rest[..at]);
        rest = rest[at..].split_once(['}', ',']).map_or("", |(_, after)| after);
    }
    bare + rest
}

// ─── Incremental parsing ───

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    /// After any edit, incremental parsing equals parsing the whole text.
    #[test]
    fn a_changed_text_read_again_is_the_text_read_anew(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..60, 0usize..TYPED.len()), 1..12)
    ) {
        let mut text = format!("{LANGUAGE}\n{FORMS}");
        let mut read = Arc::new(Parsed::new(0, text.as_str()));
        for (at, removed, typed) in edits {
            let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let start = boundary(at.index(text.len()));
            let end = boundary((start + removed).min(text.len())).max(start);
            // Sometimes the removed text is inserted elsewhere.
            let cut = text[start..end].to_string();
            text.replace_range(start..end, TYPED[typed]);
            if typed == 0 {
                text.push_str(&cut);
            }
            // The previous tree may still be in use.
            let held = (typed % 2 == 0).then(|| read.clone());
            read = Arc::new(Parsed::reparse(read, 0, text.as_str()));
            drop(held);
            let anew = Parsed::new(0, text.as_str());
            prop_assert_eq!(format!("{:?}", read), format!("{:?}", Arc::new(anew)));
        }
    }
}

const TYPED: &[&str] = &[
    "",
    "x",
    " ",
    "\n",
    "// ",
    "/// said\n",
    "\nstate s\n",
    "(",
    ")",
    "fi",
    "->",
    ":=",
    "é",
    "\nvar v : Int\n",
    "\non M ->",
    "\"",
];

// ─── White space and line breaks ───

#[test]
fn the_bracket_of_an_index_touches() {
    for text in
        ["var a := x[1]", "state s v[1] := 2", "state s receive M(v[p])", "state s receive v[p] from q"]
    {
        assert!(codes(text).is_empty(), "{text}");
        for blank in [" [", "  [", "\n[", " // so\n["] {
            let apart = text.replace('[', blank);
            assert!(!codes(&apart).is_empty(), "{apart}");
        }
    }
    assert!(codes("state s if a -> x := y [] b -> skip fi").is_empty());
    assert!(codes("state s if a -> x := y[] b -> skip fi").is_empty());
}

#[test]
fn what_takes_a_value_takes_it_from_its_own_line() {
    for end in ["", " ", "\t ", " // so", "// so", " \r", " // a: b"] {
        let text =
            format!("scenario s on ring(2) with fifo{end}\n  A: enter\n  release{end}\n  B -> A: note");
        let module = read(&text);
        let ClauseKind::Scenario(scenario) = &module.clauses[0].kind else { panic!("{text}") };
        assert!(scenario.with.len() == 1 && scenario.with[0].1.is_none(), "{text}");
        assert_eq!(scenario.lines.len(), 3, "{text}");
    }
}

#[test]
fn comments_in_the_arguments_of_a_topology_are_comments() {
    for comment in ["// )", "// (", "// ) : (", "// \"", "//"] {
        let text =
            format!("scenario s on edges(0-1, {comment}\n  1-2 {comment}\n  )\n  expect a\nvar b : Int");
        let module = read(&text);
        assert_eq!(module.clauses.len(), 2, "{text}");
        let ClauseKind::Scenario(scenario) = &module.clauses[0].kind else { panic!("{text}") };
        assert_eq!(scenario.on.as_ref().unwrap().text, "edges(0-1, 1-2 )", "{text}");
    }
}

// ─── Precedence ───

/// Return an expression with all its brackets.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Unary(UnaryOp::Not, a) => format!("(not {})", grouped(a)),
        ExprKind::Unary(UnaryOp::Negate, a) => format!("(-{})", grouped(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", grouped(a), sign(*op), grouped(b)),
        ExprKind::Field(a, name) => format!("{}.{}", grouped(a), name.text),
        ExprKind::Index(a, b) => format!("{}[{}]", grouped(a), grouped(b)),
        ExprKind::If(c, a, b) => format!("(if {} then {} else {})", grouped(c), grouped(a), grouped(b)),
        ExprKind::Quantified { quantifier, binders, body, .. } => {
            let names: Vec<String> = binders
                .iter()
                .map(|b| match (&b.pattern, &b.set) {
                    (Pattern::Name(name), Some(set)) => format!("{} in {}", name.text, grouped(set)),
                    (Pattern::Name(name), None) => name.text.clone(),
                    other => panic!("{other:?}"),
                })
                .collect();
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Some => "some",
                Quantifier::Count => "count",
                Quantifier::Sum => "sum",
            };
            format!("({word} {}: {})", names.join(", "), grouped(body))
        }
        ExprKind::Call { layer, name, args } => {
            let args: Vec<String> = args.iter().map(grouped).collect();
            let layer = layer.as_ref().map_or(String::new(), |l| format!("{}.", l.text));
            format!("{layer}{}({})", name.text, args.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Iff => "iff",
        Implies => "implies",
        Or => "or",
        And => "and",
        Equal => "=",
        NotEqual => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        In => "in",
        NotIn => "not in",
        HappenedBefore => "happened before",
        Before => "before",
        Range => "..",
        Add => "+",
        Subtract => "-",
        Except => "except",
        Multiply => "*",
        Div => "div",
        Mod => "mod",
        Intersect => "inter",
    }
}

/// The rule `operator_follows` looks ahead at all operators; an operator missing from it would never be parsed.
#[test]
fn every_operator_is_seen_to_follow() {
    let grammar = include_str!("../../../grammar/synod.pest");
    let rule = |name: &str| {
        let at = grammar.find(&format!("\n{name} ")).unwrap_or_else(|| panic!("{name}"));
        let rest = grammar[at..].split_once('{').unwrap().1;
        rest.split("\n}").next().unwrap().split(" }\n").next().unwrap().split("\n) }").next().unwrap()
    };
    let quoted = |text: &str| text.split('"').nth(1).map(String::from);
    let seen: Vec<String> = rule("operator_follows").split('|').filter_map(quoted).collect();
    let operators: Vec<&str> = rule("infix")
        .split(|c: char| !c.is_ascii_lowercase() && c != '_')
        .filter(|w| w.starts_with("op_") || *w == "former_except")
        .collect();
    assert_eq!(operators.len(), 22, "{operators:?}");
    let mut begin: Vec<String> = Vec::new();
    for operator in operators {
        // `happened` begins an operator, and a text that must not follow it is not a sign of its own.
        let alternatives =
            rule(operator).split(" | \"").map(|a| format!("\"{}", a.trim().trim_start_matches('"')));
        begin.extend(alternatives.filter_map(|a| quoted(&a)));
    }
    begin.sort();
    begin.dedup();
    let mut seen = seen;
    seen.sort();
    // `<=` begins with `<`, and `>=` with `>`.
    begin.retain(|sign| sign != "<=" && sign != ">=");
    assert_eq!(seen, begin);
}

#[test]
fn operators_bind_as_the_table_says() {
    let cases = [
        ("a iff b iff c", "((a iff b) iff c)"),
        ("a iff b implies c", "(a iff (b implies c))"),
        ("a implies b implies c", "(a implies (b implies c))"),
        ("a or b implies c", "((a or b) implies c)"),
        ("a or b and c or d", "((a or (b and c)) or d)"),
        ("not a and b", "((not a) and b)"),
        ("not a = b", "(not (a = b))"),
        ("not not a", "(not (not a))"),
        ("a and not b = c", "(a and (not (b = c)))"),
        ("a = b and c != d", "((a = b) and (c != d))"),
        ("a in S and b not in T", "((a in S) and (b not in T))"),
        ("a before b or c happened before d", "((a before b) or (c happened before d))"),
        ("x in 1..n - 1", "(x in (1 .. (n - 1)))"),
        ("a - b - c", "((a - b) - c)"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("S + T - U", "((S + T) - U)"),
        ("S inter T + U", "((S inter T) + U)"),
        ("a div b mod c", "((a div b) mod c)"),
        ("-a * b", "((-a) * b)"),
        ("a - -b", "(a - (-b))"),
        ("- -a", "(-(-a))"),
        ("-a.b[c]", "(-a.b[c])"),
        ("x-1", "(x - 1)"),
        ("f(x).y[z].1", "f(x).y[z].1"),
        ("L.f(x, y)", "L.f(x, y)"),
        ("(a + b) * c", "((a + b) * c)"),
        ("a and forall p: b or c", "(a and (forall p: (b or c)))"),
        ("forall p, q in S, r: a", "(forall p in S, q in S, r: a)"),
        ("(count p: p.leader) <= 1", "((count p: p.leader) <= 1)"),
        ("count + sum - least", "((count + sum) - least)"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("if a then b else if c then d else e", "(if a then b else (if c then d else e))"),
        ("coin(1/a)", "coin(1, a)"),
        ("a - -9223372036854775808", "(a - -9223372036854775808)"),
        ("-9223372036854775807", "(-9223372036854775807)"),
    ];
    for (text, expected) in cases {
        let expr = parse_expr(0, text).unwrap_or_else(|f| panic!("{text}: {}", shown(text, &f[0])));
        assert_eq!(grouped(&expr), expected, "{text}");
    }
    // The least Int is one number with its sign, and invalid without it.
    for text in
        ["9223372036854775808", "a - 9223372036854775808", "-9223372036854775809", "-(9223372036854775808)"]
    {
        assert_eq!(parse_expr(0, text).unwrap_err()[0].code().0, 9, "{text}");
    }
    for text in ["a = b = c", "a < b <= c", "a in b in c", "1..2..3"] {
        assert_eq!(parse_expr(0, text).unwrap_err()[0].code().0, 18, "{text}");
    }
}

#[test]
fn a_word_that_can_be_a_name_binds_nothing_on_the_next_line() {
    let module = read("state a\n  x := {y} + received\n  z := count\n  f(x)\n  w := least\n  v := 1");
    let ClauseKind::State { body, .. } = &module.clauses[0].kind else { panic!() };
    assert_eq!(body.len(), 5);
}

// ─── Places ───

#[test]
fn spans_end_where_the_text_ends() {
    let text = "state a // one\n  send M // two\n  if x -> skip // three\n  fi // four\n// five\n\non M -> skip // six\n";
    let module = read(text);
    let slices: Vec<&str> = module.clauses.iter().map(|c| &text[c.span.range()]).collect();
    assert_eq!(slices, ["state a // one\n  send M // two\n  if x -> skip // three\n  fi", "on M -> skip"]);
    let ClauseKind::State { body, .. } = &module.clauses[0].kind else { panic!() };
    let slices: Vec<&str> = body.iter().map(|s| &text[s.span.range()]).collect();
    assert_eq!(slices, ["send M", "if x -> skip // three\n  fi"]);
    let comments: Vec<&str> = module.comments.iter().map(|(_, c)| c.as_str()).collect();
    assert_eq!(comments, ["// one", "// two", "// three", "// four", "// five", "// six"]);
}

#[test]
fn doc_comments_belong_to_the_next_clause() {
    let module = read(
        "\u{FEFF}/// First.\r\n///\r\n///  Second.\r\n// aside\r\nalgorithm a\r\n\tassumes fifo\r\n/// lost",
    );
    assert_eq!(module.clauses[0].doc.as_deref(), Some("First.\n\n Second."));
    assert_eq!(module.clauses[1].doc, None);
    assert_eq!(module.comments.len(), 2);
}

#[test]
fn node_numbers_of_a_clause_differ() {
    for clause in &read(FORMS).clauses {
        let debug = format!("{clause:?}");
        let ids = debug.split(" { id: ").skip(1).map(|rest| rest[..rest.find(',').unwrap()].parse().unwrap());
        let mut ids: Vec<u32> = ids.collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{debug}");
    }
}

// ─── Recovery ───

#[test]
fn two_broken_clauses_give_two_errors_and_the_others_survive() {
    let text = "var a : Int\nvar b : := 1\nstate s\n  a = 1\nvar c : Int\non M -> skip";
    let (module, findings) = parse(0, text);
    assert_eq!(module.clauses.len(), 3);
    assert_eq!(findings.len(), 2);
    assert!(findings[0].span < findings[1].span);
}

#[test]
fn a_keyword_in_every_role_it_can_play() {
    let text = "scenario s\n  on star(3)\n  with names [server, A]\n  client: read\n  hold client -> A\n  client -> A: note\n\
                state a\n  x := p.state\n  set timer t after 3\n  if receive M\n     when x > 1 -> skip\n  [] after 3 -> skip fi\n\
                after 3 -> skip\n\
                defer M(l) from p\n  when l > 1\nwhen x -> skip\nignore N\nwhen y -> skip\n\
                on algorithm.deliver(m)\n  when m = 1 -> algorithm.enter\n\
                persistent var k : Int\nstable s1: k = 1\ninitial state z\nclient enter";
    assert_eq!(read(text).clauses.len(), 12);
}

// ─── Limits ───

#[test]
fn sixty_levels_are_read_and_ten_thousand_answered() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("v[", "]"), ("{a: ", "}")] {
        let nested = |n: usize| format!("{}x{}", open.repeat(n), close.repeat(n));
        parse_expr(0, &nested(60)).unwrap_or_else(|f| panic!("{open}: {}", f[0].message()));
        assert_eq!(parse_expr(0, &nested(10_000)).unwrap_err()[0].code().0, 10, "{open}");
        // Broken in the middle: no alternative may parse the inside again.
        assert!(parse_expr(0, &nested(60).replace('x', "x :")).is_err());
    }
    let blocks = |n: usize| format!("state a\n{}skip{}", "if x -> ".repeat(n), " fi".repeat(n));
    assert_eq!(codes(&blocks(60)), Vec::<u16>::new());
    assert_eq!(codes(&blocks(10_000)), [10]);
    let types = |n: usize| format!("var x : {}Int", "set of ".repeat(n));
    assert_eq!(codes(&types(60)), Vec::<u16>::new());
    assert_eq!(codes(&types(10_000)), [10]);
}

#[test]
fn long_chains_are_answered_on_a_small_stack() {
    let chains = [
        "not ",
        "- ",
        "a implies ",
        "a + ",
        "a and ",
        "forall p: ",
        "if a then b else ",
        "if ",
        "least p in ",
        "a.b + ",
        "(a) implies ",
        "some x in S with ",
        "arrived M from ",
        "count p in S: ",
        "∀ p: ",
    ];
    let answer = move || {
        for chain in chains {
            let text = format!("{}x", chain.repeat(10_000));
            assert!(parse_expr(0, &text).is_err(), "{chain}");
        }
        for postfix in [".a", "[x]", "(x)", "?"] {
            assert!(parse_expr(0, &format!("x{}", postfix.repeat(10_000))).is_err(), "{postfix}");
        }
        // The maximum depth, walked by recursion as other modules do.
        let deepest = format!("{}x", "not ".repeat(MAX_NESTING - 1));
        let expr = parse_expr(0, &deepest).unwrap();
        grouped(&expr);
        let mixed =
            format!("{}x{}", "not f(a or ".repeat(MAX_NESTING / 3 - 1), ")".repeat(MAX_NESTING / 3 - 1));
        grouped(&parse_expr(0, &mixed).unwrap());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(answer).unwrap().join().unwrap();
}

#[test]
fn long_flat_texts_are_read() {
    let statements = "  x := x + 1; send M(x) to next\n".repeat(20_000);
    assert_eq!(codes(&format!("state a\n{statements}")), Vec::<u16>::new());
    let elements = format!("{{{}}}", vec!["a"; 50_000].join(", "));
    assert!(parse_expr(0, &elements).is_ok());
    assert_eq!(codes(&" ".repeat(MAX_SOURCE_BYTES + 1)), [11]);
    // Sets shared by names multiply when nested: this is bounded, too.
    let shared = format!("{}x{}", "forall p, q in {".repeat(40), "}: y".repeat(40));
    assert_eq!(parse_expr(0, &shared).unwrap_err()[0].code().0, 10);
}

#[test]
fn keywords_are_those_of_the_grammar() {
    let grammar = include_str!("../../../grammar/synod.pest");
    let rule = grammar.split("reserved = @{").nth(1).and_then(|rest| rest.split("~ !inside").next()).unwrap();
    let mut words: Vec<&str> = rule.split('"').skip(1).step_by(2).collect();
    words.sort_unstable();
    assert_eq!(words, RESERVED);
    for word in RESERVED {
        let code = codes(&format!("var {word} : Int"))[0];
        // `if` and similar words open or close a block first.
        assert!(matches!(code, 3 | 4 | 15..=17), "{word}: {code}");
    }
    let codes = synod::internals::diagnostic::codes::CODES;
    assert!(codes.windows(2).all(|pair| pair[0].0 < pair[1].0), "codes are in order, each once");
}
