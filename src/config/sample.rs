//! The file that `init` writes.

/// A configuration in which everything is a comment. A line that starts with `#` and no space is a setting.
pub const SAMPLE: &str = r##"# The configuration of samekey; every setting is optional.
# `cargo samekey config --show` prints what is in effect, `cargo samekey rules` lists the rules.

# Findings are reported in these files only. Globs are relative to this file.
#include = ["src/**", "crates/*/src/**"]

# These files are not read at all.
#exclude = ["legacy/**"]

# Larger files are skipped and named.
#max-file-size = "8 MB"

# Levels of rules: off, note, warning or error.
#[rules]
#clock-in-key = "warning"

# Levels for some files. Turning a rule off needs a reason.
#[[path]]
#files = ["examples/**"]
#level = "note"

#[[path]]
#files = ["src/loadtest/**"]
#rules = { uuid-in-key = "off" }
#reason = "load tests want each call to be a charge of its own"

# A path below is `a::b::f`, `Type::method`, or a bare name, which matches every function of that name.

# A function of your own that takes a key: its second argument, counted from 0 without the receiver.
#[[sink]]
#path = "PaymentPort::charge"
#arg = 1
#key = true

# A field and a header that take a key.
#[[sink]]
#path = "ChargeRequest"
#field = "dedup_id"

#[[sink]]
#header = "X-Dedup-Id"

# A function that returns another value at each call. Kinds: uuid, clock, random, connection, member, fence,
# sequence, attempt, request, encoding, bucket, mutable.
#[[source]]
#path = "ids::next_execution_id"
#kind = "uuid"

# A function whose result is stable, whatever goes in: it reads a stored key back.
#[[sanitizer]]
#path = "ClaimStore::claim"

# A library function that hands its first argument on.
#[[summary]]
#path = "intern"
#from = "arg0"
#to = "return"
"##;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::keys::{Kind, ROOT};
    use super::super::{Config, parse};
    use super::*;
    use crate::driver::Analysis;
    use crate::rules::Rules;

    #[test]
    fn the_sample_changes_nothing_and_its_settings_are_valid() {
        let read = |text: &str| parse(Path::new("samekey.toml"), text, &[], Rules.rules()).unwrap().unwrap();
        let as_it_is = read(SAMPLE);
        assert!(as_it_is.sinks.is_empty() && as_it_is.rules.is_empty() && as_it_is.include.is_none());
        let uncommented: String = SAMPLE
            .lines()
            .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
            .map(|line| format!("{line}\n"))
            .collect();
        let all: Config = read(&uncommented);
        assert_eq!((all.sinks.len(), all.paths.len(), all.summaries.len()), (3, 2, 1));
    }

    #[test]
    fn the_sample_shows_every_key() {
        for key in ROOT.keys {
            let names = match key.kind {
                Kind::Tables(table) => table.names(),
                _ => vec![key.name],
            };
            for name in names {
                assert!(SAMPLE.contains(name), "{name}");
            }
        }
    }
}
