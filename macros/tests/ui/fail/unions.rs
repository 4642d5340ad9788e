#[derive(samekey::Identity)]
union Id {
    number: u64,
    bytes: [u8; 8],
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
union Charge {
    number: u64,
    bytes: [u8; 8],
}

fn main() {}
