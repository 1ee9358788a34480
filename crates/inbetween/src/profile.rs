//! The programs whose rules a check can apply.

use inbetween_core::{Finding, FormatInfo, codes};

/// A program that reads files.
///
/// The checks of a format follow the program that owns it: the severity of a finding is how that
/// program reacts. A profile names the program in question, so that files of formats that it does
/// not read are not considered valid, and [`advise`](crate::advise) tells what it does with the
/// others.
#[derive(Debug)]
pub struct Profile {
    /// The name used in commands.
    pub name: &'static str,
    /// The program.
    pub program: &'static str,
    /// The ids of the formats that it reads.
    pub formats: &'static [&'static str],
    /// Those that it reads only with an add-on.
    add_ons: &'static [&'static str],
    /// Those that it imports as models.
    models: &'static [&'static str],
    /// What it does with segments of glTF, if it does not play all of them.
    segments: Option<Segments>,
    /// The characters that it replaces in names of nodes.
    pub(crate) changed_letters: &'static [char],
    /// The options of formats that write what it plays: the id of the format, the name and the value.
    options: &'static [(&'static str, &'static str, &'static str)],
}

/// What a program does with segments instead of playing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segments {
    /// It plays all of them linearly.
    Linear,
    /// It plays curves without their tangents.
    WithoutTangents,
    /// It replaces curves by keys at a rate of its own.
    Resampled,
}

const GLTF: &str = "gltf";

impl Profile {
    /// Every profile; `docs/guides/blender-and-engines.md` says what is behind them.
    pub const ALL: &[Self] = &[
        Self {
            name: "resonite",
            program: "Resonite",
            formats: &["animj", "animx", GLTF],
            add_ons: &[],
            models: &[GLTF],
            segments: Some(Segments::Linear),
            changed_letters: &[],
            options: &[(GLTF, "curves", "linear")],
        },
        Self {
            name: "blender",
            program: "Blender",
            formats: &[GLTF, "cast", "seanim"],
            add_ons: &["cast", "seanim"],
            models: &[],
            segments: Some(Segments::WithoutTangents),
            changed_letters: &[],
            options: &[(GLTF, "curves", "bake")],
        },
        Self {
            name: "x4",
            program: "X4",
            formats: &["x4-ani"],
            add_ons: &[],
            models: &[],
            segments: None,
            changed_letters: &[],
            options: &[],
        },
        Self {
            name: "cod",
            program: "the tools of Call of Duty",
            formats: &["seanim", "cast"],
            add_ons: &[],
            models: &[],
            segments: None,
            changed_letters: &[],
            options: &[],
        },
        Self {
            name: "godot",
            program: "Godot",
            formats: &[GLTF],
            add_ons: &[],
            models: &[],
            segments: Some(Segments::Resampled),
            changed_letters: &['.', ':', '@', '/', '"', '%'],
            options: &[(GLTF, "curves", "spline")],
        },
        Self {
            name: "three",
            program: "three.js",
            formats: &[GLTF],
            add_ons: &[],
            models: &[],
            segments: None,
            changed_letters: &[' ', '\t', '[', ']', '.', ':', '/'],
            options: &[(GLTF, "curves", "spline")],
        },
    ];

    /// Returns the profile with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|profile| profile.name == name)
    }

    /// Returns whether the program reads files of a format.
    pub fn concerns(&self, info: &FormatInfo) -> bool {
        self.formats.contains(&info.id)
    }

    /// Returns the names and values of the options with which a format writes what the program plays.
    pub fn options_of(
        &self,
        to: &FormatInfo,
    ) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let (options, id) = (self.options, to.id);
        options
            .iter()
            .filter(move |(format, ..)| *format == id)
            .map(|(_, name, value)| (*name, *value))
    }

    /// Returns what the program does with segments of a format, if it does not play all of them.
    pub(crate) fn segments(&self, from: &FormatInfo) -> Option<Segments> {
        self.segments.filter(|_| from.id == GLTF)
    }

    /// Returns what the program does with every file of a format.
    pub(crate) fn of_format(&self, from: &FormatInfo) -> Option<Finding> {
        let Self { program, .. } = self;
        if self.add_ons.contains(&from.id) {
            let message = format!("{program} reads {} files with an add-on", from.name);
            return Some(Finding::new(codes::NEEDS_ADD_ON, message));
        }
        self.models.contains(&from.id).then(|| {
            let message = format!("{program} imports {} files as models", from.name);
            Finding::new(codes::IMPORTED_AS_MODEL, message)
        })
    }
}
