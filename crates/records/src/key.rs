//! The key of a row: what made it.

/// What made a row: the first 16 hexadecimal digits of the SHA-256 of the named facts that decide it. A row is stale when the
/// program would give its cell another key now. Empty where nobody knows it: of a cell whose parser could not be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey(u64);

impl RowKey {
    /// The key of facts with that checksum.
    pub fn of_digest(digest: [u8; 32]) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = digest;
        Self(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }

    /// Reads it; none if the text is no such key.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let digits = text.len() == 16 && text.bytes().all(is_digit);
        digits.then(|| u64::from_str_radix(text, 16).ok()).flatten().map(Self)
    }
}

impl std::fmt::Display for RowKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, "{:016x}", self.0) }
    }
}
