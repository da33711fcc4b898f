//! The `synod` command: a binary around `synod::internals::cli`.

/// The global allocator. The library leaves this choice to the binary.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    synod::internals::cli::main()
}
