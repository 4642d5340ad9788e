#[derive(samekey::Identity)]
struct CustomerId(uuid::Uuid);

fn main() {}
