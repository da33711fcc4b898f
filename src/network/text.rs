//! Parts of texts that describe networks: numbers, and excerpts for messages.

/// Stands for any number that does not fit 128 bits: beyond every limit.
pub(super) const HUGE: i128 = i128::MAX;

/// Return the beginning of a given text, short enough for a message.
pub(super) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Parse an integer, or [`HUGE`] if it exceeds 128 bits; `None` if the text is not an integer.
pub(super) fn integer(text: &str) -> Option<i128> {
    if let Some((base, exponent)) = text.split_once('^') {
        let (base, exponent) = (digits(base.trim())?, digits(exponent.trim())?);
        let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
        return Some(base.checked_pow(exponent).unwrap_or(HUGE));
    }
    match text.strip_prefix('-') {
        Some(rest) => Some(-digits(rest)?),
        None => digits(text),
    }
}

fn digits(text: &str) -> Option<i128> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    if !plain || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(text.replace('_', "").parse().unwrap_or(HUGE))
}
