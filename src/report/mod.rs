//! Reports: everything that is derived from records. Nothing here parses a sentence.

pub mod record;
