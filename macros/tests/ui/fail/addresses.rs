#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge<'a> {
    #[idempotent(identity)]
    pointer: *const u8,
    #[idempotent(identity)]
    function: fn(u8) -> u8,
    #[idempotent(identity)]
    object: Box<dyn std::fmt::Display>,
    #[idempotent(identity)]
    mutable: &'a mut String,
}

fn main() {}
