//! Reading texts: what parses, to which tree, and what is said of the rest.

use synod::syntax::parse;

#[test]
fn try_files() {
    for path in std::env::var("FILES").unwrap_or_default().split_whitespace() {
        let text = std::fs::read_to_string(path).unwrap();
        let (m, d) = parse(0, &text);
        println!("{path}: {} clauses, {} nodes, {} diagnostics", m.clauses.len(), m.nodes, d.len());
        let source = synod::source::Source::new(path, &text);
        for d in d {
            let (l, c) = source.line_column(d.span.start);
            println!(
                "  {path}:{l}:{c} {} {} [{}] hint {:?} rel {:?}",
                d.code,
                d.message,
                &text[d.span.range()],
                d.hint,
                d.related
            );
        }
    }
}
