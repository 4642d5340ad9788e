//! Comparing what a call looks like with what a row asks for.

use samekey_catalogue::ArgCondition;

use crate::flow::spec::CallView;
use crate::ir::Literal;

/// Whether the canonical path of a type is one of these.
pub fn type_matches(path: &str, wanted: &[&str]) -> bool {
    wanted.contains(&path)
}

/// Whether an argument is what the row asks for.
pub fn condition_holds(condition: &ArgCondition, call: &CallView<'_>) -> bool {
    let Some(argument) = call.literals.get(usize::from(condition.index)) else { return false };
    let text = match argument {
        Some(Literal::Str(text)) => Some(text.as_str()),
        _ => None,
    };
    condition.literals.iter().any(|wanted| match *wanted {
        "literal" => text.is_some(),
        "None" => call.nones.contains(&usize::from(condition.index)),
        "Some(_)" => call.somes.contains(&usize::from(condition.index)),
        exact => text == Some(exact),
    })
}
