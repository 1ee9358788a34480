//! Times on the command line.

use inbetween::Animation;
use inbetween::core::shown;
use inbetween::edit::Time;

use crate::exit::{Failure, with_flag};

/// Parses a finite number.
pub(crate) fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    let number: Option<f64> = text.trim().parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        Failure::Usage(format!("{flag}: expected a number such as 0.5, found '{}'", shown(text)))
    })
}

/// Parses a time in seconds or frames.
pub(crate) fn time(flag: &str, text: &str) -> Result<Time, Failure> {
    text.parse().map_err(|error| Failure::Usage(format!("{flag}: {error}")))
}

/// A range of time in seconds or frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    start: Time,
    end: Time,
}

impl Range {
    /// Parses `A:B`.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let Some((start, end)) = text.split_once(':') else {
            let message = "expected A:B in seconds or frames";
            return Err(Failure::Usage(format!("--range: {message}, found '{}'", shown(text))));
        };
        let range = Self { start: time("--range", start)?, end: time("--range", end)? };
        match (range.start, range.end) {
            (Time::Seconds(start), Time::Seconds(end))
            | (Time::Frames(start), Time::Frames(end)) => {
                in_order(start, end)?;
            }
            _ => {}
        }
        Ok(range)
    }

    /// Returns start and end in seconds of a clip.
    pub(crate) fn in_clip(self, clip: &Animation) -> Result<(f64, f64), Failure> {
        let seconds = |time: Time| {
            time.in_clip(clip).map_err(|error| {
                let error = with_flag(&error, error.remedy());
                Failure::Usage(format!("--range: {error}"))
            })
        };
        let (start, end) = (seconds(self.start)?, seconds(self.end)?);
        in_order(start, end)?;
        Ok((start, end))
    }
}

fn in_order(start: f64, end: f64) -> Result<(), Failure> {
    if end < start {
        let message = format!("--range: {end} is before {start}; put the earlier time first");
        return Err(Failure::Usage(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_times_in_order() {
        let clip = Animation::default().with_frame_rate(30.0);
        let range = |text| Range::parse(text).and_then(|range| range.in_clip(&clip));
        assert_eq!(range("-1.5:2"), Ok((-1.5, 2.0)));
        assert_eq!(range("15f:2"), Ok((0.5, 2.0)));
        for bad in
            ["", "1", "1:", ":1", "a:b", "2:1", "0:inf", "0:NaN", "1:2:3", "30f:15f", "1:15f"]
        {
            assert!(matches!(range(bad), Err(Failure::Usage(_))), "{bad}");
        }
    }
}
