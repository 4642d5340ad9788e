//! The `format!` family: templates with inline captures, positional and named arguments.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Lit, LitStr, Token};

use super::super::Lowerer;
use super::super::expr::item_place;
use super::super::types::ident_name;
use crate::ir::{Argument, FormatPiece, FormatTrait, Name, Operand, Rvalue, Span};

/// The arguments of a formatting macro.
pub(super) struct FormatArgs {
    /// The first argument: the template, when it is a text.
    pub template: Option<Expr>,
    /// Arguments by position.
    pub positional: Vec<Expr>,
    /// Arguments by name.
    pub named: Vec<(Ident, Expr)>,
}

impl FormatArgs {
    /// Parses what is left of the macro's tokens, the template first.
    pub fn parse(input: ParseStream<'_>) -> syn::Result<FormatArgs> {
        let mut args = FormatArgs { template: None, positional: Vec::new(), named: Vec::new() };
        if input.is_empty() {
            return Ok(args);
        }
        args.template = Some(input.parse()?);
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            if input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
                let name = input.call(Ident::parse_any)?;
                input.parse::<Token![=]>()?;
                args.named.push((name, input.parse()?));
            } else {
                args.positional.push(input.parse()?);
            }
        }
        Ok(args)
    }
}

impl Lowerer<'_> {
    /// A formatting macro whose tokens are only the template and its arguments.
    pub(super) fn format_tokens(&mut self, name: &str, tokens: &TokenStream) -> Option<Rvalue> {
        let args = FormatArgs::parse.parse2(tokens.clone()).ok()?;
        Some(self.format(name, &args))
    }

    /// A formatted text.
    pub(super) fn format(&mut self, name: &str, args: &FormatArgs) -> Rvalue {
        let mut lowered = Vec::new();
        for arg in &args.positional {
            let operand = self.operand(arg, None);
            lowered.push(Argument { operand, span: self.expr_span(arg) });
        }
        let mut names: Vec<Name> = Vec::new();
        for (name, arg) in &args.named {
            let operand = self.operand(arg, None);
            names.push(ident_name(name));
            lowered.push(Argument { operand, span: self.expr_span(arg) });
        }
        let pieces = match args.template.as_ref().map(|template| (template, self.text_of(template))) {
            None => Vec::new(),
            Some((Expr::Lit(ExprLit { lit: Lit::Str(lit), .. }), _)) => {
                let captured = Captures { lit: Some(lit), span: self.spans.one(lit.span()) };
                self.pieces(&lit.value(), &captured, args.positional.len(), &names, &mut lowered)
            }
            Some((template, Some(text))) => {
                let captured = Captures { lit: None, span: self.expr_span(template) };
                self.pieces(&text, &captured, args.positional.len(), &names, &mut lowered)
            }
            // `panic!(message)` of the 2015 edition shows its argument.
            Some((template, None)) => {
                let operand = self.operand(template, None);
                lowered.push(Argument { operand, span: self.expr_span(template) });
                vec![FormatPiece::Argument { index: lowered.len() - 1, format: FormatTrait::Display }]
            }
        };
        Rvalue::Format { name: Name::new(name), pieces, args: lowered }
    }

    fn pieces(
        &mut self,
        template: &str,
        captures: &Captures<'_>,
        positional: usize,
        names: &[Name],
        args: &mut Vec<Argument>,
    ) -> Vec<FormatPiece> {
        let mut captured: Vec<(Name, usize)> = Vec::new();
        let mut pieces = Vec::new();
        for piece in parse_template(template) {
            let (position, format) = match piece {
                Piece::Text(text) => {
                    pieces.push(FormatPiece::Text(Name::new(text)));
                    continue;
                }
                Piece::Argument(position, format) => (position, format),
            };
            let index = match position {
                Position::Index(index) => index,
                Position::Name(name, offset) => {
                    let known = names.iter().position(|known| *known == name).map(|at| positional + at);
                    let known = known.or_else(|| {
                        captured.iter().find(|(known, _)| *known == name).map(|(_, index)| *index)
                    });
                    known.unwrap_or_else(|| {
                        args.push(self.capture(&name, offset, captures));
                        captured.push((name, args.len() - 1));
                        args.len() - 1
                    })
                }
            };
            if index < args.len() {
                pieces.push(FormatPiece::Argument { index, format });
            }
        }
        pieces
    }

    fn capture(&mut self, name: &Name, offset: usize, captures: &Captures<'_>) -> Argument {
        let span = captures.span_of(name, offset);
        let expansion = captures.lit.map_or(0, |lit| self.ident_expansion(lit.span()));
        let place = self.variable(name, expansion, span);
        let place = place.unwrap_or_else(|| item_place(super::super::chain::simple_path(name, span)));
        Argument { operand: Operand::Place(place), span }
    }

    /// The text of an expression that is a literal, or a `concat!` or `stringify!` of such.
    pub(super) fn text_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Lit(ExprLit { lit, .. }) => literal_text(lit),
            Expr::Group(node) => self.text_of(&node.expr),
            Expr::Paren(node) => self.text_of(&node.expr),
            Expr::Macro(node) if node.mac.path.is_ident("concat") => {
                let parser = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated;
                let parts = parser.parse2(node.mac.tokens.clone()).ok()?;
                parts.iter().map(|part| self.text_of(part)).collect()
            }
            Expr::Macro(node) if node.mac.path.is_ident("stringify") => Some(node.mac.tokens.to_string()),
            _ => None,
        }
    }
}

fn literal_text(lit: &Lit) -> Option<String> {
    Some(match lit {
        Lit::Str(lit) => lit.value(),
        Lit::Char(lit) => lit.value().to_string(),
        Lit::Int(lit) => lit.base10_digits().to_owned(),
        Lit::Float(lit) => lit.base10_digits().to_owned(),
        Lit::Bool(lit) => lit.value.to_string(),
        _ => return None,
    })
}

/// Where inline captures stand.
struct Captures<'l> {
    lit: Option<&'l LitStr>,
    span: Span,
}

impl Captures<'_> {
    /// The span of a captured name, when the literal's text stands in the file as it reads.
    fn span_of(&self, name: &str, offset: usize) -> Span {
        let Some(lit) = self.lit else { return self.span };
        let source = lit.token().to_string();
        let Some(quote) = source.find('"') else { return self.span };
        let start = quote + 1 + offset;
        let fits = (self.span.end - self.span.start) as usize == source.len();
        if fits && source.get(start..start + name.len()) == Some(name) {
            let start = self.span.start + super::super::frame::index(start);
            let end = start + super::super::frame::index(name.len());
            return Span { start, end, ..self.span };
        }
        self.span
    }
}

/// A piece of a template.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Argument(Position, FormatTrait),
}

/// Which argument a piece shows.
#[derive(Debug, PartialEq)]
enum Position {
    Index(usize),
    /// A name, and its byte offset in the template.
    Name(Name, usize),
}

/// Splits a template. Malformed parts count as text.
fn parse_template(template: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut next = 0;
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..at + 1];
        let after = &rest[at + 1..];
        if after.starts_with(brace) {
            text.push_str(brace);
            rest = &after[1..];
        } else if let (true, Some(end)) = (brace == "{", after.find('}')) {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            let offset = template.len() - after.len();
            pieces.push(placeholder(&after[..end], offset, &mut next));
            rest = &after[end + 1..];
        } else {
            text.push_str(brace);
            rest = after;
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

fn placeholder(inside: &str, offset: usize, next: &mut usize) -> Piece {
    let (argument, spec) = inside.split_once(':').unwrap_or((inside, ""));
    // `.*` takes the precision from the next argument first.
    if spec.contains(".*") {
        *next += 1;
    }
    let lead = argument.len() - argument.trim_start().len();
    let argument = argument.trim();
    let position = if argument.is_empty() {
        *next += 1;
        Position::Index(*next - 1)
    } else if let Ok(index) = argument.parse() {
        Position::Index(index)
    } else {
        Position::Name(Name::new(argument.strip_prefix("r#").unwrap_or(argument)), offset + lead)
    };
    Piece::Argument(position, format_trait(spec.trim_end()))
}

fn format_trait(spec: &str) -> FormatTrait {
    match spec.chars().next_back() {
        Some('?') => FormatTrait::Debug,
        Some('p') => FormatTrait::Pointer,
        Some('x' | 'X' | 'o' | 'b' | 'e' | 'E') => FormatTrait::Number,
        _ => padding(spec).map_or(FormatTrait::Display, FormatTrait::Padded),
    }
}

/// The least width that a specification asks for: 4 in `04`, `>4` and `-^4.2`.
fn padding(spec: &str) -> Option<u16> {
    let mut rest = spec;
    let aligned = |text: &str| text.starts_with(['<', '^', '>']);
    let fill = rest.chars().next().map_or(0, char::len_utf8);
    if aligned(rest.get(fill..).unwrap_or_default()) {
        rest = rest.get(fill + 1..).unwrap_or_default();
    } else if aligned(rest) {
        rest = rest.get(1..).unwrap_or_default();
    }
    let rest = rest.trim_start_matches(['+', '-', '#', '0']);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if rest.get(end..).is_some_and(|after| after.starts_with('$')) {
        return None;
    }
    rest.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, offset: usize, format: FormatTrait) -> Piece {
        Piece::Argument(Position::Name(text.into(), offset), format)
    }

    fn index(index: usize, format: FormatTrait) -> Piece {
        Piece::Argument(Position::Index(index), format)
    }

    #[test]
    fn templates_split_into_text_and_arguments() {
        use FormatTrait::{Debug, Display, Number, Padded, Pointer};
        assert_eq!(parse_template(""), []);
        assert_eq!(parse_template("a{{b}}"), [Piece::Text("a{b}".into())]);
        assert_eq!(
            parse_template("{}:{:?}:{1:p}{x:>w$x}"),
            [
                index(0, Display),
                Piece::Text(":".into()),
                index(1, Debug),
                Piece::Text(":".into()),
                index(1, Pointer),
                name("x", 14, Number),
            ]
        );
        assert_eq!(parse_template("{:.*}"), [index(1, Display)]);
        assert_eq!(parse_template("{ x }"), [name("x", 2, Display)]);
        assert_eq!(
            parse_template("{:04}{:>8}{:w$}"),
            [index(0, Padded(4)), index(1, Padded(8)), index(2, Display)]
        );
        assert_eq!(parse_template("{:.2}{:->6.1}"), [index(0, Display), index(1, Padded(6))]);
        assert_eq!(parse_template("{"), [Piece::Text("{".into())]);
    }
}
