use std::collections::{HashMap, HashSet};

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    amount: f64,
    #[idempotent(identity)]
    items: HashMap<String, u32>,
    #[idempotent(identity)]
    skus: HashSet<String>,
    #[idempotent(identity)]
    nested: Option<Vec<f32>>,
}

fn main() {}
