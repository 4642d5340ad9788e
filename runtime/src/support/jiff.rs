//! Days and stored points in time of `jiff`.

use jiff::civil::Date;
use jiff::{Timestamp, ZonedDateTime};

use super::{date_text, leaf};
use crate::error::KeyError;
use crate::instant::{PersistedInstant, Precision, StoredInstant};

leaf!([] Date, Date,
    // `jiff` keeps months within 1 to 12 and days within 1 to 31.
    |value, slot| slot.date(i32::from(value.year()), value.month().unsigned_abs(), value.day().unsigned_abs()),
    |value| date_text(value.year().into(), value.month().unsigned_abs().into(), value.day().unsigned_abs().into()));

impl PersistedInstant for Timestamp {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        StoredInstant::from_unix_nanos(self.as_nanosecond(), precision)
    }
}

impl PersistedInstant for ZonedDateTime {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        self.timestamp().stored_at(precision)
    }
}
