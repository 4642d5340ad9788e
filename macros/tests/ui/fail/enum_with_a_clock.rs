#[derive(samekey::Identity)]
enum Due {
    Never,
    At(std::time::SystemTime),
    Every { seconds: f64 },
}

fn main() {}
