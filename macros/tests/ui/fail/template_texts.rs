#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}{b}", digest = "none")]
struct Adjacent {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:b", digest = "none")]
struct Missing {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}:{c}", digest = "none")]
struct Unknown {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "a:b", digest = "none")]
struct Constant {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a:", digest = "none")]
struct Open {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "a}:{b}", digest = "none")]
struct Close {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{}:{b}", digest = "none")]
struct Nameless {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a:>8}:{b}", digest = "none")]
struct Formatted {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

fn main() {}
