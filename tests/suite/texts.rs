//! Texts: phrases, their spelling in ASCII, and XML.

use synod::internals::ascii::{LETTERS, SPELLINGS, TextFormat, prose_to_ascii, to_ascii};
use synod::internals::prose::{matches_pattern, numbers, with_names};
use synod::internals::xml::{element, escaped};

#[test]
fn runs_of_numbers_are_shortened_to_ranges() {
    assert_eq!(numbers(&[]), "");
    assert_eq!(numbers(&[0, 1, 3, 4, 5, 9]), "0, 1, 3 to 5, 9");
}

/// Positions become names, each once; variables, binders, formulas and quoted texts stay as they are.
#[test]
fn processes_have_names() {
    let names = ["p1", "p2", "Zürich"].map(String::from);
    for (text, wanted) in [
        ("", ""),
        ("p0", "p1"),
        ("p0 p1 p2 p3 p10 p", "p1 p2 Zürich p3 p10 p"),
        (
            "for p = p0, q = p1: `p0.x = p1` is false, with p0 = p1",
            "for p = p1, q = p2: `p0.x = p1` is false, with p1 = p2",
        ),
        ("for p1 = p2, p0 = p1: `x`", "for p1 = Zürich, p0 = p2: `x`"),
        ("p0.x; step0, up1, x.p1, p1_", "p1.x; step0, up1, x.p1, p1_"),
        ("{p0: \"p0 \\\" p0\", p1: p2 (port 2)}", "{p1: \"p0 \\\" p0\", p2: Zürich (port 2)}"),
        ("épp1 → p2é p2", "épp1 → p2é Zürich"),
    ] {
        assert_eq!(with_names(text, &names), wanted, "{text}");
        assert_eq!(with_names(text, &[]), text);
    }
}

#[test]
fn patterns() {
    for (pattern, text) in [
        ("", ""),
        ("*", ""),
        ("*", "abc"),
        ("a*c", "abc"),
        ("a*c", "ac"),
        ("a?c", "abc"),
        ("**b*", "aab"),
        ("*ab", "aab"),
        ("a*b*c", "aXbYbZc"),
        ("?", "ä"),
        ("a*", "a"),
    ] {
        assert!(matches_pattern(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("", "a"),
        ("a", ""),
        ("?", ""),
        ("a*c", "abd"),
        ("a", "ab"),
        ("b*", "ab"),
        ("*b", "ba"),
        ("a?", "a"),
    ] {
        assert!(!matches_pattern(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn prose_is_spelled() {
    let cases = [
        ("plain", "plain"),
        ("Lamport’s «bakery» – a · b …", "Lamport's \"bakery\" - a | b ..."),
        ("∀ p ∈ S: x ≤ 2 ∧ ¬(y ≠ ∅)", "forall p in S: x <= 2 and not (y != {})"),
        ("O(√n), 2ⁿ, ⌈log n⌉, Θ(n²)", "O(sqrt n), 2^n, ceil(log n), Theta(n^2)"),
        ("Dvořák, Gómez, Håstad, Weiß, Łoś", "Dvorak, Gomez, Hastad, Weiss, Los"),
        ("├─┤│═╪ e\u{301}", "+-+|=+ e"),
        ("算法", "??"),
    ];
    for (text, wanted) in cases {
        assert_eq!(prose_to_ascii(text), wanted);
    }
}

#[test]
fn json_means_the_same() {
    let text = "{\"naïve →\": [\"😀\", \"a\\\"b\"]}";
    let ascii = "{\"na\\u00efve \\u2192\": [\"\\ud83d\\ude00\", \"a\\\"b\"]}";
    assert_eq!(to_ascii(text, TextFormat::Json), ascii);
}

#[test]
fn pages_have_references_in_text_and_escapes_in_scripts_and_styles() {
    let text = "<p title=\"é\">a·b</p><style>p::after{content:'→b'}</style><p>…</p><script id=\"x\">f('→')</script>·";
    assert_eq!(
        to_ascii(text, TextFormat::Page),
        "<p title=\"&#233;\">a&#183;b</p><style>p::after{content:'\\2192 b'}</style><p>&#8230;</p>\
         <script id=\"x\">f('\\u2192')</script>&#183;"
    );
    assert_eq!(to_ascii("<style>·", TextFormat::Page), "<style>\\b7 ");
}

#[test]
fn no_sign_is_spelled_twice() {
    let letters = LETTERS.iter().flat_map(|(letters, _)| letters.chars());
    let mut all: Vec<char> = SPELLINGS.iter().map(|(sign, _)| *sign).chain(letters).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(SPELLINGS.iter().all(|(sign, spelling)| !sign.is_ascii() && spelling.is_ascii()));
}

#[test]
fn special_characters_are_escaped() {
    let text = "a<b & \"c\"\r\n\u{0}\u{1b}[1m\u{ffff}\u{85}é";
    let expected = "a&lt;b &amp; &quot;c&quot;\\u{d}\n\\u{0}\\u{1b}[1m\\u{ffff}\\u{85}é";
    assert_eq!(escaped(text), expected);
    let attribute = element("e").with("a", text).to_string();
    assert_eq!(attribute, format!("<e a=\"{}\"/>", expected.replace('\n', "&#10;")));
}

#[test]
fn elements_contain_texts_and_elements() {
    let inner = element("tspan").with("x", 1.5).text("<2>");
    let outer = element("text").text("a ").markup(inner);
    assert_eq!(outer.to_string(), "<text>a <tspan x=\"1.5\">&lt;2&gt;</tspan></text>");
    assert_eq!(element("g").markup("").to_string(), "<g></g>");
}
