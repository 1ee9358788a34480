use super::*;
use inbetween_core::{
    Interpolation, Interpolations, Marker, Property, Quat, Strings, Track, TrackData,
};

fn track(node: &str, property: Property, values: Vec<[f32; 3]>) -> Track {
    Track::new(Target::new(node, property), TrackData::uniform(0.5, values)).unwrap()
}

fn moving(node: &str) -> Track {
    track(node, Property::Translation, vec![[0.0; 3], [1.0, 2.0, 3.0]])
}

fn still(node: &str) -> Track {
    track(node, Property::Scale, vec![[1.0; 3]; 2])
}

fn document(tracks: Vec<Track>) -> Document {
    Document::single(Animation::new(tracks))
}

#[test]
fn a_panel_is_named_after_its_node_and_property() {
    let svg = Plot::new(&document(vec![moving("hips & <co>")]), "a").draw(1).svg;
    assert!(svg.contains("<g><title>hips &amp; &lt;co&gt;/Position</title>"), "{svg}");
}

#[test]
fn components_have_the_colors_of_their_axes() {
    let svg = Plot::new(&document(vec![moving("a")]), "a").draw(1).svg;
    for color in [svg::color::X, svg::color::Y, svg::color::Z] {
        assert!(svg.contains(&format!("stroke=\"{color}\" stroke-width=\"1.5\" d=\"M")), "{svg}");
    }
}

#[test]
fn tracks_that_never_change_are_counted_instead_of_drawn() {
    let both = document(vec![moving("a"), still("a")]);
    let picture = Plot::new(&both, "a").draw(1);
    assert_eq!((picture.panels, picture.still), (1, 1));
    let picture = Plot::new(&both, "a").tracks(|_| true).draw(1);
    assert_eq!((picture.panels, picture.still), (2, 0));
    let picture = Plot::new(&document(vec![still("a")]), "a").draw(1);
    assert_eq!((picture.panels, picture.still), (1, 0));
}

#[test]
fn many_tracks_are_spread_over_pages_with_each_panel_once() {
    let tracks: Vec<Track> = (0..50_u8).map(|node| moving(&node.to_string())).collect();
    let many = document(tracks);
    let pages: Vec<Picture> = (1..=3).map(|page| Plot::new(&many, "a").draw(page)).collect();
    assert_eq!(pages.iter().map(|page| page.panels).collect::<Vec<_>>(), [24, 24, 2]);
    assert!(pages.iter().all(|page| (page.pages, page.all_panels) == (3, 50)));
    for node in 0..50_u8 {
        let title = format!("<title>{node}/Position</title>");
        assert_eq!(pages.iter().filter(|page| page.svg.contains(&title)).count(), 1, "{node}");
    }
    assert_eq!(Plot::new(&many, "a").draw(99), pages[2]);
}

#[test]
fn quaternions_are_drawn_in_degrees_on_request() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]].map(Quat::from_array).to_vec();
    let data = TrackData::uniform(0.5, turn);
    let track = Track::new(Target::new("a", Property::Rotation), data).unwrap();
    let document = document(vec![track]);
    let pairs = panels::pairs(&document, None);
    let drawn = |rotations| Panels::new(&pairs, &|_| true, false, rotations).drawn.remove(0);
    let panel = drawn(Rotations::AsStored);
    assert_eq!(panel.property_name(), "Rotation (quaternion)");
    let panel = drawn(Rotations::Degrees);
    assert_eq!(panel.property_name(), "Rotation (degrees: z, then y, then x)");
    let time = scale::Scale { from: (0.0, 0.5), to: (0.0, 100.0) };
    let curves = panel.now[0].curves(time);
    let ends: Vec<f64> = curves.iter().map(|curve| curve.keys.last().unwrap().1.round()).collect();
    assert_eq!(ends, [0.0, 0.0, 90.0]);
}

#[test]
fn a_held_value_is_drawn_as_a_step() {
    let data = TrackData::stepped(vec![0.0, 0.5, 1.0], vec![0.0_f32, 1.0, 1.0]).unwrap();
    let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
    let clip = document(vec![track]);
    let plot = Plot::new(&clip, "a");
    let pairs = panels::pairs(&clip, None);
    let Panels { drawn, .. } = Panels::new(&pairs, &|_| true, false, Rotations::AsStored);
    let timeline = plot.timeline(pairs[0], drawn.iter());
    let area = Area { left: 0.0, top: 0.0, width: 212.0, height: 100.0 };
    let curves = drawn[0].now[0].curves(timeline.scale(area));
    let points = trace::simplified(&curves[0].lines[0]);
    let rounded: Vec<(i64, i64)> = points
        .iter()
        .map(|(x, value)| {
            let whole = |number| i64::try_from(inbetween_core::num::i128_from_f64(number)).unwrap();
            (whole(*x), whole(*value))
        })
        .collect();
    assert_eq!(rounded, [(6, 0), (106, 0), (106, 1), (206, 1)]);
}

#[test]
fn an_overlay_pairs_tracks_by_name_and_draws_both() {
    let (now, before) = (document(vec![moving("a")]), document(vec![moving("a"), moving("b")]));
    let picture = Plot::new(&now, "now").over(&before, "then").draw(1);
    assert_eq!(picture.panels, 2);
    assert!(picture.svg.contains("stroke-width=\"5\" stroke-opacity=\"0.32\""));
    let same = Plot::new(&now, "now").over(&now, "then").draw(1);
    assert_eq!(same.panels, 1);
}

/// A document with names that are written to break out of a picture.
fn hostile_names() -> Document {
    let custom = Property::Custom(Some("<img onerror=1>".into()));
    let texts: Strings = ["</text>\u{202e}", "&\u{0}"].into_iter().map(Some).collect();
    let texts = TrackData::stepped(vec![0.0, 0.25], texts);
    let tracks = vec![
        moving("a\u{202e}b \"'&<"),
        Track::new(Target::new("\u{5e9}\u{5dc}", custom), texts.unwrap()).unwrap(),
    ];
    let clip = Animation::new(tracks)
        .with_name("\u{5d0}\u{5d1}<")
        .with_markers(vec![Marker { time: 0.1, name: "]]>\u{2067}".into() }]);
    Document::single(clip)
}

#[test]
fn names_cannot_change_the_rest_of_a_picture() {
    let document = hostile_names();
    let svg = Plot::new(&document, "<script>\u{202e}").draw(1).svg;
    for text in [
        ">&lt;script&gt;\\u{202e}</text>",
        ">a\\u{202e}b \"'&amp;&lt;</text>",
        ">&lt;img onerror=1&gt;</text>",
        ">\"&lt;/text&gt;\\u{202e}\"</text>",
        ">\"&amp;\\u{0}\"</text>",
        ">]]&gt;\\u{2067}</text>",
        "><tspan unicode-bidi=\"isolate\">\u{5d0}\u{5d1}&lt;</tspan>: 0.5 s</text>",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(!svg.contains("<img") && !svg.contains("<script") && !svg.contains("style="), "{svg}");
    assert!(!svg.contains(['\u{0}', '\u{202e}', '\u{2067}']), "{svg}");
}

#[test]
fn names_of_all_scripts_are_text() {
    let names = ["腰", "الورك", "бедро", "γοφός", "🦴"];
    let document = document(names.map(moving).to_vec());
    let picture = Plot::new(&document, "a").draw(1);
    for name in names {
        assert!(picture.svg.contains(&format!(">{name}</text>")), "{name}");
    }
    assert_eq!(picture.marks, [""; 0]);
}

#[test]
fn names_that_a_font_lacks_are_marks() {
    let node = |name| track(name, Property::Custom(Some("回転".into())), vec![[0.0; 3], [1.0; 3]]);
    let document = document(vec![moving("腰"), node("腰"), node("hips")]);
    let plot = Plot::new(&document, "腰").drawable(|c| c.is_ascii());
    let picture = plot.draw(1);
    assert_eq!(picture.marks, ["腰", "回転"]);
    let count = |text: &str| picture.svg.matches(&format!(">{text}</text>")).count();
    assert_eq!([count("[1]"), count("[2]"), count("hips"), count("腰")], [3, 2, 1, 0]);
    // Screen readers need no font.
    assert!(picture.svg.contains("<title>腰/回転</title>"));
    assert_eq!(plot.draw(1), picture);
}

#[test]
fn only_marks_that_are_drawn_are_listed() {
    let texts: Strings = (0..2000).map(|_| Some("\u{5e9}")).collect();
    let times = (0..2000_u16).map(f64::from).collect();
    let data = TrackData::stepped(times, texts).unwrap();
    let narrow = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
    let marker = |index: u16| Marker { time: 1.0, name: format!("\u{5d0}{index}").into() };
    let clip = Animation::new(vec![narrow]).with_markers((0..900).map(marker).collect());
    let document = Document::single(clip);
    let picture = Plot::new(&document, "a").tracks(|_| true).drawable(|c| c.is_ascii()).draw(1);
    assert_eq!(picture.marks, [0, 1, 2, 3].map(|index| format!("\u{5d0}{index}")));
}

#[test]
fn hostile_clips_give_valid_pictures() {
    let far = TrackData::stepped(vec![-1e300, 0.0, 1e300], vec![f64::MAX, f64::NAN, f64::MIN]);
    let odd = Track::new(Target::new("\u{0}\u{202e}", Property::Custom(None)), far.unwrap());
    let linear = Interpolations::Shared(Interpolation::Linear);
    let large = TrackData::curve(vec![0.0, 1.0], vec![f64::MAX, f64::MIN], linear, None);
    let large = Track::new(Target::new("b", Property::Custom(None)), large.unwrap());
    let clip = Animation::new(vec![odd.unwrap(), large.unwrap()])
        .with_duration(f64::NAN)
        .with_frame_rate(f64::INFINITY)
        .with_markers(vec![Marker { time: f64::NAN, name: "m".into() }]);
    let picture = Plot::new(&Document::single(clip), "a").draw(1);
    let svg = &picture.svg;
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let empty = Plot::new(&Document::default(), "a").draw(1);
    assert_eq!((empty.panels, empty.pages), (0, 1));
}

#[test]
fn markers_without_space_are_drawn_without_names() {
    let marker = |index: u8| Marker { time: 0.5, name: format!("marker {index}").into() };
    let clip = Animation::new(vec![moving("a")]).with_markers((0..9).map(marker).collect());
    let svg = Plot::new(&Document::single(clip), "a").draw(1).svg;
    assert_eq!(svg.matches(svg::color::MARKER).count(), 4 + 2 + 1);
}
