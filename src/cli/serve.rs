//! `synod serve`: the page of the playground for a file on disk.

use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome, os_message};
use super::interrupt;
use super::output::Output;
use crate::input::{InputError, SourceText, read_program, read_text};
use crate::prose;
use crate::serve::{self, Document, Service, with_file};
use crate::stop::StopSignal;
use clap::Args;
use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Edit, run and verify a file in the browser, in the page of the playground
///
/// The command prints the address of the page, and serves it until Ctrl-C. «Save» and Ctrl+S in the page write the file. Changes
/// of the file on disk appear in the page; a conflict is shown. The page computes in the browser, and sees no other file. Only this
/// computer can reach the server, and only with the address that it prints.
#[derive(Args)]
#[command(after_help = "\
Examples:
  synod serve mine.syn
  synod serve mine.syn --port 8080 --no-open     (to reach it by `ssh -L 8080:127.0.0.1:8080 HOST`)")]
pub struct ServeOptions {
    /// A path, `-`, or the name of an algorithm of the library; without it, the page has no file
    file: Option<String>,

    /// The port; 0: any free port
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Do not open the browser, whose command line shows the address to other users of this computer. It is opened only if the
    /// output is a terminal
    #[arg(long)]
    no_open: bool,

    /// Serve this page instead of the one in the binary: synod-playground.html of a release
    #[arg(long, value_name = "FILE")]
    page: Option<String>,
}

/// The page in this binary; empty if it was built without one.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));

pub fn run(options: &ServeOptions, out: &mut Output) -> Outcome {
    let program = options.file.as_deref().map(read_program).transpose()?;
    let neighbours = program.as_ref().map(SourceText::neighbours).unwrap_or_default();
    let document = program.map(document).transpose()?;
    let name = document.as_ref().map(|document| document.name().to_string());
    let page = match &options.page {
        Some(file) => {
            let text = read_text(file)?;
            with_file(&text, name.as_deref()).ok_or_else(|| {
                Failure::usage(format!("{file} is not the page of the playground of this version"))
                    .hint(WHERE_PAGES_ARE)
            })?
        }
        None => with_file(PAGE, name.as_deref())
            .ok_or_else(|| Failure::usage("this binary was built without the page").hint(WHERE_PAGES_ARE))?,
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port));
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
    let (port, listener) = bound.map_err(|error| {
        Failure::usage(format!("cannot listen on port {}: {}", options.port, os_message(&error)))
    })?;
    let service = Service::new(page, document);
    let address = format!("http://{}:{port}{}", Ipv4Addr::LOCALHOST, service.path());
    let interrupted = interrupt::flag();
    let stop = StopSignal::when(|| interrupted.load(Ordering::Relaxed));
    out.line(&address)?;
    out.flush()?;
    out.note(format!("serving {}; Ctrl-C ends the server", name.as_deref().unwrap_or("the page")));
    if !neighbours.is_empty() {
        let files = prose::and(&neighbours);
        out.note(format!(
            "note: the page finds only files of the library, not {files}: it will report errors"
        ));
    }
    if !options.no_open
        && io::stdout().is_terminal()
        && let Err(error) = open::that_detached(&address)
    {
        out.note(format!("cannot open the browser: {}", os_message(&error)));
    }
    match serve::serve(listener, service, &stop) {
        Ok(()) => Ok(ExitStatus::Success),
        Err(error) => Err(Failure::usage(format!("cannot start the server: {}", os_message(&error)))),
    }
}

const WHERE_PAGES_ARE: &str = "name a page by --page: synod-playground.html of the release, or index.html, which editors/playground/build.sh writes";

/// Return the file of a program.
fn document(program: SourceText) -> Result<Box<dyn Document>, Failure> {
    Ok(match program.path() {
        Some(path) if !path.is_file() => {
            // A pipe or a device can be read only once.
            return Err(Failure::usage(format!("{} is not a file", program.name)));
        }
        Some(_) => Box::new(FileOnDisk(program.name)),
        None => Box::new(FixedText(program)),
    })
}

/// A file by its path as the user has written it.
struct FileOnDisk(String);

impl FileOnDisk {
    fn path(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl Document for FileOnDisk {
    fn name(&self) -> &str {
        &self.0
    }

    fn read(&self) -> Result<String, String> {
        read_text(&self.0).map_err(|error| match error {
            InputError::Usage(problem) => problem.message,
            error @ InputError::Source(_) => error.to_string(),
        })
    }

    fn exists(&self) -> bool {
        self.path().symlink_metadata().is_ok()
    }

    fn write(&self, text: &str) -> Result<(), String> {
        let written = match self.exists() {
            true => atomic_file::replace(self.path(), text),
            false => atomic_file::write_result(self.path(), text),
        };
        written.map_err(|failure| match failure {
            Failure::Usage(problem) => problem.message,
            _ => format!("cannot write {}", self.0),
        })
    }
}

/// A text that is in no file: an algorithm of the library, or the standard input.
struct FixedText(SourceText);

impl Document for FixedText {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn read(&self) -> Result<String, String> {
        Ok(self.0.text.clone())
    }

    fn exists(&self) -> bool {
        true
    }

    fn write(&self, _text: &str) -> Result<(), String> {
        Err(format!("{} is not a file on disk", self.name()))
    }
}
