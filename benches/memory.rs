//! How much memory a process takes at n = 10⁶: the greatest resident size of a program that makes an instance and one run that
//! nobody watches, less that of one that does the same with four processes.
//!
//!     cargo bench --bench memory [-- 1000000]
//!
//! It measures the pairs on rings whose greatest n is at least this size. Each case is a child of this program, so that none keeps the
//! memory of another. Linux only: sizes are read from /proc.

#![allow(clippy::disallowed_methods, reason = "benchmarks measure time")]

mod common;

use std::process::Command;

/// The greatest resident size of this program so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells sizes in /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the greatest size");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number of KiB")
}

fn child(library: &str, n: u32, random: bool) -> u64 {
    let me = std::env::current_exe().expect("this program");
    let told = Command::new(me)
        .args(["child", library, &n.to_string(), &random.to_string()])
        .output()
        .expect("a child");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    told.trim().parse().unwrap_or_else(|_| panic!("{library}: {told}"))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if let [first, library, n, random] = words.as_slice()
        && first == "child"
    {
        let pair = common::PAIRS.iter().find(|pair| pair.library == library).expect("a pair");
        let ids = common::limit::ids(n.parse().expect("a size"), 1);
        // The hand-written program's copy of the identifiers is not counted.
        let mut case = common::Case::new(pair, &common::program(library), ids);
        case.input = common::Input::default();
        case.run((random == "true").then_some(1));
        println!("{}", peak());
        return;
    }
    let n = words.iter().find_map(|word| word.parse().ok()).unwrap_or(1_000_000);
    println!("| Algorithm | send order, bytes a process | random channel, bytes a process |");
    println!("|---|---|---|");
    for pair in common::PAIRS.iter().filter(|pair| pair.model == common::Model::Ring && n <= pair.n_max) {
        let bytes = [false, true].map(|random| {
            child(pair.library, n, random).saturating_sub(child(pair.library, 4, random)) / u64::from(n)
        });
        println!("| {} | {} | {} |", pair.label, bytes[0], bytes[1]);
    }
}
