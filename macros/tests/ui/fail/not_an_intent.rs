struct Charge;

fn key<T: samekey::Idempotent>(_: T) {}

fn main() {
    key(Charge);
}
