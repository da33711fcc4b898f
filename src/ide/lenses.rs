//! Code lenses: commands for an algorithm or a scenario at a click.

use super::Analysis;
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Expr, ExprKind, Scenario, UnaryOp};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub place: Span,
    pub title: String,
    /// The subcommand of the command line; [`DEBUG`] for a session of the debugger.
    pub verb: &'static str,
    /// The arguments that follow the file on the command line; of the debugger, the scenario.
    pub arguments: Vec<String>,
}

/// Marks lenses for editors with a client of the debugger.
pub const DEBUG: &str = "debug";

impl Analysis {
    pub fn lenses(&self) -> Vec<Lens> {
        let clauses = &self.user_file().module.clauses;
        let scenarios = clauses.iter().filter(|c| matches!(c.kind, ClauseKind::Scenario(_))).count();
        let mut lenses = Vec::new();
        for clause in clauses {
            let mut add = |verb: &'static str, title: &str, arguments: Vec<String>| {
                lenses.push(Lens { place: clause.span, title: title.into(), verb, arguments });
            };
            match &clause.kind {
                ClauseKind::Algorithm { .. } => {
                    add("run", "Run", Vec::new());
                    add("verify", "Verify", Vec::new());
                    add("repl", "Step", Vec::new());
                    add(DEBUG, "Debug", Vec::new());
                    match scenarios {
                        0 => {}
                        1 => add("test", "Play its scenario", Vec::new()),
                        n => add("test", &format!("Play {n} scenarios"), Vec::new()),
                    }
                }
                ClauseKind::Scenario(scenario) => {
                    add("test", "Play", vec!["--scenario".into(), scenario.name.text.clone()]);
                    let instance = instance_of(scenario);
                    add("run", "Run", instance.clone());
                    add("verify", "Verify", instance.clone());
                    add("repl", "Step", instance);
                    add(DEBUG, "Debug", vec![scenario.name.text.clone()]);
                }
                _ => {}
            }
        }
        lenses
    }
}

/// Return the network of a scenario, with its ids and parameters, as command-line options.
fn instance_of(scenario: &Scenario) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut add = |flag: &str, value: String| arguments.extend([flag.to_string(), value]);
    if let Some(on) = &scenario.on {
        let text = on.text.split_whitespace().collect::<Vec<_>>().join(" ");
        add("--on", text);
    }
    for (key, value) in &scenario.with {
        let Some(value) = value.as_ref().and_then(plain) else { continue };
        match key.text.as_str() {
            "ids" => add("--ids", value),
            // Process names exist in scenarios only, and the scenario lines determine which processes act.
            "names" | "initiators" | "schedule" | "daemon" | "seed" | "weights" => {}
            "crash" | "restart" | "loss" | "duplication" | "link" | "suspicion" | "lie" => {}
            param => add("--set", format!("{param}={value}")),
        }
    }
    arguments
}

/// Return the text of a value that can be written on the command line.
fn plain(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Int(i) => Some(i.to_string()),
        ExprKind::Bool(b) => Some(b.to_string()),
        ExprKind::Name(name) => Some(name.text.clone()),
        ExprKind::Unary(UnaryOp::Negate, x) => plain(x).map(|x| format!("-{x}")),
        ExprKind::List(items) => items.iter().map(plain).collect::<Option<Vec<_>>>().map(|all| all.join(",")),
        _ => None,
    }
}
