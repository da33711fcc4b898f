//! The import graph of `src`: each module, its submodules in their order, and the modules that it imports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The path of a module from the root of the crate; empty for `lib.rs`.
pub type ModulePath = Vec<String>;

pub struct Module {
    /// In the order of their declarations.
    pub children: Vec<String>,
    pub imports: BTreeSet<ModulePath>,
}

/// Return all modules of `src`, except `main.rs`.
pub fn modules(source: &Path) -> BTreeMap<ModulePath, Module> {
    let mut texts = BTreeMap::new();
    collect(source, &mut vec![], &mut texts);
    let paths: BTreeSet<ModulePath> = texts.keys().cloned().collect();
    let module = |(path, text): (&ModulePath, &String)| {
        let words = tokens(text);
        let imports = imports(path, &words, &paths);
        (path.clone(), Module { children: declarations(&words), imports })
    };
    texts.iter().map(module).collect()
}

fn collect(folder: &Path, path: &mut ModulePath, texts: &mut BTreeMap<ModulePath, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_string();
        let is_source = file.extension().is_some_and(|ending| ending == "rs");
        if name == "main" {
            continue;
        }
        let is_face = name == "mod" || name == "lib";
        if !is_face {
            path.push(name);
        }
        if file.is_dir() {
            collect(&file, path, texts);
        } else if is_source {
            texts.insert(path.clone(), std::fs::read_to_string(&file).unwrap());
        }
        if !is_face {
            path.pop();
        }
    }
}

/// Return the words and signs of a text without comments, string literals and bodies of inline modules. `::` is one sign.
fn tokens(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap();
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                ':' if rest.starts_with("::") => 2,
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            if !token.trim().is_empty() && first != '"' {
                all.push(token.to_string());
            }
            rest = after;
        }
    }
    without_inline_modules(all)
}

fn without_inline_modules(all: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let is_inline = all[at] == "mod" && all.get(at + 2).is_some_and(|sign| sign == "{");
        if !is_inline {
            kept.push(all[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        loop {
            depth += i32::from(all[at] == "{") - i32::from(all[at] == "}");
            at += 1;
            if depth == 0 && all[at - 1] == "}" {
                break;
            }
        }
    }
    kept
}

fn declarations(words: &[String]) -> Vec<String> {
    let declared = words.windows(3).filter(|w| w[0] == "mod" && w[2] == ";");
    declared.map(|w| w[1].clone()).collect()
}

fn imports(path: &ModulePath, words: &[String], known: &BTreeSet<ModulePath>) -> BTreeSet<ModulePath> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < words.len() {
        let begins = at == 0 || words[at - 1] != "::";
        if words[at] == "use" {
            let end = at + words[at..].iter().position(|word| word == ";").unwrap();
            let mut tree = words[at + 1..end].iter().peekable();
            expand(&[], &mut tree, &mut |item| found.extend(module(path, item, known)));
            at = end;
        } else if begins && words.get(at + 1).is_some_and(|sign| sign == "::") {
            let mut item = vec![words[at].clone()];
            while words.get(at + 1).is_some_and(|sign| sign == "::") && at + 2 < words.len() {
                item.push(words[at + 2].clone());
                at += 2;
            }
            found.extend(module(path, &item, known));
        }
        at += 1;
    }
    found.remove(path);
    found
}

type Words<'w> = std::iter::Peekable<std::slice::Iter<'w, String>>;

/// Report each path of a `use` tree, up to the end of the tree or of its group.
fn expand(prefix: &[String], words: &mut Words<'_>, report: &mut dyn FnMut(&[String])) {
    let mut item = prefix.to_vec();
    while let Some(word) = words.next() {
        match word.as_str() {
            "::" => {}
            "{" => {
                let group = item.clone();
                expand(&group, words, report);
                item = Vec::new();
            }
            "," | "}" => {
                if item.len() > prefix.len() {
                    report(&item);
                }
                item = prefix.to_vec();
                if word == "}" {
                    return;
                }
            }
            "as" => drop(words.next()),
            name => item.push(name.to_string()),
        }
    }
    if !item.is_empty() {
        report(&item);
    }
}

/// Return the module that a path names, or contains the item that it names. None for another crate.
fn module(from: &ModulePath, item: &[String], known: &BTreeSet<ModulePath>) -> Option<ModulePath> {
    let mut rest = item;
    let mut path = from.clone();
    match rest.first()?.as_str() {
        "crate" => {
            path.clear();
            rest = &rest[1..];
        }
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                path.pop();
                rest = &rest[1..];
            }
        }
        "self" => rest = &rest[1..],
        name => {
            let child = [path.as_slice(), &[name.to_string()]].concat();
            if !known.contains(&child) {
                return None;
            }
        }
    }
    for name in rest {
        path.push(name.clone());
        if !known.contains(&path) {
            path.pop();
            break;
        }
    }
    Some(path)
}
