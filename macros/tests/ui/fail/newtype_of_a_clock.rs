#[derive(samekey::Identity)]
struct StartedAt(std::time::Instant);

fn main() {}
