#[derive(samekey::Identity)]
struct Line {
    sku: String,
    quantity: u32,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", pin = "?")]
struct Charge<'a> {
    #[idempotent(identity)]
    lines: &'a [Line],
}

fn main() {}
