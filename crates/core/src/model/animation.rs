//! Clips: tracks, markers, durations and how they play.

use crate::{BlendMode, BlendOverride, Rules, StatedDuration, Text, Track};

/// A clip: tracks and markers on one clock, and the rules by which the tracks play.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Property, Rules, Target, Track, TrackData};
///
/// let data = TrackData::uniform(0.5, vec![0.0_f32, 1.0]);
/// let track = Track::new(Target::new("lamp", Property::Custom(Some("Glow".into()))), data)?;
/// let clip = Animation::new(vec![track]).with_name("pulse").with_duration(2.0);
/// assert_eq!((clip.rules, clip.effective_duration()), (Rules::LINEAR, 2.0));
/// # Ok::<(), inbetween_core::TrackError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Animation {
    /// The name of the clip; `None` if the file has none or a null one.
    pub name: Option<Text>,
    /// The playback rules that the keys were made for. A reader sets those of its format.
    pub rules: Rules,
    /// The duration in seconds that the file states, or `None`. The keys may continue after it: see
    /// [`effective_duration`](Self::effective_duration).
    pub duration: Option<f64>,
    /// Frames per second, if the file counts in frames.
    pub frame_rate: Option<f64>,
    /// Whether the clip repeats.
    pub looping: Looping,
    /// The blend mode that the file states for the clip. Playback uses the blend of each track
    /// ([`Target::blend`](crate::Target::blend)); a writer uses the stated mode only if
    /// [`states_blend`](Self::states_blend) holds.
    pub blend: BlendMode,
    /// The blend modes that the file states for single nodes.
    pub blend_overrides: Vec<BlendOverride>,
    /// The tracks, in file order.
    pub tracks: Vec<Track>,
    /// The markers, in file order.
    pub markers: Vec<Marker>,
}

impl Animation {
    /// Creates a clip of tracks that plays once, by [`Rules::LINEAR`].
    pub fn new(tracks: Vec<Track>) -> Self {
        Self { tracks, ..Self::default() }
    }

    /// Returns the clip with a name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Text>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Returns the clip with other playback rules; its keys do not change.
    #[must_use]
    pub const fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Returns the clip with a stated duration in seconds.
    #[must_use]
    pub const fn with_duration(mut self, seconds: f64) -> Self {
        self.duration = Some(seconds);
        self
    }

    /// Returns the clip with a frame rate in frames per second.
    #[must_use]
    pub const fn with_frame_rate(mut self, rate: f64) -> Self {
        self.frame_rate = Some(rate);
        self
    }

    /// Returns the clip with repeating set to `looping`.
    #[must_use]
    pub const fn with_looping(mut self, looping: Looping) -> Self {
        self.looping = looping;
        self
    }

    /// Returns the clip with a stated blend mode, which also sets the blend of its tracks.
    #[must_use]
    pub fn with_blend(mut self, blend: BlendMode) -> Self {
        self.blend = blend;
        self.expand_blend();
        self
    }

    /// Returns the clip with stated blend modes of single nodes, which also set the blend of their
    /// tracks.
    #[must_use]
    pub fn with_blend_overrides(mut self, overrides: Vec<BlendOverride>) -> Self {
        self.blend_overrides = overrides;
        self.expand_blend();
        self
    }

    /// Returns the clip with other tracks.
    #[must_use]
    pub fn with_tracks(mut self, tracks: Vec<Track>) -> Self {
        self.tracks = tracks;
        self
    }

    /// Returns the clip with other markers.
    #[must_use]
    pub fn with_markers(mut self, markers: Vec<Marker>) -> Self {
        self.markers = markers;
        self
    }

    /// Returns a copy of the clip without its tracks and markers.
    #[must_use]
    pub fn head(&self) -> Self {
        Self {
            name: self.name.clone(),
            blend_overrides: self.blend_overrides.clone(),
            tracks: Vec::new(),
            markers: Vec::new(),
            ..*self
        }
    }

    /// Returns the tracks of a node (a bone, an object), in their order.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Property, Target, Track, TrackData, Value};
    ///
    /// let keys = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, 2.0, 0.0]]);
    /// let track = Track::new(Target::new("door", Property::Translation), keys)?;
    /// let clip = Animation::new(vec![track]);
    ///
    /// let keys: Vec<_> = clip.tracks_of("door").flat_map(|track| track.data().keys()).collect();
    /// assert_eq!(keys[1], (0.5, Value::Float3([0.0, 2.0, 0.0])));
    /// # Ok::<(), inbetween_core::TrackError>(())
    /// ```
    pub fn tracks_of(&self, node: &str) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(move |track| track.target().node.as_deref() == Some(node))
    }

    /// Takes the tracks, each with its index.
    pub fn take_tracks(&mut self) -> Vec<(usize, Track)> {
        core::mem::take(&mut self.tracks).into_iter().enumerate().collect()
    }

    /// Returns the time of the first key in seconds, or `None` if there are no keys.
    pub fn first_key(&self) -> Option<f64> {
        let firsts = self.tracks.iter().filter_map(|track| track.data().time(0));
        firsts.filter(|time| time.is_finite()).reduce(f64::min)
    }

    /// Returns the duration in seconds for which the clip plays, at least 0.
    ///
    /// By [`StatedDuration::AtLeast`] it is the stated duration, or the time of the last key or
    /// marker if that is later. By [`StatedDuration::Exact`] it is the stated duration if that is
    /// positive and finite.
    pub fn effective_duration(&self) -> f64 {
        let stated = self.duration.filter(|duration| duration.is_finite()).unwrap_or(0.0);
        if self.rules.stated_duration == StatedDuration::Exact && stated > 0.0 {
            return stated;
        }
        let keys = self.tracks.iter().filter_map(|track| track.data().end());
        let markers = self.markers.iter().map(|marker| marker.time);
        keys.chain(markers).fold(stated.max(0.0), f64::max)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let tracks = self.tracks.iter().map(|track| track.data().heap_bytes());
        // An `Arc<str>` stores two counters before its bytes.
        let marker = size_of::<Marker>() + size_of::<[usize; 2]>();
        let markers = self.markers.iter().map(|each| each.name.len() + marker);
        // A shared name counts every time, so the sum may exceed the address space.
        tracks.chain(markers).fold(0, usize::saturating_add)
    }
}

/// Whether a clip repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Looping {
    /// The clip ends, or the format does not store repeating.
    #[default]
    Once,
    /// The clip starts again when it ends.
    Loop,
}

/// A name at a point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The time in seconds.
    pub time: f64,
    /// The text.
    pub name: Text,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Property, Target, TrackData};

    #[test]
    fn the_effective_duration_is_never_shorter_than_the_keys() {
        let data = TrackData::uniform(0.5, vec![0.0_f32; 5]);
        let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
        let clip = Animation::new(vec![track]).with_duration(1.0);
        assert_eq!(clip.effective_duration(), 2.0);
    }

    #[test]
    fn an_exact_duration_may_end_before_the_last_key() {
        let data = TrackData::uniform(0.5, vec![0.0_f32; 5]);
        let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
        let rules = Rules::LINEAR.with_stated_duration(StatedDuration::Exact);
        let clip = Animation::new(vec![track]).with_rules(rules);
        assert_eq!(clip.clone().with_duration(1.0).effective_duration(), 1.0);
        assert_eq!(clip.with_duration(0.0).effective_duration(), 2.0);
    }
}
