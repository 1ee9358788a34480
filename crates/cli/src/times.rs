//! Times on the command line.

use inbetween::core::shown;

use crate::exit::Failure;

/// Parses a finite number.
pub(crate) fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    let number: Option<f64> = text.trim().parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        Failure::Usage(format!("{flag}: expected a number such as 0.5, found '{}'", shown(text)))
    })
}

/// Parses `A:B` in seconds.
pub(crate) fn range(text: &str) -> Result<(f64, f64), Failure> {
    let Some((start, end)) = text.split_once(':') else {
        let message = format!("--range: expected A:B in seconds, found '{}'", shown(text));
        return Err(Failure::Usage(message));
    };
    let (start, end) = (number("--range", start)?, number("--range", end)?);
    if end < start {
        let message = format!("--range: {end} is before {start}; put the earlier time first");
        return Err(Failure::Usage(message));
    }
    Ok((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_times_in_order() {
        assert_eq!(range("-1.5:2"), Ok((-1.5, 2.0)));
        for bad in ["", "1", "1:", ":1", "a:b", "2:1", "0:inf", "0:NaN", "1:2:3"] {
            assert!(matches!(range(bad), Err(Failure::Usage(_))), "{bad}");
        }
    }
}
