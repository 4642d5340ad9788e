//! Decimal numbers of `rust_decimal`.

use rust_decimal::Decimal;

use super::leaf;

// `1.5` and `1.50` are one value with two texts, so there is no template text.
leaf!([] Decimal, Decimal, |value, slot| slot.decimal(value.mantissa(), value.scale()), |_| None);
