//! The shared facts of samekey: sources, sinks, sanitizers, providers and names.
