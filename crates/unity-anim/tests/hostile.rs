//! Hostile files and their memory use.

#![expect(clippy::arithmetic_side_effects, reason = "the sizes of a test file are small")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Bone, Budget, Document, FileEncoding, Format, Limits, Property, Remedy, Skeleton,
    Target, Track, TrackData,
};
use inbetween_testing::Peak;
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_unity_anim::UnityAnim;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const HEAD: &str =
    "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n";

fn rejected(meter: &Peak, text: &str) -> String {
    match meter.assert_read(&UnityAnim::default(), text.as_bytes()) {
        Ok(_) => "it was read".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn aliases_are_never_expanded() {
    let meter = Peak::begin();
    let mut bomb = format!("{HEAD}  a: &a [x, x, x, x, x, x, x, x, x]\n");
    for letter in ["b", "c", "d", "e", "f", "g", "h"] {
        bomb.extend(["  ", letter, ": &", letter, " [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"]);
    }
    let error = rejected(&meter, &bomb);
    assert!(error.contains("an anchor, which Unity never writes (line 5, column 6)"), "{error}");
}

#[test]
fn deep_nesting_is_rejected() {
    let meter = Peak::begin();
    let flow = format!("{HEAD}  a: {}", "[".repeat(100_000));
    let dashes = format!("{HEAD}  a:\n  {}", "- ".repeat(100_000));
    let lines: Vec<String> = (2..2000).map(|depth| " ".repeat(depth) + "a:\n").collect();
    for text in [flow, dashes, format!("{HEAD}{}", lines.concat())] {
        let error = rejected(&meter, &text);
        assert!(error.contains("65 levels of nesting requested, the limit is 64"), "{error}");
    }
}

#[test]
fn one_long_scalar_is_read_once() {
    let _meter = Peak::begin();
    let long = "a".repeat(20_000_000);
    for text in [format!("{HEAD}  m_Name: {long}\n"), format!("{HEAD}  m_Name: \"{long}\n")] {
        let read = UnityAnim::default().check(text.as_bytes(), &Limits::default());
        assert_eq!(read.is_ok(), !text.contains('"'));
    }
}

#[test]
fn many_keys_keep_the_memory_law() {
    let meter = Peak::begin();
    let key = "      - {time: 1, value: 2}\n";
    let text = format!(
        "{HEAD}  m_FloatCurves:\n  - curve:\n      m_Curve:\n{}    attribute: m_X\n    path: a\n    \
         classID: 108\n",
        key.repeat(200_000)
    );
    let read = || UnityAnim::default().read(text.as_bytes(), &Limits::default());
    let (read, peak) = meter.measure(read);
    let document = read.map(|read| read.value).unwrap_or_default();
    assert_eq!(document.clips.len(), 1);
    // An edit keeps the text of the file, so the document holds it.
    let allowed = Law::of_document(&document, FileEncoding::Text).allowed() + text.len();
    assert!(peak <= allowed, "{peak} bytes, {allowed} are allowed");
}

/// The lists of curves, with a value of a key and the bytes of its column, or of its weights.
const LISTS: [(&str, &str, usize); 3] = [
    ("m_FloatCurves", "#", 4),
    ("m_PositionCurves", "{x: #, y: 1, z: 1}", 12),
    ("m_RotationCurves", "{x: 0, y: 0, z: 0, w: 1}", 16),
];

const KEYS: u32 = 100_000;

/// A clip with one curve, whose keys have these times and this value; `first` is a part of its first key
/// alone.
fn curve((list, value, _): (&str, &str, usize), time: impl Fn(u32) -> u32, first: &str) -> String {
    let key = |key: u32| {
        let (value, more) =
            (value.replace('#', &key.to_string()), if key == 0 { first } else { "" });
        format!("{{time: {}, value: {value}{more}}}", time(key))
    };
    let keys: Vec<String> = (0..KEYS).map(key).collect();
    format!(
        "{HEAD}  {list}:\n  - curve:\n      m_Curve: [{}]\n    attribute: m_X\n    path: a\n    \
         classID: 108\n",
        keys.join(",")
    )
}

/// Reads a text and returns the peak, and what the law allows. The document holds the text.
fn measured(meter: &Peak, text: &str) -> (Document, usize, usize) {
    let limits = Limits::default().with_findings(100);
    let read = || UnityAnim::default().read(text.as_bytes(), &limits);
    let (read, peak) = meter.measure(read);
    let document = read.unwrap().value;
    let allowed = Law::of_document(&document, FileEncoding::Text).allowed() + text.len();
    (document, peak, allowed)
}

#[test]
fn keys_of_all_curves_keep_the_memory_law() {
    let meter = Peak::begin();
    for list in LISTS {
        // A weight of one key gives weights to all of them. Such keys are in memory as the file has
        // them, too: a time, a value, two slopes and two weights.
        for (first, row) in [("", 0), (", weightedMode: 3", 4 + 5 * list.2)] {
            let (document, peak, allowed) = measured(&meter, &curve(list, |key| key, first));
            let tracks = &document.clips[0].tracks;
            let allowed = allowed + row * tracks[0].data().len();
            assert!(peak <= allowed, "{list:?}{first}: {peak} bytes, {allowed} are allowed");
        }
    }
}

#[test]
fn sorting_keys_needs_their_order_and_a_copy_of_one_column() {
    let meter = Peak::begin();
    for list in LISTS {
        for (first, column) in [("", list.2), (", weightedMode: 3", 2 * list.2)] {
            let [sorted, unsorted] =
                [curve(list, |key| key, first), curve(list, |k| KEYS - k, first)];
            let (_, least, _) = measured(&meter, &sorted);
            let (document, most, _) = measured(&meter, &unsorted);
            let data = document.clips[0].tracks[0].data();
            assert_eq!((data.len(), data.time(0)), (100_000, Some(1.0)));
            let more = data.len() * (size_of::<usize>() + column);
            assert!(most <= least + more, "{list:?}: {most} bytes, {least} if they are sorted");
        }
    }
}

#[test]
fn members_that_are_not_read_take_no_memory() {
    let meter = Peak::begin();
    let many = |end: &str| -> String {
        (0..100_000)
            .flat_map(|index| ["  m".to_owned(), index.to_string(), end.to_owned()])
            .collect()
    };
    let (lines, flow) = (many(": 0\n"), many(": 0,"));
    for text in [format!("{HEAD}{lines}"), format!("{} {{{flow}}}\n", HEAD.trim_end())] {
        let (_, peak, allowed) = measured(&meter, &text);
        assert!(peak <= allowed, "{peak} bytes, {allowed} are allowed");
    }
}

#[test]
fn curves_events_objects_and_clips_keep_the_memory_law() {
    let meter = Peak::begin();
    let (start, count) = (HEAD.split("---").next().unwrap(), 20_000);
    let curves = |path: fn(usize) -> String, member: &str| -> String {
        let curve = |index| format!("  - curve: {{}}\n    path: {}\n{member}", path(index));
        (0..count).map(curve).collect()
    };
    let each: fn(usize) -> String = |index| index.to_string();
    let below: fn(usize) -> String = |index| format!("a/{index}");
    let same: fn(usize) -> String = |_| "a".to_owned();
    let axis = "    attribute: m_LocalPosition.x\n";
    for text in [
        format!("{HEAD}  m_PositionCurves:\n{}", curves(each, "")),
        format!("{HEAD}  m_PositionCurves:\n{}", curves(below, "")),
        format!("{HEAD}  m_PositionCurves:\n{}", curves(same, "")),
        format!("{HEAD}  m_EditorCurves:\n{}", curves(each, axis)),
        format!("{HEAD}  m_Events: [{}]\n", vec!["{time: 1}"; count].join(",")),
        format!("{start}{}", "--- !u!4 &1\n".repeat(count)),
        format!("{start}{}", "--- !u!74 &1\nAnimationClip: {}\n".repeat(count)),
    ] {
        let (document, peak, allowed) = measured(&meter, &text);
        let tracks: usize = document.clips.iter().map(|clip| clip.tracks.len()).sum();
        // An object or a clip has as much as two tracks, and a curve is in memory as the file has it,
        // too.
        let allowed = allowed + 512 * (2 * count - tracks);
        assert!(peak <= allowed, "{}: {peak} of {allowed} bytes", &text[64..160]);
    }
}

#[test]
fn a_path_of_many_nodes_is_charged() {
    let meter = Peak::begin();
    let file = |nodes: usize| {
        format!("{HEAD}  m_PositionCurves:\n  - curve: {{}}\n    path: {}a\n", "a/".repeat(nodes))
    };
    let (document, ..) = measured(&meter, &file(1000));
    assert_eq!(document.skeleton.unwrap().bones().len(), 1001);
    let long = file(100_000);
    let read = || UnityAnim::default().read(long.as_bytes(), &Limits::default());
    let (result, peak) = meter.measure(read);
    let error = result.unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit), "{error}");
    assert!(peak < 1 << 20, "{peak} bytes");
}

#[test]
fn paths_of_nested_bones_are_written_within_the_limit() {
    let meter = Peak::begin();
    let bone = |index: usize| Bone {
        node: format!("b{index}").into(),
        parent: index.checked_sub(1).map(|parent| format!("b{parent}").into()),
        ..Bone::default()
    };
    let bones: Vec<Bone> = (0..5000).map(bone).collect();
    let data = || TrackData::stepped(vec![0.0], vec![[0.0_f32; 3]]).unwrap();
    let target = |bone: &Bone| Target::new(bone.node.clone(), Property::Translation);
    let tracks = bones.iter().map(|bone| Track::new(target(bone), data()).unwrap());
    let clip = Animation::new(tracks.collect());
    let document = Document::single(clip).with_skeleton(Skeleton::new(bones).unwrap());
    let limits = Limits::default().with_decoded_bytes(1 << 20);
    let (result, peak) = meter.measure(|| UnityAnim::default().write(document, &limits));
    let error = result.unwrap_err();
    assert!(error.to_string().contains("bytes of paths"), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
    assert!(peak < 8 << 20, "{peak} bytes");
}

#[test]
fn a_long_head_is_not_copied_for_each_clip() {
    let _meter = Peak::begin();
    let start = HEAD.split("---").next().unwrap();
    let clips = "--- !u!74 &1\nAnimationClip: {}\n".repeat(100);
    let text = format!("{start}{}\n{clips}", "x".repeat(1 << 20));
    let mut budget = Budget::new(&Limits::default(), text.len());
    let format = UnityAnim::default();
    let mut clips = format.open(text.as_bytes(), &mut budget).unwrap();
    let read = std::iter::from_fn(|| clips.next_clip(&mut budget).transpose());
    let error = read.take(100).find_map(Result::err).unwrap();
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit), "{error}");
}

#[test]
fn exceeding_the_limit_on_decoded_bytes_names_it() {
    let _meter = Peak::begin();
    let text = curve(LISTS[0], |key| key, "");
    // A key has a time, a value and two tangents.
    let limits = |bytes| Limits::default().with_decoded_bytes(bytes);
    let format = UnityAnim::default();
    let error = format.read(text.as_bytes(), &limits(20 * 100_000 - 1)).unwrap_err();
    assert!(error.to_string().contains("2000000 decoded bytes requested"), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
    assert!(format.check(text.as_bytes(), &limits(20 * 100_000 - 1)).is_err());
}

#[test]
fn findings_do_not_exhaust_memory() {
    let meter = Peak::begin();
    let curve = "  - curve: {m_Curve: [{time: x, value: 0}]}\n    path: a\n";
    let text = format!("{HEAD}  m_FloatCurves:\n{}", curve.repeat(20_000));
    let check = || UnityAnim::default().check(text.as_bytes(), &Limits::default()).unwrap();
    let (findings, peak) = meter.measure(check);
    assert_eq!(findings.len(), 10_001);
    assert!(peak < 20 << 20, "{peak} bytes");
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let curves = "  - curve: {}\n    path: a\n".repeat(10);
    let start = HEAD.split("---").next().unwrap();
    for text in [
        format!("{HEAD}  m_PositionCurves:\n{curves}"),
        format!("{HEAD}  m_EditorCurves:\n{curves}"),
        format!("{HEAD}  m_Events: [{}]\n", ["{time: 1}"; 10].join(",")),
        format!("{start}{}", "--- !u!4 &1\n".repeat(10)),
    ] {
        let limits = Limits::default().with_items(5);
        let error = UnityAnim::default().read(text.as_bytes(), &limits).unwrap_err().to_string();
        assert!(error.contains("6 items requested, the limit is 5"), "{error}");
    }
}
