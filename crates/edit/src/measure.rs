//! Measures how far reduced tracks differ from the originals.

use std::collections::HashMap;

use inbetween_core::{
    Animation, Axis, Channel, ChannelTracks, Document, Finding, Findings, Rules, Target, Text,
    Track, significant,
};

use crate::property_key::PropertyKey;
use crate::reduce::Category;
use crate::work::Work;
use crate::{ReduceBounds, Settings, codes};

/// Measures how far a reduced file plays from the same file with all keys, and reports it.
///
/// Both are read back from written files, and both play by the rules that they carry. Clips are
/// matched by index, and tracks by what they animate: single components are combined, and rotations
/// are compared as rotations, however a format stores them. The result therefore includes the
/// frames and the float width of the format. The findings are `edit/reduction-measured` with the
/// largest error of each given bound, and `edit/bound-exceeded` for each bound that does not hold,
/// with the worst track.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Interpolation, Interpolations, Property, Target};
/// use inbetween_core::{Track, TrackData};
/// use inbetween_edit::{ReduceBounds, Settings, measure_reduction};
///
/// let line = |times: Vec<f64>, values: Vec<[f32; 3]>| {
///     let linear = Interpolations::Shared(Interpolation::Linear);
///     let data = TrackData::curve(times, values, linear, None)?;
///     let track = Track::new(Target::new("door", Property::Translation), data)?;
///     let clip = Animation::new(vec![track]);
///     Ok::<_, Box<dyn std::error::Error>>(Document::single(clip))
/// };
/// let all = line(vec![0.0, 1.0, 2.0], vec![[0.0; 3], [0.0, 0.25, 0.0], [0.0; 3]])?;
/// let fewer = line(vec![0.0, 2.0], vec![[0.0; 3]; 2])?;
/// let bounds = ReduceBounds { position: Some(0.5), ..ReduceBounds::default() };
/// let told = measure_reduction(&all, &fewer, bounds, &Settings::default());
/// assert_eq!(told[0].message, "position 0.25 (bound 0.5)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_reduction(
    before: &Document,
    after: &Document,
    bounds: ReduceBounds,
    settings: &Settings,
) -> Vec<Finding> {
    let mut work = Work::on(after, settings);
    let mut all: [Option<LargestError>; Category::ALL.len()] = Default::default();
    let many = after.clips.len() > 1;
    for (index, (before, after)) in before.clips.iter().zip(&after.clips).enumerate() {
        for (line, worst) in lines_apart(before, after, bounds) {
            let category = Category::ALL.iter().position(|category| *category == line.category);
            let Some(known) = category.and_then(|category| all.get_mut(category)) else { continue };
            if known.as_ref().is_none_or(|known| worst.error > known.worst.error) {
                let clip = many.then(|| (index, after.name.clone()));
                let (track, target) = (line.place, line.target);
                *known = Some(LargestError { clip, track, target, worst });
            }
        }
    }
    report(&all, bounds, &mut work.findings);
    work.findings.into_vec()
}

/// Reports the measured errors, and those that exceed their bound.
fn report(all: &[Option<LargestError>], bounds: ReduceBounds, findings: &mut Findings) {
    let measured = Category::ALL
        .into_iter()
        .zip(all)
        .filter_map(|(category, place)| Some((category, bounds.get(category)?, place.as_ref()?)));
    let told: Vec<String> = measured
        .clone()
        .map(|(category, bound, place)| {
            let (error, unit) = (significant(place.worst.error), category.unit());
            format!("{} {error}{unit} (bound {})", category.name(), significant(bound))
        })
        .collect();
    if !told.is_empty() {
        findings.push(Finding::new(codes::REDUCTION_MEASURED, told.join(", ")));
    }
    for (category, bound, place) in measured.filter(|(_, bound, place)| place.worst.error > *bound)
    {
        findings.enter_clip(place.clip.as_ref().map(|(index, name)| (*index, name.as_ref())));
        findings.enter_track(place.track, &place.target);
        let (error, unit) = (significant(place.worst.error), category.unit());
        let message = format!(
            "off by {error}{unit} at {} s, the {} bound is {}",
            significant(place.worst.time),
            category.name(),
            significant(bound)
        );
        findings.push(Finding::new(codes::BOUND_EXCEEDED, message));
    }
}

/// The track and time of the largest error.
#[derive(Debug)]
struct LargestError {
    /// The index and the name of the clip, if the document has several.
    clip: Option<(usize, Option<Text>)>,
    track: usize,
    target: Target,
    worst: Worst,
}

/// The largest error and its time.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    error: f64,
    time: f64,
}

/// Returns the channels of a clip that have a bound, with their errors.
fn lines_apart<'d>(
    before: &'d Animation,
    after: &'d Animation,
    bounds: ReduceBounds,
) -> Vec<(Line<'d>, Worst)> {
    let (old_rules, new_rules) = (before.rules, after.rules);
    let mut lines = lines(after);
    let mut apart = Vec::new();
    for (key, before) in self::lines(before) {
        let after = lines.remove(&key).unwrap_or(Line { tracks: Vec::new(), ..before.clone() });
        if bounds.get(before.category).is_none() {
            continue;
        }
        let found = before.channel(old_rules).difference(&after.channel(new_rules));
        let worst = match found {
            Some(found) if found.undefined.is_none() => {
                Worst { error: found.value, time: found.time }
            }
            // A missing track, or one that cannot be compared, is never within a bound.
            found => {
                let time = found.and_then(|found| found.undefined).unwrap_or(0.0);
                Worst { error: f64::INFINITY, time }
            }
        };
        apart.push((after, worst));
    }
    // Among equal errors, the first is named.
    apart.sort_by_key(|(line, _)| line.place);
    apart
}

/// The identity of a channel: the node, the property, and the index among those of the same name.
type Key = (Option<Text>, PropertyKey, usize);

/// Everything that animates a property of a node: a whole track, or tracks of its components.
#[derive(Clone, Debug)]
struct Line<'d> {
    /// The index of its first track.
    place: usize,
    target: Target,
    category: Category,
    tracks: Vec<&'d Track>,
}

fn lines(clip: &Animation) -> HashMap<Key, Line<'_>> {
    let mut seen: HashMap<(Option<Text>, PropertyKey, Option<Axis>), usize> = HashMap::new();
    let mut lines = HashMap::new();
    for (place, track) in clip.tracks.iter().enumerate() {
        let target = Target { component: None, ..track.target().clone() };
        let what = PropertyKey::of(&target.property);
        let axis = track.target().component;
        let twins = seen.entry((target.node.clone(), what.clone(), axis)).or_default();
        let key = (target.node.clone(), what, *twins);
        *twins += 1;
        let category = Category::of(&target.property, track.data().kind());
        let line = lines.entry(key);
        let line = line.or_insert_with(|| Line { place, target, category, tracks: Vec::new() });
        line.tracks.push(track);
    }
    lines
}

impl Line<'_> {
    fn channel(&self, rules: Rules) -> Channel<'_> {
        let rest = [self.target.property.component_at_rest(); 3];
        let tracks = ChannelTracks::of(&self.tracks, rest);
        Channel { property: &self.target.property, tracks, rules }
    }
}
