//! Networks: the first byte chooses a description such as `ring(4)`, or the ending of a file in one of the formats.

#![no_main]

use libfuzzer_sys::fuzz_target;
use synod::internals::network::{NetworkOptions, Spec, build};

const ENDINGS: [&str; 12] =
    ["txt", "csv", "json", "graphml", "mtx", "net", "gml", "dot", "g6", "d6", "adjlist", "edges"];

/// The number of processes of the largest network that is built: the target is about parsers.
const MOST: u32 = 1000;

fuzz_target!(|input: &[u8]| {
    let Some((choice, text)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    // `a` chooses the first ending.
    let read = match ENDINGS.get(usize::from(choice.wrapping_sub(b'a')) % (ENDINGS.len() + 1)) {
        Some(ending) => Spec::from_file(&format!("fuzz.{ending}"), text),
        None => Spec::parse(text),
    };
    match read {
        Ok(spec) if spec.n() <= MOST => {
            if let Ok(network) = build(&spec, &NetworkOptions::default()) {
                assert_eq!(network.n(), spec.n(), "the network has another size than its description");
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
