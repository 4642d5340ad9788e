//! The body under construction: blocks, scopes, loops and captures.

use super::Lowerer;
use crate::ir::{
    Block, BlockId, Body, Capture, Guard, Local, LocalId, LocalKind, Loop, LoopId, LoopKind, Name, Operand,
    Place, PlaceBase, Projection, Rvalue, Span, Statement, StatementKind, Terminator, Type, TypeHint,
};

/// One body under construction.
pub(super) struct Frame {
    /// What is built so far.
    pub body: Body,
    /// The block that statements are added to.
    pub current: BlockId,
    /// Names in scope, the innermost last.
    pub bindings: Vec<Binding>,
    /// What `break`, `continue` and `?` may go to, the innermost last.
    pub targets: Vec<Target>,
    /// Loops around the current point, the innermost last.
    pub loops: Vec<LoopId>,
    /// Variables of the enclosing frame that were used.
    pub captures: Vec<Capture>,
    /// Whether captures are by value.
    pub by_value: bool,
    /// The collection that `yield` adds to, in the body of a stream macro.
    pub yields: Option<LocalId>,
    /// Variables in scope whose value may have a destructor, the innermost last.
    pub owned: Vec<LocalId>,
    /// Where the type of the expression that is about to be lowered comes from.
    pub wanted: Option<TypeHint>,
}

/// A name in scope.
pub(super) struct Binding {
    /// The name.
    pub name: Name,
    /// The macro expansion that the name was written in; zero outside.
    pub expansion: u32,
    /// Its local.
    pub local: LocalId,
}

/// Something that can be left early.
pub(super) struct Target {
    /// Its label, without the apostrophe.
    pub label: Option<Name>,
    /// What it is.
    pub kind: TargetKind,
    /// Where `break` goes.
    pub exit: BlockId,
    /// Where `continue` goes.
    pub head: BlockId,
    /// Where the value of `break` goes.
    pub dest: Option<Place>,
}

/// What can be left early.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetKind {
    /// A loop.
    Loop(LoopId),
    /// A labelled block.
    Block,
    /// A `try` block, which `?` leaves.
    Try,
}

impl Frame {
    /// A frame with an empty entry block.
    pub fn new() -> Frame {
        let entry = Block {
            statements: Vec::new(),
            terminator: Terminator::Diverge,
            innermost_loop: None,
            guard: None,
        };
        Frame {
            body: Body { blocks: vec![entry], ..Body::default() },
            current: BlockId(0),
            bindings: Vec::new(),
            targets: Vec::new(),
            loops: Vec::new(),
            captures: Vec::new(),
            by_value: false,
            yields: None,
            owned: Vec::new(),
            wanted: None,
        }
    }

    /// The innermost local of that name.
    pub fn lookup(&self, name: &str, expansion: u32) -> Option<LocalId> {
        let find = |expansion| {
            let mut bindings = self.bindings.iter().rev();
            bindings.find(|binding| binding.expansion == expansion && binding.name == name)
        };
        let found = find(expansion).or_else(|| if expansion == 0 { None } else { find(0) })?;
        Some(found.local)
    }

    /// A new local.
    pub fn local(&mut self, name: Option<Name>, kind: LocalKind, ty: Option<Type>, span: Span) -> LocalId {
        let id = LocalId(index(self.body.locals.len()));
        self.body.locals.push(Local { name, kind, ty, hint: None, span });
        id
    }

    /// The local that stands for `outer` of the enclosing frame, and whether it is a reference to it.
    fn capture(&mut self, outer: LocalId, name: &Name, span: Span) -> (LocalId, bool) {
        if let Some(capture) = self.captures.iter().find(|capture| capture.outer == outer) {
            return (capture.inner, capture.by_reference);
        }
        let inner = self.local(Some(name.clone()), LocalKind::Capture, None, span);
        let by_reference = !self.by_value;
        self.captures.push(Capture { outer, inner, by_reference });
        (inner, by_reference)
    }
}

pub(super) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A place that is a whole local.
pub(super) fn local_place(local: LocalId) -> Place {
    Place { base: PlaceBase::Local(local), projections: Vec::new() }
}

/// The place extended by one projection.
pub(super) fn project(place: &Place, projection: Projection) -> Place {
    let mut projections = Vec::with_capacity(place.projections.len() + 1);
    projections.extend_from_slice(&place.projections);
    projections.push(projection);
    Place { base: place.base.clone(), projections }
}

impl Lowerer<'_> {
    /// The place of a variable in scope, captured where it belongs to an enclosing body.
    pub(super) fn variable(&mut self, name: &Name, expansion: u32, span: Span) -> Option<Place> {
        if let Some(local) = self.frame.lookup(name, expansion) {
            return Some(local_place(local));
        }
        let found = self.outer.iter().enumerate().rev();
        let mut found = found.filter_map(|(depth, frame)| Some((depth, frame.lookup(name, expansion)?)));
        let (depth, mut local) = found.next()?;
        let mut projections = Vec::new();
        let inner = self.outer.iter_mut().skip(depth + 1).chain(std::iter::once(&mut self.frame));
        for frame in inner {
            let (captured, by_reference) = frame.capture(local, name, span);
            local = captured;
            if by_reference {
                projections.push(Projection::Dereference);
            }
        }
        Some(Place { base: PlaceBase::Local(local), projections })
    }

    /// A new temporary.
    pub(super) fn temporary(&mut self, hint: Option<TypeHint>, span: Span) -> LocalId {
        let local = self.frame.local(None, LocalKind::Temporary, None, span);
        if hint.is_some()
            && let Some(last) = self.frame.body.locals.last_mut()
        {
            last.hint = hint;
        }
        local
    }

    /// Brings a name into scope.
    pub(super) fn bind_name(&mut self, name: Name, expansion: u32, local: LocalId) {
        self.frame.bindings.push(Binding { name, expansion, local });
    }

    /// Runs `inside` in a scope of its own.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.frame.bindings.len();
        let renamed = self.renamed.len();
        let value = inside(self);
        self.frame.bindings.truncate(mark);
        self.renamed.truncate(renamed);
        value
    }

    /// Adds `place = value`.
    pub(super) fn assign(&mut self, place: Place, value: Rvalue, span: Span) {
        self.statement(StatementKind::Assign(place, value), span);
    }

    /// Adds a statement to the current block.
    pub(super) fn statement(&mut self, kind: StatementKind, span: Span) {
        let current = self.frame.current.0 as usize;
        if let Some(block) = self.frame.body.blocks.get_mut(current) {
            block.statements.push(Statement { kind, span });
        }
    }

    /// Stores a value in a new temporary.
    pub(super) fn store(&mut self, value: Rvalue, hint: Option<TypeHint>, span: Span) -> Place {
        let place = local_place(self.temporary(hint, span));
        self.assign(place.clone(), value, span);
        place
    }

    /// A new block inside the current loop. It diverges until it gets another terminator.
    pub(super) fn new_block(&mut self) -> BlockId {
        let id = BlockId(index(self.frame.body.blocks.len()));
        self.frame.body.blocks.push(Block {
            statements: Vec::new(),
            terminator: Terminator::Diverge,
            innermost_loop: self.frame.loops.last().copied(),
            guard: None,
        });
        id
    }

    /// The current block runs only where a constant is what is expected.
    pub(super) fn guard(&mut self, guard: Guard) {
        let current = self.frame.current.0 as usize;
        if let Some(block) = self.frame.body.blocks.get_mut(current) {
            block.guard = Some(Box::new(guard));
        }
    }

    /// Goes on in another block.
    pub(super) fn switch_to(&mut self, block: BlockId) {
        self.frame.current = block;
    }

    /// Ends the current block; the caller then switches to another one.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        let current = self.frame.current.0 as usize;
        if let Some(block) = self.frame.body.blocks.get_mut(current) {
            block.terminator = terminator;
        }
    }

    /// Ends the current block by a jump.
    pub(super) fn goto(&mut self, block: BlockId) {
        self.terminate(Terminator::Goto(block));
    }

    /// Ends the current block by a choice.
    pub(super) fn branch(&mut self, blocks: Vec<BlockId>) {
        self.terminate(Terminator::Branch(blocks));
    }

    /// Ends the current block for good; what follows is unreachable.
    pub(super) fn leave(&mut self, terminator: Terminator) {
        self.terminate(terminator);
        let dead = self.new_block();
        self.switch_to(dead);
    }

    /// Returns from the body.
    pub(super) fn leave_body(&mut self, value: Operand) {
        self.mark_early_exits(0);
        self.leave(Terminator::Return(value));
    }

    /// Notes that the loops from `first` target on are left before their end.
    pub(super) fn mark_early_exits(&mut self, first: usize) {
        let frame = &mut self.frame;
        for target in frame.targets.iter().skip(first) {
            if let TargetKind::Loop(id) = target.kind
                && let Some(looped) = frame.body.loops.get_mut(id.0 as usize)
            {
                looped.exits_early = true;
            }
        }
    }

    /// Enters a loop: registers it and makes its head the current block.
    pub(super) fn enter_loop(
        &mut self,
        kind: LoopKind,
        label: Option<Name>,
        dest: Option<&Place>,
        span: Span,
    ) -> (LoopId, BlockId, BlockId) {
        let exit = self.new_block();
        let id = LoopId(index(self.frame.body.loops.len()));
        let parent = self.frame.loops.last().copied();
        self.frame.loops.push(id);
        let head = self.new_block();
        self.frame.body.loops.push(Loop { span, kind, parent, head, exits_early: false });
        self.frame.targets.push(Target {
            label,
            kind: TargetKind::Loop(id),
            exit,
            head,
            dest: dest.cloned(),
        });
        self.goto(head);
        self.switch_to(head);
        (id, head, exit)
    }

    /// Leaves a loop: back to its head, then on after it.
    pub(super) fn finish_loop(&mut self, head: BlockId, exit: BlockId) {
        self.goto(head);
        self.frame.targets.pop();
        self.frame.loops.pop();
        self.switch_to(exit);
    }

    /// Builds a nested body in a frame of its own.
    pub(super) fn nested(&mut self, by_value: bool, build: impl FnOnce(&mut Self)) -> (Body, Vec<Capture>) {
        let frame = Frame { by_value, ..Frame::new() };
        let outer = std::mem::replace(&mut self.frame, frame);
        self.outer.push(outer);
        build(self);
        let finished = match self.outer.pop() {
            Some(outer) => std::mem::replace(&mut self.frame, outer),
            None => std::mem::replace(&mut self.frame, Frame::new()),
        };
        let (mut body, captures) = super::renumber::captures_first(finished.body, finished.captures);
        super::moves::forget_moved(&mut body);
        (body, captures)
    }

    /// Builds a body that sees no variables of the code around it.
    pub(super) fn separate(&mut self, build: impl FnOnce(&mut Self)) -> Body {
        let outer = std::mem::take(&mut self.outer);
        let frame = std::mem::replace(&mut self.frame, Frame::new());
        build(self);
        self.outer = outer;
        let mut body = std::mem::replace(&mut self.frame, frame).body;
        super::moves::forget_moved(&mut body);
        body
    }
}
