fn started(_: &String) -> std::time::Instant {
    std::time::Instant::now()
}

fn wrong_argument(_: &u8) -> String {
    String::new()
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity, with = started)]
    a: String,
    #[idempotent(identity, with = wrong_argument)]
    b: String,
    #[idempotent(identity, with = nowhere)]
    c: String,
}

fn main() {}
