//! Retry strategies that send a key only with a feature of their package.

use samekey_catalogue::{Strategy, strategies};

use super::Requests;
use super::operation::call_at;
use crate::discover::{Dependency, DependencyKind, Package};
use crate::ir::{Callee, FileId, Span};
use crate::resolve::{FunctionId, ValueDef};

/// A strategy that retries without a key.
pub struct Unkeyed {
    pub strategy: &'static Strategy,
    /// The package whose feature is off.
    pub package: String,
    /// The path as written.
    pub span: Span,
    pub function: FunctionId,
}

/// Where retries without a key are asked for: the manifest says that the feature is off.
pub fn unkeyed_strategies(requests: &Requests<'_>) -> Vec<Unkeyed> {
    let mut found = Vec::new();
    for function in requests.candidates() {
        let text = requests.world.input.sources.snippet(requests.world.input.program.function(function).span);
        let named = |row: &Strategy| {
            row.paths
                .first()
                .and_then(|path| path.rsplit("::").next())
                .is_some_and(|name| text.contains(name))
        };
        if !strategies().iter().any(|row| !row.feature.is_empty() && named(row)) {
            continue;
        }
        let Some(flat) = requests.flat(function) else { continue };
        for call in flat.statements.iter().filter_map(|at| call_at(*at)) {
            let Callee::Path(path) = call.callee else { continue };
            let resolved = requests.world.input.program.resolve_value(requests.scope(function), path);
            let ValueDef::External(paths) = resolved else { continue };
            let row = strategies().iter().find(|row| {
                !row.feature.is_empty() && paths.iter().any(|path| row.paths.contains(&path.as_str()))
            });
            if let Some(strategy) = row
                && let Some(package) = package_without(requests, path.span.file, strategy)
            {
                let span = Span { end: call.name_span.end, ..path.span };
                found.push(Unkeyed { strategy, package, span, function });
            }
        }
    }
    found
}

/// The package of a strategy whose feature nothing in the tree turns on.
fn package_without(requests: &Requests<'_>, file: FileId, strategy: &Strategy) -> Option<String> {
    let project = requests.world.input.project;
    let concerns = |dependency: &&Dependency| {
        dependency.kind == DependencyKind::Normal && strategy.packages.contains(&dependency.package.as_str())
    };
    let own = project.package_of(file)?;
    let dependency = own.dependencies.iter().find(concerns)?;
    // Features add up over all packages that are built together.
    let is_on = |dependency: &Dependency| {
        let version = dependency.version.as_deref()?;
        let default = dependency.default_features && is_before(version, strategy.default_before);
        Some(default || dependency.features.iter().any(|feature| feature == strategy.feature))
    };
    let all = project.packages.iter().flat_map(|package| package.dependencies.iter().filter(concerns));
    for found in all {
        // A version that is not in view may have any features.
        if is_on(found)? {
            return None;
        }
    }
    let by_own_feature = |package: &Package| {
        // A feature names a dependency as the manifest does.
        let names: Vec<&str> =
            package.dependencies.iter().filter(concerns).map(|found| found.name.as_str()).collect();
        package.features.values().flatten().any(|wanted| {
            let (name, feature) = wanted.split_once('/').unwrap_or((wanted, ""));
            let name = name.trim_end_matches('?').replace('-', "_");
            feature == strategy.feature && names.contains(&name.as_str())
        })
    };
    if project.packages.iter().any(by_own_feature) {
        return None;
    }
    Some(dependency.package.clone())
}

/// Whether a version requirement means a version before this major one.
fn is_before(requirement: &str, major: &str) -> bool {
    let digits = requirement.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = |text: &str| text.split('.').next().and_then(|part| part.parse::<u32>().ok());
    match (number(digits), number(major)) {
        (Some(found), Some(major)) => found < major,
        // Any version: what it has is not known, and the newest one does not have it by default.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::is_before;

    #[test]
    fn requirements_are_compared_by_their_major_version() {
        assert!(is_before("0.41", "1"));
        assert!(is_before("^0.39.1", "1"));
        assert!(!is_before("1.0.0-rc.10", "1"));
        assert!(!is_before("=1", "1"));
        assert!(is_before("*", "1"));
    }
}
