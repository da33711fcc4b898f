//! Programs as text.

use crate::random::tree::{Sort, Tree};
use std::fmt::Write;
use synod::internals::ir::{Daemon, Fault};
use synod::internals::syntax::format::Signs;

/// A program on a network.
#[derive(Clone, Debug)]
pub struct Case {
    pub program: Tree,
    /// Other files that the program needs: name and text.
    pub files: Vec<(String, String)>,
    pub network: String,
    pub ids: Option<Vec<i64>>,
    pub initiators: Option<Vec<u32>>,
    pub faults: Vec<(Fault, u32)>,
    pub daemon: Option<Daemon>,
}

/// Return the text of a tree, which never contains the character `#` itself.
pub fn text(tree: &Tree) -> String {
    let mut out = String::new();
    write_tree(tree, &mut out);
    out
}

fn write_tree(tree: &Tree, out: &mut String) {
    if let Sort::List(separator, _) = tree.sort {
        for (number, part) in tree.parts.iter().enumerate() {
            if number > 0 {
                out.push_str(separator);
            }
            write_tree(part, out);
        }
        return;
    }
    let mut parts = tree.parts.iter();
    for piece in tree.form.split_inclusive('#') {
        match piece.strip_suffix('#') {
            Some(before) => {
                out.push_str(before);
                if let Some(part) = parts.next() {
                    write_tree(part, out);
                }
            }
            None => out.push_str(piece),
        }
    }
}

impl Case {
    /// Return the command-line options of the instance.
    pub fn command(&self) -> String {
        let mut options = format!("--on '{}'", self.network);
        let list = |items: &[String]| items.join(",");
        if let Some(ids) = &self.ids {
            let _ = write!(options, " --ids {}", list(&ids.iter().map(i64::to_string).collect::<Vec<_>>()));
        }
        match self.initiators.as_deref() {
            None => {}
            Some([]) => options.push_str(" --initiators none"),
            Some(some) => {
                let names: Vec<String> = some.iter().map(|p| format!("p{p}")).collect();
                let _ = write!(options, " --initiators {}", list(&names));
            }
        }
        if !self.faults.is_empty() {
            let bounds: Vec<String> =
                self.faults.iter().map(|(fault, most)| format!("{}<={most}", fault.as_str())).collect();
            let _ = write!(options, " --faults '{}'", bounds.join(", "));
        }
        if let Some(daemon) = self.daemon {
            let _ = write!(options, " --daemon {}", daemon.as_str());
        }
        options
    }

    /// Return the program in the usual layout, preceded by the command line.
    pub fn shown(&self) -> String {
        let text = text(&self.program);
        let text = synod::internals::syntax::format::format(&text, Signs::default()).unwrap_or(text);
        let mut shown = format!("// {}\n{text}", self.command());
        for (name, text) in &self.files {
            let _ = write!(shown, "\n// ---- {name}.syn\n{text}");
        }
        shown
    }
}
