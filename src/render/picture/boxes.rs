//! Finding room for labels: turned rectangles, and whether two of them overlap.

/// A rectangle around a point, turned so that its long side runs along a direction.
#[derive(Clone, Copy, Debug)]
pub struct Box {
    pub x: f64,
    pub y: f64,
    /// Half of its width and of its height.
    pub half: (f64, f64),
    /// Direction of its width, of length 1.
    pub along: (f64, f64),
}

impl Box {
    pub fn upright(x: f64, y: f64, width: f64, height: f64) -> Box {
        Box { x, y, half: (width / 2.0, height / 2.0), along: (1.0, 0.0) }
    }

    /// Half of what it takes up in a direction.
    fn reach(&self, (x, y): (f64, f64)) -> f64 {
        let (ax, ay) = self.along;
        self.half.0 * (ax * x + ay * y).abs() + self.half.1 * (ax * y - ay * x).abs()
    }

    /// Separating axes: two rectangles are apart if they are so along a side of one of them.
    pub fn overlaps(&self, other: &Box) -> bool {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        let sides = [self.along, (-self.along.1, self.along.0), other.along, (-other.along.1, other.along.0)];
        sides.iter().all(|side| (dx * side.0 + dy * side.1).abs() < self.reach(*side) + other.reach(*side))
    }

    /// Half of its extent to the right and downwards.
    pub fn extent(&self) -> (f64, f64) {
        (self.reach((1.0, 0.0)), self.reach((0.0, 1.0)))
    }
}

/// Width of the strips in which boxes are looked for.
const STRIP: f64 = 120.0;

/// What is taken already.
#[derive(Default)]
pub struct Taken {
    strips: Vec<Vec<Box>>,
}

impl Taken {
    fn range(b: &Box) -> std::ops::RangeInclusive<usize> {
        let reach = b.extent().0;
        let strip = |x: f64| (x / STRIP).max(0.0) as usize;
        strip(b.x - reach)..=strip(b.x + reach)
    }

    pub fn add(&mut self, b: Box) {
        for strip in Taken::range(&b) {
            if self.strips.len() <= strip {
                self.strips.resize(strip + 1, Vec::new());
            }
            self.strips[strip].push(b);
        }
    }

    pub fn is_free(&self, b: &Box) -> bool {
        let strips = Taken::range(b).filter_map(|strip| self.strips.get(strip));
        !strips.flatten().any(|other| b.overlaps(other))
    }

    /// Takes the first of these that is free.
    pub fn first_free(&mut self, candidates: impl IntoIterator<Item = Box>) -> Option<Box> {
        let found = candidates.into_iter().find(|b| self.is_free(b))?;
        self.add(found);
        Some(found)
    }
}
