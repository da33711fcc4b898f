//! Commands about the run as a partial order: local histories, happened-before, cuts, conditions over all observations; and its export for
//! other tools.

use super::files::named;
use super::{CommandContext, CommandResult, Transition};
use crate::cli::exit::Failure;
use crate::cli::{draw, trace as verb};
use crate::ir::Type;
use crate::render::cuts::CutReport;
use crate::trace::Trace;
use crate::trace::cut::read_process;
use crate::trace::histories::{Histories, why_no_happened_before};
use crate::trace::observed::{Modality, Observed, Unanswered};
use clap::ValueEnum;

/// Default number of linearizations that are listed.
const USUALLY_LISTED: usize = 20;

/// The greatest number of events that an answer draws.
const MOST_EVENTS: usize = 60;

pub fn history(room: &mut CommandContext, text: &str) -> CommandResult {
    let trace = room.timeline.trace();
    let histories = Histories::of_any_model(&trace);
    let process = match text {
        "" => None,
        name => Some(read_process(&trace.header, name).map_err(Failure::usage)?),
    };
    room.say(&trace, &histories, |drawn| drawn.history(process))
}

pub fn before(room: &mut CommandContext, text: &str) -> CommandResult {
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [a, b] = words.as_slice() else {
        return Err(Failure::usage("expected two events")
            .hint("such as `.before 3 12` or `.before p0:1 p2:3`; .trace and .history number them"));
    };
    let trace = room.timeline.trace();
    if let Some(why) = why_no_happened_before(&trace) {
        return Err(Failure::usage(why));
    }
    let histories = Histories::of_any_model(&trace);
    let (a, b) = (verb::cuts::event(&trace, &histories, a)?, verb::cuts::event(&trace, &histories, b)?);
    room.say(&trace, &histories, |drawn| drawn.happened_before(a, b))
}

pub fn cut(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return Err(Failure::usage("which events does the cut contain?").hint(
            "such as `.cut 3,2,4`, the number of events of each process; `.cut p0:3,p1:2`, `.cut e12,e9`",
        ));
    }
    let (trace, histories) = room.histories()?;
    let cut = histories.read_cut(&trace.header, text).map_err(Failure::usage)?;
    room.say(&trace, &histories, |drawn| drawn.cut(&cut, true))
}

pub fn cuts(room: &mut CommandContext, text: &str) -> CommandResult {
    let (trace, histories) = room.histories()?;
    if !text.is_empty() {
        let most = how_many(text, ".cuts 20")?;
        let (levels, more) = verb::cuts::listed(&histories, most);
        room.say(&trace, &histories, |drawn| drawn.list(&levels))?;
        return room.and_more(more);
    }
    match histories.lattice(histories.usual_limit()) {
        Ok(lattice) => room.say(&trace, &histories, |drawn| drawn.lattice(&lattice)),
        Err(limit) => Err(Failure::usage(limit.to_string())
            .hint("`synod trace cuts FILE --max-cuts N` allows more; .save writes the trace")),
    }
}

pub fn linearizations(room: &mut CommandContext, text: &str) -> CommandResult {
    let most = if text.is_empty() { USUALLY_LISTED } else { how_many(text, ".linearizations 20")? };
    let (trace, histories) = room.histories()?;
    let (orders, more) = verb::cuts::orders(&histories, most);
    room.say(&trace, &histories, |drawn| drawn.linearizations(&orders))?;
    room.and_more(more)
}

pub fn reach(room: &mut CommandContext, text: &str) -> CommandResult {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [from, to] = words.as_slice() else {
        return Err(Failure::usage("expected two cuts")
            .hint("such as `.reach 1,0,2 2,1,2`, `.reach none e12`; without blanks in a cut"));
    };
    let (trace, histories) = room.histories()?;
    let cut = |text: &str| histories.read_cut(&trace.header, text).map_err(Failure::usage);
    let (from, to) = (cut(from)?, cut(to)?);
    let way = histories.path(&from, &to);
    let ways =
        way.as_ref().ok().and_then(|_| histories.lattice_between(&from, &to, histories.usual_limit()).ok());
    room.say(&trace, &histories, |drawn| drawn.reachability(&from, &to, &way, ways.as_ref()))
}

pub fn order(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return Err(Failure::usage("expected all events of the histories, in some order")
            .hint("such as `.order p0:1 p1:1 p0:2`; .history lists them"));
    }
    let (trace, histories) = room.histories()?;
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let events = words.map(|word| verb::cuts::event(&trace, &histories, word));
    let order = histories.classify(&events.collect::<Result<Vec<_>, _>>()?);
    room.say(&trace, &histories, |drawn| drawn.order(&order))
}

pub fn possibly(room: &mut CommandContext, text: &str) -> CommandResult {
    observed(room, text, Modality::Possibly)
}

pub fn definitely(room: &mut CommandContext, text: &str) -> CommandResult {
    observed(room, text, Modality::Definitely)
}

fn observed(room: &mut CommandContext, text: &str, modality: Modality) -> CommandResult {
    if text.is_empty() {
        return Err(
            Failure::usage("expected a condition").hint("such as `.possibly p0.critical and p1.critical`")
        );
    }
    let question = room.question(text, Some(Type::Bool))?;
    let trace = room.timeline.trace();
    let observed = Observed::new(room.instance(), &trace).map_err(Failure::usage)?;
    match observed.ask(&question, modality, None, observed.histories.usual_limit()) {
        Ok(answer) => {
            let histories = observed.histories.clone();
            room.say(&trace, &histories, |drawn| drawn.answer(text, &answer, true))
        }
        Err(Unanswered::Undefined(why)) => Err(Failure::usage(why)),
        Err(Unanswered::TooLarge(limit)) => Err(Failure::usage(limit.to_string())
            .hint("`synod trace possibly FILE CONDITION --max-cuts N` allows more; .save writes the trace")),
    }
}

pub fn export(room: &mut CommandContext, text: &str) -> CommandResult {
    let (form, file) = text.split_once(char::is_whitespace).unwrap_or((text, "-"));
    let form = verb::Form::from_str(form, true).map_err(|_| {
        let forms = verb::Form::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let forms: Vec<String> = forms.map(|form| form.get_name().to_string()).collect();
        Failure::usage(match form {
            "" => "expected a form".to_string(),
            form => format!("there is no form {form}"),
        })
        .hint(format!("one of {}, then a file: `.export mermaid run.mmd`", forms.join(", ")))
    })?;
    let written = verb::in_form(&room.timeline.recorded(), form);
    match file.trim() {
        "-" => {
            room.out.text(written)?;
            Ok(Transition::Stay)
        }
        file => room.write(named(file, ".export mermaid run.mmd")?, &written),
    }
}

fn how_many(text: &str, example: &str) -> Result<usize, Failure> {
    text.parse().map_err(|_| {
        Failure::usage(format!("expected a number, not '{text}'")).hint(format!("such as `{example}`"))
    })
}

impl CommandContext<'_> {
    fn and_more(&mut self, more: bool) -> CommandResult {
        if more {
            self.out.line("  … (a greater number shows more)")?;
        }
        Ok(Transition::Stay)
    }

    /// Return the run so far with its local histories.
    ///
    /// # Errors
    /// If its model has no cuts.
    fn histories(&self) -> Result<(Trace, Histories), Failure> {
        let trace = self.timeline.trace();
        let histories = Histories::of(&trace).map_err(Failure::usage)?;
        Ok((trace, histories))
    }

    fn say(
        &mut self,
        trace: &Trace,
        histories: &Histories,
        text: impl FnOnce(&CutReport<'_>) -> String,
    ) -> CommandResult {
        let options = self.drawing(MOST_EVENTS);
        let text = text(&CutReport { trace, histories, options: &options });
        self.out.text(text)?;
        Ok(Transition::Stay)
    }

    /// Draw the run so far as the picture that the ending of the file selects; None for another ending.
    pub(super) fn picture(
        &self,
        file: &str,
        trace: &Trace,
        events: std::ops::Range<usize>,
    ) -> Option<String> {
        draw::picture(file, trace, self.instance(), events)
    }
}
