//! SHA-1 as FIPS 180-4 describes it, for UUIDv5 keys that are already live.
//!
//! No key of format 1 depends on it.

const BLOCK: usize = 64;

/// Hashes parts as if they were one message.
pub(crate) fn sha1(parts: &[&[u8]]) -> [u8; 20] {
    let mut message = parts.concat();
    let bits = (message.len() as u64).wrapping_mul(8);
    message.push(0x80);
    while message.len() % BLOCK != BLOCK - 8 {
        message.push(0);
    }
    message.extend_from_slice(&bits.to_be_bytes());

    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in message.chunks_exact(BLOCK) {
        compress(&mut state, block);
    }
    let mut digest = [0; 20];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn compress(state: &mut [u32; 5], block: &[u8]) {
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in schedule(block).into_iter().enumerate() {
        let (mix, constant) = match round {
            0..20 => (b & c | !b & d, 0x5a82_7999),
            20..40 => (b ^ c ^ d, 0x6ed9_eba1),
            40..60 => (b & c | b & d | c & d, 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6),
        };
        let next =
            a.rotate_left(5).wrapping_add(mix).wrapping_add(e).wrapping_add(constant).wrapping_add(word);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (total, value) in state.iter_mut().zip([a, b, c, d, e]) {
        *total = total.wrapping_add(value);
    }
}

fn schedule(block: &[u8]) -> [u32; 80] {
    let mut words = [0; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for index in 16..80 {
        let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16];
        words[index] = mixed.rotate_left(1);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::sha1;
    use crate::shape::hex;

    #[test]
    fn known_digests() {
        assert_eq!(hex(&sha1(&[])), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(&sha1(&[b"a", b"bc"])), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let million = [b'a'; 1000].repeat(1000);
        assert_eq!(hex(&sha1(&[&million])), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }

    #[test]
    fn lengths_around_a_block() {
        let digest = |length| hex(&sha1(&[&alloc::vec![b'a'; length]]));
        assert_eq!(digest(55), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
        assert_eq!(digest(56), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
        assert_eq!(digest(64), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    }
}
