//! A struct of forty fields.
use samekey::Idempotent;

#[derive(Default, samekey::Idempotent)]
#[idempotent(namespace = "billing", operation = "charge")]
struct Charge {
    #[idempotent(identity)]
    field_0: u8,
    #[idempotent(identity)]
    field_1: i64,
    #[idempotent(identity)]
    field_2: String,
    #[idempotent(identity)]
    field_3: bool,
    #[idempotent(identity)]
    field_4: Option<String>,
    #[idempotent(identity)]
    field_5: [u8; 2],
    #[idempotent(identity)]
    field_6: (u8, String),
    #[idempotent(identity)]
    field_7: char,
    #[idempotent(identity)]
    field_8: u8,
    #[idempotent(identity)]
    field_9: i64,
    #[idempotent(identity)]
    field_10: String,
    #[idempotent(identity)]
    field_11: bool,
    #[idempotent(identity)]
    field_12: Option<String>,
    #[idempotent(identity)]
    field_13: [u8; 2],
    #[idempotent(identity)]
    field_14: (u8, String),
    #[idempotent(identity)]
    field_15: char,
    #[idempotent(identity)]
    field_16: u8,
    #[idempotent(identity)]
    field_17: i64,
    #[idempotent(identity)]
    field_18: String,
    #[idempotent(identity)]
    field_19: bool,
    #[idempotent(identity)]
    field_20: Option<String>,
    #[idempotent(identity)]
    field_21: [u8; 2],
    #[idempotent(identity)]
    field_22: (u8, String),
    #[idempotent(identity)]
    field_23: char,
    #[idempotent(identity)]
    field_24: u8,
    #[idempotent(identity)]
    field_25: i64,
    #[idempotent(identity)]
    field_26: String,
    #[idempotent(identity)]
    field_27: bool,
    #[idempotent(identity)]
    field_28: Option<String>,
    #[idempotent(identity)]
    field_29: [u8; 2],
    #[idempotent(identity)]
    field_30: (u8, String),
    #[idempotent(identity)]
    field_31: char,
    #[idempotent(identity)]
    field_32: u8,
    #[idempotent(identity)]
    field_33: i64,
    #[idempotent(identity)]
    field_34: String,
    #[idempotent(identity)]
    field_35: bool,
    #[idempotent(identity)]
    field_36: Option<String>,
    #[idempotent(identity)]
    field_37: [u8; 2],
    #[idempotent(identity)]
    field_38: (u8, String),
    #[idempotent(identity)]
    field_39: char,
}

fn main() {
    let mut charge = Charge::default();
    let before = charge.idempotency_key();
    charge.field_39 = 'x';
    assert_ne!(before, charge.idempotency_key());
}
