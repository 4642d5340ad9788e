//! A key as a header value.

use http::HeaderValue;
use http::header::InvalidHeaderValue;

use crate::key::Key;

impl TryFrom<&Key> for HeaderValue {
    type Error = InvalidHeaderValue;

    /// Keys that are stored or made with a secret are marked sensitive, so that
    /// `Debug` of the headers hides them.
    fn try_from(key: &Key) -> Result<Self, Self::Error> {
        let mut value = Self::from_str(key.as_str())?;
        value.set_sensitive(key.is_sensitive());
        Ok(value)
    }
}

impl TryFrom<Key> for HeaderValue {
    type Error = InvalidHeaderValue;

    fn try_from(key: Key) -> Result<Self, Self::Error> {
        Self::try_from(&key)
    }
}
