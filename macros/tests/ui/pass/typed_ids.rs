//! A type parameter that is a mere marker does not make a type contain itself.
use std::marker::PhantomData;

#[derive(samekey::Identity)]
struct Id<T>(u64, #[idempotent(ignore = "type marker")] PhantomData<fn() -> T>);

#[derive(samekey::Identity)]
struct Order {
    id: Id<Order>,
    parent: Option<Id<Order>>,
    pointed: Id<*const u8>,
}

fn main() {
    let order = Order { id: Id(1, PhantomData), parent: None, pointed: Id(2, PhantomData) };
    let _ = <Order as samekey::Identity>::template_text(&order);
}
