#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", pin = "0000000000000000")]
struct Charge<T, const N: usize> {
    #[idempotent(identity)]
    ids: [T; N],
}

fn main() {}
