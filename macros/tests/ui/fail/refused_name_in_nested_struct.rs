#[derive(samekey::Identity)]
struct Order {
    id: String,
    worker_id: String,
}

fn main() {}
