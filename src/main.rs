//! The `synod` command. Everything it does is in the library: see `synod::cli`.

/// The library leaves the choice to whoever uses it.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    synod::cli::main()
}
