//! proto
use crate::features::atoms::{hash_text, mix};
use super::emission::key;

pub const ATOMS: usize = 18;
pub type Atoms = [u64; ATOMS];
pub const FORM: u8 = 0;
pub const LOWER: u8 = 1;
pub const P: u8 = 1; // P+k, k=1..4 -> 2..5
pub const S: u8 = 5; // S+k, k=1..5 -> 6..10
pub const SHAPE: u8 = 11;
pub const LEN: u8 = 12;
pub const CLASS: u8 = 13;
pub const HYPH: u8 = 14; // after last hyphen
pub const FLAGS: u8 = 15;
pub const SHAPE2: u8 = 16;
pub const ONE: u8 = 17;

fn shape_of(form: &str, out: &mut String, collapse: bool) {
    out.clear();
    let mut last = '\0';
    for c in form.chars() {
        let k = if c.is_uppercase() { 'X' } else if c.is_lowercase() { 'x' } else if c.is_numeric() { 'd' } else if c.is_alphabetic() { 'c' } else { c };
        if !collapse || k != last { out.push(k); }
        last = k;
    }
}

pub fn atoms_of(form: &str, class: u64, buf: &mut String, lower_affix: bool) -> Atoms {
    let mut a = [0; ATOMS];
    a[FORM as usize] = hash_text(1, form);
    buf.clear();
    buf.extend(form.chars().flat_map(char::to_lowercase));
    a[LOWER as usize] = hash_text(2, buf);
    {
        let f: &str = if lower_affix { buf } else { form };
        let n = f.chars().count();
        for k in 1..=4 {
            let end = f.char_indices().nth(k).map_or(f.len(), |x| x.0);
            a[(P as usize) + k] = if n < k { 7 } else { hash_text(10, &f[..end]) };
        }
        for k in 1..=5 {
            let start = if n <= k { 0 } else { f.char_indices().nth(n - k).map_or(0, |x| x.0) };
            a[(S as usize) + k] = if n < k { 7 } else { hash_text(20, &f[start..]) };
        }
        a[LEN as usize] = n.min(10) as u64;
        a[HYPH as usize] = match f.rfind('-') { Some(i) if i > 0 => hash_text(30, &f[i..]), _ => 0 };
    }
    let has = |p: fn(char) -> bool| form.chars().any(p) as u64;
    let first_up = form.chars().next().is_some_and(char::is_uppercase) as u64;
    a[FLAGS as usize] = has(char::is_uppercase) | has(char::is_lowercase) << 1 | has(char::is_numeric) << 2 | has(|c| c == '-') << 3 | first_up << 4;
    shape_of(form, buf, true);
    a[SHAPE as usize] = hash_text(3, buf);
    shape_of(form, buf, false);
    a[SHAPE2 as usize] = hash_text(4, buf);
    a[CLASS as usize] = class;
    a[ONE as usize] = 0;
    a
}

pub fn edge(which: u64) -> Atoms { [mix(which + 1000); ATOMS] }

pub type Template = Vec<(i8, u8)>;

pub fn parse_templates(spec: &str) -> Vec<Template> {
    spec.split_whitespace().map(|t| t.split('+').map(|p| {
        let (name, off) = match p.find(['@']) { Some(i) => (&p[..i], p[i+1..].parse::<i8>().unwrap()), None => (p, 0) };
        let a = match name {
            "w" => FORM, "l" => LOWER, "sh" => SHAPE, "shh" => SHAPE2, "n" => LEN, "cl" => CLASS, "hy" => HYPH, "fl" => FLAGS, "one" => ONE,
            _ if name.starts_with('p') => P + name[1..].parse::<u8>().unwrap(),
            _ if name.starts_with('s') => S + name[1..].parse::<u8>().unwrap(),
            _ => panic!("{name}"),
        };
        (off, a)
    }).collect()).collect()
}

pub fn keys(templates: &[Template], atoms: &[Atoms], i: usize, out: &mut Vec<u64>) {
    out.clear();
    let edges = [edge(0), edge(1)];
    for (t, template) in templates.iter().enumerate() {
        let mut h = mix(t as u64 + 1);
        for &(off, a) in template {
            let j = i as i64 + i64::from(off);
            let v = if j < 0 { edges[0][0] } else if j as usize >= atoms.len() { edges[1][0] } else { atoms[j as usize][a as usize] };
            h = mix(h ^ v);
        }
        out.push(key(h));
    }
}
