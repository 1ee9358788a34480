//! The places of views and accessors, and the bytes of views, when some of them are replaced.

use super::Free;
use crate::json_edit::Members;
use crate::meshopt::EXTENSIONS;

/// Returns the views of the file to write, and cuts the bytes of the free ones out of a buffer.
pub(super) fn kept_views(
    root: &Members<'_>,
    free: &Free,
    (home, bytes): (usize, &mut Vec<u8>),
) -> Vec<String> {
    let mut texts = root.items("bufferViews");
    let is_known = |text: &String| {
        let extensions = Members::of(text);
        let extensions = Members::of(extensions.get("extensions").unwrap_or("{}"));
        extensions.names().all(|name| EXTENSIONS.contains(&name))
    };
    if free.views.is_empty() || !texts.iter().all(is_known) {
        return texts;
    }
    let (mut kept, mut freed) = (Vec::new(), Vec::new());
    for (index, text) in texts.iter().enumerate() {
        let list = if free.views.contains(&index) { &mut freed } else { &mut kept };
        each_range(text, &mut |range| {
            if range.number("buffer") == Some(home) {
                let start = range.number("byteOffset").unwrap_or(0);
                let length = range.number("byteLength").unwrap_or(0);
                list.push((start, start.saturating_add(length)));
            }
        });
    }
    let cuts = cuts(&mut freed, &mut kept, bytes.len());
    for text in &mut texts {
        *text = moved(text, home, &cuts);
    }
    let mut rest = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for (from, to) in cuts {
        rest.extend_from_slice(bytes.get(end..from).unwrap_or_default());
        end = to;
    }
    rest.extend_from_slice(bytes.get(end..).unwrap_or_default());
    *bytes = rest;
    texts
}

/// Puts new items in the free places of a list and after its end. Free places at the end are removed,
/// and others get a placeholder, so that no other item moves. Returns the places of the new items.
pub(super) fn fill(
    mut list: Vec<String>,
    free: &[usize],
    new: Vec<String>,
    placeholder: &str,
) -> (Vec<String>, Vec<usize>) {
    let mut places = free.iter().copied();
    let mut slots = Vec::with_capacity(new.len());
    for text in new {
        if let Some((place, item)) =
            places.next().and_then(|place| Some((place, list.get_mut(place)?)))
        {
            *item = text;
            slots.push(place);
        } else {
            slots.push(list.len());
            list.push(text);
        }
    }
    for place in places.rev() {
        if place.saturating_add(1) == list.len() {
            list.pop();
        } else if let Some(item) = list.get_mut(place) {
            placeholder.clone_into(item);
        }
    }
    (list, slots)
}

/// Returns the ranges to cut: the free bytes that no view keeps. Each starts and ends at a multiple of
/// 4, so that what moves stays aligned.
fn cuts(
    freed: &mut [(usize, usize)],
    kept: &mut [(usize, usize)],
    length: usize,
) -> Vec<(usize, usize)> {
    freed.sort_unstable();
    kept.sort_unstable();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut add = |from: usize, to: usize| {
        let from = from.max(cuts.last().map_or(0, |(_, end)| *end));
        let to = to.min(length);
        let (from, to) = (from.next_multiple_of(4), to & !3);
        if from < to {
            cuts.push((from, to));
        }
    };
    let mut next = 0;
    for (start, end) in freed.iter().copied() {
        let mut from = start;
        while kept.get(next).is_some_and(|(_, last)| *last <= start) {
            next = next.saturating_add(1);
        }
        for (first, last) in kept.iter().skip(next).copied() {
            if first >= end {
                break;
            }
            add(from, first);
            from = from.max(last);
        }
        add(from, end);
    }
    cuts
}

/// Calls a function with the members of a view, and those of its compressed form.
fn each_range(view: &str, found: &mut impl FnMut(&Members<'_>)) {
    let members = Members::of(view);
    found(&members);
    let extensions = Members::of(members.get("extensions").unwrap_or("{}"));
    for name in EXTENSIONS {
        if let Some(text) = extensions.get(name) {
            found(&Members::of(text));
        }
    }
}

/// Returns a view of a buffer without the cut ranges.
fn moved(view: &str, home: usize, cuts: &[(usize, usize)]) -> String {
    let shift = |text: &str| {
        let mut range = Members::of(text);
        let start = range.number("byteOffset").unwrap_or(0);
        let before = cuts.iter().take_while(|(_, to)| *to <= start);
        let cut =
            before.fold(0, |sum: usize, (from, to)| sum.saturating_add(to.saturating_sub(*from)));
        if range.number("buffer") == Some(home) && cut > 0 {
            range.set("byteOffset", start.saturating_sub(cut).to_string());
        }
        range.text()
    };
    let text = shift(view);
    let mut members = Members::of(&text);
    let Some(extensions) = members.get("extensions").map(str::to_owned) else { return text };
    let mut extensions = Members::of(&extensions);
    for name in EXTENSIONS {
        if let Some(range) = extensions.get(name).map(shift) {
            extensions.set(name, range);
        }
    }
    members.set("extensions", extensions.text());
    members.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_bytes_are_cut_where_no_view_needs_them() {
        let cut = |freed: &[(usize, usize)], kept: &[(usize, usize)]| {
            cuts(&mut freed.to_vec(), &mut kept.to_vec(), 100)
        };
        assert_eq!(cut(&[(8, 24)], &[]), [(8, 24)]);
        assert_eq!(cut(&[(5, 23)], &[]), [(8, 20)]);
        assert_eq!(cut(&[(0, 200)], &[(40, 48)]), [(0, 40), (48, 100)]);
        assert_eq!(cut(&[(0, 20), (4, 40)], &[(30, 31)]), [(0, 20), (20, 28), (32, 40)]);
        assert_eq!(cut(&[(8, 24)], &[(0, 100)]), []);
    }

    #[test]
    fn new_items_take_the_free_places() {
        let list = || ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let new = |count: usize| vec!["new".to_owned(); count];
        let (filled, slots) = fill(list(), &[1, 3], new(3), "-");
        assert_eq!((filled.join(" "), slots), ("a new c new new".to_owned(), vec![1, 3, 4]));
        let (filled, slots) = fill(list(), &[0, 2, 3], new(1), "-");
        assert_eq!((filled.join(" "), slots), ("new b".to_owned(), vec![0]));
        let (filled, slots) = fill(list(), &[0, 1], new(0), "-");
        assert_eq!((filled.join(" "), slots), ("- - c d".to_owned(), vec![]));
    }
}
