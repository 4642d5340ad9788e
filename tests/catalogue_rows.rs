//! Every row of the catalogue at work: its examples are found, its look-alikes stay quiet.
//!
//! Each example becomes a function of a generated file. In sources the value of the example goes to a configured
//! sink, in sinks a fresh key goes to the example, in safe rows a volatile value goes through it. All rows are
//! analysed in one run per table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use cargo_samekey::config;
use cargo_samekey::facts::Facts;
use cargo_samekey::flow::value::Flags;
use cargo_samekey::flow::{self, FlowRecord};
use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::FileId;
use cargo_samekey::resolve::{CrateId, CrateInfo, FilePlace, FunctionId, Program};
use samekey_catalogue::{
    Effect, Language, Level, NameRole, Pattern, Slot, name_rules, safes, sinks, sources,
};

/// Examples that are not found, each with the reason. One that is found now must leave the list.
const MISSED: &[(&str, &str)] = &[
    (
        "safe process-static: thread_local! { static ID: Uuid = value; }",
        "a static in the middle of a function does not see the function's variables",
    ),
    (
        "safe process-static: std::thread_local! { static ID: Uuid = value; }",
        "a static in the middle of a function does not see the function's variables",
    ),
];

/// Look-alikes that are reported, each with the reason. One that is quiet now must leave the list.
const NOISY: &[(&str, &str)] = &[(
    "safe process-static: |cell: &std::sync::OnceLock<String>| cell.get_or_init(|| config.namespace())",
    "what a cell holds already may be fresh",
)];

/// The stack of the thread that analyses; lowering recurses over nested code.
const STACK: usize = 256 << 20;

const CONFIG: &str = r#"
[[source]]
path = "volatile"
[[sink]]
path = "probe"
arg = 0
"#;

/// What an analysis found in the function of one example.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Source row, sink row and flags of each flow.
    flows: Vec<(String, String, Flags)>,
}

impl Found {
    fn from(&self, row: &str) -> bool {
        self.flows.iter().any(|(source, sink, _)| source == row && sink == "probe")
    }

    fn at(&self, row: &str) -> bool {
        self.flows.iter().any(|(_, sink, _)| sink == row)
    }
}

/// An example as the body of a function.
struct Example {
    parameters: String,
    expression: String,
}

impl Example {
    /// Splits `|x: T| expression`; other texts are expressions.
    fn parse(text: &str) -> Example {
        let closure = text.strip_prefix('|').and_then(|rest| rest.split_once('|'));
        match closure {
            Some((parameters, expression)) => {
                Example { parameters: parameters.to_owned(), expression: expression.trim().to_owned() }
            }
            None => Example { parameters: String::new(), expression: text.to_owned() },
        }
    }

    fn declares(&self, name: &str) -> bool {
        let mut words = self.parameters.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == name)
    }

    fn mentions(&self, name: &str) -> bool {
        let mut words = self.expression.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == name)
    }

    /// A variable that the example uses and does not declare.
    fn lacks(&self, name: &str) -> bool {
        self.mentions(name) && !self.declares(name)
    }
}

/// Texts of functions, with the name of each.
#[derive(Default)]
struct Examples {
    text: String,
    count: usize,
}

impl Examples {
    /// Adds a function and gives back its name.
    fn add(&mut self, example: &Example, before: &str, after: &str) -> String {
        let name = format!("example_{}", self.count);
        self.count += 1;
        let Example { parameters, expression } = example;
        let _ = writeln!(
            self.text,
            "fn {name}({parameters}) {{\n    {before}\n    let result = {expression};\n    {after}\n}}\n"
        );
        name
    }

    fn analyse(self) -> BTreeMap<String, Found> {
        let text = format!("struct Charge {{ id: u32 }}\n\n{}", self.text);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || analyse(&text));
        thread.expect("the thread starts").join().expect("the analysis does not panic")
    }
}

fn analyse(text: &str) -> BTreeMap<String, Found> {
    let config = config::parse(Path::new("samekey.toml"), CONFIG, &[], &[]);
    let config = config.expect("the configuration is valid").expect("it is not empty");
    let ir = lower_rust(FileId(0), text.as_bytes(), Edition::Rust2021);
    assert!(ir.gaps.is_empty(), "an example is not understood: {:?}", ir.gaps);
    let place = FilePlace { krate: CrateId(0), module: Vec::new(), test: false, path: "src/lib.rs".into() };
    let krate = CrateInfo {
        name: "examples".into(),
        edition_2015: false,
        root: Some(FileId(0)),
        dependencies: Vec::new(),
        external: Vec::new(),
        renamed: Vec::new(),
        test: false,
    };
    let program = Program::build(vec![(ir, place)], vec![krate]);
    let facts = Facts::new(&program, &config, None);
    let roots: Vec<FunctionId> = program.functions().collect();
    let analysis = flow::analyze(&program, &facts, &roots);
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for FlowRecord { source, sink, flags, .. } in &analysis.flows {
        let (source, sink) = (&analysis.sources[*source as usize], &analysis.sinks[sink.0 as usize]);
        let Some(function) = sink.function else { continue };
        let entry = found.entry(program.function(function).name.to_string()).or_default();
        let (source, sink) = (facts.row(source.row).id.to_string(), facts.row(sink.row).id.to_string());
        entry.flows.push((source, sink, *flags));
    }
    found
}

/// What was expected of an example and what came, for all that differ.
struct Verdicts {
    table: &'static str,
    missed: BTreeSet<String>,
    noisy: BTreeSet<String>,
    details: String,
}

impl Verdicts {
    fn new(table: &'static str) -> Verdicts {
        Verdicts { table, missed: BTreeSet::new(), noisy: BTreeSet::new(), details: String::new() }
    }

    fn expect(&mut self, row: &str, text: &str, wanted: bool, holds: bool, found: Option<&Found>) {
        if wanted == holds {
            return;
        }
        let kind = if wanted { "missed" } else { "noisy" };
        let name = format!("{row}: {text}");
        let _ = writeln!(self.details, "{kind} {name}   {:?}", found.map(|found| &found.flows));
        match wanted {
            true => self.missed.insert(name),
            false => self.noisy.insert(name),
        };
    }

    /// Fails on anything that is not pinned, and on pins that are not needed any more.
    fn assert(&self) {
        let pinned = |list: &[(&str, &str)]| -> BTreeSet<String> {
            let own = list.iter().filter_map(|(name, _)| name.strip_prefix(self.table));
            own.filter_map(|name| name.strip_prefix(' ')).map(str::to_owned).collect()
        };
        let stale: Vec<String> = pinned(MISSED)
            .difference(&self.missed)
            .chain(pinned(NOISY).difference(&self.noisy))
            .cloned()
            .collect();
        let new =
            self.missed.difference(&pinned(MISSED)).count() + self.noisy.difference(&pinned(NOISY)).count();
        assert!(new == 0 && stale.is_empty(), "{new} new:\n{}\nno longer needed: {stale:#?}", self.details);
    }
}

/// Variables that examples use by convention.
fn stubs(example: &Example) -> String {
    let mut text = String::new();
    for (name, value) in [
        ("buffer", "[0u8; 16]"),
        ("time", "Charge { id: 0 }"),
        ("items", "vec![1, 2, 3]"),
        ("value", "Charge { id: 1 }"),
    ] {
        if example.lacks(name) {
            let _ = write!(text, "let mut {name} = {value}; ");
        }
    }
    text
}

/// The variable that a call fills: `&mut buffer`, `buffer.as_mut_ptr()`.
fn filled(expression: &str) -> &str {
    let arguments = expression.split_once('(').map_or("", |(_, rest)| rest);
    let first = arguments.trim_start_matches("&mut ");
    first.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

#[test]
fn sources_reach_a_sink_and_their_lookalikes_do_not() {
    let mut examples = Examples::default();
    let mut asked = Vec::new();
    for row in sources().iter().filter(|row| row.language != Language::Java) {
        let texts = row.examples.iter().map(|text| (text, true));
        for (text, wanted) in texts.chain(row.lookalikes.iter().map(|text| (text, false))) {
            let example = Example::parse(text);
            let after = match row.out {
                Slot::Arg(_) if wanted => format!("probe({});", filled(&example.expression)),
                _ => "probe(result);".to_owned(),
            };
            let name = examples.add(&example, &stubs(&example), &after);
            asked.push((row.id, *text, wanted && row.level > Level::Off, name));
        }
    }
    let found = examples.analyse();
    let mut verdicts = Verdicts::new("source");
    for (row, text, wanted, name) in asked {
        let own = found.get(&name);
        // A look-alike of one row may be an example of another.
        let other =
            |source: &str| sources().iter().any(|row| row.id == source && row.examples.contains(&text));
        let holds = own.is_some_and(|found| match wanted {
            true => found.from(row),
            false => found.flows.iter().any(|(source, ..)| !other(source)),
        });
        verdicts.expect(row, text, wanted, holds, own);
    }
    verdicts.assert();
}

#[test]
fn a_fresh_key_is_found_at_sinks_and_not_at_their_lookalikes() {
    let mut examples = Examples::default();
    let mut asked = Vec::new();
    for row in sinks().iter().filter(|row| row.language != Language::Java) {
        let texts = row.examples.iter().map(|text| (text, true));
        for (text, wanted) in texts.chain(row.lookalikes.iter().map(|text| (text, false))) {
            let example = Example::parse(text);
            let key = "let key = volatile().to_string();";
            let name = examples.add(&example, key, "");
            asked.push((row.id, *text, wanted && row.level > Level::Off, name));
        }
    }
    let found = examples.analyse();
    let mut verdicts = Verdicts::new("sink");
    for (row, text, wanted, name) in asked {
        let own = found.get(&name);
        let off = sinks().iter().any(|sink| sink.id == row && sink.level == Level::Off);
        // A look-alike of one sink may be another one; nothing at all may come of an example that is off.
        let holds = own.is_some_and(|found| if off { !found.flows.is_empty() } else { found.at(row) });
        verdicts.expect(row, text, wanted, holds, own);
    }
    verdicts.assert();
}

/// Whether the effect of a safe row shows in what came out of an example.
fn has_effect(effect: Effect, found: &Found) -> bool {
    let through: Vec<Flags> = found.flows.iter().map(|(_, _, flags)| *flags).collect();
    let all = |flag: Flags| !through.is_empty() && through.iter().all(|flags| flags.has(flag));
    match effect {
        Effect::Clears => found.flows.is_empty(),
        Effect::Propagates | Effect::Encode => found.from("volatile"),
        Effect::WeakensToBucket => all(Flags::LONG_BUCKET),
        Effect::ClearsOrder => !found.from("unordered-iteration"),
        Effect::NotDurable => all(Flags::IN_PROCESS),
        Effect::Hash => all(Flags::HASHED),
    }
}

/// Whether the value goes into a text that the example fills.
fn writes_text(example: &Example) -> bool {
    example.expression.starts_with("write!") && example.lacks("text")
}

/// A function that calls the one of an example: its first parameter is volatile, or of unknown order.
fn caller(effect: Effect, example: &Example, name: &str) -> String {
    let mut depth = 0_i32;
    let mut arguments = Vec::new();
    let parameters = example.parameters.split_inclusive(|c: char| {
        depth += i32::from(matches!(c, '<' | '(')) - i32::from(matches!(c, '>' | ')'));
        c == ',' && depth == 0
    });
    for (index, parameter) in parameters.enumerate() {
        let kind = parameter.split_once(": ").map_or("", |(_, kind)| kind);
        let reference =
            if kind.starts_with("&mut") { "&mut " } else { &kind[..usize::from(kind.starts_with('&'))] };
        let value = match (index, effect) {
            (0, Effect::ClearsOrder) => "keys",
            (0, _) => "fresh",
            _ => "other",
        };
        arguments.push(format!("{reference}{value}"));
    }
    format!(
        "fn caller_of_{name}(map: &std::collections::HashMap<String, u32>) {{\n    \
         let mut keys = map.keys().cloned().collect::<Vec<String>>();\n    \
         let (mut fresh, mut other) = (volatile(), stable());\n    {name}({});\n}}\n\n",
        arguments.join(", ")
    )
}

#[test]
fn safe_rows_have_their_effect_and_their_lookalikes_do_not() {
    let mut examples = Examples::default();
    let mut asked = Vec::new();
    for row in safes().iter().filter(|row| row.language != Language::Java) {
        let texts = row.examples.iter().map(|text| (text, true));
        for (text, wanted) in texts.chain(row.lookalikes.iter().map(|text| (text, false))) {
            let example = Example::parse(text);
            let clears = matches!(row.effect, Effect::Clears | Effect::WeakensToBucket);
            if wanted && !clears && example.parameters.is_empty() && !example.mentions("value") {
                // A constructor: nothing goes through it that could show the effect.
                continue;
            }
            let in_place = example.parameters.contains("&mut") && row.effect != Effect::NotDurable;
            let after = match example.parameters.split(':').next() {
                _ if writes_text(&example) => "probe(text);".to_owned(),
                Some(receiver) if in_place => format!("probe((result, {receiver}));"),
                _ => "probe(result);".to_owned(),
            };
            let mut before = String::new();
            if example.lacks("value") {
                before.push_str("let value = volatile(); ");
            }
            if writes_text(&example) {
                before.push_str("let mut text = String::new();");
            }
            let name = examples.add(&example, &before, &after);
            examples.text.push_str(&caller(row.effect, &example, &name));
            asked.push((row, *text, wanted, name));
        }
    }
    let found = examples.analyse();
    let mut verdicts = Verdicts::new("safe");
    for (row, text, wanted, name) in asked {
        let own = found.get(&name).cloned().unwrap_or_default();
        let other =
            || safes().iter().any(|other| other.effect == row.effect && other.examples.contains(&text));
        let holds = has_effect(row.effect, &own) && (wanted || !other());
        verdicts.expect(row.id, text, wanted, holds, Some(&own));
    }
    verdicts.assert();
}

/// A function that is recognised by its name alone.
#[test]
fn a_generator_that_is_not_in_view_is_recognised_by_its_name() {
    let mut examples = Examples::default();
    let mut asked = Vec::new();
    let rules = name_rules().iter().filter(|rule| rule.role == NameRole::SourceFunction);
    for (rule, name) in
        rules.flat_map(|rule| rule.snake.iter().map(move |name| (rule, name.replace('*', "x"))))
    {
        let mut add = |expression: String, wanted: bool| {
            let name = examples.add(&Example::parse(&expression), "", "probe(result);");
            asked.push((rule.id, expression, wanted, name));
        };
        add(format!("billing::ids::{name}()"), true);
        // What is handed in may decide the result, and a body that is in view does.
        add(format!("billing::ids::{name}(invoice)"), false);
        add(format!("local::{name}()"), false);
    }
    let names: BTreeSet<&str> =
        asked.iter().filter_map(|(_, text, ..)| text.strip_prefix("local::")).collect();
    let bodies: String = names.iter().map(|call| format!("pub fn {call} -> u32 {{ 7 }}\n")).collect();
    let _ = writeln!(examples.text, "mod local {{\n{bodies}}}");
    let found = examples.analyse();
    let mut verdicts = Verdicts::new("name");
    for (rule, text, wanted, name) in asked {
        let own = found.get(&name);
        let holds = own.is_some_and(|found| if wanted { found.from(rule) } else { !found.flows.is_empty() });
        verdicts.expect(rule, &text, wanted, holds, own);
    }
    verdicts.assert();
}

/// The tests above say nothing about patterns that no example shows.
#[test]
fn every_table_has_rows_for_rust() {
    let rust = |language| language != Language::Java;
    assert!(sources().iter().filter(|row| rust(row.language)).count() > 80);
    assert!(sinks().iter().filter(|row| rust(row.language)).count() > 60);
    assert!(safes().iter().any(|row| row.patterns.iter().any(|p| matches!(p, Pattern::Header { .. }))));
}
