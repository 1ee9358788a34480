//! The memory of everything that the facade does with documents and files of hostile shapes.

#![cfg(all(feature = "formats", feature = "plot"))]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween::comparison::{Rigor, compare};
use inbetween::core::{Axes, FileEncoding, Rules};
use inbetween::edit::{self, EditError, ReduceBounds, Settings, SplitAt, Time};
use inbetween::plot::Plot;
use inbetween::{
    Animation, BlendMode, Bone, Document, Format, Interpolation, Interpolations, Limits, Marker,
    Outcome, Property, Registry, Skeleton, Source, Target, Track, TrackData,
};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{Peak, documents};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// A track of positions that jump up and down.
fn track(node: &str, times: &[f64]) -> Track {
    let values = (0..times.len()).map(|key| if key % 7 < 3 { [1.0_f32; 3] } else { [0.5; 3] });
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times.to_vec(), values.collect::<Vec<_>>(), linear, None).unwrap();
    Track::new(Target::new(node, Property::Translation), data).unwrap()
}

/// A clip with a key of each bone.
fn bones(count: usize, name: impl Fn(usize) -> String) -> Document {
    one((0..count).map(|bone| track(&name(bone), &[0.0])).collect())
}

fn one(tracks: Vec<Track>) -> Document {
    let clip = Animation::new(tracks).with_frame_rate(30.0).with_rules(Rules::LINEAR);
    Document::single(clip)
}

fn name(bone: usize) -> String {
    format!("b{bone}")
}

/// Bones inside each other.
fn chain(count: usize) -> Vec<Bone> {
    let bone = |index: usize| Bone {
        node: name(index).into(),
        parent: index.checked_sub(1).map(|parent| name(parent).into()),
        translation: Some([0.0, 1.0, 0.0]),
        ..Bone::default()
    };
    (0..count).map(bone).collect()
}

/// Documents that are large in one way each.
fn shapes() -> Vec<(&'static str, Document)> {
    let long = "x".repeat(100_000);
    let times: Vec<f64> = (0..100_000_u32).map(|key| f64::from(key) / 30.0).collect();
    let skeleton = Skeleton::new(chain(1000)).unwrap();
    let last_first = Skeleton::new(chain(1000).into_iter().rev().collect()).unwrap();
    let step = |time: &f64| Marker { time: *time / 4000.0, name: "step".into() };
    let markers = times.iter().take(20_000).map(step).collect();
    let marked = Animation::new(vec![track("b0", &[0.0, 1.0])]).with_frame_rate(30.0);
    let clip = |index| Animation::new(vec![track("b0", &[0.0, 1.0])]).with_name(name(index));
    let [curve, steps] = documents::distant();
    vec![
        ("many bones", bones(5000, name)),
        ("a chain of bones", bones(1000, name).with_skeleton(skeleton)),
        ("a chain of bones, the last one first", bones(1000, name).with_skeleton(last_first)),
        ("long names", bones(20, |bone| format!("{long}{bone}"))),
        ("many keys", one(vec![track("b0", &times)])),
        ("many markers", Document::single(marked.with_markers(markers))),
        ("many clips", Document::new((0..1000).map(clip).collect())),
        ("one distant key", one(vec![track("b0", &[1e7])])),
        ("a distant key after a line", one(vec![track("b0", &[0.0, 1e7])])),
        ("a distant key after a step", steps),
        ("a distant key after a curve", curve),
    ]
}

/// Returns the memory that the law allows for a document.
fn law(document: &Document, format: &dyn Format) -> usize {
    Law::of_document(document, format.info().encoding).allowed()
}

#[test]
fn writing_needs_three_times_the_document_and_the_file() {
    let meter = Peak::begin();
    let mut written = 0;
    for (name, document) in shapes() {
        for format in Registry::with_builtin().formats() {
            let document = documents::suited(document.clone(), format);
            let law = law(&document, format);
            let write = || format.write(document, &Limits::default());
            let (result, peak) = meter.measure(write);
            // A refusal comes before memory is allocated for keys that do not exist yet.
            let file = result.map_or(0, |written| written.value.len());
            written += usize::from(file > 0);
            let id = format.info().id;
            assert!(peak <= 3 * (law + file), "{name}, {id}: {peak} bytes for {law} and {file}");
        }
    }
    assert!(written > 70, "{written}");
}

#[test]
fn reading_keeps_the_memory_law_for_files_of_all_formats() {
    let meter = Peak::begin();
    let limits = Limits::default();
    for (name, document) in shapes() {
        for format in Registry::with_builtin().formats() {
            let written = format.write(documents::suited(document.clone(), format), &limits);
            let Ok(Outcome { value: bytes, .. }) = written else { continue };
            let (read, reading) = meter.measure(|| format.read(&bytes, &limits).unwrap().value);
            let tracks: usize = read.clips.iter().map(|clip| clip.tracks.len()).sum();
            let (_, check) = meter.measure(|| format.check(&bytes, &limits).unwrap());
            let (_, inspection) = meter.measure(|| format.inspect(&bytes, &limits).unwrap());
            let ((), clips) = meter.measure(|| {
                let mut source = Source::open(format, &bytes, &limits).unwrap();
                while source.next_clip().unwrap().is_some() {}
            });
            // What a format holds besides: the nodes, accessors and samplers of glTF, the paths of
            // Unity, and the text of a marker, whose allocation is rounded up.
            let markers: usize = read.clips.iter().map(|clip| clip.markers.len()).sum();
            let besides = bytes.len() + 1024 * tracks + 32 * markers;
            let allowed = law(&read, format) + bytes.len() + besides;
            let id = format.info().id;
            for (what, peak) in
                [("read", reading), ("check", check), ("inspect", inspection), ("clips", clips)]
            {
                assert!(peak <= allowed, "{what} {name}, {id}: {peak} of {allowed} bytes");
            }
        }
    }
}

type Edit = fn(Document, &Settings) -> Result<Outcome<Document>, EditError>;

const EDITS: [(&str, Edit); 13] = [
    ("retime", |document, settings| edit::retime(document, 2.0, settings)),
    ("reverse", edit::reverse),
    ("resample", |document, settings| edit::resample(document, 24.0, settings)),
    ("reduce", |document, settings| edit::reduce(document, ReduceBounds::all(1e-3), settings)),
    ("close_loop", edit::close_loop),
    ("drop_constant", edit::drop_constant),
    ("change_axes", |document, settings| edit::change_axes(document, Axes::Z_TO_Y_UP, settings)),
    ("to_f64", edit::to_f64),
    ("start_at", |document, settings| edit::start_at(document, Time::Seconds(0.3), settings)),
    ("scale_values", |document, settings| edit::scale_values(document, &[], 0.5, settings)),
    ("relate", |document, settings| {
        let skeleton = document.skeleton.clone().unwrap_or_default();
        edit::relate(document, BlendMode::Relative, &skeleton, settings)
    }),
    ("join", edit::join),
    ("split", |document, settings| edit::split(document, &SplitAt::Markers, settings)),
];

#[test]
fn edits_need_four_times_their_documents() {
    let meter = Peak::begin();
    let size = |document: &Document| Law::of_document(document, FileEncoding::Binary).allowed();
    for (name, document) in shapes() {
        for (what, edit) in EDITS {
            let copy = document.clone();
            let (edited, peak) = meter.measure(|| edit(copy, &Settings::default()));
            let edited = edited.map_or(0, |edited| size(&edited.value));
            let allowed = 4 * (size(&document) + edited);
            assert!(peak <= allowed, "{what} {name}: {peak} of {allowed} bytes");
        }
    }
}

#[test]
fn pictures_and_comparisons_need_four_times_their_documents() {
    let meter = Peak::begin();
    for (name, document) in shapes() {
        let other = edit::scale_values(document.clone(), &[], 1.5, &Settings::default());
        let other = other.unwrap().value;
        let size = Law::of_document(&document, FileEncoding::Binary).allowed();
        let rigor = Rigor::within(1e-5);
        let (_, peak) = meter.measure(|| compare(&document, &other, &|_| true, rigor));
        assert!(peak <= 4 * size, "compare {name}: {peak} bytes for {size}");
        let plot = Plot::new(&document, "after").over(&other, "before");
        let (picture, peak) = meter.measure(|| plot.draw(1));
        let allowed = 4 * (size + picture.svg.len());
        assert!(peak <= allowed, "plot {name}: {peak} of {allowed} bytes");
    }
}
