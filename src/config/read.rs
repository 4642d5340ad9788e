//! Reads the tables of a configuration and gathers all that is wrong in them.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::keys;
use super::rows::{self, Rows};
use super::{Config, ConfigError, ConfigErrors, ConfigException, Globs, PathLevels, RuleLevel, nearest};
use crate::report::{ExceptionKind, RuleInfo};

/// Reads the table at `at` (the whole document when empty) of a TOML text; `None` when there is no such table.
///
/// # Errors
/// All unknown keys, unknown rules and values of the wrong kind.
pub fn parse(
    file: &Path,
    text: &str,
    at: &[&str],
    rules: &[RuleInfo],
) -> Result<Option<Config>, ConfigErrors> {
    let failed =
        |errors: Vec<ConfigError>| ConfigErrors { file: file.to_owned(), text: text.to_owned(), errors };
    let document = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        failed(vec![ConfigError { span, message: error.message().to_owned(), help: None }])
    })?;
    let mut table = document.get_ref();
    for key in at {
        match table.get(*key).and_then(|value| value.get_ref().as_table()) {
            Some(inner) => table = inner,
            None => return Ok(None),
        }
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut reader = Reader { folder, text, rules, errors: Vec::new(), exceptions: Vec::new() };
    let mut config = Config { file: Some(file.to_owned()), ..reader.config(table) };
    config.exceptions = std::mem::take(&mut reader.exceptions);
    config.exceptions.sort_by_key(|exception| *exception.lines.start());
    match reader.errors.is_empty() {
        true => Ok(Some(config)),
        false => {
            reader.errors.sort_by_key(|error| error.span.start);
            Err(failed(reader.errors))
        }
    }
}

/// Reads values and keeps what is wrong.
pub(super) struct Reader<'a> {
    folder: &'a Path,
    text: &'a str,
    rules: &'a [RuleInfo],
    pub(super) errors: Vec<ConfigError>,
    exceptions: Vec<ConfigException>,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn config(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "rules" => config.rules = self.levels(value),
                "path" => {
                    config.paths =
                        self.tables(value).into_iter().filter_map(|table| self.path(table)).collect()
                }
                "include" => config.include = self.included(value),
                "exclude" => config.exclude = self.globs(value),
                "max-file-size" => config.max_file_size = self.size(value).unwrap_or(config.max_file_size),
                "source" => config.sources = self.rows(value, rows::source),
                "sink" => config.sinks = self.rows(value, rows::sink),
                "sanitizer" => {
                    config.sanitizers = self.rows(value, rows::sanitizer);
                    for (span, table) in self.tables(value) {
                        self.exception(ExceptionKind::Sanitizer, span, table);
                    }
                }
                "summary" => config.summaries = self.rows(value, rows::summary),
                _ => self.unknown_key(key, &keys::ROOT.names()),
            }
        }
        config
    }

    fn rows<T>(&mut self, value: &Value<'_>, read: fn(&mut Rows<'_, '_>) -> Option<T>) -> Vec<T> {
        let tables = self.tables(value);
        tables.into_iter().filter_map(|(span, table)| read(&mut Rows::new(self, span, table))).collect()
    }

    /// An array of tables; a single table counts as one.
    fn tables<'v, 'i>(&mut self, value: &'v Value<'i>) -> Vec<(Range<usize>, &'v DeTable<'i>)> {
        let elements: Vec<&Value<'_>> = match value.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut tables = Vec::new();
        for element in elements {
            match element.get_ref().as_table() {
                Some(table) => tables.push((element.span(), table)),
                None => self.wrong_kind(element, "a table"),
            }
        }
        tables
    }

    fn path(&mut self, (span, table): (Range<usize>, &DeTable<'_>)) -> Option<PathLevels> {
        let mut levels = PathLevels {
            files: Globs::default(),
            rules: Vec::new(),
            reason: None,
            line: self.line(span.start),
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "files" => levels.files = self.globs(value),
                "rules" => levels.rules.extend(self.levels(value)),
                "level" => levels.rules.extend(self.level(value).map(|level| ("*".to_owned(), level))),
                "reason" => levels.reason = self.text(value).map(|(text, _)| text),
                _ => self.unknown_key(key, &keys::PATH.names()),
            }
        }
        if levels.files.patterns().is_empty() {
            self.error(span, "a [[path]] table needs `files`", Some("files = [\"examples/**\"]"));
            return None;
        }
        if !table.contains_key("level") && !table.contains_key("rules") {
            let help = "level = \"note\", or rules = { uuid-in-key = \"note\" }";
            self.error(span, "a [[path]] table needs `level` or `rules`", Some(help));
            return None;
        }
        let turned_off = levels.rules.iter().any(|(_, level)| *level == RuleLevel::Off);
        if turned_off && levels.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
            self.error(
                span,
                "a [[path]] table that turns a rule off needs a `reason`",
                Some("reason = \"why this is safe here\""),
            );
            return None;
        }
        if turned_off {
            self.exception(ExceptionKind::Path, span, table);
        }
        Some(levels)
    }

    /// The line of a byte of the file, from 1.
    fn line(&self, offset: usize) -> u32 {
        let before = self.text.get(..offset).unwrap_or_default();
        u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX - 1) + 1
    }

    /// Notes a table that keeps findings from being reported.
    fn exception(&mut self, kind: ExceptionKind, span: Range<usize>, table: &DeTable<'_>) {
        let values = table.iter().flat_map(|(key, value)| [key.span(), value.span()]);
        let whole = values.fold(span, |whole, part| whole.start.min(part.start)..whole.end.max(part.end));
        let text = self.text.get(whole.clone()).unwrap_or_default();
        let text = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        self.exceptions.push(ConfigException {
            kind,
            lines: self.line(whole.start)..=self.line(whole.end),
            text,
        });
    }

    fn levels(&mut self, value: &Value<'_>) -> Vec<(String, RuleLevel)> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_kind(value, "a table of rules and levels");
            return Vec::new();
        };
        let mut levels = Vec::new();
        for (key, value) in table {
            let word = key.get_ref();
            match self.rules.iter().find(|rule| rule.id == *word || rule.code == *word) {
                Some(rule) if levels.iter().any(|(known, _)| known == rule.id) => {
                    let message =
                        format!("`{}` and `{}` are the same rule; keep one of them", rule.code, rule.id);
                    self.error(key.span(), message, None);
                }
                Some(rule) => levels.extend(self.level(value).map(|level| (rule.id.to_owned(), level))),
                None => {
                    let help = suggestion(word, self.rules.iter().map(|rule| rule.id));
                    self.error(key.span(), format!("unknown rule `{word}`"), help.as_deref());
                }
            }
        }
        levels
    }

    fn level(&mut self, value: &Value<'_>) -> Option<RuleLevel> {
        let (word, span) = self.text(value)?;
        let found = RuleLevel::WORDS.into_iter().find(|(known, _)| *known == word);
        if found.is_none() {
            let help = suggestion(&word, RuleLevel::WORDS.map(|(known, _)| known))
                .unwrap_or_else(|| "the levels are off, note, warning and error".to_owned());
            self.error(span, format!("unknown level `{word}`"), Some(&help));
        }
        found.map(|(_, level)| level)
    }

    fn included(&mut self, value: &Value<'_>) -> Option<Globs> {
        if value.get_ref().as_array().is_some_and(|list| list.is_empty()) {
            let message = "an empty `include` would report nothing; remove it, or name files";
            self.error(value.span(), message, Some("include = [\"src/**\"]"));
            return None;
        }
        Some(self.globs(value))
    }

    fn globs(&mut self, value: &Value<'_>) -> Globs {
        let elements: Vec<&Value<'_>> = match value.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut patterns: Vec<(String, Range<usize>)> =
            elements.into_iter().filter_map(|element| self.text(element)).collect();
        patterns.retain(|(pattern, span)| {
            let wrong = useless_glob(pattern);
            if let Some(why) = wrong {
                self.error(span.clone(), why, None);
            }
            wrong.is_none()
        });
        let texts: Vec<String> = patterns.iter().map(|(text, _)| text.clone()).collect();
        Globs::new(self.folder, &texts).unwrap_or_else(|(index, why)| {
            let span = patterns.get(index).map_or(value.span(), |(_, span)| span.clone());
            self.error(span, format!("not a valid glob: {why}"), None);
            Globs::default()
        })
    }

    /// A number of bytes, or a text such as `"50 MB"`.
    fn size(&mut self, value: &Value<'_>) -> Option<u64> {
        let parsed = match value.get_ref() {
            DeValue::Integer(number) => whole(number),
            DeValue::String(text) => bytes_of(text),
            _ => None,
        };
        let message = match parsed {
            Some(0) => "a limit of 0 bytes would leave out every file",
            Some(size) => return Some(size),
            None => "expected a number of bytes",
        };
        self.error(value.span(), message, Some("max-file-size = \"8 MB\""));
        None
    }

    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<(String, Range<usize>)> {
        match value.get_ref().as_str() {
            Some(text) => Some((text.to_owned(), value.span())),
            None => {
                self.wrong_kind(value, "a string");
                None
            }
        }
    }

    pub(super) fn unknown_key(&mut self, key: &Spanned<impl AsRef<str>>, valid: &[&str]) {
        let word = key.get_ref().as_ref();
        let help = suggestion(word, valid.iter().copied())
            .unwrap_or_else(|| format!("the keys are {}", valid.join(", ")));
        self.error(key.span(), format!("unknown key `{word}`"), Some(&help));
    }

    pub(super) fn wrong_kind(&mut self, value: &Value<'_>, expected: &str) {
        let message = format!("expected {expected}, found {}", article(value.get_ref().type_str()));
        self.error(value.span(), message, None);
    }

    pub(super) fn error(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<&str>) {
        self.errors.push(ConfigError { span, message: message.into(), help: help.map(str::to_owned) });
    }
}

pub(super) fn suggestion<'v>(word: &str, valid: impl IntoIterator<Item = &'v str>) -> Option<String> {
    nearest(word, valid).map(|found| format!("did you mean `{found}`?"))
}

fn article(kind: &str) -> String {
    match kind.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => format!("an {kind}"),
        false => format!("a {kind}"),
    }
}

/// Why a pattern cannot be meant.
fn useless_glob(pattern: &str) -> Option<&'static str> {
    if pattern.trim().trim_matches(['.', '/']).is_empty() {
        return Some("this pattern names no file; write one such as `src/**`");
    }
    let leaves = pattern.split('/').any(|part| part == "..");
    leaves.then_some("patterns are relative to the folder of this file and cannot leave it with `..`")
}

/// An integer from 0, in any of TOML's notations.
pub(super) fn whole<T: TryFrom<u64>>(number: &DeInteger<'_>) -> Option<T> {
    let value = u64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()?;
    T::try_from(value).ok()
}

fn bytes_of(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic()).trim_end();
    let factor = match text.get(digits.len()..)?.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{SinkSlot, SummaryFrom, SummaryTo};

    const RULES: [RuleInfo; 2] = [
        RuleInfo { id: "uuid-in-key", code: "SK001", summary: "", page: "" },
        RuleInfo { id: "clock-in-key", code: "SK002", summary: "", page: "" },
    ];

    fn read(text: &str) -> Result<Config, Vec<(String, Option<String>)>> {
        parse(Path::new("/r/samekey.toml"), text, &[], &RULES)
            .map(Option::unwrap_or_default)
            .map_err(|errors| errors.errors.into_iter().map(|error| (error.message, error.help)).collect())
    }

    #[test]
    fn reads_everything() {
        let config = read(
            r#"
            include = ["src/**"]
            exclude = "generated"
            max-file-size = "2 MB"
            [rules]
            uuid-in-key = "warning"
            SK002 = "off"
            [[path]]
            files = ["examples/**"]
            level = "note"
            [[source]]
            path = "source"
            [[source]]
            path = "my::clock::now"
            kind = "clock"
            [[sink]]
            path = "sink"
            arg = 0
            [[sink]]
            path = "Charge"
            field = "key"
            key = true
            [[sink]]
            header = "X-Key"
            [[sanitizer]]
            path = "Store::claim"
            [[summary]]
            path = "wrap"
            from = "arg1"
            to = "return.inner.0"
            [[summary]]
            path = "Buffer::fill"
            from = "self"
            to = "arg0"
            "#,
        )
        .unwrap();
        assert_eq!(config.rules[0], ("clock-in-key".to_owned(), RuleLevel::Off));
        assert_eq!(config.max_file_size, 2_000_000);
        assert!(config.exclude.matches(Path::new("/r/a/generated/x.rs")));
        assert_eq!(
            (config.sources[0].kind.as_deref(), config.sources[1].kind.as_deref()),
            (None, Some("clock"))
        );
        assert_eq!(config.sources[1].path.segments, ["my", "clock", "now"]);
        assert_eq!(config.sinks[0].slot, SinkSlot::Argument(0));
        assert_eq!((&config.sinks[1].slot, config.sinks[1].key), (&SinkSlot::Field("key".into()), true));
        assert_eq!(
            (&config.sinks[2].path, &config.sinks[2].slot),
            (&None, &SinkSlot::Header("X-Key".into()))
        );
        let [wrap, fill] = config.summaries.as_slice() else { panic!("two summaries") };
        assert_eq!(
            (&wrap.from, &wrap.to),
            (&SummaryFrom::Argument(1), &SummaryTo::Return(vec!["inner".into(), "0".into()]))
        );
        assert_eq!((&fill.from, &fill.to), (&SummaryFrom::Receiver, &SummaryTo::Argument(0)));
    }

    #[test]
    fn every_mistake_is_named_with_the_nearest_word() {
        let cases = [
            ("exclud = []", "unknown key `exclud`", Some("did you mean `exclude`?")),
            (
                "[rules]\nuid-in-key = \"error\"",
                "unknown rule `uid-in-key`",
                Some("did you mean `uuid-in-key`?"),
            ),
            ("[rules]\nuuid-in-key = \"eror\"", "unknown level `eror`", Some("did you mean `error`?")),
            ("[[source]]\npath = \"f\"\nkind = \"uid\"", "unknown kind `uid`", Some("did you mean `uuid`?")),
            ("[[source]]\nkind = \"uuid\"", "a [[source]] table needs `path`", None),
            ("[[sink]]\npath = \"f\"\narg = \"0\"", "expected a number, found a string", None),
            ("[[sink]]\npath = \"f\"\nargs = 0", "unknown key `args`", Some("did you mean `arg`?")),
            (
                "[[sink]]\npath = \"f\"\narg = 0\nfield = \"x\"",
                "a [[sink]] table has one of `arg`, `field` and `header`",
                None,
            ),
            (
                "[[sink]]\npath = \"a b\"\narg = 0",
                "`a b` is not a path such as `a::b::f`, `Type::method` or `f`",
                None,
            ),
            ("[[summary]]\npath = \"f\"\nfrom = \"x\"\nto = \"return\"", "`x` is not `self` or `argN`", None),
            ("include = [\"a[\"]", "not a valid glob: unclosed character class; missing ']'", None),
            (
                "[[path]]\nfiles = [\"x\"]\nlevel = \"off\"",
                "a [[path]] table that turns a rule off needs a `reason`",
                Some("reason = \"why this is safe here\""),
            ),
            ("source = 3", "expected a table, found an integer", None),
            (
                "max-file-size = 0",
                "a limit of 0 bytes would leave out every file",
                Some("max-file-size = \"8 MB\""),
            ),
            ("max-file-size = \"0 MB\"", "a limit of 0 bytes would leave out every file", None),
            ("max-file-size = 99999999999999999999999", "expected a number of bytes", None),
            ("include = []", "an empty `include` would report nothing; remove it, or name files", None),
            ("exclude = \"\"", "this pattern names no file; write one such as `src/**`", None),
            (
                "exclude = [\"../other/**\"]",
                "patterns are relative to the folder of this file and cannot leave it with `..`",
                None,
            ),
            ("[[path]]\nfiles = \"x\"", "a [[path]] table needs `level` or `rules`", None),
            (
                "[rules]\nSK001 = \"off\"\nuuid-in-key = \"error\"",
                "`SK001` and `uuid-in-key` are the same rule; keep one of them",
                None,
            ),
            ("[[sink]]\npath = \"f\"\nfield = \"\"", "expected a name, found an empty string", None),
            ("[[sink]]\nheader = \" \"", "expected a name, found an empty string", None),
        ];
        for (text, message, help) in cases {
            let errors = read(text).unwrap_err();
            assert_eq!(errors.first().map(|(found, _)| found.as_str()), Some(message), "{text}");
            if help.is_some() {
                assert_eq!(errors[0].1.as_deref(), help, "{text}");
            }
        }
    }

    #[test]
    fn all_mistakes_are_reported_at_once_in_order() {
        let errors = read("a = 1\nb = 2\n[rules]\nnope = \"off\"").unwrap_err();
        assert_eq!(errors.len(), 3);
        assert_eq!(errors[2].0, "unknown rule `nope`");
    }

    #[test]
    fn numbers_are_read_in_every_notation() {
        let config = read("max-file-size = 0x1_0\n[[sink]]\npath = \"f\"\narg = 0b10").unwrap();
        assert_eq!((config.max_file_size, &config.sinks[0].slot), (16, &SinkSlot::Argument(2)));
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes_of("50 MB"), Some(50_000_000));
        assert_eq!(bytes_of("8MiB"), Some(8 << 20));
        assert_eq!(bytes_of("many"), None);
    }
}
