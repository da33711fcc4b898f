use std::sync::Arc;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let c = synod::check::check(&path, &text, &synod::library::source);
        println!("== {path}: {} diagnostics, program {}", c.diagnostics.len(), c.program.is_some());
        for d in &c.diagnostics {
            println!(
                "  {} {:?} {} {} | {}{}",
                c.sources.place(d.span),
                d.severity,
                d.code,
                d.message,
                d.label,
                d.hint.as_ref().map(|h| format!(" [hint: {h}]")).unwrap_or_default()
            );
        }
        let Some(program) = c.program else { continue };
        let program = Arc::new(program);
        for s in &program.scenarios {
            let p = synod::scenario::play(&program, s, None, &mut |_, _, _, _, _| {});
            if p.passed() {
                println!("  ok {} ({} steps, {} messages)", p.name, p.steps, p.messages);
            }
            if let Some(why) = &p.skipped {
                println!("  SKIPPED {}: {why}", p.name);
            }
            for f in &p.failures {
                println!("  FAILED {}: {} {}", p.name, c.sources.place(f.span), f.message);
            }
        }
    }
}
