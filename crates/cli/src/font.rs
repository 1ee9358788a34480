//! The font of PNG pictures. `fonts/README.md` says where it is from.

use std::sync::Arc;

use resvg::usvg::fontdb::Database;
use skrifa::FontRef;
use skrifa::charmap::Charmap;

const FONT: &[u8] = include_bytes!("../fonts/DejaVuSansMono-subset.ttf");

/// Returns a database of this font alone, so that a picture is the same on every machine.
pub(crate) fn database() -> Arc<Database> {
    let mut database = Database::new();
    database.load_font_data(FONT.to_vec());
    Arc::new(database)
}

/// Returns whether the font has a character.
pub(crate) fn has(c: char) -> bool {
    FontRef::new(FONT).is_ok_and(|font| Charmap::new(&font).map(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_latin_greek_and_cyrillic() {
        let scripts = "aZ ß Ęęłż ŐűĂ Ưạ αΩ ώ бЖё ґїЎ Ә – “„ … ° · − → ×";
        assert!(scripts.chars().all(has) && (' '..='~').chain('À'..='ÿ').all(has));
        assert!(!"腰ש🦴\u{202e}".chars().any(has));
    }

    #[test]
    fn the_font_is_the_one_that_pictures_name() {
        let database = database();
        let families: Vec<_> =
            database.faces().flat_map(|face| &face.families).map(|(name, _)| name).collect();
        assert_eq!(families, ["DejaVu Sans Mono"]);
    }
}
