//! Plain binary encoding for models and finished artifacts: little-endian numbers, arrays and texts with their lengths.

use thiserror::Error;

/// Bytes that do not decode.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the data is damaged or of another version")]
pub struct Damaged;

/// Appends values to a buffer.
#[derive(Clone, Debug, Default)]
pub struct BytesWriter(Vec<u8>);

impl BytesWriter {
    /// A number.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// A text.
    pub fn text(&mut self, value: &str) -> &mut Self {
        self.u64(value.len() as u64).0.extend_from_slice(value.as_bytes());
        self
    }

    /// An array of bytes.
    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.u64(value.len() as u64).0.extend_from_slice(value);
        self
    }

    /// An array of 32-bit numbers.
    pub fn u32s(&mut self, values: impl ExactSizeIterator<Item = u32>) -> &mut Self {
        self.u64(values.len() as u64);
        self.0.reserve(values.len() * 4);
        values.for_each(|v| self.0.extend_from_slice(&v.to_le_bytes()));
        self
    }

    /// An array of 64-bit numbers.
    pub fn u64s(&mut self, values: impl ExactSizeIterator<Item = u64>) -> &mut Self {
        self.u64(values.len() as u64);
        self.0.reserve(values.len() * 8);
        values.for_each(|v| self.0.extend_from_slice(&v.to_le_bytes()));
        self
    }

    /// All bytes so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Takes values from a buffer in the order in which they were put there.
#[derive(Clone, Debug)]
pub struct BytesReader<'a>(&'a [u8]);

impl<'a> BytesReader<'a> {
    /// Of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Damaged> {
        let (head, rest) = self.0.split_at_checked(len).ok_or(Damaged)?;
        self.0 = rest;
        Ok(head)
    }

    fn array(&mut self, width: usize) -> Result<&'a [u8], Damaged> {
        let len = usize::try_from(self.u64()?).map_err(|_| Damaged)?;
        self.take(len.checked_mul(width).ok_or(Damaged)?)
    }

    /// A number.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn u64(&mut self) -> Result<u64, Damaged> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Damaged)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    /// A text.
    ///
    /// # Errors
    /// If the bytes end or are not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        std::str::from_utf8(self.array(1)?).map_err(|_| Damaged)
    }

    /// An array of bytes.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        self.array(1)
    }

    /// An array of 32-bit numbers.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn u32s(&mut self) -> Result<impl ExactSizeIterator<Item = u32> + use<'a>, Damaged> {
        Ok(self.array(4)?.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)))
    }

    /// An array of 64-bit numbers.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn u64s(&mut self) -> Result<impl ExactSizeIterator<Item = u64> + use<'a>, Damaged> {
        Ok(self.array(8)?.as_chunks().0.iter().map(|&b| u64::from_le_bytes(b)))
    }

    /// Nothing must be left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(self) -> Result<(), Damaged> {
        if self.0.is_empty() { Ok(()) } else { Err(Damaged) }
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
