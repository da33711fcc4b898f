//! Properties that hold only because a premise never comes true.

use crate::common::*;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::property::Judgement;

const PROGRAM: &str = "algorithm premises
assumes complete, unique ids, knows peers
enum Phase = ready | busy | done | asked
param strict : Bool = false
message M
var phase : Phase := ready
state s
  on wakeup -> phase := busy; send M to others
  on M -> phase := done
leads answered for p in processes: p.phase = asked leads to p.phase = done
leads served for p in processes: p.phase = busy leads to p.phase = busy or p.phase = done
stable stays for p in processes: p.phase = asked
stable over for p in processes: p.phase = done
invariant quiet: forall p with p.phase = asked: p.phase = done
invariant strictly: strict implies forall p: p.phase != asked
invariant both: (forall p with p.phase = busy: p.phase != asked) and (forall p: p.phase = asked implies strict)
finally last: forall p with p.phase = done: p.phase != ready
finally never: forall p with p.phase = ready: p.phase = busy
";

#[test]
fn a_verdict_names_the_premises_that_never_came_true() {
    let program = source(PROGRAM);
    for threads in [1, 2] {
        for reduce in [true, false] {
            let options = ExploreOptions {
                threads,
                reduce,
                symmetry: reduce,
                keep_going: true,
                ..ExploreOptions::default()
            };
            let found = explore(&on(&program, "complete(2)").build(), None, &options, &mut |_| None);
            let unmet = |name: &str| {
                let verdict = found.verdicts.iter().find(|verdict| verdict.name == name);
                let verdict = verdict.unwrap_or_else(|| panic!("{name} has no verdict"));
                assert_eq!(verdict.judgement, Judgement::Holds, "{name}: {}", verdict.why);
                (verdict.never_true.clone(), verdict.why.to_string())
            };
            let asked = vec!["p.phase = asked".to_string()];
            assert_eq!(unmet("answered").0, asked);
            assert!(unmet("answered").1.ends_with(", but `p.phase = asked` never came true"));
            assert_eq!(unmet("served").0, Vec::<String>::new());
            assert_eq!(unmet("stays").0, asked);
            assert_eq!(unmet("over").0, Vec::<String>::new());
            assert_eq!(unmet("quiet").0, asked);
            assert_eq!(unmet("strictly").0, ["strict"]);
            assert_eq!(unmet("both").0, asked);
            assert_eq!(unmet("last").0, Vec::<String>::new());
            assert_eq!(unmet("never").0, ["p.phase = ready"]);
        }
    }
}

/// An incomplete search does not know whether a premise comes true, and a violated property has applied.
#[test]
fn only_verdicts_that_hold_name_premises() {
    let instance = on(&source(PROGRAM), "complete(2)").build();
    let options = ExploreOptions { max_configurations: 1, keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    assert!(found.verdicts.iter().all(|verdict| verdict.never_true.is_empty()));
}
