//! The cases, and the way to check them.

use std::path::{Path, PathBuf};
use synod::internals::check::{Checked, check};
use synod::internals::library;
use synod::internals::render::{Look, diagnostics};

/// A wrong program.
pub struct Case {
    pub area: String,
    pub name: String,
    pub text: String,
    folder: PathBuf,
}

/// Return all cases, in alphabetical order.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases = Vec::new();
    for folder in listed(&root) {
        let area = stem(&folder);
        for file in listed(&folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "syn")) {
            let text = std::fs::read_to_string(&file).unwrap();
            cases.push(Case { area: area.clone(), name: stem(&file), text, folder: folder.clone() });
        }
    }
    cases
}

impl Case {
    /// Return the case with another text.
    #[allow(dead_code, reason = "not every test that uses this file needs it")]
    pub fn with_text(&self, text: &str) -> Case {
        let (area, name, folder) = (self.area.clone(), self.name.clone(), self.folder.clone());
        Case { area, name, text: text.into(), folder }
    }

    pub fn check(&self) -> Checked {
        check(&format!("{}.syn", self.name), &self.text, &|name| self.find(name))
    }

    /// Look up a file: those beside the case come before the library. Files that are wrong only as part of another are in
    /// `beside`.
    fn find(&self, name: &str) -> Option<(String, String)> {
        let file = format!("{}.syn", library::snake(name));
        let own = [self.folder.join(&file), self.folder.join("beside").join(&file)];
        let found = own.iter().find_map(|path| std::fs::read_to_string(path).ok());
        found.map(|text| (file, text)).or_else(|| library::source(name))
    }
}

/// The diagnostics of the case, as a user reads them, equal its snapshot.
pub fn check_diagnostics(case: &Case) {
    let checked = case.check();
    let told = diagnostics::diagnostics(&checked.sources, &checked.diagnostics, Look::PLAIN);
    let told = if told.is_empty() { "nothing is wrong\n".into() } else { told };
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&case.folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(case.name.as_str(), told));
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}
