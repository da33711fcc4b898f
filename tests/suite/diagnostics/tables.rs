//! The tables of findings, hints and reasons: every row is used. The compiler does not warn about unused public variants.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn texts(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.extension() {
            None => texts(&path, found),
            Some(ending) if ending == "rs" => found.push(fs::read_to_string(&path).expect("a text")),
            _ => {}
        }
    }
}

/// Return the names of a table and of its rows: lines like `Name(argument: Type) = …`.
fn rows(text: &str) -> Option<(&str, Vec<&str>)> {
    let name = |line: &'_ str| line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
    if !text.contains("phrases! {\n") && !text.contains("findings! {\n") {
        return None;
    }
    let heads = text.lines().map(str::trim).filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let table = heads.clone().find_map(|line| line.strip_suffix(" {"))?;
    let named = heads.map(|line| line.split_at(name(line)));
    let is_row = |rest: &str| rest.starts_with(" = ") || rest.starts_with('(') && rest.contains(") =");
    let rows = named.filter(|(_, rest)| is_row(rest) && !rest.contains("=>"));
    Some((table, rows.map(|(row, _)| row).collect()))
}

#[test]
fn every_row_is_used() {
    let mut all = Vec::new();
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let tables: Vec<(&str, Vec<&str>)> = all.iter().filter_map(|text| rows(text)).collect();
    assert!(
        tables.len() >= 12 && tables.iter().map(|(_, rows)| rows.len()).sum::<usize>() > 500,
        "{tables:?}"
    );
    // Every `Table::Row` that occurs.
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
    for text in &all {
        for (at, _) in text.match_indices("::") {
            let table = text[..at].rsplit(|c| !is_letter(c)).next().unwrap_or_default();
            let row = text[at + 2..].split(|c| !is_letter(c)).next().unwrap_or_default();
            used.insert((table, row));
        }
    }
    let all_rows = tables.iter().flat_map(|(table, rows)| rows.iter().map(move |row| (*table, *row)));
    let unused: Vec<(&str, &str)> = all_rows.filter(|row| !used.contains(row)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
