//! Template sets as template files.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Kind, TemplateSet, Variant};

impl TemplateSet {
    /// The set as a template file: groups by kind and variants, every template written out, then the patterns.
    pub fn toml(&self) -> String {
        let mut out = format!("# {} templates\n", self.templates().len());
        for kind in Kind::ALL {
            let mut variants: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
            for template in self.of(kind) {
                variants.entry(template.text()).or_default().push(template.variant);
            }
            let mut groups: BTreeMap<Vec<Variant>, Vec<String>> = BTreeMap::new();
            for (text, variants) in variants {
                groups.entry(variants).or_default().push(text);
            }
            for (variants, texts) in groups {
                let variants = list(variants.iter().map(|variant| variant.name()));
                // Writing to memory cannot fail.
                let _ = write!(
                    out,
                    "\n[[group]]\npart = {}\nvariants = [{variants}]\ntemplates = [\n",
                    quoted(kind.name())
                );
                for text in texts {
                    let _ = writeln!(out, "    {},", quoted(&text));
                }
                out.push_str("]\n");
            }
        }
        for pattern in self.patterns().all() {
            let wire = pattern.wire();
            let same = list(wire.same.iter().map(String::as_str));
            let _ = write!(
                out,
                "\n[[pattern]]\nname = {}\nwords = {}\nsame = [{same}]\ntrees = [{}]\n",
                quoted(&wire.name),
                quoted(&wire.words),
                list(wire.trees.iter().map(String::as_str))
            );
        }
        out
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.map(quoted).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_set_reads_back() {
        for name in TemplateSet::BUILT_IN {
            let set = TemplateSet::built_in(name).expect("built in").expect("a set");
            let written = set.toml();
            let again = TemplateSet::parse(&written, name).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(again.to_string(), set.to_string(), "{name}");
            assert_eq!(again.templates(), set.templates());
            assert_eq!(again.patterns(), set.patterns());
            assert_eq!(again.toml(), written);
        }
    }
}
