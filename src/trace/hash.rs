//! Two hashes that must mean the same for ever: of the program's sources, and of the chain of events.
//!
//! FNV-1a with 64 bits, written here, so that no library's next version changes what old traces say. It finds
//! accidents (an edited program, a cut or retouched file), not an adversary.

use crate::source::Sources;

pub(super) const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

pub(super) fn feed(mut hash: u64, bytes: &[u8]) -> u64 {
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    }
    hash
}

/// Of all texts a program was made of, in order. Names of files do not count: a moved file is the same program.
/// Nor does the way lines end, which version control may change.
pub fn source(sources: &Sources) -> u64 {
    sources.iter().fold(BASIS, |hash, source| {
        let text = source.text.replace("\r\n", "\n");
        // The length first, so that text moved from one file to the next is noticed.
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

/// For serde: snapshots do not say of which text they are.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn is_none(hash: &u64) -> bool {
    *hash == 0
}

/// For serde: a hash as its sixteen digits.
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
