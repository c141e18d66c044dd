//! Files that are not in UTF-8.

use std::borrow::Cow;
use std::path::Path;

use encoding_rs::{DecoderResult, UTF_8};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::treebank::TreebankError;

/// How the bytes of a file are characters: any encoding that the WHATWG standard names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Default for Encoding {
    fn default() -> Self {
        Self(UTF_8)
    }
}

impl Encoding {
    /// What is expected of a name, for messages.
    pub const EXPECTED: &str = "`utf-8`, `gb18030`, `latin-1`, `latin-2`, `windows-1251`, `koi8-r`, `big5`, `euc-jp`, or \
                                another that web pages name";

    /// The encoding of that name, of which many have several.
    pub fn parse(name: &str) -> Option<Self> {
        let label = |name: &str| encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()).map(Self);
        // The standard writes `latin1`.
        label(name).or_else(|| label(&name.replacen("latin-", "latin", 1)))
    }

    /// Its usual name: Latin-1 is a part of `windows-1252`, which has characters where Latin-1 has none.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// Whether nothing is to be decoded.
    pub fn is_utf8(&self) -> bool {
        self.0 == UTF_8
    }

    /// The bytes of a file as UTF-8; `path` is for messages. What is UTF-8 itself is passed on and looked at by whoever reads
    /// it.
    ///
    /// Text that is UTF-8 already is refused rather than read as other characters. Plain ASCII is both.
    ///
    /// # Errors
    /// The first line that is not in this encoding, or a file in UTF-8.
    pub fn decode<'a>(self, bytes: &'a [u8], path: &Path) -> Result<Cow<'a, [u8]>, TreebankError> {
        if self.is_utf8() {
            return Ok(Cow::Borrowed(bytes));
        }
        if self.0.is_ascii_compatible() && !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() {
            return Err(TreebankError::IsUtf8 { path: path.to_owned(), encoding: self.name() });
        }
        let mut decoder = self.0.new_decoder_with_bom_removal();
        let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(bytes.len());
        let mut text = vec![0; room];
        let (result, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, true);
        text.truncate(written);
        if matches!(result, DecoderResult::InputEmpty) {
            return Ok(Cow::Owned(text));
        }
        let line = 1 + text.iter().filter(|&&byte| byte == b'\n').count();
        Err(TreebankError::NotEncoded { path: path.to_owned(), line, encoding: self.name() })
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format!("is not known; it can be {}", Self::EXPECTED));
        Self::parse(&name).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(name: &str, bytes: &[u8]) -> Result<String, String> {
        let encoding = Encoding::parse(name).expect("an encoding");
        let text = encoding.decode(bytes, Path::new("a.fid")).map_err(|fault| fault.to_string())?;
        String::from_utf8(text.into_owned()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn characters_of_two_and_four_bytes_are_read() {
        let text = "( (IP (NN 市场) (PU 。)) )\n<S ID=1>\n( (NR 㐀) )\n";
        let (bytes, ..) = encoding_rs::GB18030.encode(text);
        assert!(std::str::from_utf8(&bytes).is_err());
        assert_eq!(decoded("gb18030", &bytes).as_deref(), Ok(text));
        assert_eq!(decoded("gb18030", b"(UH a)").as_deref(), Ok("(UH a)"));
    }

    #[test]
    fn the_encodings_of_older_treebanks_are_read() {
        for name in ["latin-1", "latin1", "iso-8859-1", "ISO-8859-1"] {
            assert_eq!(decoded(name, b"caf\xe9").as_deref(), Ok("café"), "{name}");
        }
        assert_eq!(decoded("latin-2", b"\xb3aweczka").as_deref(), Ok("ławeczka"));
        assert_eq!(decoded("utf-16le", b"\xff\xfea\0\n\0").as_deref(), Ok("a\n"));
        assert_eq!(Encoding::parse("latin-1").map(Encoding::name).as_deref(), Some("windows-1252"));
        assert!(["latin", "utf-7", "replacement", ""].into_iter().all(|name| Encoding::parse(name).is_none()));
    }

    #[test]
    fn what_is_in_another_encoding_is_refused_with_its_line() {
        let message = decoded("gb18030", b"(UH a)\n(UH b)\n(UH \xff)\n").expect_err("a fault");
        assert!(message.starts_with("a.fid:3: the line is not in gb18030"), "{message}");
        let message = decoded("gb18030", "(UH 市场)".as_bytes()).expect_err("a fault");
        assert!(message.starts_with("a.fid: the file is in UTF-8 already"), "{message}");
    }
}
