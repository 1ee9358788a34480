//! The tracks that `--track` chooses.

use inbetween::core::shown;
use inbetween::edit::TrackPattern;
use inbetween::{Document, Target};

use crate::exit::Failure;

/// The patterns of `--track`; without any, all tracks are chosen.
#[derive(Clone, Debug)]
pub(crate) struct Chosen(Vec<TrackPattern>);

impl Chosen {
    pub(crate) fn new(patterns: &[String]) -> Result<Self, Failure> {
        let mut all = Vec::new();
        for text in patterns {
            let list = TrackPattern::list(text);
            let list = list.map_err(|error| Failure::Usage(format!("--track {error}")))?;
            if let Some(number) = list.iter().find(|pattern| pattern.is_number()) {
                let number = number.as_str();
                let message =
                    format!("--track {number}: a number chooses tracks of an edit; use a name");
                return Err(Failure::Usage(message));
            }
            all.extend(list);
        }
        Ok(Self(all))
    }

    /// Returns whether no pattern was given.
    pub(crate) fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one component of a track is chosen.
    pub(crate) fn fits_component(&self, target: &Target, component: &str) -> bool {
        self.0.iter().any(|pattern| pattern.matches_component(target, component))
    }

    pub(crate) fn fits(&self, target: &Target) -> bool {
        self.is_everything() || self.0.iter().any(|pattern| pattern.matches(target))
    }

    /// Returns the failure of a document without any of the tracks.
    pub(crate) fn nothing(name: &str, document: &Document) -> Failure {
        let mut all = document.clips.iter().flat_map(|clip| &clip.tracks);
        let such = all.next().map(|track| track.target().label());
        let such = such.map(|name| format!("; a track of this file is {}", shown(&name)));
        Failure::Usage(format!("{name}: --track matches no track{}", such.unwrap_or_default()))
    }
}
