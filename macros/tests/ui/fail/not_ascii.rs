#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    größe: String,
}

#[derive(samekey::Identity)]
enum Art {
    Überweisung,
}

fn main() {}
