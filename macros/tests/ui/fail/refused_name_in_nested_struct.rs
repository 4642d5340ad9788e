#[derive(samekey::Identity)]
struct Order {
    id: String,
    replica_id: String,
}

fn main() {}
