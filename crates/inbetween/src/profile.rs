//! The programs whose rules a check can apply.

use inbetween_core::FormatInfo;

/// A program that reads files.
///
/// The checks of a format follow the program that owns it: the severity of a finding is how that
/// program reacts. A profile names the program in question, so that files of formats that it does
/// not read are not considered valid.
#[derive(Debug)]
pub struct Profile {
    /// The name used in commands.
    pub name: &'static str,
    /// The program.
    pub program: &'static str,
    /// The ids of the formats that it reads.
    pub formats: &'static [&'static str],
}

impl Profile {
    /// Every profile.
    pub const ALL: &[Self] =
        &[Self { name: "resonite", program: "Resonite", formats: &["animj", "animx"] }];

    /// Returns the profile with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|profile| profile.name == name)
    }

    /// Returns whether the program reads files of a format.
    pub fn concerns(&self, info: &FormatInfo) -> bool {
        self.formats.contains(&info.id)
    }
}
