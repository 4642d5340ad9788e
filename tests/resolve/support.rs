//! Builds programs from text and renders answers as short text.

use cargo_samekey::frontend::{Edition, lower_rust};
use cargo_samekey::ir::{FileId, FileIr, ItemKind, Name, Path, Type};
use cargo_samekey::resolve::{
    CrateId, CrateInfo, FilePlace, FunctionId, MethodLookup, Program, ScopeId, TraitDef, TraitRef, Ty,
    ValueDef,
};

/// A tree of files: the first path component is the crate.
#[derive(Default)]
pub struct Tree {
    crates: Vec<CrateInfo>,
    files: Vec<(FileIr, FilePlace)>,
}

impl Tree {
    /// A file such as `billing/src/keys.rs`. Its crate is created when it is new.
    pub fn file(mut self, path: &str, text: &str) -> Tree {
        let (name, inner) = path.split_once('/').expect("a crate folder");
        let krate = self.krate(name);
        let file = FileId(u32::try_from(self.files.len()).expect("few files"));
        let mut module: Vec<Name> =
            inner.trim_start_matches("src/").trim_end_matches(".rs").split('/').map(Name::from).collect();
        if module.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
            module.pop();
        }
        if module.is_empty() {
            self.crates[krate.0 as usize].root = Some(file);
        }
        let place = FilePlace { krate, module, test: false, path: path.to_owned() };
        self.files.push((lower(file, text), place));
        self
    }

    /// Changes the description of a crate.
    pub fn with(mut self, name: &str, change: impl FnOnce(&mut CrateInfo)) -> Tree {
        let krate = self.krate(name);
        change(&mut self.crates[krate.0 as usize]);
        self
    }

    /// Lets one crate see another one under a name.
    pub fn depends(mut self, from: &str, alias: &str, on: &str) -> Tree {
        let on = self.krate(on);
        let from = self.krate(from);
        self.crates[from.0 as usize].dependencies.push((alias.into(), on));
        self
    }

    pub fn build(self) -> Program {
        Program::build(self.files, self.crates)
    }

    fn krate(&mut self, name: &str) -> CrateId {
        let index = self.crates.iter().position(|info| info.name == name).unwrap_or_else(|| {
            let external = ["uuid", "chrono", "serde_json", "anyhow"].map(Name::from).to_vec();
            self.crates.push(CrateInfo { name: name.into(), external, ..CrateInfo::default() });
            self.crates.len() - 1
        });
        CrateId(u32::try_from(index).expect("few crates"))
    }
}

/// A program of one file, the root of crate `app`.
pub fn program(text: &str) -> Program {
    Tree::default().file("app/src/lib.rs", text).build()
}

pub fn lower(file: FileId, text: &str) -> FileIr {
    let ir = lower_rust(file, text.as_bytes(), Edition::Rust2021);
    assert!(ir.gaps.is_empty(), "{:?}", ir.gaps);
    ir
}

/// The scope inside the function with a canonical path.
pub fn scope(program: &Program, function: &str) -> ScopeId {
    program.function(find(program, function)).scope
}

pub fn find(program: &Program, path: &str) -> FunctionId {
    program.functions().find(|id| program.function(*id).path == path).unwrap_or_else(|| {
        let all: Vec<&Name> = program.functions().map(|id| &program.function(id).path).collect();
        panic!("no function {path} in {all:?}")
    })
}

fn written_type(text: &str) -> Type {
    let ir = lower(FileId(0), &format!("type Written = {text};"));
    match ir.items.into_iter().next().map(|item| item.kind) {
        Some(ItemKind::TypeAlias(alias)) => alias.ty.expect("a type"),
        _ => panic!("{text} is no type"),
    }
}

fn written_path(text: &str) -> Path {
    match written_type(text) {
        Type::Path(mut path) => {
            // After everything in the function.
            path.span.start = u32::MAX;
            *path
        }
        other => panic!("{text} is no path but {other:?}"),
    }
}

/// What a path means inside a function: `fn a::f`, `fns a::f, a::g`, `new a::T`, `new a::E::V`, `static a::X`,
/// `outside uuid::Uuid`.
pub fn value(program: &Program, function: &str, path: &str) -> String {
    show_value(program, &program.resolve_value(scope(program, function), &written_path(path)))
}

pub fn pattern(program: &Program, function: &str, path: &str) -> String {
    show_value(program, &program.resolve_pattern(scope(program, function), &written_path(path)))
}

pub fn macro_path(program: &Program, function: &str, path: &str) -> String {
    program.resolve_macro_path(scope(program, function), &written_path(path)).to_string()
}

fn show_value(program: &Program, value: &ValueDef) -> String {
    match value {
        ValueDef::Function(id) => format!("fn {}", function_name(program, *id)),
        ValueDef::Candidates { functions, external } => {
            let outside =
                if external.is_empty() { String::new() } else { format!(" or {}", external.join(", ")) };
            format!("fns {}{outside}", functions_text(program, functions))
        }
        ValueDef::Constructor { ty, variant: None } => format!("new {}", program.type_(*ty).path),
        ValueDef::Constructor { ty, variant: Some(name) } => {
            format!("new {}::{name}", program.type_(*ty).path)
        }
        ValueDef::Static(id) => format!("static {}", program.static_(*id).path),
        ValueDef::External(paths) => format!("outside {}", paths.join(", ")),
    }
}

/// The path of a function, with the line where it starts when another one has the same path.
fn function_name(program: &Program, id: FunctionId) -> String {
    let def = program.function(id);
    let twins: Vec<FunctionId> =
        program.functions().filter(|other| program.function(*other).path == def.path).collect();
    match twins.iter().position(|twin| *twin == id) {
        Some(index) if twins.len() > 1 => format!("{}#{}", def.path, index + 1),
        _ => def.path.to_string(),
    }
}

pub fn functions_text(program: &Program, functions: &[FunctionId]) -> String {
    functions.iter().map(|id| function_name(program, *id)).collect::<Vec<_>>().join(", ")
}

/// The type that some text means inside a function.
pub fn ty(program: &Program, function: &str, text: &str) -> Ty {
    program.resolve_type(scope(program, function), &written_type(text))
}

pub fn type_text(program: &Program, function: &str, text: &str) -> String {
    show(program, &ty(program, function, text))
}

/// A type as text: canonical paths, parameters as `T: bounds`.
pub fn show(program: &Program, ty: &Ty) -> String {
    let list = |types: &[Ty]| types.iter().map(|ty| show(program, ty)).collect::<Vec<_>>().join(", ");
    let generic = |path: &str, args: &[Ty]| match args {
        [] => path.to_owned(),
        args => format!("{path}<{}>", list(args)),
    };
    match ty {
        Ty::Adt { id, args } => generic(&program.type_(*id).path, args),
        Ty::External { path, args } => generic(path, args),
        Ty::Param { name, bounds } if bounds.is_empty() => name.to_string(),
        Ty::Param { name, bounds } => format!("{name}: {}", show_bounds(program, bounds)),
        Ty::Dyn(bounds) => format!("dyn {}", show_bounds(program, bounds)),
        Ty::Reference { mutable: true, inner } => format!("&mut {}", show(program, inner)),
        Ty::Reference { mutable: false, inner } => format!("&{}", show(program, inner)),
        Ty::Sequence(inner) => format!("[{}]", show(program, inner)),
        Ty::Tuple(parts) => format!("({})", list(parts)),
        Ty::Function { params, result } => format!("fn({}) -> {}", list(params), show(program, result)),
        Ty::Unknown => "?".to_owned(),
    }
}

fn show_bounds(program: &Program, bounds: &[TraitRef]) -> String {
    let one = |bound: &TraitRef| {
        let mut parts: Vec<String> = bound.args.iter().map(|ty| show(program, ty)).collect();
        parts.extend(bound.bindings.iter().map(|(name, ty)| format!("{name} = {}", show(program, ty))));
        let path = program.trait_path(&bound.id);
        if parts.is_empty() { path.to_string() } else { format!("{path}<{}>", parts.join(", ")) }
    };
    bounds.iter().map(one).collect::<Vec<_>>().join(" + ")
}

/// A method lookup inside a function on a receiver of the type that some text means.
pub fn lookup(program: &Program, function: &str, receiver: &str, name: &str) -> MethodLookup {
    program.lookup_method(scope(program, function), &ty(program, function, receiver), name)
}

/// `= a::f` for one target, `~ a::f, a::g` for several, `-` for none.
pub fn method(program: &Program, function: &str, receiver: &str, name: &str) -> String {
    method_text(program, &lookup(program, function, receiver, name))
}

pub fn method_text(program: &Program, found: &MethodLookup) -> String {
    let mark = match (found.functions.is_empty(), found.exact) {
        (true, _) => return "-".to_owned(),
        (false, true) => "=",
        (false, false) => "~",
    };
    let guess = if found.guessed { "guess " } else { "" };
    let more = if found.truncated { ", .." } else { "" };
    format!("{guess}{mark} {}{more}", functions_text(program, &found.functions))
}

pub fn via(program: &Program, found: &MethodLookup) -> String {
    found.via_trait.as_ref().map_or(String::new(), |id: &TraitDef| program.trait_path(id).to_string())
}
