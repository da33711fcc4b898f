//! Views that are proved sound, and those that are not, with the reason.

use super::*;

/// For each program, the reason why its view is not proved sound, or «sound».
#[test]
fn proved_and_unproved_views() {
    let left = |code: &str| ring_of("view without count, Token.hops", "", "", code);
    let shifted = |code: &str| ring_of("view best, Token.hops up to shift", "", "", code);
    let cases = [
        (left("count := max(count, h) + 2 - 1"), "sound"),
        // Sums may double, and addends may be large: then they overflow after few steps.
        (left("count := count + h"), "whether the command aborts"),
        (left("count := h * 2"), "whether the command aborts"),
        (left("count := count - other"), "whether the command aborts"),
        (left("if l > 0 or flag -> count := h [] otherwise -> count := 0 fi"), "sound"),
        (left("other := count"), "`other` is assigned a value that depends on a disregarded one"),
        (left("if count > 1 -> skip [] otherwise -> skip fi"), "the branch taken"),
        (left("for k in 1..count do skip od"), "the size of a range"),
        (left("count := 5 div count"), "whether the command aborts"),
        (left("count := l div (h + 1)"), "whether the command aborts"),
        (left("send Token(w, 0, count)"), "`Token.left` is assigned a value that depends"),
        (left("choose k in {count, 1}; other := l"), "the set of choices"),
        (left("seen := seen + {h}"), "`seen` is assigned a value that depends"),
        (left("count := max({h} - {1})"), "whether the command aborts"),
        (left("flag := h = 2"), "`flag` is assigned a value that depends"),
        (left("remove h from seen"), "which element is removed"),
        (ring_of("view without count", "var few : 0..9", "", "count := few; few := 0 * few"), "sound"),
        (ring_of("view without few", "var few : 0..9", "", "few := (few + 1) mod 10"), "has a range"),
        (shifted("best := max(best, h) + 1"), "sound"),
        (shifted("other := best - h"), "sound"),
        (shifted("best := best - 2"), "sound"),
        (shifted("best := best + l"), "so it may overflow"),
        (shifted("if best < h and h - best > 1 -> best := h [] otherwise -> skip fi"), "sound"),
        (shifted("best := 0"), "`best` is assigned a number that does not shift"),
        (shifted("best := max(best, 3)"), "a number of the view and another number are compared"),
        (shifted("if h > 1 -> skip [] otherwise -> skip fi"), "are compared"),
        (shifted("best := best + h"), "this result changes"),
        (shifted("best := 2 * best"), "this result changes"),
        (shifted("best := best mod 2"), "this result changes"),
        (shifted("best := -best"), "the result depends on the absolute value"),
        (shifted("other := best"), "`other` is assigned a number of the view"),
        (shifted("seen := seen + {h}"), "number of the view"),
        (shifted("for k in 1..best do skip od"), "are the bounds of a range"),
        (shifted("send Token(w, l, 0)"), "`Token.hops` is assigned a number that does not shift"),
        (
            ring_of("view best up to shift\nview Token.hops up to shift", "", "", "best := max(best, h)"),
            "a number of the view and another number are compared",
        ),
        (ring_of("view few up to shift", "var few : 0..9", "", "few := few"), "has a range"),
    ];
    for (text, expected) in cases {
        let found = search(&on(&source(&text), "ring(1)").build(), true, true);
        match standing(&found) {
            ViewStatus::Sound => assert_eq!("sound", expected, "{text}"),
            ViewStatus::Claimed { why } => {
                assert!(why.contains(expected) && why.contains("(test"), "{why}\n{expected}\n{text}");
            }
            ViewStatus::Unused { why } => panic!("{why}\n{text}"),
        }
    }
}

#[test]
fn observing_properties_are_not_checked_under_it() {
    let text = ring_of("view without count", "", "", "count := count + 1");
    let told = |more: &str, property: Option<&str>| {
        let program = source(&format!("{text}{more}\n"));
        let names = property.map(|p| vec![p.to_string()]);
        let instance = on(&program, "ring(2)").build();
        let found = explore(&instance, names.as_deref(), &ALL, &mut |_| None);
        let all = explore(&instance, names.as_deref(), &ExploreOptions { view: false, ..ALL }, &mut |_| None);
        assert_eq!(verdicts(&found), verdicts(&all), "{more}");
        let apart = found.view.as_ref().map_or(Vec::new(), |seeing| seeing.apart.clone());
        (standing(&found).clone(), found.configurations == all.configurations, apart)
    };
    for (more, name) in [("finally few: forall p: p.count <= 2", "few"), ("bound b: bits <= 100", "b")] {
        let (standing, exact, _) = told(more, Some(name));
        assert!(
            matches!(standing, ViewStatus::Unused { why } if why.contains("distinguishes")) && exact,
            "{more}"
        );
        // Other properties are checked under it, and unchecked ones do not matter.
        let (standing, _, apart) = told(more, None);
        assert_eq!((standing, apart), (ViewStatus::Sound, vec![name.to_string()]), "{more}");
        let (standing, _, apart) = told(more, Some("home"));
        assert_eq!((standing, apart), (ViewStatus::Sound, Vec::new()), "{more}");
    }
    assert_eq!(told("bound b: messages <= 100", None).0, ViewStatus::Sound);
    // Properties that need counters along the runs are checked separately, with everything distinguished.
    assert_eq!(told("finally b: bits <= 100", None).0, ViewStatus::Sound);
    assert!(matches!(told("finally b: bits <= 100", Some("b")).0, ViewStatus::Unused { .. }));
    let shifted = ring_of("view best, Token.hops up to shift", "", "", "best := max(best, h)");
    for (more, sound) in [
        ("finally near: forall p, q: p.best - q.best <= 5", true),
        ("invariant order: forall p, q: p.best < q.best or p.best >= q.best", true),
        ("finally few: forall p: p.best <= 2", false),
    ] {
        let found = search(&on(&source(&format!("{shifted}{more}\n")), "ring(2)").build(), true, true);
        assert_eq!(*standing(&found), ViewStatus::Sound, "{more}: {found:?}");
        assert_eq!(found.view.as_ref().is_some_and(|seeing| seeing.apart.is_empty()), sound, "{more}");
    }
    // An output is observable.
    let text = "algorithm shows solves Election(winner: any, told: one)
assumes unidirectional ring, unique ids
message T
view without leader
state s
  send T
  receive T
  leader := true; decided := true
";
    let found = search(&on(&source(text), "ring(2)").build(), true, true);
    assert!(matches!(standing(&found), ViewStatus::Unused { .. }), "{found:?}");
}
