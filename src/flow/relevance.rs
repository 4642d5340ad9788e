//! Which functions can have to do with a sink at all.
//!
//! Only these are analysed as entry points; what they call is analysed on demand. A function matters when it
//! contains something that may be a sink, or mentions, by name, a function or static that matters. Calls that no
//! name shows (operators, `Deref`, iteration) are covered by treating every function as a caller of a method of
//! an outside trait that matters.

use rustc_hash::{FxHashMap, FxHashSet};

use super::spec::Specification;
use crate::ir::{
    AggregateKind, Body, Callee, Field, FieldInit, Index, Literal, Name, Operand, Place, PlaceBase,
    Projection, Rvalue, StatementKind, Terminator, Type, TypeKind,
};
use crate::resolve::{FunctionId, Owner, Program, TraitDef, Ty};

/// The names that a function mentions, and whether it may contain a sink itself.
struct Mentions {
    names: FxHashSet<Name>,
    sink: bool,
}

/// Those of `roots` that can have to do with a sink, in order.
pub fn relevant(program: &Program, spec: &dyn Specification, roots: &[FunctionId]) -> Vec<FunctionId> {
    let constants = sink_constants(program, spec);
    let mut aliases: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    for (alias, original) in program.renamed_imports() {
        aliases.entry(alias.clone()).or_default().push(original.clone());
    }
    let mut mentions: FxHashMap<FunctionId, Mentions> = FxHashMap::default();
    let mut users: FxHashMap<Name, Vec<FunctionId>> = FxHashMap::default();
    for function in program.functions() {
        let Some(body) = program.function(function).body() else { continue };
        let found = Mentions { names: FxHashSet::default(), sink: false };
        let mut scan = Scan { spec, constants: &constants, found };
        scan.body(body);
        let renamed: Vec<Name> =
            scan.found.names.iter().filter_map(|name| aliases.get(name)).flatten().cloned().collect();
        renamed.iter().for_each(|name| scan.name(name));
        for name in &scan.found.names {
            users.entry(name.clone()).or_default().push(function);
        }
        mentions.insert(function, scan.found);
    }
    let statics: FxHashSet<Name> = program
        .statics()
        .filter(|id| !program.static_(*id).ir.constant)
        .map(|id| program.static_(id).name.clone())
        .collect();
    let mut matters: FxHashSet<FunctionId> = FxHashSet::default();
    let mut work: Vec<FunctionId> = mentions.iter().filter(|(_, m)| m.sink).map(|(id, _)| *id).collect();
    let has_key_parameter = |id: &FunctionId| {
        let params = &program.function(*id).ir.params;
        params.iter().any(|param| param.name.as_deref().is_some_and(|name| spec.may_be_sink(name)))
    };
    work.extend(program.functions().filter(has_key_parameter));
    let mut holders: Option<Holders> = None;
    let mut implicit: FxHashSet<Name> = FxHashSet::default();
    while let Some(function) = work.pop() {
        if !matters.insert(function) {
            continue;
        }
        if let Some(owner) = implicit_owner(program, function)
            && implicit.insert(owner.clone())
        {
            let holders = holders.get_or_insert_with(|| Holders::new(program));
            work.extend(holders.of(&owner, &users));
        }
        let name = &program.function(function).name;
        work.extend(users.get(name).into_iter().flatten().copied());
        let Some(found) = mentions.get(&function) else { continue };
        for name in found.names.iter().filter(|name| statics.contains(*name)) {
            work.extend(users.get(name).into_iter().flatten().copied());
        }
    }
    roots.iter().copied().filter(|root| matters.contains(root)).collect()
}

/// The type for whose values a function may be called by syntax without a name: an operator, a conversion, a loop.
fn implicit_owner(program: &Program, function: FunctionId) -> Option<Name> {
    let Owner::Impl(block) = program.function(function).owner else { return None };
    let block = program.impl_(block);
    match &block.trait_ref {
        Some(trait_ref) if matches!(&trait_ref.id, TraitDef::External(path) if path.starts_with("std::")) => {
            match super::shape::peel(&block.self_type) {
                Ty::Adt { id, .. } => Some(program.type_(*id).name.clone()),
                Ty::External { path, .. } => path.rsplit("::").next().map(Name::from),
                // A blanket implementation: of the trait's own name at least.
                _ => Some(program.function(function).name.clone()),
            }
        }
        _ => None,
    }
}

/// Who may have a value of a type at hand.
struct Holders {
    /// Functions by the type names in their signatures.
    signatures: FxHashMap<Name, Vec<FunctionId>>,
    /// Names of functions and fields that yield a value of a type.
    yielding: FxHashMap<Name, Vec<Name>>,
    /// Types that contain a type.
    containing: FxHashMap<Name, Vec<Name>>,
}

impl Holders {
    fn new(program: &Program) -> Holders {
        let mut holders = Holders {
            signatures: FxHashMap::default(),
            yielding: FxHashMap::default(),
            containing: FxHashMap::default(),
        };
        for id in program.functions() {
            let function = program.function(id);
            let mut result = FxHashSet::default();
            if let Some(ty) = &function.ir.result {
                type_names(ty, &mut result);
            }
            for name in &result {
                holders.yielding.entry(name.clone()).or_default().push(function.name.clone());
            }
            let mut names = result;
            function.ir.params.iter().for_each(|param| type_names(&param.ty, &mut names));
            for name in names {
                holders.signatures.entry(name).or_default().push(id);
            }
        }
        for id in program.types() {
            let definition = program.type_(id);
            let fields: Vec<&Field> = match &definition.ir.kind {
                TypeKind::Struct(fields) => fields.iter().collect(),
                TypeKind::Enum(variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
            };
            for field in fields {
                let mut names = FxHashSet::default();
                type_names(&field.ty, &mut names);
                for name in names {
                    holders.yielding.entry(name.clone()).or_default().push(field.name.clone());
                    holders.containing.entry(name).or_default().push(definition.name.clone());
                }
            }
        }
        holders
    }

    /// Functions that name the type or one that contains it, or that call or read what yields it.
    fn of(&self, owner: &Name, users: &FxHashMap<Name, Vec<FunctionId>>) -> Vec<FunctionId> {
        let mut types = FxHashSet::default();
        let mut waiting = vec![owner.clone()];
        let mut found = Vec::new();
        while let Some(ty) = waiting.pop() {
            if !types.insert(ty.clone()) {
                continue;
            }
            waiting.extend(self.containing.get(&ty).into_iter().flatten().cloned());
            found.extend(self.signatures.get(&ty).into_iter().flatten());
            let yielding = self.yielding.get(&ty).into_iter().flatten().filter(|name| !is_position(name));
            let names = yielding.chain(std::iter::once(&ty));
            found.extend(names.filter_map(|name| users.get(name)).flatten());
        }
        found
    }
}

/// Whether a field is one of a tuple.
fn is_position(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The last names of all paths in a type.
fn type_names(ty: &Type, names: &mut FxHashSet<Name>) {
    match ty {
        Type::Path(path) => {
            for segment in &path.segments {
                names.insert(segment.name.clone());
                segment.args.iter().for_each(|arg| type_names(arg, names));
            }
        }
        Type::Reference { inner, .. } | Type::Pointer(inner) | Type::Slice(inner) | Type::Array(inner) => {
            type_names(inner, names);
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| type_names(part, names)),
        Type::Function { params, result } => {
            params.iter().for_each(|param| type_names(param, names));
            type_names(result, names);
        }
        Type::ImplTrait(paths) | Type::DynTrait(paths) => {
            for segment in paths.iter().flat_map(|path| &path.segments) {
                names.insert(segment.name.clone());
                segment.args.iter().for_each(|arg| type_names(arg, names));
            }
        }
        Type::Never | Type::Infer => {}
    }
}

/// Names of constants whose text is the name of a key slot.
fn sink_constants(program: &Program, spec: &dyn Specification) -> FxHashSet<Name> {
    let empty = FxHashSet::default();
    program
        .statics()
        .filter(|id| {
            let Some(body) = &program.static_(*id).ir.initializer else { return false };
            let found = Mentions { names: FxHashSet::default(), sink: false };
            let mut scan = Scan { spec, constants: &empty, found };
            scan.body(body);
            scan.found.sink
        })
        .map(|id| program.static_(id).name.clone())
        .collect()
}

struct Scan<'s> {
    spec: &'s dyn Specification,
    constants: &'s FxHashSet<Name>,
    found: Mentions,
}

impl Scan<'_> {
    fn name(&mut self, name: &Name) {
        if !self.found.names.contains(name) {
            self.found.sink |= self.spec.may_be_sink(name) || self.constants.contains(name);
            self.found.names.insert(name.clone());
        }
    }

    fn body(&mut self, body: &Body) {
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(place, rvalue) => {
                        self.place(place);
                        self.rvalue(rvalue);
                    }
                    StatementKind::AssignOperator(place, _, operand) => {
                        self.place(place);
                        self.operand(operand);
                    }
                    StatementKind::Declare(_) => {}
                }
            }
            if let Terminator::Return(operand) = &block.terminator {
                self.operand(operand);
            }
        }
        for closure in &body.closures {
            self.body(&closure.body);
        }
    }

    fn place(&mut self, place: &Place) {
        if let PlaceBase::Item(path) = &place.base {
            for segment in &path.segments {
                self.name(&segment.name);
            }
        }
        for projection in &place.projections {
            match projection {
                Projection::Field(name) => self.name(name),
                Projection::Index(Index::Operand(operand)) => self.operand(operand),
                Projection::Index(Index::Literal(Literal::Str(text))) => self.name(text),
                Projection::Index(_) | Projection::Variant { .. } | Projection::Dereference => {}
            }
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Place(place) => self.place(place),
            Operand::Literal(Literal::Str(text)) => {
                self.found.sink |= self.spec.may_be_sink(text);
                self.found.sink |= self.spec.text_may_hold_sink(text);
            }
            Operand::Literal(_) => {}
        }
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            Rvalue::Use(operand)
            | Rvalue::Repeat(operand)
            | Rvalue::Unary(_, operand)
            | Rvalue::Cast(operand, _)
            | Rvalue::Await(operand)
            | Rvalue::Next { iterator: operand, .. } => self.operand(operand),
            Rvalue::Reference { place, .. } => self.place(place),
            Rvalue::Aggregate { kind, fields, base } => self.aggregate(kind, fields, base.as_ref()),
            Rvalue::Call { callee, receiver, args, .. } => {
                match callee {
                    Callee::Path(path) | Callee::Macro(path) => {
                        for segment in &path.segments {
                            self.name(&segment.name);
                        }
                    }
                    Callee::Method { name, .. } => self.name(name),
                    Callee::Value(operand) => self.operand(operand),
                }
                for argument in receiver.iter().chain(args) {
                    self.operand(&argument.operand);
                }
            }
            Rvalue::Binary(_, left, right) => {
                self.operand(left);
                self.operand(right);
            }
            Rvalue::Format { args, .. } => args.iter().for_each(|argument| self.operand(&argument.operand)),
            Rvalue::Range(bounds) => bounds.iter().for_each(|bound| self.operand(bound)),
            Rvalue::Closure(_) => {}
        }
    }

    fn aggregate(&mut self, kind: &AggregateKind, fields: &[FieldInit], base: Option<&Operand>) {
        if let AggregateKind::Struct(path) = kind
            && let Some(segment) = path.segments.last()
        {
            self.name(&segment.name);
            // A field may be a key slot by what attributes make of its name.
            self.found.sink |= self.spec.may_be_sink(&segment.name);
        }
        for field in fields {
            self.name(&field.name);
            self.operand(&field.value);
        }
        if let Some(base) = base {
            self.operand(base);
        }
    }
}
