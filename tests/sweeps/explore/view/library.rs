//! The views of the language reference, and every possible one of the library.

use super::*;

/// The programs of the language reference that have a view: proved sound, finite, and all their claims hold.
#[test]
fn views_of_the_reference_are_sound() {
    let reference = include_str!("../../../../grammar/README.md");
    let blocks: Vec<&str> =
        reference.split("```synod\n").skip(1).filter_map(|b| b.split("```").next()).collect();
    let problem = blocks.iter().find(|b| b.starts_with("problem EndlessExclusion")).expect("its problem");
    let find = |name: &str| match name {
        "EndlessExclusion" => Some((name.to_string(), problem.to_string())),
        name => synod::internals::library::source(name),
    };
    let mut seen = 0;
    for block in blocks.iter().filter(|block| block.contains("\nview ")) {
        let program = Arc::new(check("reference", block, &find).program.expect("it is checked elsewhere"));
        let on_two = if block.contains("complete") { "complete(2)" } else { "ring(2)" };
        let found = search(&on(&program, on_two).build(), true, true);
        assert_eq!((standing(&found), found.stopped_by), (&ViewStatus::Sound, None));
        assert!(found.verdicts.iter().all(|v| v.judgement == Judgement::Holds), "{:?}", verdicts(&found));
        seen += 1;
    }
    assert_eq!(seen, 2);
}

/// Return the view extended by everything that soundness requires; `None` if that does not make it sound.
fn closed(
    view: &str,
    parsed: &dyn Fn(&str) -> Option<Arc<Program>>,
    explored: &dyn Fn(&Arc<Program>) -> Exploration,
) -> Option<(Exploration, String)> {
    let mut view = view.to_string();
    for _ in 0..20 {
        let found = explored(&parsed(&view)?);
        let ViewStatus::Claimed { why } = standing(&found) else {
            return (*standing(&found) == ViewStatus::Sound).then_some((found, view));
        };
        let name = why.strip_prefix('`')?.split_once("` is assigned a value that depends");
        let name =
            name.or_else(|| why.strip_prefix('`')?.split_once("` is assigned a number of the view"))?.0;
        view = match view.strip_suffix(" up to shift") {
            Some(shifted) => format!("{shifted}, {name} up to shift"),
            None => format!("{view}, {name}"),
        };
    }
    None
}

/// Every variable of the library's algorithms omitted, or taken up to a shift, one after the other, and all numbers together:
/// whenever the view is proved sound, no result may change.
#[test]
fn sound_views_of_the_library_change_no_result() {
    let instances = [
        ("chang_roberts", "ring(3)"),
        ("lelann", "ring(2)"),
        ("peterson", "ring(3)"),
        ("hirschberg_sinclair", "ring(2)"),
        ("franklin", "ring(3)"),
        ("lamport", "complete(2)"),
        ("lamport_omitted_replies", "complete(2)"),
        ("ricart_agrawala", "complete(2)"),
        ("ricart_agrawala_deny", "complete(2)"),
        ("suzuki_kasami", "complete(2)"),
        ("carvalho_roucairol", "complete(2)"),
        ("maekawa", "complete(2)"),
        ("central_server", "star(3)"),
        ("raymond", "tree(3)"),
        ("lamport_total", "complete(2)"),
        ("causal", "complete(2)"),
        ("echo", "complete(3)"),
        ("flooding", "complete(2)"),
    ];
    let mut sound = 0;
    for (name, topology) in instances {
        let Some((file, text)) = synod::internals::library::source(name) else { panic!("no {name}") };
        let parsed = |view: &str| {
            let checked = check(&file, &format!("{text}\n{view}\n"), &synod::internals::library::source);
            checked.program.map(Arc::new)
        };
        let plain = parsed("").expect("the library is right");
        let mut names: Vec<String> = Vec::new();
        for role in &plain.roles {
            let own = role.vars.iter().filter(|v| !v.local && v.component == 0);
            names.extend(own.map(|v| v.name.clone()));
        }
        let fields = plain.kinds.iter().filter(|kind| kind.lane == 0 && !kind.name.is_empty());
        let fields: Vec<String> =
            fields.flat_map(|k| k.fields.iter().map(|f| format!("{}.{}", k.name, f.name))).collect();
        names.sort();
        names.dedup();
        let shiftable = |name: &&String| parsed(&format!("view {name} up to shift")).is_some();
        let numbers: Vec<String> = names.iter().chain(&fields).filter(shiftable).cloned().collect();
        let mut views: Vec<String> = Vec::new();
        views.extend(names.iter().chain(&fields).map(|name| format!("view without {name}")));
        views.extend(numbers.iter().map(|name| format!("view {name} up to shift")));
        if !numbers.is_empty() {
            views.push(format!("view {} up to shift", numbers.join(", ")));
        }
        let explored = |program: &Arc<Program>, properties: Option<&[String]>| {
            let instance = on(program, topology).build();
            let options = ExploreOptions {
                max_configurations: 600,
                reduce: false,
                dead_messages: false,
                forget_wakeups: false,
                ..ALL
            };
            explore(&instance, properties, &options, &mut |_| None)
        };
        for properties in [None, Some(&[][..])] {
            let all = explored(&plain, properties);
            if all.stopped_by.is_some() {
                continue;
            }
            for view in &views {
                let Some((found, view)) = closed(view, &parsed, &|program| explored(program, properties))
                else {
                    continue;
                };
                sound += 1;
                let place = format!("{name} on {topology}: {view}");
                assert_eq!(verdicts(&all), verdicts(&found), "{place}");
                assert_eq!((&all.extremes, &all.coverage), (&found.extremes, &found.coverage), "{place}");
                assert!(found.depth <= all.depth, "{place}");
                let ends = |e: &Exploration| {
                    e.ends.iter().map(|e| (e.outcome, e.outputs.clone())).collect::<BTreeSet<_>>()
                };
                assert_eq!(ends(&all), ends(&found), "{place}");
            }
        }
    }
    assert!(sound >= 15, "{sound}");
}
