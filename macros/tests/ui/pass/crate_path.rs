//! The runtime crate under another name, and the derives by name.
extern crate samekey as keys;

mod reexports {
    pub use keys::*;
}

use keys::{Idempotent, Identity};

#[derive(Identity)]
#[idempotent(crate = keys)]
struct CustomerId(String);

#[derive(Idempotent)]
#[idempotent(crate = "reexports", namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    customer_id: CustomerId,
}

fn main() {
    Charge { customer_id: CustomerId("a".into()) }.idempotency_key();
}
