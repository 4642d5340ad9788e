//! Which formats of an instant show a date and no time.

/// Fields of `strftime` that do not change within a day.
const DATE_FIELDS: &[u8] = b"YCyGgmbBhdejaAuwUWVqFDxvnt%";

/// Fields that change within a day and not within a minute.
const MINUTE_FIELDS: &[u8] = b"HIklMpPR";

/// Whether a `strftime` format has at least one field and only date fields.
///
/// Such a text changes at the end of a day, week, month or year only.
#[must_use]
pub fn is_date_only_format(format: &str) -> bool {
    has_only(format, &|field| DATE_FIELDS.contains(&field))
}

/// Whether a `strftime` format cuts an instant to a minute or longer.
#[must_use]
pub fn is_cut_format(format: &str) -> bool {
    has_only(format, &|field| DATE_FIELDS.contains(&field) || MINUTE_FIELDS.contains(&field))
}

fn has_only(format: &str, admitted: &impl Fn(u8) -> bool) -> bool {
    let mut fields = 0;
    let mut bytes = format.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        // Padding modifiers stand between the sign and the field.
        let field = bytes.by_ref().find(|byte| !matches!(byte, b'-' | b'_' | b'0' | b'^' | b'#'));
        match field {
            Some(field) if admitted(field) => fields += 1,
            _ => return false,
        }
    }
    fields > 0
}

#[cfg(test)]
mod tests {
    use super::{is_cut_format, is_date_only_format};

    #[test]
    fn dates_and_periods_are_date_only() {
        for format in ["%Y-%m", "%Y%m%d", "%G-W%V", "%F", "%-d.%-m.%Y", "billing-%Y"] {
            assert!(is_date_only_format(format), "{format}");
        }
    }

    #[test]
    fn times_zones_and_plain_texts_are_not() {
        for format in ["%Y-%m-%dT%H", "%s", "%+", "%c", "%F %T", "%Y%z", "%3f", "2026-08", "%"] {
            assert!(!is_date_only_format(format), "{format}");
        }
    }

    #[test]
    fn hours_and_minutes_are_cut() {
        for format in ["%Y%m%d%H", "%F %R", "%d.%m. %H:%M"] {
            assert!(is_cut_format(format) && !is_date_only_format(format), "{format}");
        }
        assert!(!is_cut_format("%H:%M:%S") && !is_cut_format("%s") && !is_cut_format("%T"));
    }
}
