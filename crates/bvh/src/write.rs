//! Writes the text of a file.

use std::fmt::Write as _;

use inbetween_core::num::u64_from_len;
use inbetween_core::{Path, WriteError, memory, shown};

use crate::file::{BvhFile, BvhJoint, Channel, Style};
use crate::layout::{
    CHANNELS, END, FRAME, FRAMES, HIERARCHY, ID, JOINT, MOTION, OFFSET, ROOT, SITE, TIME,
};
use crate::parts::{BvhParts, MotionPart};

impl BvhFile<'_> {
    /// Returns the text of the file.
    pub fn to_text(&self, style: Style) -> String {
        match style {
            Style::Source => self.source.clone().into_owned(),
            // Parts of a file that was read can be written.
            Style::Plain => self.clone().into_parts().to_text().unwrap_or_default(),
        }
    }
}

impl BvhParts {
    /// Returns the text of the parts.
    ///
    /// # Errors
    ///
    /// If a joint does not follow its parent, a name cannot be read back, or the numbers are not as
    /// many as the rows and channels need.
    pub fn to_text(&self) -> Result<String, WriteError> {
        let mut text = format!("{HIERARCHY}\n");
        self.hierarchy(&mut text)?;
        if let Some(motion) = &self.motion {
            self.rows(motion, &mut text)?;
        }
        Ok(text)
    }

    fn hierarchy(&self, text: &mut String) -> Result<(), WriteError> {
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            let failed =
                |error: WriteError| error.in_format(ID).at_path(Path::item("joints", index));
            check_name(&joint.name).map_err(failed)?;
            while open.last().is_some_and(|last| joint.parent != Some(*last)) {
                open.pop();
                close(open.len(), text);
            }
            if joint.parent.is_some() && open.is_empty() {
                return Err(failed(WriteError::inconsistent(
                    "the joint does not follow its parent",
                )));
            }
            write_joint(joint, open.len(), text);
            open.push(index);
        }
        while open.pop().is_some() {
            close(open.len(), text);
        }
        Ok(())
    }

    fn rows(&self, motion: &MotionPart, text: &mut String) -> Result<(), WriteError> {
        let channels = self.joints.iter().map(|joint| joint.channels.len());
        let width = channels.fold(0, usize::saturating_add);
        let needed = motion.frames.saturating_mul(u64_from_len(width));
        if needed != u64_from_len(motion.numbers.len()) {
            let found = motion.numbers.len();
            let what = format!("{found} numbers for {} rows of {width} channels", motion.frames);
            return Err(WriteError::inconsistent(what).in_format(ID));
        }
        line(text, 0, format_args!("{MOTION}"));
        line(text, 0, format_args!("{FRAMES}: {}", motion.frames));
        line(text, 0, format_args!("{FRAME} {TIME}: {}", Number(motion.frame_time)));
        for row in motion.numbers.chunks(width.max(1)) {
            // Most numbers have up to eight digits; longer ones grow the text.
            memory::ensure(row.len().saturating_mul(10))?;
            for (index, number) in row.iter().enumerate() {
                let space = if index == 0 { "" } else { " " };
                // Writing to a String does not fail.
                let _ = write!(text, "{space}{}", Number(*number));
            }
            text.push('\n');
        }
        Ok(())
    }
}

/// Checks that a name is read back as it is.
fn check_name(name: &str) -> Result<(), WriteError> {
    if name.contains(['\n', '\r', '{', '}']) || name.trim() != name {
        let what = format!("the name {}", shown(name));
        let limit = "names have no line breaks, braces or spaces at an end";
        return Err(WriteError::not_representable(what, limit));
    }
    Ok(())
}

fn write_joint(joint: &BvhJoint, depth: usize, text: &mut String) {
    let (word, inside) = (if depth == 0 { ROOT } else { JOINT }, depth.saturating_add(1));
    line(text, depth, format_args!("{word} {}", joint.name));
    line(text, depth, format_args!("{{"));
    offset(joint.offset, inside, text);
    let names: Vec<&str> = joint.channels.iter().copied().map(Channel::name).collect();
    let space = if names.is_empty() { "" } else { " " };
    line(text, inside, format_args!("{CHANNELS} {}{space}{}", names.len(), names.join(" ")));
    for tip in &joint.tips {
        line(text, inside, format_args!("{END} {SITE}"));
        line(text, inside, format_args!("{{"));
        offset(*tip, inside.saturating_add(1), text);
        close(inside, text);
    }
}

fn offset([x, y, z]: [f64; 3], depth: usize, text: &mut String) {
    let [x, y, z] = [Number(x), Number(y), Number(z)];
    line(text, depth, format_args!("{OFFSET} {x} {y} {z}"));
}

fn close(depth: usize, text: &mut String) {
    line(text, depth, format_args!("}}"));
}

/// Appends a line. Beyond a depth that no real skeleton has, lines are not indented further, since the
/// text would grow with the square of the depth.
fn line(text: &mut String, depth: usize, content: std::fmt::Arguments<'_>) {
    const DEEPEST: usize = 64;
    text.extend(std::iter::repeat_n('\t', depth.min(DEEPEST)));
    let _ = writeln!(text, "{content}");
}

/// Prints the shortest decimal that reads back as the same number. Few readers know exponents, so
/// only numbers that no motion has get one.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size < 1e16 && (size > 1e-16 || size == 0.0) {
            self.0.fmt(f)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_no_motion_has_get_an_exponent() {
        let printed = |number| Number(number).to_string();
        assert_eq!(
            [0.0, -0.25, 1e15, 1e-15].map(printed),
            ["0", "-0.25", "1000000000000000", "0.000000000000001"]
        );
        assert_eq!([1e16, -1e-16, 8e54].map(printed), ["1e16", "-1e-16", "8e54"]);
    }
}
