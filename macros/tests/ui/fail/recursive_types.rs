#[derive(samekey::Identity)]
struct Node {
    id: String,
    parent: Option<Box<Node>>,
}

#[derive(samekey::Identity)]
enum Tree {
    Leaf(String),
    Inner(Vec<Self>),
}

fn main() {}
