//! Expressions evaluated in configurations from outside.

use crate::common;
use synod::internals::check::{QuestionInput, check};
use synod::internals::ir::Type;
use synod::internals::ir::show;
use synod::internals::semantics::{History, Metrics, World, eval};
use synod::internals::simulate::{SimulateOptions, Unobserved, simulate};

fn asked<'q>(text: &'q str, n: usize, want: Option<Type>) -> QuestionInput<'q> {
    QuestionInput { text, n, names: &[], expected_type: want }
}

/// Return the value of an expression at the end of a run of a library algorithm on `ring(4)`, or the error.
fn answer(algorithm: &str, question: &str) -> String {
    let (path, text) = synod::internals::library::source(algorithm).expect("a library file");
    let checked = check(&path, &text, &synod::internals::library::source);
    let question = match checked.typed.expect("no errors").ask(&asked(question, 4, None)) {
        Ok(question) => question,
        Err(senseless) => return senseless.diagnostics[0].message(),
    };
    let program = common::library(algorithm);
    let instance = common::on(&program, "ring(4)").ids(&[3, 1, 4, 2]).build();
    let run = simulate(&instance, &SimulateOptions::default(), &mut Unobserved);
    let history = History::new(instance.n());
    let metrics = Metrics::new(program.kinds.len(), program.operations.len());
    let world = World { configuration: &run.configuration, metrics: &metrics, history: &history };
    match eval::evaluate(&question, &instance, world) {
        Ok(value) => show::show(&program, &value),
        Err(abort) => abort.message.clone(),
    }
}

#[test]
fn any_expression_is_answered() {
    let cases = [
        "1 + 1",
        "p2.leader",
        "count p: p.leader",
        "{ p for p in processes | not p.leader }",
        "(p0.id, p1.leader)",
        "max(ids(processes))",
        "p4.id",
        "1 +",
        "p0.id + 1",
        "p0.nothing",
    ];
    let told: String = cases.iter().map(|q| format!("{q}\n    {}\n", answer("chang_roberts", q))).collect();
    insta::assert_snapshot!(told);
}
