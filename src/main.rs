//! The `synod` command. Everything it does is in the library: see `synod::cli`.

fn main() -> std::process::ExitCode {
    synod::cli::main()
}
