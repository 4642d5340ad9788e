//! What teams need to keep the tool switched on: output for services, suppressions, a baseline, changes,
//! configuration.

#[path = "../support/mod.rs"]
mod support;

mod baselines;
mod changes;
mod configuration;
mod extremes;
mod fixes;
mod formats;
mod real;
mod suppressions;
mod tools;
