//! To whom a request goes, by the literal URL of the call chain that sets the key.

use std::rc::Rc;

use samekey_catalogue::{Provider, provider, providers};

use super::case::Slot;
use crate::flow::term::Term;

/// The provider that gets the key of a slot: by the URL of its request if it reads that header, or by the slot's row.
pub fn provider_of(slot: Slot<'_>) -> Option<&'static Provider> {
    let reads = |provider: &&Provider| {
        let header = provider.header.zip(slot.sink.entry.as_ref());
        header.is_some_and(|(reads, sent)| sent.eq_ignore_ascii_case(reads))
    };
    by_url(slot).filter(reads).or_else(|| provider(slot.info.provider))
}

/// The provider whose host stands in the URL of the request.
pub fn by_url(slot: Slot<'_>) -> Option<&'static Provider> {
    let host = host_of_chain(slot.sink.receiver.as_ref()?)?;
    providers().iter().find(|row| row.hosts.iter().any(|known| is_host(&host, known)))
}

/// The host of the URL that a chain of calls was given: `client.post("https://..").header(..)`.
fn host_of_chain(chain: &Rc<Term>) -> Option<String> {
    let mut term = chain;
    let mut found = None;
    while let Term::Call(_, args) = term.as_ref() {
        found = args.iter().find_map(|arg| host_of_url(arg)).or(found);
        term = args.first()?;
    }
    found
}

/// The host of a text that starts like a URL.
fn host_of_url(term: &Term) -> Option<String> {
    match term {
        Term::Literal(text) => host(text),
        Term::Text(parts) => match parts.first()?.as_ref() {
            // `https://api.stripe.com` and a variable: the host may go on in it.
            Term::Literal(start) if start.matches('/').count() >= 3 => host(start),
            Term::Literal(start) => match parts.get(1).map(Rc::as_ref) {
                Some(Term::Literal(rest)) if rest.starts_with('/') => host(start),
                _ => None,
            },
            _ => None,
        },
        Term::Typed(inner, _) => host_of_url(inner),
        Term::Call(name, args) if super::formula::is_transparent(name) => {
            args.iter().find_map(|arg| host_of_url(arg))
        }
        _ => None,
    }
}

fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Whether a host is this one or below it.
fn is_host(host: &str, known: &str) -> bool {
    host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::{host, is_host};

    #[test]
    fn hosts_are_read_from_urls() {
        assert_eq!(host("https://api.stripe.com/v1/charges").as_deref(), Some("api.stripe.com"));
        assert_eq!(host("http://user@API.stripe.com:443?x").as_deref(), Some("api.stripe.com"));
        assert_eq!(host("/v1/charges"), None);
        assert_eq!(host("https://"), None);
    }

    #[test]
    fn a_host_fits_itself_and_those_below_it() {
        assert!(is_host("api.stripe.com", "api.stripe.com"));
        assert!(is_host("eu.adyen.com", "adyen.com"));
        assert!(!is_host("notadyen.com", "adyen.com"));
        assert!(!is_host("api.stripe.com.example.org", "api.stripe.com"));
    }
}
