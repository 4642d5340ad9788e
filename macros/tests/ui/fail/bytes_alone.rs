#[derive(samekey::Idempotent)]
#[idempotent(namespace = "n", operation = "o")]
struct Bytes {
    #[idempotent(bytes)]
    hash: [u8; 32],
}

fn main() {}
