//! Function bodies: a control-flow graph of simple statements over places.

use super::{Item, Literal, Name, Path, Span, Type};

/// A body: of a function, a closure, an async block, or the initialiser of a static.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Locals; the parameters come first, in order (receiver, then parameters).
    pub locals: Vec<Local>,
    /// How many of `locals` are parameters.
    pub parameters: usize,
    /// Blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Closures and async blocks that the body creates.
    pub closures: Vec<Closure>,
    /// Loops, by the order of their heads.
    pub loops: Vec<Loop>,
    /// Items defined inside the body (functions, types, uses), in a scope of their own.
    pub items: Vec<Item>,
}

/// A local of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A block of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// A closure of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClosureId(pub u32);

/// A loop of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, when the user gave one.
    pub name: Option<Name>,
    /// What it is.
    pub kind: LocalKind,
    /// The annotated type.
    pub ty: Option<Type>,
    /// Where the type of a temporary's value comes from, for conversions whose target is inferred.
    pub hint: Option<TypeHint>,
    /// The identifier, or the expression that a temporary holds.
    pub span: Span,
}

/// What a local is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A parameter (or the temporary that holds a destructured parameter).
    Parameter,
    /// A captured variable of a closure body.
    Capture,
    /// A variable that the user named.
    Variable,
    /// A temporary.
    Temporary,
}

/// The place that decides the type of an expression such as `x.into()` or `s.parse()?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeHint {
    /// A type as written: an annotation, or the generic argument of `collect::<T>()`.
    Type(Type),
    /// Argument `index` (without the receiver) of the function or tuple constructor that `path` names.
    Argument {
        /// The callee.
        path: Path,
        /// Which argument.
        index: u32,
    },
    /// Field `field` of the struct that `path` names.
    Field {
        /// The struct.
        path: Path,
        /// Its field.
        field: Name,
    },
    /// The result of the enclosing function or closure.
    Result,
    /// As another local.
    Local(LocalId),
    /// A `Result`, `Option` or the like with this payload: the operand of `?` and of `unwrap()`.
    Wrapped(Box<TypeHint>),
    /// Another of these with the same payload: the receiver of `map_err()` and of `ok()`.
    SamePayload(Box<TypeHint>),
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its statements.
    pub statements: Vec<Statement>,
    /// How it ends.
    pub terminator: Terminator,
    /// The innermost loop that it belongs to.
    pub innermost_loop: Option<LoopId>,
    /// The constant on which it depends that it runs at all.
    pub guard: Option<Box<Guard>>,
}

/// A constant that decides a condition: `if DEBUG`, `if !crate::STRICT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The constant as written.
    pub constant: Path,
    /// What it has to be.
    pub expected: bool,
}

/// How a block ends. Conditions are evaluated in statements; which successor is taken is not
/// modelled, but for a [`Guard`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Goes to one block.
    Goto(BlockId),
    /// Goes to one of several blocks.
    Branch(Vec<BlockId>),
    /// Returns the operand's value.
    Return(Operand),
    /// Never goes on (`panic!`, a call to a diverging function known by syntax, an infinite loop's exit).
    Diverge,
}

impl Terminator {
    /// Where the block leads to.
    #[must_use]
    pub fn successors(&self) -> &[BlockId] {
        match self {
            Terminator::Goto(block) => std::slice::from_ref(block),
            Terminator::Branch(blocks) => blocks,
            Terminator::Return(_) | Terminator::Diverge => &[],
        }
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The whole loop expression.
    pub span: Span,
    /// What it is.
    pub kind: LoopKind,
    /// The loop around it in the same body.
    pub parent: Option<LoopId>,
    /// The block to which iterations return.
    pub head: BlockId,
    /// Whether a `break`, `return` or `?` inside leaves it before its end.
    pub exits_early: bool,
}

/// What a loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// `for x in a..b`, also with `.rev()` or `.step_by()`.
    ForRange,
    /// Any other `for`.
    For,
    /// `while`, `while let`.
    While,
    /// `loop`.
    Loop,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The expression or pattern that it comes from.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `place = value`.
    Assign(Place, Rvalue),
    /// `place op= operand`; user-defined operators apply.
    AssignOperator(Place, BinaryOperator, Operand),
    /// The variable comes into scope without a value (`let x;`), also at each iteration of a loop.
    Declare(LocalId),
    /// The variable goes out of scope with its value still in it.
    Drop(LocalId),
}

/// A place: a base and projections from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it starts.
    pub base: PlaceBase,
    /// The projections.
    pub projections: Vec<Projection>,
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceBase {
    /// A local.
    Local(LocalId),
    /// An item named by a path: a constant, static, function, unit struct or unit variant.
    Item(Box<Path>),
}

/// One step into a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// A named or tuple field (`0`). Auto-dereference is implied.
    Field(Name),
    /// A field of the payload of an enum variant, in a pattern. The path may turn out to name a struct.
    Variant {
        /// The variant (or struct) as written in the pattern.
        path: Box<Path>,
        /// The field; tuple payloads count `0`, `1`.
        field: Name,
    },
    /// An element by index or key.
    Index(Index),
    /// An explicit `*`.
    Dereference,
}

/// Which element an index projection means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A literal index or key, or the position in a slice pattern.
    Literal(Literal),
    /// The position from the end in a slice pattern; `0` is the last element.
    FromEnd(u32),
    /// A computed index or key.
    Operand(Box<Operand>),
    /// A sub-range (`x[1..]`, the rest of a slice pattern): a collection with the same elements. As text, without the
    /// bounds that are no literals: `..32`.
    Range(Name),
}

/// A value that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value of a place (copied or moved).
    Place(Place),
    /// A literal.
    Literal(Literal),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value.
    pub operand: Operand,
    /// The argument expression.
    pub span: Span,
}

/// The value of an assignment.
#[derive(Clone, Debug)]
pub enum Rvalue {
    /// A copy or move.
    Use(Operand),
    /// `&place` or `&mut place`.
    Reference {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The place.
        place: Place,
    },
    /// A struct literal, tuple, array or JSON object.
    Aggregate {
        /// What is built.
        kind: AggregateKind,
        /// Its parts.
        fields: Vec<FieldInit>,
        /// The value after `..`.
        base: Option<Operand>,
    },
    /// `[value; n]` or `vec![value; n]`.
    Repeat(Operand),
    /// A call of a function, method, closure, tuple constructor or macro.
    Call {
        /// What is called.
        callee: Callee,
        /// The receiver of a method call, as a place where it is one.
        receiver: Option<Argument>,
        /// The arguments without the receiver.
        args: Vec<Argument>,
        /// The callee's name: the last path segment, the method name, the macro's name.
        name_span: Span,
    },
    /// A binary operation.
    Binary(BinaryOperator, Operand, Operand),
    /// A unary operation.
    Unary(UnaryOperator, Operand),
    /// `operand as ty`.
    Cast(Operand, Type),
    /// A formatted text of the `format!` family; also Java's `+` on strings.
    Format {
        /// The macro's name (`format`, `println`, `write`, ..).
        name: Name,
        /// Literal text and arguments in order.
        pieces: Vec<FormatPiece>,
        /// The arguments.
        args: Vec<Argument>,
    },
    /// A closure or async block.
    Closure(ClosureId),
    /// `operand.await`.
    Await(Operand),
    /// The next item of the iterator in a `for` loop (without the `Some`).
    Next {
        /// The iterated value.
        iterator: Operand,
        /// The loop.
        of: LoopId,
    },
    /// A range `a..b`; the bounds are its elements.
    Range(Vec<Operand>),
}

/// What an aggregate builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AggregateKind {
    /// A struct or struct-like variant named by a path.
    Struct(Path),
    /// A tuple; fields are `0`, `1`.
    Tuple,
    /// An array, `vec![..]`; fields are `0`, `1`.
    Array,
    /// A JSON object or a map literal with constant string keys; an entry with a computed key has the name `*`.
    Object,
}

/// A part of an aggregate.
#[derive(Clone, Debug)]
pub struct FieldInit {
    /// The field, index or key.
    pub name: Name,
    /// The name as written.
    pub name_span: Span,
    /// The value.
    pub value: Operand,
    /// The value expression.
    pub span: Span,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function, associated function, tuple struct or variant by path.
    Path(Path),
    /// A method by name.
    Method {
        /// Its name.
        name: Name,
        /// Explicit generic arguments.
        generics: Vec<Type>,
    },
    /// A value that is called.
    Value(Operand),
    /// A macro whose tokens were parsed into arguments.
    Macro(Path),
}

/// A piece of a formatted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatPiece {
    /// Literal text.
    Text(Name),
    /// An argument.
    Argument {
        /// The index into the arguments.
        index: usize,
        /// How it is formatted.
        format: FormatTrait,
    },
}

/// How an argument is formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatTrait {
    /// `{}`.
    Display,
    /// `{:04}`: at least so many characters.
    Padded(u16),
    /// `{:?}` and `{:#?}`.
    Debug,
    /// `{:p}`.
    Pointer,
    /// `{:x}`, `{:b}`, `{:e}` and the like.
    Number,
}

impl BinaryOperator {
    /// How it is written; comparisons are one operator.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Sub => "-",
            BinaryOperator::Mul => "*",
            BinaryOperator::Div => "/",
            BinaryOperator::Rem => "%",
            BinaryOperator::BitAnd => "&",
            BinaryOperator::BitOr => "|",
            BinaryOperator::BitXor => "^",
            BinaryOperator::Shl => "<<",
            BinaryOperator::Shr => ">>",
            BinaryOperator::Compare => "<=>",
            BinaryOperator::Logic => "&&",
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`: never carries a value.
    Compare,
    /// `&&`, `||`: never carries a value.
    Logic,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// A closure or async block.
#[derive(Clone, Debug)]
pub struct Closure {
    /// What it is.
    pub kind: ClosureKind,
    /// Variables of the enclosing body that it uses.
    pub captures: Vec<Capture>,
    /// The annotated result type.
    pub result: Option<Type>,
    /// Its body. A captured variable is a local of kind [`LocalKind::Capture`] after the parameters: by value it
    /// holds the variable's value, by reference a reference to it, and uses of it carry a
    /// [`Projection::Dereference`].
    pub body: Body,
    /// The whole expression.
    pub span: Span,
}

/// What a closure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureKind {
    /// A closure.
    Closure,
    /// An `async` closure.
    AsyncClosure,
    /// An `async` block: runs when awaited.
    AsyncBlock,
}

/// A captured variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The local of the enclosing body (itself perhaps a capture).
    pub outer: LocalId,
    /// The local of the closure's body.
    pub inner: LocalId,
    /// Captured by reference (no `move`).
    pub by_reference: bool,
}
