//! Lifetimes, type parameters with and without bounds, const parameters, where clauses.
#![deny(warnings)]
use std::borrow::Cow;
use std::marker::PhantomData;

use samekey::Idempotent;

trait Tenant {
    type Id;
}

struct Acme;

impl Tenant for Acme {
    type Id = u64;
}

#[derive(samekey::Identity)]
struct Tagged<T, K>(T, #[idempotent(ignore = "type marker")] PhantomData<K>);

#[derive(samekey::Identity)]
enum Either<A, B: ?Sized>
where
    A: Clone,
{
    Left(A),
    Right { value: Box<B> },
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge<'a, 'b: 'a, T: Tenant, U, const N: usize = 2>
where
    U: Clone + std::fmt::Debug,
{
    #[idempotent(identity)]
    customer_id: &'a str,
    #[idempotent(identity)]
    period: Cow<'b, str>,
    #[idempotent(identity)]
    tenant: T::Id,
    #[idempotent(identity)]
    tagged: Tagged<U, fn()>,
    #[idempotent(identity)]
    lines: [u8; N],
    #[idempotent(identity)]
    either: Either<U, [U]>,
    #[idempotent(ignore = "not part of the identity, so it needs no bound")]
    _amount: Option<f64>,
}

fn main() {
    let charge = Charge::<Acme, i32> {
        customer_id: "cust_123",
        period: "2026-08".into(),
        tenant: 7,
        tagged: Tagged(1, PhantomData),
        lines: [1, 2],
        either: Either::Right { value: Box::new([1, 2]) },
        _amount: None,
    };
    let left: Either<i32, str> = Either::Left(1);
    drop(left);
    assert_eq!(charge.idempotency_key(), (&charge).idempotency_key());
}
