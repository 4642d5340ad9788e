//! What a value encodes, read off the source of its type.

use std::cell::{Cell, RefCell};

use samekey::{Schema, Tag};
use samekey_catalogue::derive::{IDENTITY_TYPES, IdentityKind};

use crate::derive::{self, How, IdentityField};
use crate::ir::{Path, Segment, Span, TypeKind, print_type};
use crate::resolve::{Program, ScopeId, Ty, TypeDef, TypeId, ValueDef};

/// Deeper types are no identity.
const DEEPEST: u8 = 12;
/// Operations with more parts than this are no identity.
const MOST_PARTS: u32 = 2_000;

/// What a value encodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A truth value.
    Boolean,
    /// An integer of the Rust type of this name, perhaps without zero.
    Integer {
        /// Smallest value.
        min: i128,
        /// Largest value.
        max: u128,
        /// Whether zero is excluded.
        non_zero: bool,
    },
    /// Text, perhaps of one character only.
    Text {
        /// Whether it is a `char`.
        single: bool,
    },
    /// Bytes.
    Bytes,
    /// Nothing or a value.
    Optional(Box<Kind>),
    /// Values in order.
    List(Box<Kind>),
    /// Values without order.
    Set(Box<Kind>),
    /// Pairs without order.
    Map(Box<Kind>, Box<Kind>),
    /// Named values, sorted by name.
    Record(Vec<(String, Kind)>),
    /// One of several named records, sorted by name.
    Variant(Vec<(String, Vec<(String, Kind)>)>),
    /// A decimal number.
    Decimal,
    /// A day.
    Date,
    /// A point in time at the precision of its store; nothing where the value brings it.
    Instant(Option<String>),
    /// A UUID.
    Uuid,
    /// A ULID.
    Ulid,
    /// A list or bytes of a length that is not read from the source.
    Fixed(Box<Kind>),
    /// Not known from source, with the reason.
    Unknown(String),
}

impl Kind {
    /// The tag that stands before the value; that of a present one for an optional value.
    pub fn tag(&self) -> Option<Tag> {
        Some(match self {
            Kind::Boolean => Tag::Boolean,
            Kind::Integer { .. } => Tag::Integer,
            Kind::Text { .. } => Tag::Text,
            Kind::Bytes => Tag::Bytes,
            Kind::Optional(_) => Tag::Some,
            Kind::List(_) => Tag::List,
            Kind::Set(_) => Tag::Set,
            Kind::Map(..) => Tag::Map,
            Kind::Record(_) => Tag::Record,
            Kind::Variant(_) => Tag::Variant,
            Kind::Decimal => Tag::Decimal,
            Kind::Date => Tag::Date,
            Kind::Instant(_) => Tag::Instant,
            Kind::Uuid => Tag::Uuid,
            Kind::Ulid => Tag::Ulid,
            Kind::Fixed(inner) => return inner.tag(),
            Kind::Unknown(_) => return None,
        })
    }

    /// The fingerprint that the derive computes of the type; nothing when a part is not known.
    pub fn schema(&self) -> Option<Schema> {
        let own = Schema::of(self.tag()?);
        Some(match self {
            Kind::Optional(inner) | Kind::List(inner) | Kind::Set(inner) => own.with(inner.schema()?),
            Kind::Map(key, value) => own.with(key.schema()?).with(value.schema()?),
            Kind::Record(fields) => record_schema(fields)?,
            Kind::Variant(variants) => variants
                .iter()
                .try_fold(own, |schema, (name, fields)| Some(schema.field(name, record_schema(fields)?)))?,
            Kind::Fixed(inner) => inner.schema()?,
            _ => own,
        })
    }

    /// The first part that keeps values of this kind from being written down, in words.
    pub fn obstacle(&self) -> Option<&str> {
        match self {
            Kind::Unknown(reason) => Some(reason),
            Kind::Fixed(_) => Some("the length of an array is not read from the source"),
            Kind::Optional(inner) | Kind::List(inner) | Kind::Set(inner) => inner.obstacle(),
            Kind::Map(key, value) => key.obstacle().or_else(|| value.obstacle()),
            Kind::Record(fields) => fields.iter().find_map(|(_, kind)| kind.obstacle()),
            Kind::Variant(variants) => {
                variants.iter().flat_map(|(_, fields)| fields).find_map(|(_, kind)| kind.obstacle())
            }
            _ => None,
        }
    }
}

/// The fingerprint of named values.
pub fn record_schema(fields: &[(String, Kind)]) -> Option<Schema> {
    let own = Schema::of(Tag::Record);
    fields.iter().try_fold(own, |schema, (name, kind)| Some(schema.field(name, kind.schema()?)))
}

/// Reads kinds off the types of a program.
#[derive(Clone, Copy)]
pub struct Reader<'p> {
    pub program: &'p Program,
    /// Whether values of persisted types are admitted here.
    persisted: bool,
    /// Whether sequences have a length of their own.
    fixed: bool,
    depth: u8,
    bounds: &'p Bounds,
}

/// What keeps reading short.
#[derive(Default)]
pub struct Bounds {
    /// How many parts were read.
    parts: Cell<u32>,
    /// The types that are being read.
    types: RefCell<Vec<TypeId>>,
}

impl<'p> Reader<'p> {
    /// A reader of the types of a program, for the parts of one operation.
    pub fn new(program: &'p Program, bounds: &'p Bounds) -> Reader<'p> {
        Reader { program, persisted: false, fixed: false, depth: 0, bounds }
    }

    /// The kind of a field of a struct.
    pub fn field(&self, owner: &Ty, def: &TypeDef, field: &IdentityField) -> Kind {
        self.value(def, field, &self.program.field_type(owner, &field.name))
    }

    fn value(&self, def: &TypeDef, field: &IdentityField, ty: &Ty) -> Kind {
        let inside = Reader {
            persisted: self.persisted || field.reason("persisted").is_some(),
            fixed: print_type(&field.ty).contains("; _]"),
            ..*self
        };
        match &field.how {
            How::Plain => inside.kind(ty),
            How::At(precision) => inside.instant(ty, precision),
            How::Bytes => inside.bytes(ty),
            How::With(path) => self.converted(def.scope, path, field.span),
        }
    }

    fn instant(&self, ty: &Ty, precision: &str) -> Kind {
        match ty {
            Ty::Reference { inner, .. } => self.instant(inner, precision),
            Ty::External { path, args } => match (known(path), args.as_slice()) {
                (Some(IdentityKind::Optional), [inner]) => {
                    Kind::Optional(Box::new(self.instant(inner, precision)))
                }
                (Some(IdentityKind::Instant), _) => Kind::Instant(Some(precision.to_owned())),
                _ => unknown(path),
            },
            _ => Kind::Unknown("no type of a point in time is in view".to_owned()),
        }
    }

    fn bytes(&self, ty: &Ty) -> Kind {
        match ty {
            Ty::Reference { inner, .. } => self.bytes(inner),
            Ty::Sequence(_) if self.fixed => Kind::Fixed(Box::new(Kind::Bytes)),
            Ty::Sequence(_) => Kind::Bytes,
            Ty::External { path, args } => match (known(path), args.as_slice()) {
                (Some(IdentityKind::Optional), [inner]) => Kind::Optional(Box::new(self.bytes(inner))),
                (Some(IdentityKind::Transparent), [inner]) => self.bytes(inner),
                (Some(IdentityKind::List | IdentityKind::ByteString), _) => Kind::Bytes,
                _ => unknown(path),
            },
            _ => Kind::Unknown("no type that holds bytes is in view".to_owned()),
        }
    }

    /// What the function of `with = path` returns.
    fn converted(&self, scope: ScopeId, path: &str, span: Span) -> Kind {
        let segment = |name: &str| Segment {
            name: name.into(),
            bound_as: None,
            args: Vec::new(),
            bindings: Vec::new(),
        };
        let written = Path {
            qualified_self: None,
            trait_segments: 0,
            global: path.starts_with("::"),
            segments: path.trim_start_matches("::").split("::").map(segment).collect(),
            span,
        };
        let out_of_view = || Kind::Unknown(format!("what `{path}` returns is not in view"));
        match self.program.resolve_value(scope, &written) {
            ValueDef::Function(function) => match self.program.result_type(function) {
                Ty::Param { .. } | Ty::Unknown => out_of_view(),
                result => Reader { persisted: false, fixed: false, ..*self }.kind(&result),
            },
            _ => out_of_view(),
        }
    }

    fn kind(&self, ty: &Ty) -> Kind {
        self.program.request_types(ty);
        self.bounds.parts.set(self.bounds.parts.get() + 1);
        if self.depth >= DEEPEST || self.bounds.parts.get() > MOST_PARTS {
            return Kind::Unknown("the type contains too much".to_owned());
        }
        let inside = Reader { depth: self.depth + 1, ..*self };
        match ty {
            Ty::Reference { inner, .. } => inside.kind(inner),
            Ty::Sequence(inner) => {
                let list = Kind::List(Box::new(inside.kind(inner)));
                if self.fixed { Kind::Fixed(Box::new(list)) } else { list }
            }
            Ty::Tuple(parts) => {
                let named =
                    parts.iter().enumerate().map(|(index, part)| (index.to_string(), inside.kind(part)));
                Kind::Record(named.collect())
            }
            Ty::External { path, args } => inside.external(path, args),
            Ty::Adt { id, .. } if self.bounds.types.borrow().contains(id) => {
                Kind::Unknown("the type contains itself".to_owned())
            }
            Ty::Adt { id, .. } => {
                self.bounds.types.borrow_mut().push(*id);
                let kind = inside.own(ty, self.program.type_(*id));
                self.bounds.types.borrow_mut().pop();
                kind
            }
            Ty::Param { name, .. } => Kind::Unknown(format!("`{name}` is a type parameter")),
            Ty::Dyn(_) | Ty::Function { .. } | Ty::Unknown => {
                Kind::Unknown("the type is not in view".to_owned())
            }
        }
    }

    fn external(&self, path: &str, args: &[Ty]) -> Kind {
        let boxed = |ty: &Ty| Box::new(self.kind(ty));
        match (known(path), args) {
            (Some(IdentityKind::Boolean), _) => Kind::Boolean,
            (Some(IdentityKind::Integer), _) => integer(path, false),
            (Some(IdentityKind::NonZero), [Ty::External { path, .. }]) => integer(path, true),
            (Some(IdentityKind::Text), _) => Kind::Text { single: false },
            (Some(IdentityKind::Character), _) => Kind::Text { single: true },
            (Some(IdentityKind::Optional), [inner]) => Kind::Optional(boxed(inner)),
            (Some(IdentityKind::Transparent), [inner]) => self.kind(inner),
            (Some(IdentityKind::List), [item]) => Kind::List(boxed(item)),
            (Some(IdentityKind::Set), [item]) => Kind::Set(boxed(item)),
            (Some(IdentityKind::Map), [key, value]) => Kind::Map(boxed(key), boxed(value)),
            (Some(IdentityKind::Decimal), _) => Kind::Decimal,
            (Some(IdentityKind::Date), _) => Kind::Date,
            (Some(IdentityKind::StoredInstant), _) => Kind::Instant(None),
            (Some(IdentityKind::Uuid), _) if self.persisted => Kind::Uuid,
            (Some(IdentityKind::Ulid), _) if self.persisted => Kind::Ulid,
            _ => unknown(path),
        }
    }

    /// A type of the tree.
    fn own(&self, ty: &Ty, def: &TypeDef) -> Kind {
        if !derive::is_identity(self.program, def) {
            return Kind::Unknown(format!("`{}` does not derive `Identity`", def.name));
        }
        let inside =
            Reader { persisted: derive::persisted(&def.attributes).is_some(), fixed: false, ..*self };
        match &def.ir.kind {
            TypeKind::Struct(fields) => {
                let identity = derive::identity_fields(fields, false);
                let kinds = identity.iter().map(|field| {
                    (
                        field.encoded.clone(),
                        inside.value(def, field, &self.program.field_type(ty, &field.name)),
                    )
                });
                let mut kinds: Vec<(String, Kind)> = kinds.collect();
                let in_parentheses = fields.first().is_some_and(|field| field.name == "0");
                match kinds.pop() {
                    Some((_, only)) if in_parentheses && kinds.is_empty() => only,
                    last => {
                        kinds.extend(last);
                        Kind::Record(kinds)
                    }
                }
            }
            TypeKind::Enum(variants) => {
                let mut named: Vec<(String, Vec<(String, Kind)>)> = variants
                    .iter()
                    .map(|variant| {
                        let fields = derive::identity_fields(&variant.fields, false);
                        let kinds = fields.iter().map(|field| {
                            let found = self.program.variant_field_type(ty, &variant.name, &field.name);
                            (field.encoded.clone(), inside.value(def, field, &found))
                        });
                        (derive::encoded_name(&variant.name, &variant.attributes), kinds.collect())
                    })
                    .collect();
                named.sort_by(|left, right| left.0.cmp(&right.0));
                Kind::Variant(named)
            }
        }
    }
}

fn known(path: &str) -> Option<IdentityKind> {
    IDENTITY_TYPES.iter().find(|row| row.path == path).map(|row| row.kind)
}

fn unknown(path: &str) -> Kind {
    let name = path.rsplit("::").next().unwrap_or(path);
    Kind::Unknown(match samekey_catalogue::derive::refused_type(name) {
        Some(refused) => format!("`{path}` is no business identity: {}", refused.advice),
        None => format!("`{path}` is not a type that samekey knows"),
    })
}

fn integer(name: &str, non_zero: bool) -> Kind {
    let (min, max) = match name {
        "i8" => (i128::from(i8::MIN), i8::MAX as u128),
        "i16" => (i128::from(i16::MIN), i16::MAX as u128),
        "i32" => (i128::from(i32::MIN), i32::MAX as u128),
        "i64" | "isize" => (i128::from(i64::MIN), i64::MAX as u128),
        "i128" => (i128::MIN, i128::MAX as u128),
        "u8" => (0, u128::from(u8::MAX)),
        "u16" => (0, u128::from(u16::MAX)),
        "u32" => (0, u128::from(u32::MAX)),
        "u64" | "usize" => (0, u128::from(u64::MAX)),
        "u128" => (0, u128::MAX),
        _ => return unknown(name),
    };
    Kind::Integer { min, max, non_zero }
}
