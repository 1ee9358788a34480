//! The edits of the page.

use inbetween::edit::{
    self, Case, EditError, Named, ReduceBounds, Renaming, Settings, TimeRange, TrackPattern,
};
use inbetween::{Document, Outcome};
use serde::Deserialize;

/// An edit with its arguments.
#[derive(Debug, Deserialize)]
#[serde(tag = "edit", rename_all = "lowercase")]
pub(crate) enum Edit {
    Trim { start: Option<f64>, end: Option<f64> },
    Retime { factor: f64 },
    Reverse,
    Rename { what: What, old: String, new: String },
    Reduce { bound: f64 },
    Resample { rate: f64 },
    Drop { tracks: Vec<String> },
    Select { tracks: Vec<String> },
}

/// What is renamed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    Nodes,
    Properties,
    Clips,
    Markers,
}

impl From<What> for Named {
    fn from(what: What) -> Self {
        match what {
            What::Nodes => Self::Nodes,
            What::Properties => Self::Properties,
            What::Clips => Self::Clips,
            What::Markers => Self::Markers,
        }
    }
}

impl Edit {
    pub(crate) fn apply(
        self,
        document: Document,
        settings: &Settings,
    ) -> Result<Outcome<Document>, EditError> {
        match self {
            Self::Trim { start, end } => {
                edit::trim(document, TimeRange::new(start, end)?, settings)
            }
            Self::Retime { factor } => edit::retime(document, factor, settings),
            Self::Reverse => edit::reverse(document, settings),
            Self::Rename { what, old, new } => {
                let rules = Renaming::new(&[(old.into(), new.into())], Case::Sensitive)?;
                edit::rename_by(document, what.into(), &rules, settings)
            }
            Self::Reduce { bound } => edit::reduce(document, ReduceBounds::all(bound), settings),
            Self::Resample { rate } => edit::resample(document, rate, settings),
            Self::Drop { tracks } => Ok(edit::drop(document, &patterns(&tracks)?, settings)),
            Self::Select { tracks } => Ok(edit::select(document, &patterns(&tracks)?, settings)),
        }
    }
}

fn patterns(texts: &[String]) -> Result<Vec<TrackPattern>, EditError> {
    Ok(texts.iter().map(|text| TrackPattern::list(text)).collect::<Result<Vec<_>, _>>()?.concat())
}
