//! SQL texts: which words they hold, what they select, and which column a placeholder fills.
//!
//! This is no parser. It reads the statements that carry a key (`INSERT`, `UPDATE`, `SELECT`) as words and brackets,
//! and gives up where a text does not look like one of them.

/// A word or bracket of an SQL text, in lower case; what is quoted is one token without content.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A word, number or placeholder.
    Word(String),
    /// A quoted text.
    Quoted,
    /// Anything else.
    Sign(char),
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(found) if found == word)
    }

    fn sign(&self, sign: char) -> bool {
        matches!(self, Token::Sign(found) if *found == sign)
    }
}

/// A statement as its tokens.
#[derive(Debug)]
pub struct Statement {
    tokens: Vec<Token>,
}

/// What a column is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// The parameter at this position, from 0.
    Position(usize),
    /// The parameter with this name, without its sign.
    Name(String),
    /// An expression of SQL, which may hold these words; a call ends in `(`.
    Expression(Vec<String>),
}

impl Statement {
    /// The text as a statement, `None` when it does not start like one.
    pub fn read(text: &str) -> Option<Statement> {
        let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next()?;
        let known = ["select", "insert", "update", "with", "merge", "replace", "upsert"];
        if !known.iter().any(|word| first.eq_ignore_ascii_case(word)) {
            return None;
        }
        Some(Statement { tokens: tokens(text) })
    }

    /// The words of the only column that a `SELECT` yields, `None` when it yields several or is something else.
    pub fn selected(&self) -> Option<Vec<String>> {
        if !self.tokens.first()?.is("select") {
            return None;
        }
        let mut depth = 0_usize;
        let mut end = self.tokens.len();
        for (index, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth = depth.saturating_sub(1),
                Token::Sign(',') if depth == 0 => return None,
                _ if depth == 0 && token.is("from") => {
                    end = index;
                    break;
                }
                _ => {}
            }
        }
        Some(words(&self.tokens[1..end]))
    }

    /// What the first of these columns is given that the statement writes.
    pub fn given(&self, is_wanted: impl Fn(&str) -> bool) -> Option<Given> {
        if self.tokens.first()?.is("select") {
            return None;
        }
        self.inserted(&is_wanted).or_else(|| self.assigned(&is_wanted))
    }

    /// `insert into t (a, b) values (x, y)`, also `select x, y`.
    fn inserted(&self, is_wanted: &impl Fn(&str) -> bool) -> Option<Given> {
        let into = self.tokens.iter().position(|token| token.is("into"))?;
        let open = into + self.tokens[into..].iter().position(|token| token.sign('('))?;
        let (columns, after) = list(&self.tokens, open + 1);
        let column = columns.iter().position(|range| match &self.tokens[range.clone()] {
            [Token::Word(name)] => is_wanted(name.rsplit('.').next().unwrap_or(name)),
            _ => false,
        })?;
        let rest = after..self.tokens.len();
        let values = rest.clone().find(|index| self.tokens[*index].is("values"));
        let start = match values {
            Some(values) => values + 2,
            None => rest.clone().find(|index| self.tokens[*index].is("select"))? + 1,
        };
        let (values, _) = list(&self.tokens, start);
        self.value(values.get(column)?.clone())
    }

    /// `update t set a = x, b = y where ..`.
    fn assigned(&self, is_wanted: &impl Fn(&str) -> bool) -> Option<Given> {
        let set = self.tokens.iter().position(|token| token.is("set"))?;
        let (assignments, _) = list(&self.tokens, set + 1);
        assignments.into_iter().find_map(|range| match &self.tokens[range.clone()] {
            [Token::Word(name), Token::Sign('='), ..] if is_wanted(name) => {
                self.value(range.start + 2..range.end)
            }
            _ => None,
        })
    }

    fn value(&self, range: std::ops::Range<usize>) -> Option<Given> {
        let before = &self.tokens[..range.start];
        match self.tokens.get(range.clone())? {
            [Token::Sign('?'), ..] => {
                Some(Given::Position(before.iter().filter(|token| token.sign('?')).count()))
            }
            [Token::Word(word), ..] if placeholder(word).is_some() => placeholder(word),
            tokens => Some(Given::Expression(words(tokens))),
        }
    }
}

/// `$1`, `?1`, `:key`, `@key`.
fn placeholder(word: &str) -> Option<Given> {
    let rest = word.strip_prefix(['$', '?', ':', '@'])?;
    match rest.parse::<usize>() {
        Ok(number) => Some(Given::Position(number.checked_sub(1)?)),
        Err(_) if rest.starts_with(|c: char| c.is_ascii_alphabetic()) => Some(Given::Name(rest.to_owned())),
        Err(_) => None,
    }
}

/// The items of a list that starts at `start`, up to its closing bracket or the next clause, and where it ends.
fn list(tokens: &[Token], start: usize) -> (Vec<std::ops::Range<usize>>, usize) {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut from = start;
    let mut index = start;
    while let Some(token) = tokens.get(index) {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') if depth == 0 => break,
            Token::Sign(')') => depth -= 1,
            Token::Sign(',') if depth == 0 => {
                items.push(from..index);
                from = index + 1;
            }
            _ if depth == 0 && ["from", "where", "returning", "on"].iter().any(|word| token.is(word)) => {
                break;
            }
            _ => {}
        }
        index += 1;
    }
    items.push(from.min(index)..index);
    (items, index)
}

/// The words of a part; one that is called ends in `(`.
fn words(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let called = tokens.get(index + 1).is_some_and(|next| next.sign('('));
        found.push(if called { format!("{word}(") } else { word.clone() });
    }
    found
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        match first {
            _ if first.is_whitespace() => {}
            '\'' => {
                for inner in chars.by_ref() {
                    if inner == '\'' {
                        break;
                    }
                }
                found.push(Token::Quoted);
            }
            // Quoted names and casts: `"idempotency_key"`, `now()::text`.
            '"' | '`' | '[' | ']' => {}
            ':' if chars.peek() == Some(&':') => {
                chars.next();
                found.push(Token::Sign(':'));
            }
            _ if is_word(first)
                || (matches!(first, '?' | ':') && chars.peek().is_some_and(|c| is_word(*c))) =>
            {
                let mut word = String::from(first.to_ascii_lowercase());
                while let Some(next) = chars.next_if(|next| is_word(*next) || *next == '.') {
                    word.push(next.to_ascii_lowercase());
                }
                found.push(Token::Word(word));
            }
            sign => found.push(Token::Sign(sign)),
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

#[cfg(test)]
mod tests {
    use super::{Given, Statement};

    fn given(text: &str) -> Option<Given> {
        Statement::read(text)?.given(|column| column == "idempotency_key")
    }

    #[test]
    fn a_placeholder_is_found_by_its_column() {
        let insert =
            "INSERT INTO charges (id, \"idempotency_key\", at) VALUES ($2, $1, now()) ON CONFLICT DO NOTHING";
        assert_eq!(given(insert), Some(Given::Position(0)));
        let marks = "insert into billing.charges(id, idempotency_key) values (coalesce(?, 1), ?)";
        assert_eq!(given(marks), Some(Given::Position(1)));
        let named = "insert into c (idempotency_key) values (:key) returning id";
        assert_eq!(given(named), Some(Given::Name("key".into())));
        let selected = "insert into c (id, idempotency_key) select $1, $2 from d";
        assert_eq!(given(selected), Some(Given::Position(1)));
        let update = "update charges set state = 'x', idempotency_key = $3 where id = $1";
        assert_eq!(given(update), Some(Given::Position(2)));
    }

    #[test]
    fn other_columns_and_reads_are_not_found() {
        assert_eq!(given("insert into charges (id) values ($1)"), None);
        assert_eq!(given("select id from charges where idempotency_key = $1"), None);
        assert_eq!(given("update charges set state = $1 where idempotency_key = $2"), None);
        assert_eq!(given("create table charges (idempotency_key text unique)"), None);
        assert_eq!(given("insert into charges values ("), None);
    }

    #[test]
    fn an_expression_shows_its_words() {
        let insert = "insert into c (idempotency_key) values (gen_random_uuid()::text)";
        assert_eq!(given(insert), Some(Given::Expression(vec!["gen_random_uuid(".into(), "text".into()])));
    }

    #[test]
    fn only_a_single_selected_column_counts() {
        let selected = |text: &str| Statement::read(text).and_then(|statement| statement.selected());
        assert_eq!(selected("select 'now()' from t where at < now()"), Some(vec![]));
        assert_eq!(selected("select now(), id from t"), None);
        assert_eq!(selected("SELECT @@SPID"), Some(vec!["@@spid".into()]));
        assert_eq!(selected("selection now()"), None);
    }
}
