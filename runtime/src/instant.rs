//! Points in time that are stored, at the precision of the place that stores them.

use crate::encode::{Record, Slot, Written};
use crate::error::KeyError;
use crate::format::Tag;
use crate::identity::{Identity, PersistedIdentity};
use crate::schema::Schema;

/// The smallest unit that a column or message keeps of a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Whole seconds.
    Second,
    /// Thousandths of a second.
    Millisecond,
    /// Millionths of a second: PostgreSQL and MySQL `DATETIME(6)`.
    Microsecond,
    /// Billionths of a second.
    Nanosecond,
}

impl Precision {
    /// How many nanoseconds the unit has.
    #[must_use]
    pub const fn nanos(self) -> i128 {
        match self {
            Self::Second => 1_000_000_000,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
        }
    }

    /// The word that the attribute `at` takes.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Millisecond => "millisecond",
            Self::Microsecond => "microsecond",
            Self::Nanosecond => "nanosecond",
        }
    }
}

/// A point in time that was read from where it is stored.
///
/// It is an identity because its constructor states the stored precision and
/// refuses a finer value: a database rounds, so the value in memory before the
/// insert would give another key than the row does.
///
/// ```
/// use samekey::{Precision, StoredInstant};
///
/// let stored = StoredInstant::from_unix_nanos(1_788_220_800_000_000_000, Precision::Microsecond);
/// assert!(stored.is_ok());
/// let finer = StoredInstant::from_unix_nanos(1_788_220_800_000_000_001, Precision::Microsecond);
/// assert!(finer.is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoredInstant {
    unix_nanos: i128,
}

impl StoredInstant {
    /// A point in time given as whole seconds since 1970 in UTC.
    #[must_use]
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self { unix_nanos: seconds as i128 * Precision::Second.nanos() }
    }

    /// A point in time given as milliseconds since 1970 in UTC.
    #[must_use]
    pub const fn from_unix_millis(millis: i64) -> Self {
        Self { unix_nanos: millis as i128 * Precision::Millisecond.nanos() }
    }

    /// A point in time given as nanoseconds since 1970 in UTC.
    ///
    /// # Errors
    ///
    /// [`KeyError::FinerThanStored`] when the value has digits below `precision`.
    pub const fn from_unix_nanos(unix_nanos: i128, precision: Precision) -> Result<Self, KeyError> {
        if unix_nanos % precision.nanos() != 0 {
            return Err(KeyError::FinerThanStored { precision });
        }
        Ok(Self { unix_nanos })
    }

    /// Nanoseconds since 1970 in UTC.
    #[must_use]
    pub const fn unix_nanos(self) -> i128 {
        self.unix_nanos
    }
}

impl Identity for StoredInstant {
    const SCHEMA: Schema = Schema::of(Tag::Instant);

    fn encode(&self, slot: Slot<'_>) -> Written {
        slot.instant(*self)
    }
}

impl PersistedIdentity for StoredInstant {
    const SCHEMA: Schema = <Self as Identity>::SCHEMA;

    fn encode(&self, slot: Slot<'_>) -> Written {
        Identity::encode(self, slot)
    }
}

/// A date-time type that names a point in time, for fields marked
/// `#[idempotent(identity, at = "..", persisted = "..")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point in time that samekey knows",
    label = "`at` needs a point in time",
    note = "with the feature of its crate: `chrono::DateTime`, `time::OffsetDateTime`, `jiff::Timestamp`; with `std`: `SystemTime`",
    note = "a date and time without an offset names no point in time: convert it where the offset is known"
)]
pub trait PersistedInstant {
    /// What the value is once its precision is checked.
    type Stored: Identity;

    /// What the value encodes, for `pin`.
    const SCHEMA: Schema = <Self::Stored as Identity>::SCHEMA;

    /// Checks the value against the precision of its store.
    ///
    /// # Errors
    ///
    /// [`KeyError::FinerThanStored`] when the store would round the value.
    fn stored_at(&self, precision: Precision) -> Result<Self::Stored, KeyError>;

    /// Checks the value and adds it to a record.
    #[doc(hidden)]
    fn write_stored(
        &self,
        precision: Precision,
        record: &mut Record,
        name: &'static str,
    ) -> Result<(), KeyError> {
        let stored = self.stored_at(precision)?;
        record.field(name, |slot| stored.encode(slot));
        Ok(())
    }
}

impl<T: PersistedInstant> PersistedInstant for Option<T> {
    type Stored = Option<T::Stored>;

    fn stored_at(&self, precision: Precision) -> Result<Self::Stored, KeyError> {
        self.as_ref().map(|instant| instant.stored_at(precision)).transpose()
    }
}

impl<T: PersistedInstant + ?Sized> PersistedInstant for &T {
    type Stored = T::Stored;

    fn stored_at(&self, precision: Precision) -> Result<Self::Stored, KeyError> {
        T::stored_at(self, precision)
    }
}

#[cfg(feature = "std")]
impl PersistedInstant for std::time::SystemTime {
    type Stored = StoredInstant;

    fn stored_at(&self, precision: Precision) -> Result<StoredInstant, KeyError> {
        // A `Duration` holds at most u64::MAX seconds, far below i128::MAX ns.
        let unix_nanos = match self.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(error) => -(error.duration().as_nanos() as i128),
        };
        StoredInstant::from_unix_nanos(unix_nanos, precision)
    }
}
