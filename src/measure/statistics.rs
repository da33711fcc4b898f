//! Statistics of numbers measured in several runs: minimum, median, maximum, and mean with its confidence interval.

use serde::Serialize;

/// Statistics of at least one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Statistics {
    /// The minimum.
    pub least: u64,
    /// The median; for an even number of runs, the mean of the two middle values.
    pub median: f64,
    /// The maximum.
    pub greatest: u64,
    /// The arithmetic mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean, by Student's t; `None` for a single run. It refers
    /// to the common expectation of the runs if they differ by chance only, that is, by their seeds.
    pub margin: Option<f64>,
}

impl Statistics {
    /// Compute the statistics of these values; `None` for an empty list.
    pub fn of(mut values: Vec<u64>) -> Option<Statistics> {
        values.sort_unstable();
        let (count, least, greatest) = (values.len(), *values.first()?, *values.last()?);
        let half = count / 2;
        let median = match count % 2 {
            1 => values[half] as f64,
            _ => (values[half - 1] as f64 + values[half] as f64) / 2.0,
        };
        let mean = values.iter().map(|v| *v as f64).sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|v| (*v as f64 - mean).powi(2)).sum();
        let margin = (count > 1).then(|| {
            let deviation = (squares / (count - 1) as f64).sqrt();
            student(count - 1) * deviation / (count as f64).sqrt()
        });
        Some(Statistics { least, median, greatest, mean, margin })
    }

    /// Whether all values are equal.
    pub fn is_one_value(&self) -> bool {
        self.least == self.greatest
    }
}

/// Return the 97.5 % quantile of Student's t for this many degrees of freedom, at least 1.
pub fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    match TABLE.get(freedom - 1) {
        Some(t) => *t,
        // The first terms of its expansion around the normal distribution: correct to three digits from here on.
        None => {
            let (z, v) = (1.959_964_f64, freedom as f64);
            z + (z.powi(3) + z) / (4.0 * v) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v)
        }
    }
}
