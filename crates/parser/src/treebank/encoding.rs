//! From bytes to UTF-8, for treebanks that are older than it.

use std::borrow::Cow;
use std::path::Path;

use super::error::TreebankError;

/// The bytes of a file in GB 18030 (GBK and GB 2312 are parts of it) as UTF-8; `path` is for messages.
///
/// Text that is UTF-8 already is refused rather than read as other characters. Plain ASCII is both.
///
/// # Errors
/// The first line that is not GB 18030, or a file in UTF-8.
pub fn from_gb18030<'a>(bytes: &'a [u8], path: &Path) -> Result<Cow<'a, str>, TreebankError> {
    if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() {
        return Err(TreebankError::IsUtf8 { path: path.to_owned() });
    }
    let decode = |bytes: &'a [u8]| encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    decode(bytes).ok_or_else(|| {
        // No character of several bytes has a line feed among them.
        let line = bytes.split(|&b| b == b'\n').position(|line| decode(line).is_none()).unwrap_or(0);
        TreebankError::NotGb18030 { path: path.to_owned(), line: line + 1 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(bytes: &[u8]) -> String {
        from_gb18030(bytes, Path::new("a.fid")).expect_err("a fault").to_string()
    }

    #[test]
    fn characters_of_two_and_four_bytes_are_read() {
        let text = "( (IP (NN 市场) (PU 。)) )\n<S ID=1>\n( (NR 㐀) )\n";
        let (bytes, ..) = encoding_rs::GB18030.encode(text);
        assert!(std::str::from_utf8(&bytes).is_err());
        assert_eq!(from_gb18030(&bytes, Path::new("a.fid")).expect("text"), text);
        assert_eq!(from_gb18030(b"(UH a)", Path::new("a.fid")).expect("text"), "(UH a)");
    }

    #[test]
    fn what_is_not_gb18030_is_refused_with_its_line() {
        let message = fault(b"(UH a)\n(UH b)\n(UH \xff)\n");
        assert!(message.starts_with("a.fid:3: the line is not GB 18030"), "{message}");
        let message = fault("(UH 市场)".as_bytes());
        assert!(message.starts_with("a.fid: the file is in UTF-8 already"), "{message}");
    }
}
