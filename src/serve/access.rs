//! Access: only the page that the server has sent, and programs that know its key, may read and write the file.

use super::http::{Request, Response, Status};
use std::hash::{BuildHasher, RandomState};

/// The secret part of the address: 128 random bits as 32 hexadecimal digits. It is different each time the server starts.
pub struct Key(String);

impl Key {
    /// Return a new key. The two halves are keyed hashes. Their secret has 128 random bits from the system, so one half tells
    /// nothing about the other.
    pub fn random() -> Key {
        let secret = RandomState::new();
        Key(format!("{:016x}{:016x}", secret.hash_one(0u8), secret.hash_one(1u8)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compare in a time that does not depend on the number of digits that are right.
    fn is(&self, other: &str) -> bool {
        let differences = self.0.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == other.len() && differences == 0
    }
}

/// Return the path after the key, for a request that may be answered.
///
/// # Errors
/// If the request is addressed to another host, comes from another site, or does not have the key.
pub fn admit<'r>(request: &'r Request, key: &Key) -> Result<&'r str, Response> {
    let refused = |why: &'static str| Response::text(Status::FORBIDDEN, why);
    // A site may let its name point to this computer (DNS rebinding); the browser then sends that name.
    let host = request.field("host").filter(|host| is_loopback(host));
    let Some(host) = host else { return Err(refused("the host is neither 127.0.0.1 nor localhost")) };
    let is_own =
        |origin: &str| origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host));
    if !request.field("origin").is_none_or(is_own) {
        return Err(refused("the request comes from another site"));
    }
    let given = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
    let Some((_, path)) = given.filter(|(given, _)| key.is(given)) else {
        return Err(refused("the key is missing or wrong: open the address that `synod serve` has printed"));
    };
    // The page may be opened by a link; the file is only for the page.
    let is_from_page = |site: &str| matches!(site, "same-origin" | "none");
    if !path.is_empty() && !request.field("sec-fetch-site").is_none_or(is_from_page) {
        return Err(refused("the request comes from another site"));
    }
    Ok(path)
}

/// Whether a host, with or without a port, is this computer. The port may be that of a tunnel.
fn is_loopback(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
}
