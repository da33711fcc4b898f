//! Programs: from a text to a checked algorithm.

use super::error::{Diagnostic, Error};
use crate::check::{self, Checked};
use crate::input::{self, InputError};
use crate::ir;
use crate::library as stdlib;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use crate::library::Entry as LibraryFile;

/// Return all files of the standard library, by name: problems and algorithms.
///
/// ```
/// let election = synod::library_files().find(|file| file.name == "dolev_klawe_rodeh").unwrap();
/// assert_eq!(election.path, "election/ring/dolev_klawe_rodeh.syn");
/// ```
pub fn library_files() -> impl Iterator<Item = LibraryFile> {
    stdlib::entries().into_values()
}

/// A checked algorithm, with the problem that it solves and the layers that it uses.
///
/// ```
/// let hello = synod::Program::check("hello.syn", "
/// algorithm hello
/// assumes unidirectional ring, fifo
/// message Hello
/// state greeting
///   send Hello
///   receive Hello
///   halt
/// ")?;
/// assert_eq!(hello.name(), "hello");
/// assert!(hello.warnings().is_empty());
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone)]
pub struct Program {
    pub(crate) program: Arc<ir::Program>,
    warnings: Vec<Diagnostic>,
}

impl Program {
    /// Check a text. Problems, layers and algorithms that it names are looked up in the library. `name` is the name of the text in
    /// messages.
    ///
    /// # Errors
    /// If the text has errors, or is not an algorithm.
    pub fn check(name: &str, text: &str) -> Result<Program, Error> {
        Program::check_with(name, text, &stdlib::source)
    }

    /// Check a text, and look up the files that it names with `find`: it takes a name (`Election`, `nets/four.dot`) and returns
    /// the name of the file in messages, and its text.
    ///
    /// ```
    /// let problem = "
    /// problem Rest
    /// output rested : Bool
    /// finally everybody_rests: forall p: p.rested
    /// ";
    /// let text = "
    /// algorithm sleep solves Rest
    /// assumes connected
    /// state awake
    ///   rested := true
    ///   halt
    /// ";
    /// let find = |name: &str| (name == "Rest").then(|| ("rest.syn".to_string(), problem.to_string()));
    /// let sleep = synod::Program::check_with("sleep.syn", text, &find)?;
    /// assert!(sleep.properties().eq(["everybody_rests"]));
    /// # Ok::<(), synod::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`Program::check`].
    pub fn check_with(
        name: &str,
        text: &str,
        find: &dyn Fn(&str) -> Option<(String, String)>,
    ) -> Result<Program, Error> {
        Program::new(check::check(name, text, find))
    }

    /// Check an algorithm of the library: see [`library_files`].
    ///
    /// # Errors
    /// If the library has no algorithm of that name.
    pub fn library(name: &str) -> Result<Program, Error> {
        if let Some((shown, text)) = stdlib::source(name) {
            return Program::check(&shown, &text);
        }
        Err(Error::new(match stdlib::nearest(name, Some(false)) {
            Some(near) => format!("the library has no algorithm {name}; did you mean {near}?"),
            None => format!("the library has no algorithm {name}; `synod list` lists all"),
        }))
    }

    /// Read a program from a file and check it. Files beside it that it names are found, then those of the library.
    ///
    /// # Errors
    /// If the file cannot be read, or [`Program::check`] fails.
    pub fn read(path: impl AsRef<Path>) -> Result<Program, Error> {
        let path = path.as_ref().display();
        if !Path::new(&path.to_string()).is_file() {
            return Err(Error::new(format!("there is no file {path}")));
        }
        Program::new(input::read_program(&path.to_string())?.check()?)
    }

    fn new(checked: Checked) -> Result<Program, Error> {
        let warnings = Diagnostic::all(&checked);
        if warnings.iter().any(|found| found.is_error) {
            return Err(InputError::Source(Box::new(checked)).into());
        }
        match (checked.program, checked.header) {
            (_, Some(header)) if header.is_problem => {
                Err(Error::new(format!("{} is a problem and cannot be run", header.name)))
            }
            (Some(program), _) => Ok(Program { program: Arc::new(program), warnings }),
            (None, _) => Err(Error::new("the program contains no algorithm")),
        }
    }

    /// Return the name of the algorithm.
    pub fn name(&self) -> &str {
        &self.program.name
    }

    /// Return the warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Return the names of the properties of the algorithm and its problem.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.program.properties.iter().map(|property| property.name.as_str())
    }

    /// Return the names of the scenarios: see [`Program::play`].
    pub fn scenarios(&self) -> impl Iterator<Item = &str> {
        self.program.scenarios.iter().map(|scenario| scenario.name.as_str())
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Program({})", self.name())
    }
}
