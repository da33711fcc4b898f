//! Editor features without an editor: `$0` marks the cursor.

use crate::diagnostics::harness as cases;
use std::sync::Arc;
use synod::internals::check::{FUNCTIONS, PREDEFINED, VOCABULARY, check, check_typed};
use synod::internals::diagnostic::{Diagnostic, Edit};
use synod::internals::ide::calls::CallItem;
use synod::internals::ide::tokens::TokenType;
use synod::internals::ide::{Analysis, reference};
use synod::internals::library;
use synod::internals::source::Span;

const HEAD: &str = "\
/// Привет: a comment before everything.
algorithm t solves Election(winner: greatest, told: one)
assumes bidirectional ring, unique ids
message Probe(candidate: Id, phase: Int), Nak
record Entry(key: Int, owner: Id)
var phase : Int       // how far it has come
var best : Entry?
";

/// Return the text without the mark, and the offset of the mark.
fn cursor(marked: &str) -> (String, usize) {
    let at = marked.find("$0").expect("a mark");
    (marked.replacen("$0", "", 1), at)
}

fn analysed(text: &str) -> Analysis {
    let find = |name: &str| library::source(name);
    let mut analysis = Analysis::new("t.syn", text, &find);
    analysis.types = Some(Arc::new(check_typed("t.syn", text, &find).1));
    analysis
}

fn hover(marked: &str) -> String {
    let (text, at) = cursor(marked);
    analysed(&text).hover(at).map_or_else(|| "nothing".into(), |h| h.markdown)
}

fn completions(marked: &str) -> Vec<String> {
    let (text, at) = cursor(marked);
    analysed(&text).completions(at).into_iter().map(|item| item.label).collect()
}

/// Return the lines, with their files, in which the name at the mark is declared.
fn definitions(marked: &str) -> Vec<String> {
    let (text, at) = cursor(marked);
    let analysis = analysed(&text);
    let line = |place: &Span| {
        let file = &analysis.files[place.file as usize];
        let start = file.text[..place.start as usize].rfind('\n').map_or(0, |i| i + 1);
        format!("{}: {}", file.name, file.text[start..].lines().next().unwrap_or_default().trim())
    };
    analysis.definition(at).iter().map(line).collect()
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|e| std::cmp::Reverse((e.span.start, e.span.end)));
    let mut text = text.to_string();
    sorted.iter().for_each(|e| text.replace_range(e.span.range(), &e.text));
    text
}

#[test]
fn the_word_under_the_cursor_is_explained() {
    let body = "state s\n  x := phase + 1\n  send Probe(id, x) to left\n  halt\non Probe(c, k) from p when k > 0 -> best := Entry(k, c)\n";
    let program = format!("{HEAD}{body}invariant small: forall p: p.phase < 9\n");
    let marks = [
        ("algorithm t solves Elec", "the problem"),
        ("winner: gre", "a choice"),
        ("assumes bidirectional r", "an assumption"),
        ("message Pro", "a message"),
        ("  x := ph", "a variable"),
        ("  x", "a local with its inferred type"),
        ("send Probe(i", "a predefined name"),
        ("to le", "a port"),
        ("from p", "who sent it"),
        ("best := Ent", "a record"),
        ("forall p: p.pha", "a variable of another process"),
        ("  hal", "a word of the language"),
    ];
    let mut told = String::new();
    for (before, what) in marks {
        let at = program.find(before).unwrap_or_else(|| panic!("{before}")) + before.len();
        let marked = format!("{}$0{}", &program[..at], &program[at..]);
        told.push_str(&format!("── {what}: {before}|\n{}\n\n", hover(&marked)));
    }
    insta::assert_snapshot!(told);
}

/// An algorithm beside the file, in `election.syn`, is not the problem `Election`.
#[test]
fn a_problem_is_not_the_algorithm_of_that_name() {
    let find = |name: &str| match name {
        "Election" => {
            Some(("election.syn".into(), "algorithm election\nassumes unidirectional ring\n".into()))
        }
        name => library::source(name),
    };
    for text in ["algorithm a solves Election\n", "algorithm a variant of franklin\n"] {
        let analysis = Analysis::new("a.syn", text, &find);
        let names: Vec<&str> = analysis.files.iter().map(|file| file.name.as_str()).collect();
        assert!(
            names.contains(&"stdlib/problems/election.syn") && !names.contains(&"election.syn"),
            "{names:?}"
        );
    }
}

/// The checker and the editor number the files of a variant with layers alike.
#[test]
fn types_of_a_layer_are_known_in_a_variant() {
    let find = |name: &str| {
        let text = match name {
            "two" => "algorithm two\nassumes ring\nuses counter\non wakeup -> counter.count\n",
            "counter" => {
                "algorithm counter\nassumes ring\nvar hits := 0\noperation count\n  hits := hits + 1\n"
            }
            name => return library::source(name),
        };
        Some((format!("{name}.syn"), text.to_string()))
    };
    let (text, at) = cursor("algorithm t variant of two\ninvariant i: forall p: p.counter.hi$0ts >= 0\n");
    let mut analysis = Analysis::new("t.syn", &text, &find);
    analysis.types = Some(Arc::new(check_typed("t.syn", &text, &find).1));
    let shown = analysis.hover(at).map(|hover| hover.markdown).unwrap_or_default();
    assert!(shown.contains("var hits : Int := 0"), "{shown}");
}

#[test]
fn names_bound_by_received_are_known_in_the_command() {
    let head = "algorithm t\nassumes ring, synchronous\nmessage M(x: Int)\nvar sum := 0\nstate s\n";
    let rest = "  send M(1) to neighbours\n  await received M(z)\n  if received M(y) -> sum := sum + y fi\n";
    let program = format!("{head}{rest}  sum := sum + $0z\n");
    assert_eq!(definitions(&program), ["t.syn: await received M(z)"]);
    let (text, at) = cursor(&program);
    let renamed = applied(&text, &analysed(&text).rename(at, "w").expect("edits"));
    assert!(renamed.contains("received M(w)") && renamed.contains("sum + w\n"), "{renamed}");
    let guard = program.replace("$0", "").replace("sum + y", "sum + $0y");
    assert_eq!(definitions(&guard), ["t.syn: if received M(y) -> sum := sum + y fi"]);
}

#[test]
fn definitions_lead_through_files() {
    let here = format!("{HEAD}state s\n  send Na$0k to left\n  halt\n");
    assert_eq!(definitions(&here), ["t.syn: message Probe(candidate: Id, phase: Int), Nak"]);
    let problem = "algorithm t solves Mutual$0Exclusion\nassumes complete\n";
    assert_eq!(definitions(problem), ["stdlib/problems/mutual_exclusion.syn: problem MutualExclusion"]);
    let property = "algorithm t solves MutualExclusion without M$0E3\nassumes complete\n";
    assert_eq!(definitions(property).len(), 1);
    let base = "algorithm t variant of mae$0kawa\n";
    assert_eq!(definitions(base).len(), 1);
    let inherited = "algorithm t variant of maekawa\non Failed(t) from v -> give_$0back\n";
    assert_eq!(definitions(inherited), ["stdlib/mutex/maekawa.syn: procedure give_back"]);
    let layer = "algorithm t solves Multicast(order: fifo)\nassumes complete, unique ids, knows peers\nuses basic as Data\noperation multicast(m: Value)\n  Data.multi$0cast(m)\n";
    assert!(
        definitions(layer)[0].starts_with("stdlib/multicast/basic.syn: operation multicast"),
        "{:?}",
        definitions(layer)
    );
}

#[test]
fn half_typed_clauses_are_understood() {
    // The clause under the cursor has no end yet.
    let sent = format!("{HEAD}state s\n  send Pr$0obe(id, \n");
    assert_eq!(definitions(&sent), ["t.syn: message Probe(candidate: Id, phase: Int), Nak"]);
    let taken = format!("{HEAD}on Probe(c, k) from p ->\n  if $0");
    let offered = completions(&taken);
    for name in ["c", "k", "p", "phase", "best", "receive"] {
        assert!(offered.contains(&name.to_string()), "{name} in {offered:?}");
    }
    // Declarations of a broken clause are known elsewhere.
    let declared = format!("{HEAD}var half, other : set of\nstate s\n  other := ha$0lf\n  halt\n");
    assert_eq!(definitions(&declared), ["t.syn: var half, other : set of"]);
    assert_eq!(
        completions("algorithm t solves MutualExclusion without $0").first().map(String::as_str),
        Some("ME1")
    );
}

#[test]
fn completions_fit_the_context() {
    let fits = |marked: String, wanted: &[&str], not: &[&str]| {
        let offered = completions(&marked);
        wanted
            .iter()
            .for_each(|w| assert!(offered.iter().any(|o| o == w), "{w} after {marked}: {offered:?}"));
        not.iter().for_each(|w| assert!(!offered.iter().any(|o| o == w), "{w} after {marked}: {offered:?}"));
    };
    fits("$0".into(), &["algorithm", "problem"], &["send"]);
    fits("algorithm t solves $0".into(), &["Election", "MutualExclusion"], &["maekawa"]);
    fits("algorithm t solves Election($0".into(), &["winner", "told"], &["Election"]);
    fits("algorithm t solves Election(winner: $0".into(), &["greatest"], &["winner"]);
    fits("algorithm t variant of $0".into(), &["maekawa"], &["Election"]);
    fits("algorithm t\nassumes ring, knows $0".into(), &["knows n", "knows peers"], &["line"]);
    fits(format!("{HEAD}state s\n  become $0"), &["s"], &["phase"]);
    fits(format!("{HEAD}state s\n  $0"), &["if", "send", "phase", "state", "scenario"], &["Probe"]);
    fits(format!("{HEAD}state s\n  send Nak to $0"), &["left", "neighbours"], &[]);
    fits(format!("{HEAD}state s\n  receive $0\n"), &["Probe", "Nak"], &["forall"]);
    fits(format!("{HEAD}state s\n  x := best.$0"), &["key", "owner"], &["phase"]);
    fits(format!("{HEAD}var x : $0"), &["Int", "set of", "Entry"], &["phase"]);
    fits(format!("{HEAD}on $0"), &["Probe", "wakeup", "timeout"], &["if"]);
    fits(format!("{HEAD}invariant i: forall p: p.$0"), &["phase", "halted", "elected"], &["Nak"]);
    fits(format!("{HEAD}invariant i: forall proc: $0"), &["proc", "messages"], &["left"]);
    fits(format!("{HEAD}bound b: messages of $0"), &["Probe", "Nak"], &["phase"]);
    fits(format!("{HEAD}scenario a on $0"), &["ring", "complete"], &["if"]);
    fits(format!("{HEAD}scenario a on ring(3) with $0"), &["ids", "schedule"], &["if"]);
    fits(
        format!("{HEAD}scenario a on ring(3) with names [A, B, C]\n  $0"),
        &["expect", "hold", "A"],
        &["if"],
    );
    fits(format!("{HEAD}scenario a on ring(3)\n  expect outcome $0"), &["quiescent"], &["phase"]);
    fits(
        "algorithm t\nassumes complete\nuses basic as Data\non Data.$0".into(),
        &["deliver"],
        &["multicast"],
    );
    fits(format!("{HEAD}// a comment $0"), &[], &["if", "phase"]);
}

#[test]
fn the_argument_at_the_cursor_is_shown() {
    let signature = |marked: &str| {
        let (text, at) = cursor(marked);
        analysed(&text).signature(at).map(|s| (s.ways[0].0.clone(), s.active))
    };
    let probe = Some(("Probe(candidate: Id, phase: Int)".to_string(), 1));
    assert_eq!(signature(&format!("{HEAD}state s\n  send Probe(id, $0")), probe);
    assert_eq!(signature(&format!("{HEAD}state s\n  send Probe(id, (1 + 2) * $0) to left\n")), probe);
    assert_eq!(signature(&format!("{HEAD}state s\n  x := pow(2, $0")), Some(("pow(b, e)".into(), 1)));
    assert_eq!(signature(&format!("{HEAD}message M(a, $0")), None);
    assert_eq!(signature(&format!("{HEAD}state s\n  x := (1, $0")), None);
}

/// Renaming all occurrences of a name preserves the meaning of the program.
#[test]
fn renamed_programs_still_check() {
    let files = ["hirschberg_sinclair", "maekawa", "basic", "mutual_exclusion", "bully", "franklin_rounds"];
    let mut renamed = 0;
    for name in files {
        let Some(entry) = library::find(name) else { continue };
        let analysis = analysed(entry.text);
        let errors = |text: &str| {
            let checked = check("t.syn", text, &|name| library::source(name));
            checked
                .diagnostics
                .into_iter()
                .filter(Diagnostic::is_error)
                .map(|d| d.message())
                .collect::<Vec<_>>()
        };
        let before = errors(entry.text);
        for (id, decl) in analysis.names.decls.iter().enumerate().filter(|(_, d)| d.place.file == 0) {
            // There are many similar locals: check a sample.
            if decl.visible.is_some() && id % 4 != 0 {
                continue;
            }
            let Ok(edits) = analysis.rename(decl.place.start as usize, "zz_renamed") else { continue };
            let text = applied(entry.text, &edits);
            assert_eq!(errors(&text), before, "{name}: {} {}", decl.kind.as_str(), decl.name);
            renamed += 1;
        }
    }
    assert!(renamed > 60, "only {renamed} names have been tried");
}

#[test]
fn renamings_that_change_the_meaning_are_rejected() {
    let program = format!("{HEAD}state s\n  x := ph$0ase\n  send Nak to left\n  halt\n");
    let (text, at) = cursor(&program);
    let analysis = analysed(&text);
    let refused = |new: &str| analysis.rename(at, new).expect_err(new);
    assert!(refused("Nak").contains("there is already a message `Nak`"));
    assert!(refused("state").contains("keyword"));
    assert!(refused("neighbours").contains("predefined"));
    assert!(refused("2x").contains("not a name"));
    assert!(refused("x").contains("local"), "a local that would hide it: {}", refused("x"));
    let (text, at) = cursor("algorithm t solves Elec$0tion\nassumes ring\n");
    assert!(analysed(&text).renamable(at).expect_err("of the library").contains("stdlib/"));
}

/// Every fix of every wrong program removes its diagnostic.
#[test]
fn every_fix_removes_its_diagnostic() {
    let mut tried = 0;
    for case in cases::cases() {
        let checked = case.check();
        for finding in &checked.diagnostics {
            let Some(fix) = finding.fix.as_ref().filter(|f| f.edits.iter().all(|e| e.span.file == 0)) else {
                continue;
            };
            tried += 1;
            let text = applied(&case.text, &fix.edits);
            let again = case.with_text(&text).check();
            let same = |d: &&Diagnostic| d.code() == finding.code() && d.message() == finding.message();
            let (before, after) = (
                checked.diagnostics.iter().filter(same).count(),
                again.diagnostics.iter().filter(same).count(),
            );
            assert!(
                after < before,
                "{}/{}: «{}» does not mend «{}»\n{text}",
                case.area,
                case.name,
                fix.title,
                finding.message()
            );
        }
    }
    assert!(tried > 50, "only {tried} fixes");
}

#[test]
fn names_that_are_never_read_can_be_marked() {
    let text = "algorithm t\nassumes unidirectional ring, unique ids\nmessage M\nstate s\n  unused := 3\n  send M\n  receive M\n  halt\n";
    let checked = check("t.syn", text, &|name| library::source(name));
    let analysis = analysed(text);
    let whole = Span::new(0, 0, text.len());
    let actions = analysis.actions(&checked.diagnostics, whole);
    let mended = actions.iter().map(|a| applied(text, &a.fix.edits)).find(|t| t.contains("_unused := 3"));
    let mended = mended.expect("a fix that marks the name");
    assert!(check("t.syn", &mended, &|name| library::source(name)).diagnostics.is_empty(), "{mended}");
}

#[test]
fn everything_predefined_is_explained_in_the_reference() {
    let own = ["one", "oracle"];
    let missing: Vec<&str> = VOCABULARY
        .iter()
        .filter(|w| !own.contains(w) && reference::assumption(w).is_none())
        .copied()
        .collect();
    assert!(missing.is_empty(), "assumptions: {missing:?}");
    let functions: Vec<&str> =
        FUNCTIONS.iter().filter(|f| reference::function(f).is_none()).copied().collect();
    assert!(functions.is_empty(), "functions: {functions:?}");
    // Events of the environment are listed with their handlers.
    let events = ["wakeup", "arrival"];
    let names: Vec<&str> = PREDEFINED
        .iter()
        .filter(|n| !events.contains(n) && reference::predefined(n).is_none())
        .copied()
        .collect();
    assert!(names.is_empty(), "names: {names:?}");
}

#[test]
fn the_call_hierarchy_of_messages() {
    let entry = library::find("hirschberg_sinclair").expect("in the library");
    let analysis = analysed(entry.text);
    let at = entry.text.find("message Probe").expect("declared") + 9;
    let party = analysis.party_at(at).expect("a message");
    let name = |party: &CallItem| match party {
        CallItem::Message(id) => analysis.names.decl(*id).name.clone(),
        CallItem::Clause(clause) => analysis.label(*clause).expect("a clause"),
    };
    let incoming: Vec<String> = analysis.incoming(&party).iter().map(|t| name(&t.party)).collect();
    assert_eq!(incoming, ["state candidate", "on Probe"]);
    let outgoing: Vec<String> = analysis.outgoing(&party).iter().map(|t| name(&t.party)).collect();
    assert_eq!(outgoing, ["Probe", "Ack", "Nak", "Elected"]);
    // In a loop of guarded commands only the following command counts.
    let entry = library::find("chang_roberts").expect("in the library");
    let analysis = analysed(entry.text);
    assert!(analysis.names.decls.len() > 5);
}

#[test]
fn outline_hints_folds_and_lenses() {
    let entry = library::find("hirschberg_sinclair").expect("in the library");
    let analysis = analysed(entry.text);
    let mut told = String::new();
    fn tell(symbols: &[synod::internals::ide::symbols::Symbol], depth: usize, told: &mut String) {
        for s in symbols {
            told.push_str(&format!("{}{} {:?} {}\n", "  ".repeat(depth), s.name, s.kind, s.detail));
            tell(&s.children, depth + 1, told);
        }
    }
    tell(&analysis.symbols(), 0, &mut told);
    told.push_str("\n── lenses\n");
    for lens in analysis.lenses().iter().take(10) {
        told.push_str(&format!("{}: {} {:?}\n", lens.title, lens.verb, lens.arguments));
    }
    told.push_str("\n── folds\n");
    for fold in analysis.folds() {
        told.push_str(&format!(
            "{}-{}{}\n",
            fold.first + 1,
            fold.last + 1,
            if fold.comment { " comment" } else { "" }
        ));
    }
    let text = format!(
        "{HEAD}state s\n  x := {{ p in neighbours | p != left }}\n  send Nak to x\n  halt\non Nak from q -> skip\n"
    );
    told.push_str("\n── hints\n");
    let analysis = analysed(&text);
    for hint in analysis.hints(Span::new(0, 0, text.len())) {
        let line = text[..hint.offset as usize].rsplit('\n').next().unwrap_or_default();
        told.push_str(&format!("{line}⟨{}⟩\n", hint.text));
    }
    told.push_str("\n── selections\n");
    let at = text.find("neighbours").expect("there") + 3;
    for span in analysis.selections(at).iter().take(5) {
        told.push_str(&format!("{:?}\n", analysis.slice(*span)));
    }
    insta::assert_snapshot!(told);
}

/// Predefined names have the colours of declared ones: events of the environment, and processes by position.
#[test]
fn events_and_positions_have_colours() {
    let text = format!(
        "{HEAD}state s\n  on wakeup -> skip\n  on suspect(p1) -> skip\n  on Nak -> wakeup_seen := 1\n\
         scenario one on ring(3)\n  crash p2\n  expect p0.phase = 0 and messages of Nak = 0\n"
    );
    let analysis = analysed(&text);
    let coloured = analysis.coloured(Span::new(0, 0, text.len()));
    let of = |word: &str| {
        let found = |c: &&synod::internals::ide::tokens::SemanticToken| &text[c.place.range()] == word;
        coloured.iter().filter(found).map(|c| (c.colour, c.modifiers & 0b1010)).collect::<Vec<_>>()
    };
    assert_eq!(of("wakeup"), [(TokenType::Message, 0b1000)]);
    assert_eq!(of("suspect"), [(TokenType::Message, 0b1000)]);
    assert_eq!(of("p1"), [(TokenType::Variable, 0)], "a local of the handler, no process");
    assert_eq!(of("p2"), [(TokenType::Variable, 0b1010)]);
    assert_eq!(of("p0"), [(TokenType::Variable, 0b1010)]);
    assert_eq!(of("Nak").len(), 3);
}

/// Truncated and excessively nested texts: every feature gives an answer.
#[test]
fn broken_texts_are_handled() {
    let all = |text: &str, at: usize| {
        let analysis = Analysis::new("t.syn", text, &|name| library::source(name));
        let whole = Span::new(0, 0, text.len());
        analysis.hover(at);
        analysis.definition(at);
        analysis.references(at, true);
        let _ = analysis.rename(at, "fresh");
        analysis.completions(at);
        analysis.signature(at);
        analysis.selections(at);
        analysis.symbols();
        analysis.folds();
        analysis.lenses();
        analysis.coloured(whole);
        analysis.hints(whole);
        if let Some(party) = analysis.party_at(at) {
            analysis.incoming(&party);
            analysis.outgoing(&party);
        }
    };
    let entry = library::find("maekawa").expect("in the library");
    for at in (0..entry.text.len()).step_by(397).filter(|at| entry.text.is_char_boundary(*at)) {
        all(&entry.text[..at], at);
    }
    let deep = format!("{HEAD}state s\n  x := {}1{}\n", "(".repeat(10_000), ")".repeat(10_000));
    all(&deep, HEAD.len() + 10_000);
    all("", 0);
    all("algorithm", 9);
    all("\u{feff}algorithm é😀 ", 0);
}

/// Outputs of a layer, and its messages in cost properties.
#[test]
fn outputs_and_messages_of_a_layer() {
    let above = "algorithm t\nassumes unidirectional ring, fifo, unique ids\nuses chang_roberts as Vote\nvar x : Int\n";
    let reads = format!("{above}always\n  when Vote.lea$0der -> x := 1\n");
    assert!(hover(&reads).contains("output leader"), "{}", hover(&reads));
    assert!(definitions(&reads)[0].starts_with("stdlib/problems/election.syn: output leader"), "{reads}");
    let asks = format!("{above}invariant one: (count p: p.Vote.elec$0ted = p.id) <= 1\n");
    assert!(definitions(&asks)[0].starts_with("stdlib/problems/election.syn: output elected"), "{asks}");
    let layer = format!("{above}invariant one: (count p: p.Vo$0te.elected = p.id) <= 1\n");
    assert!(definitions(&layer)[0].contains("chang_roberts as Vote"), "{:?}", definitions(&layer));
    let counts = format!("{above}bound cost: messages of Vote.Ele$0ct <= n * n\n");
    assert!(definitions(&counts)[0].contains("Elect"), "{:?}", definitions(&counts));
    let offered = completions(&format!("{above}always\n  when Vote.$0"));
    assert!(
        ["elected", "leader", "decided"].iter().all(|output| offered.iter().any(|o| o == output)),
        "{offered:?}"
    );
    let looked_at = completions(&format!("{above}invariant one: forall p: p.Vote.$0"));
    assert!(looked_at.iter().any(|o| o == "leader"), "{looked_at:?}");
}
