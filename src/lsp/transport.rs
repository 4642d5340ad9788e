//! Messages on standard input and output.
//!
//! `lsp-server` has a transport too. It ends at the first message that is not valid; here such a message gets an
//! answer, as the protocol wants it, and the next one is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// No message is longer; whoever announces more does not speak this protocol.
const MAX_MESSAGE: u64 = 256 << 20;
/// No line of a header is longer.
const MAX_HEADER: u64 = 8 << 10;

/// What came in.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// A message that is none, and what is answered.
    Malformed(Refusal),
}

/// The answer to a message that is none.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The id of the request, or null when it has none that can be read.
    id: Value,
    code: ErrorCode,
    message: String,
}

/// What goes out.
#[derive(Debug)]
pub(super) enum Outgoing {
    Message(Message),
    Refusal(Refusal),
}

/// Reads the next message; `None` at the end of the input.
///
/// # Errors
/// When the input is not made of messages, or cannot be read.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    Ok(read_content(input)?.map(|content| parse(&content)))
}

fn read_content(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    for number in 0.. {
        let line = read_line(input)?;
        match (line.trim_ascii_end(), number) {
            _ if line.is_empty() && number == 0 => return Ok(None),
            _ if line.is_empty() => return Err(invalid("it ends inside of a message")),
            ([], 1..) => break,
            (field, _) => length = content_length(field)?.or(length),
        }
    }
    let Some(length) = length else { return Err(invalid("a message has no Content-Length")) };
    if length > MAX_MESSAGE {
        return Err(invalid("a message is too long"));
    }
    let mut content = Vec::new();
    input.by_ref().take(length).read_to_end(&mut content)?;
    match content.len() as u64 == length {
        true => Ok(Some(content)),
        false => Err(invalid("it ends inside of a message")),
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
    match line.last() {
        None | Some(b'\n') => Ok(line),
        Some(_) => Err(invalid("a message does not start with its Content-Length")),
    }
}

/// The length, when the field of a header is about it.
fn content_length(field: &[u8]) -> io::Result<Option<u64>> {
    let field = std::str::from_utf8(field).ok().and_then(|field| field.split_once(':'));
    let Some((name, value)) = field else {
        return Err(invalid("a message does not start with its Content-Length"));
    };
    if !name.eq_ignore_ascii_case("Content-Length") {
        return Ok(None);
    }
    value.trim().parse().map(Some).map_err(|_| invalid("the Content-Length of a message is not a number"))
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn parse(content: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(content) {
        Ok(value) => value,
        Err(error) => return malformed(Value::Null, ErrorCode::ParseError, format!("not JSON: {error}")),
    };
    let id = value.get("id").cloned();
    let is_request = id.is_some() && value.get("method").is_some();
    match serde_json::from_value(value) {
        // A request whose id cannot be read would pass for a notification.
        Ok(message) if !is_request || matches!(message, Message::Request(_)) => Incoming::Message(message),
        _ => {
            let id = id.filter(|id| id.is_number() || id.is_string()).unwrap_or_default();
            malformed(id, ErrorCode::InvalidRequest, "not a request, notification or response".to_owned())
        }
    }
}

fn malformed(id: Value, code: ErrorCode, message: String) -> Incoming {
    Incoming::Malformed(Refusal { id, code, message })
}

impl Outgoing {
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        match self {
            Outgoing::Message(message) => message.write(output),
            Outgoing::Refusal(Refusal { id, code, message }) => {
                let error = json!({ "code": *code as i32, "message": message });
                let text = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
                write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
                output.flush()
            }
        }
    }
}

/// Starts a thread that writes what it is sent, so that a client that reads slowly stops nobody. It ends when all
/// senders are gone, or the client is.
pub(super) fn writer(
    mut output: impl Write + Send + 'static,
) -> io::Result<(Sender<Outgoing>, JoinHandle<()>)> {
    let (sender, receiver): (_, Receiver<Outgoing>) = channel();
    let write_all = move || {
        for message in receiver {
            if message.write(&mut output).is_err() {
                break;
            }
        }
    };
    let thread = std::thread::Builder::new().name("lsp-output".to_owned()).spawn(write_all)?;
    Ok((sender, thread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(content: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{content}", content.len()).into_bytes()
    }

    fn read_one(content: &str) -> Incoming {
        read(&mut framed(content).as_slice()).unwrap().unwrap()
    }

    #[test]
    fn reads_one_message_after_the_other() {
        let mut input = framed(r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#);
        input.extend(framed(r#"{"jsonrpc":"2.0","method":"b"}"#));
        let mut input = input.as_slice();
        let first = read(&mut input).unwrap().unwrap();
        assert!(matches!(first, Incoming::Message(Message::Request(request)) if request.method == "a"));
        let second = read(&mut input).unwrap().unwrap();
        assert!(matches!(second, Incoming::Message(Message::Notification(found)) if found.method == "b"));
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn messages_that_are_none_get_an_answer_with_their_id() {
        for (content, id, code) in [
            ("{", Value::Null, -32700),
            ("[]", Value::Null, -32600),
            (r#"{"id":7}"#, json!(7), -32600),
            (r#"{"id":1.5,"method":"hover"}"#, json!(1.5), -32600),
            (r#"{"id":99999999999,"method":"hover"}"#, json!(99_999_999_999_u64), -32600),
            (r#"{"id":{},"method":"hover"}"#, Value::Null, -32600),
        ] {
            let Incoming::Malformed(refusal) = read_one(content) else { panic!("{content}") };
            assert_eq!((&refusal.id, refusal.code as i32), (&id, code), "{content}");
            let mut written = Vec::new();
            Outgoing::Refusal(refusal).write(&mut written).unwrap();
            assert!(read_content(&mut written.as_slice()).unwrap().is_some());
        }
    }

    #[test]
    fn what_is_no_protocol_is_an_error() {
        for input in [
            "hello\n",
            "hello",
            "\r\n",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: 10\r\n\r\n{}",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: 2\r\n",
            "X: 1\r\n\r\n{}",
        ] {
            assert!(read(&mut input.as_bytes()).is_err(), "{input:?}");
        }
        let endless = "x".repeat(1 << 20);
        assert!(read(&mut endless.as_bytes()).is_err());
    }
}
