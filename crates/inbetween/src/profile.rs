//! Whose rules a check goes by.

use inbetween_core::FormatInfo;

/// The rules of a program that reads files.
///
/// The checks of a format go by the program that owns it: the severity of a finding is what
/// that program makes of it. A profile says which program one has in mind, so that files of
/// formats that it does not read are not taken for good ones.
#[derive(Debug)]
pub struct Profile {
    /// The name that commands use.
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

    /// Says whether the program reads files of a format.
    pub fn concerns(&self, info: &FormatInfo) -> bool {
        self.formats.contains(&info.id)
    }
}
