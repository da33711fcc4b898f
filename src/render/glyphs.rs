//! The characters of a space-time diagram, in Unicode and in ASCII.

pub struct Glyphs {
    pub start: char,
    pub event: char,
    pub halt: char,
    /// A process crashes, restarts, or has a timer expire.
    pub crash: char,
    pub restart: char,
    pub timeout: char,
    /// The target of a message that is never received.
    pub lost: char,
    pub line: char,
    pub head_right: char,
    pub head_left: char,
    /// Between the two processes of an interaction.
    pub meet: char,
    /// The place where an arrow leaves a lifeline that has ended.
    pub ended: char,
    /// Connects a label to its event.
    pub stub_right: char,
    pub stub_left: char,
    pub gap: char,
    /// The line of a cut, and its crossing with a lifeline.
    pub cut: char,
    pub cut_crosses: char,
    pub becomes: &'static str,
    pub seen: &'static str,
    /// Precedes the violation of a property.
    pub violated: &'static str,
    pub ellipsis: &'static str,
    pub to: &'static str,
    pub from: &'static str,
    /// The lifelines of the control states, in order of first occurrence.
    pub lives: &'static [Life],
}

/// The characters of a lifeline.
pub struct Life {
    pub line: char,
    /// An arrow leaves to the right, to the left, or passes.
    pub tee_right: char,
    pub tee_left: char,
    pub cross: char,
}

const fn life(line: char, tee_right: char, tee_left: char, cross: char) -> Life {
    Life { line, tee_right, tee_left, cross }
}

pub const UNICODE: Glyphs = Glyphs {
    start: '○',
    event: '●',
    halt: '■',
    crash: '✗',
    restart: '↻',
    timeout: '◷',
    lost: '✗',
    line: '─',
    head_right: '▶',
    head_left: '◀',
    meet: '═',
    ended: '╌',
    stub_right: '╴',
    stub_left: '╶',
    gap: '⋮',
    cut: '═',
    cut_crosses: '╪',
    becomes: "→ ",
    seen: "◆ ",
    violated: "✗ ",
    ellipsis: "…",
    to: "→",
    from: "←",
    lives: &[
        life('│', '├', '┤', '┼'),
        life('┊', '├', '┤', '┼'),
        life('┃', '┠', '┨', '╂'),
        life('║', '╟', '╢', '╫'),
        life('╎', '├', '┤', '┼'),
        life('┇', '┠', '┨', '╂'),
    ],
};

pub const ASCII: Glyphs = Glyphs {
    start: 'o',
    event: '*',
    halt: '#',
    crash: 'X',
    restart: 'R',
    timeout: 't',
    lost: 'x',
    line: '-',
    head_right: '>',
    head_left: '<',
    meet: '=',
    ended: '-',
    stub_right: ' ',
    stub_left: ' ',
    gap: ':',
    cut: '=',
    cut_crosses: '#',
    becomes: "=> ",
    seen: "! ",
    violated: "X ",
    ellipsis: "...",
    to: "->",
    from: "<-",
    lives: &[
        life('|', '+', '+', '|'),
        life(':', '+', '+', ':'),
        life('H', '+', '+', 'H'),
        life('I', '+', '+', 'I'),
        life('.', '+', '+', '.'),
        life('"', '+', '+', '"'),
    ],
};
