//! Synthetic sentences as CoNLL-U, with what is known of them beyond a treebank.

use std::io::{self, Write};

use super::{Marked, Section};
use treebound_parser::treebank::Token;

/// Writes sentences of `part`, the first of them its first, as CoNLL-U. Where a phenomenon decides the head of a word, the
/// last column says which (`Decided=brackets`); no reader takes it for more than a remark.
///
/// # Errors
/// What the writer says.
pub fn write_conllu(part: Section, sentences: &[Marked], out: &mut impl Write) -> io::Result<()> {
    for (i, Marked { sentence, decided }) in sentences.iter().enumerate() {
        let forms: Vec<&str> = sentence.tokens.iter().map(|t| t.form.as_str()).collect();
        writeln!(out, "# sent_id = {}-{}", part.name(), i + 1)?;
        writeln!(out, "# text = {}", forms.join(" "))?;
        let heads = sentence.gold.iter().flat_map(|tree| tree.heads());
        for (j, ((token, decided), head)) in sentence.tokens.iter().zip(decided).zip(heads).enumerate() {
            let Token { form, coarse, fine } = token;
            let relation = if head.is_root() { "root" } else { "dep" };
            write!(out, "{}\t{form}\t_\t{coarse}\t{fine}\t_\t{head}\t{relation}\t_\t", j + 1)?;
            match decided {
                Some(phenomenon) => writeln!(out, "Decided={phenomenon}")?,
                None => writeln!(out, "_")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
