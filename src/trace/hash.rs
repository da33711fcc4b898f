//! Two hashes with a permanent definition: of the program's sources, and of the chain of events.
//!
//! FNV-1a with 64 bits, implemented here, so that a new version of a library cannot invalidate old traces. It detects
//! accidents (an edited program, a truncated or modified file), not an adversary.

use crate::source::Sources;

pub(super) const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

pub(super) fn feed(mut hash: u64, bytes: &[u8]) -> u64 {
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    }
    hash
}

/// Return the hash of all texts of a program, in order. File names are ignored: a moved file is the same program. So
/// are line endings, which version control may change.
pub fn source(sources: &Sources) -> u64 {
    sources.iter().fold(BASIS, |hash, source| {
        let text = source.text.replace("\r\n", "\n");
        // The length comes first, so that text moved from one file to the next is detected.
        feed(feed(hash, &(text.len() as u64).to_le_bytes()), text.as_bytes())
    })
}

/// Sixteen digits, as all hashes are written: JSON numbers would lose the last bits in many readers.
pub fn show(hash: u64) -> String {
    format!("{hash:016x}")
}

pub fn parse(text: &str) -> Option<u64> {
    let digits = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    digits.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// For serde: snapshots omit the program hash.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references; with addresses of 32 bits, 8 bytes are many"
)]
pub(super) fn is_none(hash: &u64) -> bool {
    *hash == 0
}

/// Serialization of a hash as 16 hexadecimal digits, for serde.
pub mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(hash: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::show(*hash))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        super::parse(&text).ok_or_else(|| D::Error::custom("a hash has 16 hexadecimal digits"))
    }
}
