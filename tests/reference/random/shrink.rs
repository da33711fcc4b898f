//! Shrinking of a program that shows a finding: parts are removed one by one as long as the finding remains.

use crate::random::examine::now;
use crate::random::print::Case;
use crate::random::tree::{Sort, Tree, Ty};

/// Shrink a case as long as `fails` holds for the rest, for at most `most` milliseconds.
pub fn shrink(case: Case, most: u64, fails: &dyn Fn(&Case) -> bool) -> Case {
    let end = now() + most;
    let mut case = case;
    loop {
        let smaller = instances(&case).into_iter().find(|c| now() < end && fails(c));
        if let Some(smaller) = smaller {
            case = smaller;
            continue;
        }
        match smaller_program(&case, end, fails) {
            Some(program) => case.program = program,
            None => return case,
        }
        if now() >= end {
            return case;
        }
    }
}

/// Return smaller instances of the same program.
fn instances(case: &Case) -> Vec<Case> {
    let mut all = vec![];
    for fault in 0..case.faults.len() {
        let mut fewer = case.clone();
        fewer.faults.remove(fault);
        all.push(fewer);
    }
    if case.initiators.is_some() {
        all.push(Case { initiators: None, ..case.clone() });
    }
    if case.daemon.is_some() {
        all.push(Case { daemon: None, ..case.clone() });
    }
    let smaller: &[&str] = match case.network.as_str() {
        "complete(3)" => &["complete(2)", "complete(1)"],
        "complete(2)" => &["complete(1)"],
        "ring(3)" => &["ring(2)", "ring(1)"],
        "ring(2)" => &["ring(1)"],
        "star(2)" => &["star(1)"],
        "line(3)" => &["line(2)", "line(1)"],
        "line(2)" => &["line(1)"],
        network if network.starts_with("edges") && network != "edges(0-1)" => &["edges(0-1)"],
        _ => &[],
    };
    for network in smaller {
        let n = synod::internals::network::Spec::parse(network).map_or(0, |spec| spec.n() as usize);
        let ids = case.ids.clone().map(|ids| ids.into_iter().take(n).collect());
        all.push(Case { network: (*network).into(), ids, ..case.clone() });
    }
    all
}

/// Return the first smaller program that fails, from the largest parts to the smallest.
fn smaller_program(case: &Case, end: u64, fails: &dyn Fn(&Case) -> bool) -> Option<Tree> {
    let program = &case.program;
    for path in program.paths() {
        for tree in smaller(program.at(&path)) {
            if now() >= end {
                return None;
            }
            let with = program.with(&path, tree);
            if with.size() < program.size() && fails(&Case { program: with.clone(), ..case.clone() }) {
                return Some(with);
            }
        }
    }
    None
}

/// Return smaller trees that may replace one.
fn smaller(tree: &Tree) -> Vec<Tree> {
    match &tree.sort {
        Sort::List(_, least) => {
            let mut all = vec![];
            let count = tree.parts.len();
            // Remove half of the parts, then each part.
            if count > 3 && count / 2 >= *least {
                all.push(Tree { parts: tree.parts[..count / 2].to_vec(), ..tree.clone() });
                all.push(Tree { parts: tree.parts[count / 2..].to_vec(), ..tree.clone() });
            }
            for out in 0..count {
                if count > *least {
                    let mut parts = tree.parts.clone();
                    parts.remove(out);
                    all.push(Tree { parts, ..tree.clone() });
                }
                // Replace a statement by its inner blocks.
                for inner in blocks(&tree.parts[out]) {
                    if inner.sort == tree.sort && !std::ptr::eq(inner, tree) {
                        let mut parts = tree.parts.clone();
                        parts.splice(out..=out, inner.parts.iter().cloned());
                        all.push(Tree { parts, ..tree.clone() });
                    }
                }
            }
            all
        }
        Sort::Expr(ty) => {
            let mut all: Vec<Tree> = simplest(ty).into_iter().collect();
            if tree.parts.is_empty() {
                return vec![];
            }
            all.extend(inside(tree, ty).into_iter().cloned());
            all
        }
        Sort::Fixed => vec![],
    }
}

/// Return the blocks of a statement.
fn blocks(tree: &Tree) -> Vec<&Tree> {
    let mut all = vec![];
    for part in &tree.parts {
        if matches!(part.sort, Sort::List("\n", _)) {
            all.push(part);
        } else {
            all.extend(blocks(part));
        }
    }
    all
}

/// Return the outermost subexpressions of this type.
fn inside<'t>(tree: &'t Tree, ty: &Ty) -> Vec<&'t Tree> {
    let mut all = vec![];
    for part in &tree.parts {
        if part.sort == Sort::Expr(ty.clone()) {
            all.push(part);
        } else {
            all.extend(inside(part, ty));
        }
    }
    all
}

fn simplest(ty: &Ty) -> Option<Tree> {
    let text = match ty {
        Ty::Int => "0",
        Ty::Bool => "true",
        Ty::Colour => "red",
        _ => return None,
    };
    Some(Tree::expr(ty.clone(), text, vec![]))
}
