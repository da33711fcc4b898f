//! Documents: texts with optional line breaks, and their layout, after Wadler («A prettier printer», 2003).
//!
//! Two things differ from the paper. A break that the author has made is kept, and does not force others: a group is laid out
//! flat if all its lines fit then. And comments are elements of their own, which nothing can follow on their line.

/// Maximum width of a line of code that can be broken.
pub const WIDTH: usize = 112;

/// Indentation of continuation lines.
pub const INDENT: usize = 2;

#[derive(Clone, Debug)]
pub enum Doc {
    Text(String),
    /// Blanks; removed at the end of a line.
    Blanks(usize),
    /// A blank (or nothing, if `tight`), or a new line if its group does not fit; `kept`: the author has made the break.
    Line {
        tight: bool,
        kept: bool,
    },
    /// A new line, after an empty one if `blank`.
    Hard {
        blank: bool,
    },
    Comment(Comment),
    Cat(Vec<Doc>),
    /// Increases the indentation of the new lines in it.
    Nest(usize, Box<Doc>),
    /// Indents the new lines in it like the line where it begins.
    Base(Box<Doc>),
    /// Indents the new lines in it one step more than the line where it begins, or than the surrounding document, if that is
    /// more.
    Hang(Box<Doc>),
    /// The rest of this line counts as if the line began here.
    Margin,
    /// Starts the new lines in it in the column where it begins.
    Align(Box<Doc>),
    /// Breaks its lines together if they do not fit together.
    Group(Box<Doc>),
}

#[derive(Clone, Debug)]
pub struct Comment {
    pub text: String,
    /// Whether it is on its own line; otherwise it ends the line of the preceding element.
    pub own_line: bool,
    /// Whether an empty line preceded it.
    pub blank: bool,
    /// Its column in the source.
    pub column: usize,
}

/// One line of the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub code: String,
    /// The comment at the end of the line, and its column in the source.
    pub comment: Option<(String, usize)>,
}

impl Doc {
    pub fn nil() -> Doc {
        Doc::Cat(Vec::new())
    }

    pub fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub fn blank() -> Doc {
        Doc::Blanks(1)
    }

    pub fn nest(self, by: usize) -> Doc {
        Doc::Nest(by, Box::new(self))
    }

    pub fn base(self) -> Doc {
        Doc::Base(Box::new(self))
    }

    pub fn hang(self) -> Doc {
        Doc::Hang(Box::new(self))
    }

    pub fn align(self) -> Doc {
        Doc::Align(Box::new(self))
    }

    pub fn group(self) -> Doc {
        Doc::Group(Box::new(self))
    }

    /// Return the width on one line, without the comments before it and one at its end; None if it cannot be on one line.
    pub fn width(&self) -> Option<usize> {
        let measure = measure(self);
        (!measure.breaks).then_some(measure.widest)
    }

    /// Return the distance from its beginning to the right end of its lines, if only the author's breaks are made.
    pub fn reach(&self) -> usize {
        measure(self).widest
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

#[derive(Clone, Copy)]
struct Frame<'d> {
    indent: usize,
    mode: Mode,
    doc: &'d Doc,
}

/// Position of the next character.
#[derive(Clone, Copy, Debug)]
struct Pen {
    column: usize,
    /// Pending blanks, written if more text follows on this line.
    blanks: usize,
    /// Whether the line contains only its indentation, `column`.
    at_start: bool,
    /// Whether a comment has ended the line.
    closed: bool,
    /// Indentation of this line.
    margin: usize,
}

impl Pen {
    fn new(indent: usize) -> Pen {
        Pen { column: indent, blanks: 0, at_start: true, closed: false, margin: indent }
    }

    fn next_column(&self, indent: usize) -> usize {
        if self.closed { indent } else { self.column + self.blanks }
    }

    fn new_line(&mut self, indent: usize) {
        *self = Pen::new(indent);
    }
}

struct Measure {
    widest: usize,
    breaks: bool,
    fits: bool,
}

fn measure(doc: &Doc) -> Measure {
    probe(Frame { indent: 0, mode: Mode::Flat, doc }, Pen::new(0), usize::MAX, &[])
}

/// Lay out a group flat without output, and the rest up to the first optional line break.
fn probe<'d>(group: Frame<'d>, mut pen: Pen, limit: usize, rest: &[Frame<'d>]) -> Measure {
    let mut found = Measure { widest: pen.column, breaks: false, fits: true };
    let mut own = vec![group];
    let mut rest = rest.iter().rev();
    let mut behind = false;
    // Comments at the beginning force no breaks.
    let mut started = false;
    loop {
        let frame = match own.pop() {
            Some(frame) => frame,
            None => match rest.next() {
                Some(frame) => {
                    behind = true;
                    *frame
                }
                None => return found,
            },
        };
        match frame.doc {
            Doc::Text(text) => {
                if pen.closed {
                    found.breaks |= started;
                    pen.new_line(frame.indent);
                }
                started = true;
                pen.column += pen.blanks + text.chars().count();
                pen.blanks = 0;
                pen.at_start = false;
                found.widest = found.widest.max(pen.column);
                if pen.column > limit {
                    found.fits = false;
                    return found;
                }
            }
            Doc::Blanks(count) => {
                if !pen.at_start {
                    pen.blanks += count;
                }
            }
            Doc::Line { tight, kept } => {
                if behind && (frame.mode == Mode::Broken || *kept) {
                    return found;
                }
                if *kept {
                    found.breaks |= started;
                    pen.new_line(frame.indent);
                } else if !tight && !pen.at_start {
                    pen.blanks += 1;
                }
            }
            Doc::Hard { .. } | Doc::Comment(_) if behind => return found,
            Doc::Hard { .. } => {
                found.breaks |= started;
                pen.new_line(frame.indent);
            }
            Doc::Comment(comment) => {
                found.breaks |= started && (comment.own_line || pen.closed);
                pen.closed = true;
            }
            Doc::Cat(docs) => own.extend(docs.iter().rev().map(|doc| Frame { doc, ..frame })),
            Doc::Nest(by, doc) => own.push(Frame { indent: frame.indent + by, doc, ..frame }),
            Doc::Base(doc) => own.push(Frame { indent: pen.margin, doc, ..frame }),
            Doc::Hang(doc) => {
                own.push(Frame { indent: pen.margin.max(frame.indent) + INDENT, doc, ..frame });
            }
            Doc::Margin => pen.margin = pen.next_column(frame.indent),
            Doc::Align(doc) => own.push(Frame { indent: pen.next_column(frame.indent), doc, ..frame }),
            // A later group may still be broken.
            Doc::Group(doc) if behind && frame.mode == Mode::Broken => {
                own.push(Frame { mode: Mode::Broken, doc, ..frame });
            }
            Doc::Group(doc) => own.push(Frame { doc, ..frame }),
        }
    }
}

/// Lay out a document in lines, the first with this indentation.
pub fn rows(doc: &Doc, indent: usize) -> Vec<Row> {
    let mut rows = vec![Row::default()];
    let mut pen = Pen::new(indent);
    let mut stack = vec![Frame { indent, mode: Mode::Broken, doc }];
    while let Some(frame) = stack.pop() {
        match frame.doc {
            Doc::Text(text) => {
                if pen.closed {
                    new_line(&mut rows, &mut pen, frame.indent, false);
                }
                let row = rows.last_mut().expect("there is a first row");
                let gap = if pen.at_start { pen.column } else { pen.blanks };
                row.code.extend(std::iter::repeat_n(' ', gap));
                row.code.push_str(text);
                pen.column += pen.blanks + text.chars().count();
                pen.blanks = 0;
                pen.at_start = false;
            }
            Doc::Blanks(count) => {
                if !pen.at_start {
                    pen.blanks += count;
                }
            }
            Doc::Line { tight, kept } => {
                if *kept || frame.mode == Mode::Broken {
                    new_line(&mut rows, &mut pen, frame.indent, false);
                } else if !tight && !pen.at_start {
                    pen.blanks += 1;
                }
            }
            Doc::Hard { blank } => new_line(&mut rows, &mut pen, frame.indent, *blank),
            Doc::Comment(comment) => put(comment, &mut rows, &mut pen, frame.indent),
            Doc::Cat(docs) => stack.extend(docs.iter().rev().map(|doc| Frame { doc, ..frame })),
            Doc::Nest(by, doc) => stack.push(Frame { indent: frame.indent + by, doc, ..frame }),
            Doc::Base(doc) => stack.push(Frame { indent: pen.margin, doc, ..frame }),
            Doc::Hang(doc) => {
                stack.push(Frame { indent: pen.margin.max(frame.indent) + INDENT, doc, ..frame });
            }
            Doc::Margin => pen.margin = pen.next_column(frame.indent),
            Doc::Align(doc) => stack.push(Frame { indent: pen.next_column(frame.indent), doc, ..frame }),
            Doc::Group(doc) => {
                let flat = Frame { mode: Mode::Flat, doc, ..frame };
                let fits = frame.mode == Mode::Flat || probe(flat, pen, WIDTH, &stack).fits;
                stack.push(if fits { flat } else { Frame { mode: Mode::Broken, ..flat } });
            }
        }
    }
    rows
}

fn new_line(rows: &mut Vec<Row>, pen: &mut Pen, indent: usize, blank: bool) {
    if blank {
        rows.push(Row::default());
    }
    rows.push(Row::default());
    pen.new_line(indent);
}

fn put(comment: &Comment, rows: &mut Vec<Row>, pen: &mut Pen, indent: usize) {
    if comment.own_line || pen.closed {
        if !pen.at_start || pen.closed {
            new_line(rows, pen, indent, comment.blank);
        }
        let row = rows.last_mut().expect("there is a first row");
        row.code = format!("{}{}", " ".repeat(pen.column), comment.text);
    } else {
        let row = rows.last_mut().expect("there is a first row");
        row.comment = Some((comment.text.clone(), comment.column));
    }
    pen.closed = true;
}
