#[derive(samekey::Idempotent)]
#[idempotent(namespace = "n", operation = "o")]
struct Long {
    #[idempotent(identity)]
    a_name_that_goes_on_a_name_that_goes_on_a_name_that_goes_on_a_name_that_goes_on_a_name_that_goes_on_a_name_that_goes_on_a_name_that_goes_on_end: u64,
}

fn main() {}
