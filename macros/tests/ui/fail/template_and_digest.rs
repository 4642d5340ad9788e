#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}")]
struct NoDigest {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", digest = "none")]
struct NoTemplate {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "md5")]
struct Unknown {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "sha256/4")]
struct TooShort {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "uuid5(here)")]
struct NoUuid {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

#[derive(samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge", template = "{a}:{b}", digest = "none", version = 2)]
struct Versioned {
    #[idempotent(identity)]
    a: String,
    #[idempotent(identity)]
    b: String,
}

fn main() {}
