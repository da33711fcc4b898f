fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let c = synod::check::check(&path, &text, &synod::library::source);
        println!("== {path}: {} diagnostics, program {}", c.diagnostics.len(), c.program.is_some());
        for d in &c.diagnostics {
            println!("  {} {:?} {} {} | {}{}", c.sources.place(d.span), d.severity, d.code, d.message, d.label, d.hint.as_ref().map(|h| format!(" [hint: {h}]")).unwrap_or_default());
        }
    }
}
