//! The server of the page for one file, `synod serve`: HTTP on the loopback interface. See `docs/design/serve.md`.
//!
//! One thread accepts connections; each connection has a thread, and carries one request.

#![allow(clippy::disallowed_methods, reason = "requests have a time limit")]

mod http;
mod access;
mod page;
mod answer;

pub use answer::{Document, Service};
pub use page::with_file;

use crate::stop::StopSignal;
use answer::READS_PER_SECOND;
use http::{Response, Status, Unread};
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The maximum number of open connections.
pub const MAX_CONNECTIONS: usize = 64;

/// Time between two polls of the stop signal.
const TICK: Duration = Duration::from_millis(50);

/// Serve until the signal is set. A write that has begun is completed.
///
/// # Errors
/// If the thread cannot be started.
pub fn serve(listener: TcpListener, service: Service, stop: &StopSignal) -> io::Result<()> {
    let service = Arc::new(service);
    let served = service.clone();
    thread::Builder::new().name("accept".into()).spawn(move || accept(&listener, &served))?;
    while !stop.is_set() {
        thread::sleep(TICK);
    }
    // Other threads end with the process. The guard is never released, so that none of them begins to write.
    std::mem::forget(service.hold());
    Ok(())
}

fn accept(listener: &TcpListener, service: &Arc<Service>) {
    // Each connection holds one of the references.
    let connections = Arc::new(());
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else {
            // Too many open files, for example: others may be closed meanwhile.
            thread::sleep(TICK);
            continue;
        };
        if Arc::strong_count(&connections) > MAX_CONNECTIONS {
            let _ = Response::text(Status::OVERLOAD, "too many connections are open").send(&mut stream);
            continue;
        }
        let (service, connection) = (service.clone(), connections.clone());
        // If there is no thread, the connection is closed.
        let _ = thread::Builder::new().name("connection".into()).spawn(move || {
            handle(stream, &service);
            drop(connection);
        });
    }
}

fn handle(mut stream: TcpStream, service: &Service) {
    let response = match http::read(&mut stream) {
        Ok(request) => service.answer(&request, &mut || pause(&stream)),
        Err(Unread::Refused(response)) => response,
        Err(Unread::Gone) => return,
    };
    // A client that no longer reads needs no response.
    if response.send(&mut stream).is_ok() {
        http::drain(&mut stream);
    }
}

/// Wait for the time between two reads of the file. Return whether the client still waits: it has neither gone nor sent anything.
fn pause(stream: &TcpStream) -> bool {
    let interval = Duration::from_secs(1) / READS_PER_SECOND;
    let peeked = stream.set_read_timeout(Some(interval)).and_then(|()| stream.peek(&mut [0]));
    peeked.is_err_and(|error| {
        matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
    })
}
