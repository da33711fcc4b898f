//! Placement of labels: rotated rectangles, and overlap tests.

use rustc_hash::FxHashMap;

/// A rectangle around a point, rotated so that its long side runs along a direction.
#[derive(Clone, Copy, Debug)]
pub struct Box {
    pub x: f64,
    pub y: f64,
    /// Half of its width and of its height.
    pub half: (f64, f64),
    /// The direction of its width, of length 1.
    pub along: (f64, f64),
}

impl Box {
    pub fn upright(x: f64, y: f64, width: f64, height: f64) -> Box {
        Box { x, y, half: (width / 2.0, height / 2.0), along: (1.0, 0.0) }
    }

    /// Return half of its extent in a direction.
    fn reach(&self, (x, y): (f64, f64)) -> f64 {
        let (ax, ay) = self.along;
        self.half.0 * (ax * x + ay * y).abs() + self.half.1 * (ax * y - ay * x).abs()
    }

    /// Return whether two rectangles overlap. Separating axes: they are disjoint if a side of one of them separates them.
    pub fn overlaps(&self, other: &Box) -> bool {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        let sides = [self.along, (-self.along.1, self.along.0), other.along, (-other.along.1, other.along.0)];
        sides.iter().all(|side| (dx * side.0 + dy * side.1).abs() < self.reach(*side) + other.reach(*side))
    }

    /// Return how deeply two rectangles overlap: the shortest distance that separates them. 0 if they are disjoint.
    pub fn depth(&self, other: &Box) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        let sides = [self.along, (-self.along.1, self.along.0), other.along, (-other.along.1, other.along.0)];
        let way =
            |side: &(f64, f64)| self.reach(*side) + other.reach(*side) - (dx * side.0 + dy * side.1).abs();
        sides.iter().map(way).fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// Return half of its extent to the right and downwards.
    pub fn extent(&self) -> (f64, f64) {
        (self.reach((1.0, 0.0)), self.reach((0.0, 1.0)))
    }
}

/// The width of the strips that index the boxes.
const STRIP: f64 = 120.0;

/// The space already occupied.
#[derive(Default)]
pub struct OccupiedBoxes {
    boxes: Vec<Box>,
    /// By strip: the boxes that reach into it.
    strips: FxHashMap<i64, Vec<u32>>,
}

impl OccupiedBoxes {
    fn range(b: &Box) -> std::ops::RangeInclusive<i64> {
        let reach = b.extent().0;
        let strip = |x: f64| (x / STRIP).floor() as i64;
        strip(b.x - reach)..=strip(b.x + reach)
    }

    pub fn add(&mut self, b: Box) {
        let number = self.boxes.len() as u32;
        self.boxes.push(b);
        for strip in OccupiedBoxes::range(&b) {
            self.strips.entry(strip).or_default().push(number);
        }
    }

    /// Return the occupied boxes that overlap a box.
    pub fn overlapping<'t>(&'t self, b: &'t Box) -> impl Iterator<Item = &'t Box> {
        let strips = OccupiedBoxes::range(b);
        let first = *strips.start();
        let found = strips.filter_map(|strip| Some((strip, self.strips.get(&strip)?)));
        let boxes = found.flat_map(|(strip, numbers)| numbers.iter().map(move |number| (strip, *number)));
        // A box that reaches into several strips counts once.
        let once = boxes.filter(move |(strip, number)| {
            *strip == first.max(*OccupiedBoxes::range(&self.boxes[*number as usize]).start())
        });
        once.map(|(_, number)| &self.boxes[number as usize]).filter(|other| b.overlaps(other))
    }

    pub fn is_free(&self, b: &Box) -> bool {
        self.overlapping(b).next().is_none()
    }

    /// Occupy the first of these boxes that is free.
    pub fn first_free(&mut self, candidates: impl IntoIterator<Item = Box>) -> Option<Box> {
        let found = candidates.into_iter().find(|b| self.is_free(b))?;
        self.add(found);
        Some(found)
    }
}

/// The free space for labels: boxes that they must not cover, and lines that they should avoid.
#[derive(Default)]
pub struct LabelSpace {
    pub taken: OccupiedBoxes,
    pub lines: OccupiedBoxes,
}

/// A label on another one is unreadable, a label on a line is not.
const COVERED: f64 = 60.0;
const CROSSED: f64 = 3.0;
const CLEAR: f64 = 14.0;

impl LabelSpace {
    /// Add a line between two points.
    pub fn line(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt().max(0.1);
        let along = ((x1 - x0) / length, (y1 - y0) / length);
        self.lines.add(Box { x: (x0 + x1) / 2.0, y: (y0 + y1) / 2.0, half: (length / 2.0, 0.5), along });
    }

    fn cost(&self, b: &Box) -> f64 {
        let covered = self.taken.overlapping(b).map(|other| COVERED + 10.0 * b.depth(other));
        let crossed = self.lines.overlapping(b).map(|line| CROSSED + 0.2 * b.depth(line));
        covered.sum::<f64>() + crossed.sum::<f64>()
    }

    /// Return the box that covers least (the first of equal ones), and whether it is clear. A clear box covers nothing that must
    /// be readable, and crosses at most an edge or two.
    pub fn best(&self, candidates: impl IntoIterator<Item = Box>) -> Option<(Box, bool)> {
        let mut best: Option<(Box, f64)> = None;
        for (rank, b) in candidates.into_iter().enumerate() {
            let cost = self.cost(&b) + 0.05 * rank as f64;
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((b, cost));
            }
            // Later candidates cannot be better.
            if best.is_some_and(|(_, least)| least <= 0.05 * (rank + 1) as f64) {
                break;
            }
        }
        best.map(|(b, cost)| (b, cost < CLEAR))
    }
}
