//! Weights in files: decimal numbers, which are scaled to integers by a common factor.

/// A decimal number: `mantissa` divided by a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    mantissa: i128,
    /// The number of decimals, without final zeros.
    decimals: u32,
}

/// The maximum number of decimals. No scale turns a number with more of them into a 64-bit integer.
const MOST_DECIMALS: u32 = 20;

impl Decimal {
    /// Parse `5`, `-2.50`, `+1e3` or `2,5`; `None` if the text is not a number, or exceeds every scale.
    pub(super) fn parse(text: &str) -> Option<Decimal> {
        let (text, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) || whole.len() + fraction.len() == 0 {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let mantissa: i128 = format!("0{whole}{fraction}").parse().ok()?;
        let mut number = Decimal { mantissa: sign * mantissa, decimals: 0 };
        let decimals = i64::try_from(fraction.len()).ok()? - i64::from(exponent);
        match u32::try_from(decimals) {
            Ok(decimals) => number.decimals = decimals,
            Err(_) => {
                number.mantissa = number.mantissa.checked_mul(power(u32::try_from(-decimals).ok()?)?)?
            }
        }
        while number.decimals > 0 && number.mantissa % 10 == 0 {
            number = Decimal { mantissa: number.mantissa / 10, decimals: number.decimals - 1 };
        }
        (number.decimals <= MOST_DECIMALS).then_some(number)
    }

    /// Return the number times the power of ten with this exponent, which is at least its number of decimals.
    fn scaled(self, exponent: u32) -> Option<i64> {
        self.mantissa.checked_mul(power(exponent - self.decimals)?)?.try_into().ok()
    }
}

fn power(exponent: u32) -> Option<i128> {
    10i128.checked_pow(exponent)
}

/// Return all weights as integers, with the factor; an edge without a weight has weight 1. `None` if a weight does not fit 64 bits.
pub(super) fn scale(weights: &[Option<Decimal>]) -> Option<(Vec<i64>, i64)> {
    let exponent = weights.iter().flatten().map(|weight| weight.decimals).max().unwrap_or(0);
    let factor: i64 = power(exponent)?.try_into().ok()?;
    let scaled = weights.iter().map(|weight| weight.map_or(Some(factor), |weight| weight.scaled(exponent)));
    Some((scaled.collect::<Option<_>>()?, factor))
}
