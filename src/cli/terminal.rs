//! Where output goes and how it may look.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use terminal_size::{Height, Width, terminal_size_of};

/// The two output streams and what is known about them.
pub struct Terminal<'a> {
    /// Findings.
    pub stdout: Box<dyn Write + 'a>,
    /// Everything else.
    pub stderr: Box<dyn Write + 'a>,
    /// Whether findings are coloured.
    pub color: bool,
    /// Whether everything else is coloured.
    pub error_color: bool,
    /// Whether progress may be shown.
    pub interactive: bool,
    /// The width to fit into.
    pub width: usize,
    /// Where relative paths start.
    pub current_dir: PathBuf,
}

impl Terminal<'static> {
    /// The streams of this process, with colours as the environment wishes: `NO_COLOR` turns them off,
    /// `CARGO_TERM_COLOR` and `CLICOLOR_FORCE` decide otherwise, and a stream that is no terminal has none.
    #[must_use]
    pub fn of_process() -> Terminal<'static> {
        let environment = |name: &str| std::env::var_os(name);
        let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
        let color = |terminal: bool| wants_color(terminal, &environment);
        Terminal {
            color: color(stdout.is_terminal()),
            error_color: color(stderr.is_terminal()),
            interactive: stderr.is_terminal() && environment("CI").is_none(),
            width: width(environment("COLUMNS"), terminal_size_of(&stdout)),
            current_dir: std::env::current_dir().unwrap_or_default(),
            stdout: Box::new(std::io::BufWriter::new(anstream::AutoStream::new(
                stdout,
                choice(color(std::io::stdout().is_terminal())),
            ))),
            stderr: Box::new(anstream::AutoStream::new(
                stderr,
                choice(color(std::io::stderr().is_terminal())),
            )),
        }
    }
}

impl Terminal<'_> {
    /// Writes a line to standard error.
    pub(super) fn say(&mut self, line: &str) {
        // When even standard error is gone there is nobody left to tell.
        let _ = writeln!(self.stderr, "{line}");
    }
}

/// On Windows consoles the stream translates escapes; elsewhere it passes them on or drops them.
fn choice(color: bool) -> anstream::ColorChoice {
    if color { anstream::ColorChoice::Always } else { anstream::ColorChoice::Never }
}

fn wants_color(terminal: bool, environment: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    if set("NO_COLOR") {
        return false;
    }
    match environment("CARGO_TERM_COLOR").as_deref().and_then(|value| value.to_str()) {
        Some("always") => return true,
        Some("never") => return false,
        _ => {}
    }
    if environment("CLICOLOR_FORCE").is_some_and(|value| value != "0" && !value.is_empty()) {
        return true;
    }
    terminal && environment("TERM").is_none_or(|term| term != "dumb")
}

/// The width that `COLUMNS` says, else that of the terminal, within reason; 80 when neither is known. Shells do not
/// hand `COLUMNS` on to programs, but whoever sets it means it.
fn width(columns: Option<OsString>, terminal: Option<(Width, Height)>) -> usize {
    let columns = columns.and_then(|value| value.to_str()?.parse().ok());
    // A terminal that does not know its size says 0.
    let terminal = terminal.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns > 0);
    columns.or(terminal).unwrap_or(80).clamp(60, 120)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(terminal: bool, variables: &[(&str, &str)]) -> bool {
        wants_color(terminal, &|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_environment_decides_about_colour() {
        assert!(color(true, &[]));
        assert!(!color(false, &[]));
        assert!(!color(true, &[("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "always")]));
        assert!(color(true, &[("NO_COLOR", "")]));
        assert!(color(false, &[("CARGO_TERM_COLOR", "always")]));
        assert!(!color(true, &[("CARGO_TERM_COLOR", "never")]));
        assert!(!color(true, &[("TERM", "dumb")]));
    }

    #[test]
    fn the_width_stays_readable() {
        let terminal = |columns| Some((Width(columns), Height(40)));
        assert_eq!(width(None, None), 80);
        assert_eq!(width(Some("300".into()), None), 120);
        assert_eq!(width(Some("x".into()), None), 80);
        assert_eq!(width(None, terminal(100)), 100);
        assert_eq!(width(None, terminal(0)), 80);
        assert_eq!(width(None, terminal(30)), 60);
        assert_eq!(width(Some("90".into()), terminal(100)), 90);
    }
}
