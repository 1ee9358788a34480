//! Documents as HTML, for notebooks.

use inbetween::core::significant;

use crate::document::Content;

/// The largest number of clips, and of tracks of each, that are shown.
const SHOWN: usize = 20;

/// Returns a table of the clips of a document and their tracks.
pub(crate) fn document(content: &Content) -> String {
    let clips = &content.document.clips;
    let from = content.from.map_or("arrays", |from| from.name);
    let mut html = format!("<p>{} clips from {}</p>", clips.len(), escape(from));
    for clip in clips.iter().take(SHOWN) {
        let name = escape(clip.name.as_deref().unwrap_or("without a name"));
        let duration = significant(clip.effective_duration());
        html += &["<table><caption>", &name, ", ", &duration, " s</caption>"].concat();
        html += "<tr><th>track</th><th>kind</th><th>keys</th></tr>";
        for track in clip.tracks.iter().take(SHOWN) {
            let (label, data) = (escape(&track.target().label()), track.data());
            let cells = [label, data.kind().to_string(), data.len().to_string()];
            html += &["<tr><td>", &cells.join("</td><td>"), "</td></tr>"].concat();
        }
        html += &more(clip.tracks.len(), "tracks");
        html += "</table>";
    }
    html + &more(clips.len(), "clips")
}

fn more(count: usize, what: &str) -> String {
    match count.checked_sub(SHOWN) {
        None | Some(0) => String::new(),
        Some(more) if what == "tracks" => {
            format!("<tr><td colspan=\"3\">and {more} more {what}</td></tr>")
        }
        Some(more) => format!("<p>and {more} more {what}</p>"),
    }
}

/// Returns text with everything escaped that HTML could take for markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}
