#[derive(samekey::Identity)]
struct Unit;

#[derive(samekey::Identity)]
struct Braces {}

#[derive(samekey::Identity)]
enum Never {}

#[derive(samekey::Identity)]
struct Ignored(#[idempotent(ignore = "cache")] String);

fn main() {}
