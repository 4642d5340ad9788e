//! Days and stored points in time of `chrono`.

use chrono::{DateTime, Datelike, NaiveDate, TimeZone};

use super::{date_text, leaf};
use crate::error::KeyError;
use crate::instant::{PersistedInstant, Precision, StoredInstant};

leaf!([] NaiveDate, Date,
    // Months have at most 12 and days at most 31, so both fit a byte.
    |value, slot| slot.date(value.year(), value.month() as u8, value.day() as u8),
    |value| date_text(value.year(), value.month(), value.day()));

impl<Z: TimeZone> PersistedInstant for DateTime<Z> {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        let nanos = i128::from(self.timestamp()) * Precision::Second.nanos()
            + i128::from(self.timestamp_subsec_nanos());
        StoredInstant::from_unix_nanos(nanos, precision)
    }
}
