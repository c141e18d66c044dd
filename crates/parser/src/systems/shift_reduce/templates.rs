//! Templates over states: the data that says which features an action has, and the kernel that follows from them.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use toml::Spanned;

use crate::features::atoms::Attribute;
use crate::features::template::{TemplateError, parse_offset};

/// What a state's word is to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A tree on the stack, by its depth (0 is the top), and a word of it.
    Tree(u8, Part),
    /// A word of the queue, from 0.
    Queue(u8),
}

/// A word of a tree on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Its head.
    Head,
    /// The head's leftmost child.
    Left,
    /// The head's rightmost child.
    Right,
}

/// Trees that templates can see.
pub const DEPTH: usize = 3;

/// Places that templates can see: the words of trees, then the queue.
pub const PLACES: usize = 3 * DEPTH + 3;

impl Part {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Head, Self::Left, Self::Right];

    fn suffix(self) -> &'static str {
        match self {
            Self::Head => "",
            Self::Left => "lc",
            Self::Right => "rc",
        }
    }
}

impl Place {
    /// Its number, below [`PLACES`].
    pub fn number(self) -> usize {
        match self {
            Self::Tree(depth, part) => 3 * usize::from(depth) + part as usize,
            Self::Queue(at) => 3 * DEPTH + usize::from(at),
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        let trees = (0..DEPTH as u8).flat_map(|depth| Part::ALL.map(|part| Self::Tree(depth, part)));
        trees.chain((0..3).map(Self::Queue))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(depth, part) => write!(f, "s{depth}{}", part.suffix()),
            Self::Queue(at) => write!(f, "q{at}"),
        }
    }
}

/// What a template asks of a word: an attribute of the word or of a neighbour, by its distance.
pub type Question = (i8, Attribute);

/// One atom of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateAtom {
    /// The word.
    pub place: Place,
    /// What is asked of it.
    pub question: Question,
}

impl StateAtom {
    fn parse(text: &str) -> Option<Self> {
        let (place, attribute) = text.split_once('.')?;
        let (place, offset) = place.split_at(place.find(['+', '-']).unwrap_or(place.len()));
        let place = Place::all().find(|known| known.to_string() == place)?;
        Some(Self { place, question: (parse_offset(offset)?, Attribute::parse(attribute)?) })
    }
}

fn shown((offset, attribute): Question) -> String {
    if offset == 0 { format!(".{attribute}") } else { format!("{offset:+}.{attribute}") }
}

impl fmt::Display for StateAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place, shown(self.question))
    }
}

/// A set of templates, each a list of distinct atoms in order; sorted and without repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateTemplates(Vec<Vec<StateAtom>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    group: Vec<GroupWire>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupWire {
    #[serde(rename = "part")]
    _part: PartWire,
    templates: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PartWire {
    State,
}

impl StateTemplates {
    /// The names of the built-in sets.
    pub const BUILT_IN: [&str; 2] = ["huang-sagae", "edge-factored"];

    /// The built-in set of that name, if there is one.
    ///
    /// # Errors
    /// Only if the built-in file is wrong, which a test rules out.
    pub fn built_in(name: &str) -> Option<Result<Self, TemplateError>> {
        let text = match name {
            "huang-sagae" => include_str!("sets/huang-sagae.toml"),
            "edge-factored" => include_str!("sets/edge-factored.toml"),
            _ => return None,
        };
        Some(Self::parse(text, name))
    }

    /// Parses the text of a template file; `path` is for messages.
    ///
    /// # Errors
    /// The file, and what is wrong in it.
    pub fn parse(text: &str, path: &str) -> Result<Self, TemplateError> {
        let file: FileWire = toml::from_str(text)
            .map_err(|source| TemplateError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        let mut all = BTreeSet::new();
        for template in file.group.iter().flat_map(|group| &group.templates) {
            let content = |message| TemplateError::Content {
                path: path.to_owned(),
                line: Some(1 + text[..template.span().start].matches('\n').count()),
                message,
            };
            let mut atoms = BTreeSet::new();
            for atom in template.get_ref().split_whitespace() {
                let expected = || {
                    content(format!(
                        "`{atom}` is no atom of state templates: expected a place (s0 to s2, s0lc, s0rc and so on for their \
                         children, q0 to q2), an offset from -2 to +2 or none, a dot and an attribute ({}), \
                         as in `s0lc.t`",
                        Attribute::EXPECTED
                    ))
                };
                atoms.insert(StateAtom::parse(atom).ok_or_else(expected)?);
            }
            if atoms.is_empty() {
                return Err(content("a template needs at least one atom such as `s0.w`".to_owned()));
            }
            all.insert(atoms.into_iter().collect());
        }
        if all.is_empty() {
            let message = "no [[group]] with templates".to_owned();
            return Err(TemplateError::Content { path: path.to_owned(), line: None, message });
        }
        Ok(Self(all.into_iter().collect()))
    }

    /// The templates.
    pub fn templates(&self) -> &[Vec<StateAtom>] {
        &self.0
    }

    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        Kernel::closed(self.0.iter().flatten().copied())
    }

    /// The set as a template file, with the kernel as a comment.
    pub fn toml(&self) -> String {
        let mut out =
            format!("# {} templates\n{}\n[[group]]\npart = \"state\"\ntemplates = [\n", self.0.len(), self.kernel());
        for line in self.to_string().lines() {
            out += &format!("    \"{line}\",\n");
        }
        out + "]\n"
    }
}

/// One template a line.
impl fmt::Display for StateTemplates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|atoms| {
            let atoms: Vec<String> = atoms.iter().map(ToString::to_string).collect();
            writeln!(f, "{}", atoms.join(" "))
        })
    }
}

/// What states that are merged have in common beside the span of s0: of each tree on the stack what is asked of its words.
///
/// A kernel must be (paper, theorem 3)
///
/// * *bounded*: a template has some atoms, and an atom as many values as the sentence has words at most;
/// * *horizontally monotonic*: what is asked of a tree must be known while it is further up. After a shift s0 is s1, so what is
///   asked of s1 is asked of s0, too;
/// * *vertically monotonic*: what is asked of a reduced tree must follow from what is asked of its parts. A child of the new tree
///   is the head of a part, so what is asked of children is asked of heads, too.
///
/// The second follows from the third for the top tree alone: others are not reduced before they are on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// By depth and part.
    asked: [[BTreeSet<Question>; 3]; DEPTH],
    /// What no template asks.
    added: BTreeSet<StateAtom>,
}

impl Kernel {
    /// The smallest kernel that has some atoms and is monotonic. The queue is known from the span.
    fn closed(atoms: impl Iterator<Item = StateAtom>) -> Self {
        let mut kernel = Self { asked: Default::default(), added: BTreeSet::new() };
        for StateAtom { place, question } in atoms {
            if let Place::Tree(depth, part) = place {
                kernel.asked[usize::from(depth)][part as usize].insert(question);
            }
        }
        while let Some(fault) = kernel.fault() {
            if let Place::Tree(depth, part) = fault.place {
                kernel.asked[usize::from(depth)][part as usize].insert(fault.question);
            }
            kernel.added.insert(fault);
        }
        kernel
    }

    /// An atom that it lacks to be monotonic; none if it is.
    pub fn fault(&self) -> Option<StateAtom> {
        let lacks = |depth: usize, part: Part, question: &Question| {
            let is_there = self.asked[depth][part as usize].contains(question);
            (!is_there).then_some(StateAtom { place: Place::Tree(depth as u8, part), question: *question })
        };
        let horizontal =
            (1..DEPTH).rev().flat_map(|depth| Part::ALL.map(|part| (depth, part))).find_map(|(depth, part)| {
                self.asked[depth][part as usize].iter().find_map(|question| lacks(depth - 1, part, question))
            });
        let vertical = || {
            let mut children = [Part::Left, Part::Right].into_iter().flat_map(|part| &self.asked[0][part as usize]);
            children.find_map(|question| lacks(0, Part::Head, question))
        };
        horizontal.or_else(vertical)
    }

    /// What is asked of a word of a tree.
    pub fn asked(&self, depth: usize, part: Part) -> &BTreeSet<Question> {
        &self.asked[depth][part as usize]
    }
}

/// Comment lines of a template file.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Kernel, which with the span of s0 says what states are merged:")?;
        for depth in 0..DEPTH as u8 {
            let atoms = Part::ALL.into_iter().flat_map(|part| {
                let place = Place::Tree(depth, part);
                self.asked(depth.into(), part).iter().map(move |&question| StateAtom { place, question })
            });
            let atoms: Vec<String> = atoms.map(|atom| atom.to_string()).collect();
            writeln!(f, "#     {}", if atoms.is_empty() { "-".to_owned() } else { atoms.join(" ") })?;
        }
        if !self.added.is_empty() {
            let atoms: Vec<String> = self.added.iter().map(ToString::to_string).collect();
            writeln!(f, "# No template asks, but monotonic kernels need: {}", atoms.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(templates: &str) -> StateTemplates {
        let text = format!("[[group]]\npart = 'state'\ntemplates = [{templates}]\n");
        StateTemplates::parse(&text, "some.toml").expect("a set")
    }

    #[test]
    fn built_in_sets_are_those_of_the_papers() {
        let [huang, edges] = StateTemplates::BUILT_IN.map(|name| {
            let set = StateTemplates::built_in(name).expect("it is there").expect("it is right");
            assert_eq!(StateTemplates::parse(&set.toml(), name).expect("what is shown can be read"), set);
            assert_eq!(set.kernel().fault(), None);
            set
        });
        assert_eq!((huang.templates().len(), edges.templates().len()), (29, 23));
        let kernel = huang.kernel().to_string();
        let lines: Vec<&str> = kernel.lines().skip(1).collect();
        assert_eq!(lines, ["#     s0.w s0.t s0lc.t s0rc.t", "#     s1.w s1.t s1lc.t s1rc.t", "#     s2.t"]);
    }

    #[test]
    fn a_kernel_that_is_not_monotonic_is_closed() {
        let kernel = set("'s1.w s2lc.t'").kernel();
        assert_eq!(kernel.fault(), None);
        let lines: Vec<String> = kernel.to_string().lines().skip(1).map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "#     s0.w s0.t s0lc.t",
                "#     s1.w s1lc.t",
                "#     s2lc.t",
                "# No template asks, but monotonic kernels need: s0.w s0.t s0lc.t s1lc.t"
            ]
        );
        assert_eq!(set("'s0-1.t q0.w'").kernel().to_string().lines().nth(1), Some("#     s0-1.t"));
    }

    #[test]
    fn faults_name_file_and_line() {
        let fault = |templates: &str| {
            let text = format!("[[group]]\npart = 'state'\ntemplates = [\n{templates}\n]\n");
            StateTemplates::parse(&text, "some.toml").expect_err("a fault").to_string()
        };
        for text in ["s3.w", "s0", "s0.x", "s0+3.w", "q0lc.t", "h.w"] {
            let message = fault(&format!("'s0.w',\n'{text}'"));
            assert!(message.starts_with(&format!("some.toml:5: `{text}` is no atom of state templates")), "{message}");
        }
        assert!(fault("''").contains("at least one atom"));
    }
}
