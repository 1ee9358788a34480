//! The marks around generated blocks: a comment before and one after each, on lines of their own.

use std::path::Path;

/// How a kind of file writes a comment.
#[derive(Clone, Copy)]
pub(super) struct Comment {
    open: &'static str,
    close: &'static str,
}

impl Comment {
    pub(super) const MARKDOWN: Self = Self { open: "<!-- ", close: " -->" };

    /// Returns the comments of a file, or `None` if no file of its kind has generated blocks.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "md" => Some(Self::MARKDOWN),
            "rs" => Some(Self { open: "// ", close: "" }),
            "toml" => Some(Self { open: "# ", close: "" }),
            _ => None,
        }
    }

    /// Returns the name of the block that begins with a line.
    fn beginning(self, line: &str) -> Option<&str> {
        let mark = line.trim().strip_prefix(self.open)?.strip_prefix("begin generated: ")?;
        Some(mark.strip_suffix(self.close).unwrap_or(mark))
    }
}

/// Returns a text with the content of every block replaced by the result of `block`, which gets its
/// name and its content. It is indented like the mark before it.
pub(super) fn renew(
    text: &str,
    comment: Comment,
    mut block: impl FnMut(&str, &str) -> Result<String, String>,
) -> Result<String, String> {
    let mut renewed = String::new();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        let Some(name) = comment.beginning(line) else { continue };
        let Comment { open, close } = comment;
        let end = format!("{open}end generated: {name}{close}");
        let mut old = String::new();
        let end = lines.by_ref().find(|line| {
            let is_end = line.trim() == end;
            old.push_str(if is_end { "" } else { line });
            is_end
        });
        let end = end.ok_or_else(|| format!("block {name} does not end"))?;
        let indent = line.split(open).next().unwrap_or_default();
        for line in block(name, &old)?.lines() {
            renewed.extend([if line.is_empty() { "" } else { indent }, line, "\n"]);
        }
        renewed.push_str(end);
    }
    Ok(renewed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renewed(path: &str, text: &str) -> Result<String, String> {
        let comment = Comment::of(Path::new(path)).unwrap();
        renew(text, comment, |name, _| Ok(format!("new {name}\n\nlines\n")))
    }

    #[test]
    fn regenerates_only_the_text_between_the_marks() {
        let text = "a\n<!-- begin generated: x y -->\nstale\n<!-- end generated: x y -->\nb\n";
        let expected = text.replace("stale", "new x y\n\nlines");
        assert_eq!(renewed("a.md", text), Ok(expected));
    }

    #[test]
    fn blocks_of_code_are_indented_like_their_marks() {
        let text = "[\n    // begin generated: x\n    stale\n    // end generated: x\n]\n";
        let expected = text.replace("    stale\n", "    new x\n\n    lines\n");
        assert_eq!(renewed("a.rs", text), Ok(expected));
        let text = "# begin generated: x\n# end generated: x\n";
        assert_eq!(
            renewed("a.toml", text),
            Ok("# begin generated: x\nnew x\n\nlines\n# end generated: x\n".into())
        );
    }

    #[test]
    fn rejects_blocks_that_do_not_end() {
        let text = "<!-- begin generated: x -->\n<!-- end generated: y -->\n";
        assert_eq!(renewed("a.md", text), Err("block x does not end".into()));
    }
}
