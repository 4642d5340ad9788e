//! The derive macros of samekey.
