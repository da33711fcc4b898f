//! Random mutations of a text, deterministic for a seed.

/// Numbers by SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound.max(1) as u64) as usize
    }

    pub fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// Pieces that break readers more often than others.
const SPICE: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e999",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "<",
    ">",
    "\\",
    "&",
    "#",
    "//",
    "\u{0}",
    "\u{feff}",
    "é",
    "\u{1f600}",
    "\t",
    "\r\n",
    "\n",
];

/// Return the text with a few words or characters removed, doubled, exchanged or replaced.
pub fn stirred(text: &str, dice: &mut Dice) -> String {
    let mut text = text.to_string();
    for _ in 0..=dice.below(4) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (a, b) = (dice.one_of(&places), dice.one_of(&places));
        let (a, b) = (a.min(b), a.max(b));
        // Long pieces are rare: the result should resemble the original.
        let near =
            places.iter().copied().find(|at| *at >= b.min(a + 1 + dice.below(12))).unwrap_or(text.len());
        match dice.below(7) {
            0 => text.truncate(a),
            1 => text.replace_range(a..near, ""),
            2 => text.replace_range(a..near, dice.one_of(SPICE)),
            3 => text.insert_str(a, dice.one_of(SPICE)),
            4 => {
                let piece = text[a..near].to_string();
                text.insert_str(b.max(near), &piece);
            }
            5 => {
                let piece = text[a..near].repeat(1 + dice.below(40));
                text.insert_str(a, &piece);
            }
            _ => {
                let mut words: Vec<&str> = text.split(' ').collect();
                let (i, j) = (dice.below(words.len()), dice.below(words.len()));
                words.swap(i, j);
                text = words.join(" ");
            }
        }
    }
    text
}
