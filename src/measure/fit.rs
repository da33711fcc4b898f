//! Fitting of the usual growth functions of n by least squares. The result is evidence, not a proof.
//!
//! Each shape is fitted together with the next lower term, `a·n log n + b·n`, since costs of algorithms have this form:
//! without it, `2n log n + 3n` would resemble neither. The fit minimizes the sum of the squares of the *relative*
//! errors: all sizes have equal weight, whereas absolute errors would depend on the largest only.

use serde::Serialize;

/// Minimum number of sizes for a fit with two coefficients.
pub const FEWEST_SIZES: usize = 4;

/// Minimum ratio of the largest to the smallest size: on a narrower range, all shapes are nearly linear.
pub const NARROWEST: u32 = 8;

/// Rule of choice: a shape that grows faster is preferred only if its error is less than this part of the other's. With
/// two coefficients each, the next shape often fits noise slightly better.
const CLEARLY_BETTER: f64 = 0.8;

/// A leading term with less than this part of the value at the largest size counts as absent.
const LEAST_SHARE: f64 = 0.02;

/// Smaller relative errors are due to rounding.
const EXACT: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Shape {
    #[serde(rename = "1")]
    Constant,
    #[serde(rename = "log n")]
    Logarithm,
    #[serde(rename = "n")]
    Linear,
    #[serde(rename = "n log n")]
    Linearithmic,
    #[serde(rename = "n^2")]
    Square,
}

impl Shape {
    /// All shapes, from the slowest to the fastest growth.
    pub const ALL: [Shape; 5] =
        [Shape::Constant, Shape::Logarithm, Shape::Linear, Shape::Linearithmic, Shape::Square];

    /// The shape as displayed; logarithms are binary.
    pub fn as_str(self) -> &'static str {
        match self {
            Shape::Constant => "1",
            Shape::Logarithm => "log n",
            Shape::Linear => "n",
            Shape::Linearithmic => "n log n",
            Shape::Square => "n²",
        }
    }

    fn at(self, n: f64) -> f64 {
        match self {
            Shape::Constant => 1.0,
            Shape::Logarithm => n.log2(),
            Shape::Linear => n,
            Shape::Linearithmic => n * n.log2(),
            Shape::Square => n * n,
        }
    }

    /// Return the lower term that is fitted with it.
    pub fn below(self) -> Option<Shape> {
        match self {
            Shape::Constant => None,
            Shape::Logarithm | Shape::Linear => Some(Shape::Constant),
            Shape::Linearithmic | Shape::Square => Some(Shape::Linear),
        }
    }
}

/// A fitted shape with its coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Model {
    pub shape: Shape,
    pub coefficient: f64,
    /// Coefficient of the lower term; 0 if there is none.
    pub below: f64,
    /// Root mean square of the relative errors, for the remaining degrees of freedom: 0.01 is 1 %.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub error: f64,
    /// False if the leading coefficient is negative or negligible.
    pub plausible: bool,
}

/// Result of fitting one series of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Fit {
    /// All shapes, from the slowest to the fastest growth.
    #[cfg_attr(feature = "schemas", schemars(length(min = 5, max = 5)))]
    pub models: Vec<Model>,
    /// The slowest shape over which no faster one is clearly better (an error less than four fifths of its own).
    pub best: Shape,
    /// Number of sizes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub sizes: usize,
}

impl Model {
    pub fn at(&self, n: f64) -> f64 {
        self.coefficient * self.shape.at(n) + self.shape.below().map_or(0.0, |below| self.below * below.at(n))
    }
}

impl Fit {
    /// Fit points (n, value), one for each size. Return `None` if the sizes are too few or too close together.
    pub fn of(points: &[(u32, f64)]) -> Option<Fit> {
        let mut sizes: Vec<u32> = points.iter().map(|(n, _)| *n).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let (least, most) = (*sizes.first()?, *sizes.last()?);
        if sizes.len() < FEWEST_SIZES || most < least.saturating_mul(NARROWEST) {
            return None;
        }
        let models: Vec<Model> = Shape::ALL.into_iter().map(|shape| model(shape, points)).collect();
        let mut best = models[0];
        for next in &models[1..] {
            if next.plausible && next.error < CLEARLY_BETTER * best.error {
                best = *next;
            }
        }
        Some(Fit { models, best: best.shape, sizes: sizes.len() })
    }

    pub fn best(&self) -> &Model {
        &self.models[self.best as usize]
    }

    /// Return the model with the second smallest error.
    pub fn runner_up(&self) -> Option<&Model> {
        let others = self.models.iter().filter(|m| m.shape != self.best && m.plausible);
        others.min_by(|a, b| a.error.total_cmp(&b.error))
    }
}

/// Least squares by orthogonal projection, on columns divided by the value of each point.
fn model(shape: Shape, points: &[(u32, f64)]) -> Model {
    let weight = |value: f64| 1.0 / value.abs().max(1.0);
    let column = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        points.iter().map(|(n, value)| f(f64::from(*n), *value) * weight(*value)).collect()
    };
    let target = column(&|_, value| value);
    let leading = column(&|n, _| shape.at(n));
    let below = shape.below().map(|below| column(&|n, _| below.at(n)));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let part = |of: &[f64], along: &[f64]| match dot(along, along) {
        0.0 => 0.0,
        length => dot(of, along) / length,
    };
    let (coefficient, lower) = match &below {
        None => (part(&target, &leading), 0.0),
        Some(below) => {
            let shared = part(&leading, below);
            let own: Vec<f64> = leading.iter().zip(below).map(|(l, b)| l - shared * b).collect();
            let coefficient = part(&target, &own);
            (coefficient, part(&target, below) - coefficient * shared)
        }
    };
    let model = Model { shape, coefficient, below: lower, error: 0.0, plausible: false };
    let largest = points.iter().max_by_key(|(n, _)| *n).map_or((1.0, 0.0), |(n, v)| (f64::from(*n), *v));
    let plausible = shape == Shape::Constant || coefficient * shape.at(largest.0) > LEAST_SHARE * largest.1;
    let squares = points.iter().map(|(n, value)| {
        let error = (value - model.at(f64::from(*n))) * weight(*value);
        error * error
    });
    let freedom = points.len() - 1 - usize::from(below.is_some());
    let error = (squares.sum::<f64>() / freedom.max(1) as f64).sqrt();
    Model { error: if error < EXACT { 0.0 } else { error }, plausible, ..model }
}
