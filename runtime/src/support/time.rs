//! Days and stored points in time of `time`.

use time::{Date, OffsetDateTime, UtcDateTime};

use super::{date_text, leaf};
use crate::error::KeyError;
use crate::instant::{PersistedInstant, Precision, StoredInstant};

leaf!([] Date, Date,
    |value, slot| slot.date(value.year(), u8::from(value.month()), value.day()),
    |value| date_text(value.year(), u8::from(value.month()).into(), value.day().into()));

impl PersistedInstant for OffsetDateTime {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        StoredInstant::from_unix_nanos(self.unix_timestamp_nanos(), precision)
    }
}

impl PersistedInstant for UtcDateTime {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        StoredInstant::from_unix_nanos(self.unix_timestamp_nanos(), precision)
    }
}
