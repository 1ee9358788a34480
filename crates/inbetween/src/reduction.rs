//! Measures the error of a reduction in a written file.

use inbetween_core::{Finding, Format, ReadError, SharedBudget};
use inbetween_edit::{ReduceBounds, Settings, measure_reduction};

/// Reads a reduced file and the same file with all keys, and returns the differences between them:
/// see [`measure_reduction`].
///
/// The error is that of the written file, with its frames and the width of its floats.
///
/// # Errors
///
/// If one of the files is not a valid file of the format, or exceeds the budget.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "animj")] {
/// use inbetween::core::{Budget, SharedBudget};
/// use inbetween::comparison::measure_written;
/// use inbetween::{Limits, animj::Animj, edit::ReduceBounds};
///
/// let file = |keys: &str| {
///     format!(
///         r#"{{"name": "lamp", "globalDuration": 1, "tracks": [{{"trackType": "Curve",
///         "valueType": "float", "data": {{"node": "Lamp", "property": "Intensity",
///         "keyframes": [{keys}]}}}}]}}"#
///     )
/// };
/// let key = |time: f64, value: f64| {
///     format!(r#"{{"time": {time}, "value": {value}, "interpolation": "Linear"}}"#)
/// };
/// let all = file(&[key(0.0, 0.0), key(0.5, 0.25), key(1.0, 0.0)].join(","));
/// let fewer = file(&[key(0.0, 0.0), key(1.0, 0.0)].join(","));
/// let budget = SharedBudget::new(Budget::new(&Limits::default(), all.len()));
/// let (format, bounds) = (Animj::default(), ReduceBounds::all(0.5));
/// let told = measure_written(&format, all.as_bytes(), fewer.as_bytes(), bounds, &budget)?;
/// assert_eq!(told[0].message, "scalar 0.25 (bound 0.5)");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_written(
    format: &dyn Format,
    all: &[u8],
    fewer: &[u8],
    bounds: ReduceBounds,
    budget: &SharedBudget,
) -> Result<Vec<Finding>, ReadError> {
    let read = |bytes| {
        let budget = &mut budget.lock();
        format.open(bytes, budget)?.read_all(budget)
    };
    let (all, fewer) = (read(all)?.value, read(fewer)?.value);
    let settings = Settings::default().budget(budget.clone());
    Ok(measure_reduction(&all, &fewer, bounds, &settings))
}
