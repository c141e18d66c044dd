//! The one reader of CSV files: a header, and lines with their numbers. What they mean is said by those who read them.

use std::path::{Path, PathBuf};

use csv::{Reader, ReaderBuilder, StringRecord};

use super::{HeaderFault, LineFault, ReportError};

/// A file that is read line by line.
pub struct Lines<'a> {
    path: PathBuf,
    header: Vec<String>,
    bytes: &'a [u8],
    reader: Reader<&'a [u8]>,
    record: StringRecord,
    /// Up to where lines were counted, and the line there.
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    /// A file by its bytes; `path` is for messages.
    ///
    /// # Errors
    /// If it has no header.
    pub fn new(bytes: &'a [u8], path: &Path) -> Result<Self, HeaderFault> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut record = StringRecord::new();
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Err(HeaderFault::Empty),
            Err(_) => return Err(HeaderFault::NotUtf8),
        }
        let header: Vec<String> = record.iter().map(str::to_owned).collect();
        Ok(Self { path: path.to_owned(), header, bytes, reader, record, at: 0, line: 1 })
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The number, from 1, and the fields of the next line; none behind the last.
    ///
    /// # Errors
    /// If it is not UTF-8, or has not as many fields as the header.
    pub fn next_line(&mut self) -> Result<Option<(u64, &StringRecord)>, ReportError> {
        let more = self.reader.read_record(&mut self.record);
        let start = match &more {
            Ok(_) => self.record.position().map_or(0, csv::Position::byte),
            Err(e) => e.position().map_or(0, csv::Position::byte),
        };
        let line = self.count(start);
        match more {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(_) => return Err(self.fault(line, LineFault::NotUtf8)),
        }
        if self.record.len() != self.header.len() {
            let fault = LineFault::Fields { found: self.record.len(), expected: self.header.len() };
            return Err(self.fault(line, fault));
        }
        Ok(Some((line, &self.record)))
    }

    fn fault(&self, line: u64, fault: LineFault) -> ReportError {
        ReportError::Line { path: self.path.clone(), line, fault }
    }

    /// The line, from 1, of the record that is read from byte `start` on; records are asked for in order. The reader's own count
    /// stands before any line feeds that it has yet to pass over: those of blank lines, and the second half of a CRLF.
    fn count(&mut self, start: u64) -> u64 {
        let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(self.bytes.len());
        let ends = self.bytes[start..].iter().take_while(|b| is_end(b)).count();
        let passed = self.bytes.get(self.at..start + ends).unwrap_or_default();
        self.line += passed.iter().filter(|&&b| b == b'\n').count() as u64;
        self.at += passed.len();
        self.line
    }
}
