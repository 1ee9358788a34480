//! Hostile files and their memory use.

use inbetween_animj::Animj;
use inbetween_core::{Format, Limits};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{FileKey, Peak};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn track(track_type: &str, value_type: &str, keys: &str) -> String {
    format!(
        r#"{{"trackType":"{track_type}","valueType":"{value_type}","data":{{"interval":1,"keyframes":[{keys}]}}}}"#
    )
}

fn file(tracks: &[String]) -> Vec<u8> {
    format!(r#"{{"tracks":[{}]}}"#, tracks.join(",")).into_bytes()
}

/// Repeats a key with `#` replaced by its index.
fn keys(count: u32, key: &str) -> String {
    let keys = (0..count).map(|number| key.replace('#', &number.to_string()));
    keys.collect::<Vec<_>>().join(",")
}

#[test]
fn keys_of_all_shapes_keep_the_memory_law() {
    let meter = Peak::begin();
    let shapes = [
        track("Raw", "bool", &keys(300_000, "true")),
        track("Raw", "double", &keys(200_000, "1")),
        track("Raw", "float4", &keys(100_000, "{}")),
        track("Discrete", "byte", &keys(200_000, "{}")),
        track("Discrete", "float", &keys(200_000, r#"{"time":#,"value":1}"#)),
        track("Curve", "floatQ", &keys(100_000, r#"{"time":#}"#)),
        track("Curve", "float", &keys(100_000, r#"{"time":#,"interpolation":2,"leftTangent":1}"#)),
    ];
    for shape in shapes {
        assert!(meter.assert_read(&Animj::default(), &file(&[shape])).is_ok());
    }
}

#[test]
fn a_first_tangent_at_the_last_key_keeps_the_memory_law() {
    let meter = Peak::begin();
    let keys = format!("{},{{\"leftTangent\":1}}", keys(200_000, "{}"));
    let bytes = file(&[track("Curve", "float", &keys)]);
    assert!(meter.assert_read(&Animj::default(), &bytes).is_ok());
}

#[test]
fn unsorted_keys_keep_the_memory_law() {
    let meter = Peak::begin();
    let value = |value_type: &str, number: u32| match value_type {
        "bool" => number.is_multiple_of(3).to_string(),
        "float" => number.to_string(),
        "string" => format!("\"{number}\""),
        _ => format!("{{\"x\":{number}}}"),
    };
    for value_type in ["bool", "float", "double3", "string"] {
        meter.assert_sorts(&Animj::default(), |keys| {
            let key = |key: &FileKey| {
                let value = value(value_type, key.number);
                format!("{{\"time\":{},\"value\":{value}}}", key.time)
            };
            let keys = keys.iter().map(key).collect::<Vec<_>>().join(",");
            file(&[track("Discrete", value_type, &keys)])
        });
    }
    for value_type in ["float", "string"] {
        meter.assert_sorts(&Animj::default(), |keys| {
            let key = |key: &FileKey| {
                let (time, value) = (key.time, value(value_type, key.number));
                let way = 2 + key.number % 2;
                format!(
                    "{{\"time\":{time},\"value\":{value},\"interpolation\":{way},\
                     \"leftTangent\":{value}}}"
                )
            };
            let keys = keys.iter().map(key).collect::<Vec<_>>().join(",");
            file(&[track("Curve", value_type, &keys)])
        });
    }
}

#[test]
fn strings_keep_the_memory_law() {
    let meter = Peak::begin();
    let texts = [
        track("Raw", "string", &keys(200_000, "null")),
        track("Raw", "string", &keys(200_000, "\"\"")),
        track("Raw", "string", &keys(100_000, "\"text #\"")),
        track("Raw", "string", &format!("\"{}\"", "\\u0041".repeat(500_000))),
        track("Raw", "string", &format!("\"{}\"", "x".repeat(3_000_000))),
    ];
    for text in texts {
        assert!(meter.assert_read(&Animj::default(), &file(&[text])).is_ok());
    }
}

#[test]
fn markers_keep_the_memory_law() {
    let meter = Peak::begin();
    let bytes = format!(
        r#"{{"tracks":[{{"trackType":"Discrete","valueType":"string","data":{{"node":"Markers","property":"Name","keyframes":[{}]}}}}]}}"#,
        keys(100_000, r##"{"time":#,"value":"#"}"##)
    );
    let document = meter.assert_read(&Animj::default(), bytes.as_bytes()).unwrap().value;
    assert_eq!(document.clips.iter().map(|clip| clip.markers.len()).sum::<usize>(), 100_000);
}

#[test]
fn many_small_tracks_keep_the_memory_law() {
    let meter = Peak::begin();
    for small in
        [track("Raw", "float", "1"), track("Curve", "string", ""), track("Discrete", "bool", "{}")]
    {
        let bytes = file(&vec![small; 100_000]);
        let document = meter.assert_read(&Animj::default(), &bytes).unwrap().value;
        assert_eq!(document.clips.iter().map(|clip| clip.tracks.len()).sum::<usize>(), 100_000);
    }
    let named = |number: u32| {
        let names = format!("\"node\":\"n{number}\",\"property\":\"p{number}\",\"interval\"");
        track("Raw", "float", "1").replace("\"interval\"", &names)
    };
    let bytes = file(&(0..50_000).map(named).collect::<Vec<_>>());
    assert!(meter.assert_read(&Animj::default(), &bytes).is_ok());
}

#[test]
fn growing_track_sizes_keep_the_memory_law() {
    let meter = Peak::begin();
    let mut tracks = vec![track("Raw", "float", "1"); 3000];
    tracks.extend(vec![track("Raw", "double", &keys(500, "1.5")); 1000]);
    assert!(meter.assert_read(&Animj::default(), &file(&tracks)).is_ok());
    tracks.reverse();
    assert!(meter.assert_read(&Animj::default(), &file(&tracks)).is_ok());
}

#[test]
fn unknown_members_cost_a_document_nothing() {
    let meter = Peak::begin();
    let members = keys(200_000, "\"\":0");
    let bytes = format!(r#"{{{members},"tracks":[]}}"#);
    assert!(meter.assert_read(&Animj::default(), bytes.as_bytes()).is_ok());
    let bytes = format!(r#"{{"big":"{}"}}"#, "x".repeat(3_000_000));
    assert!(meter.assert_read(&Animj::default(), bytes.as_bytes()).is_ok());
    let bytes = format!(r#"{{"{}":1}}"#, "x".repeat(3_000_000));
    assert!(meter.assert_read(&Animj::default(), bytes.as_bytes()).is_ok());
}

#[test]
fn a_duplicate_list_of_tracks_is_not_held_twice() {
    let meter = Peak::begin();
    let list = vec![track("Raw", "double", &keys(1000, "1")); 50].join(",");
    let bytes = format!(r#"{{"tracks":[{list}],"tracks":[{list}]}}"#);
    assert!(meter.assert_read(&Animj::default(), bytes.as_bytes()).is_ok());
}

#[test]
fn an_error_at_the_end_of_a_file_costs_only_its_keys() {
    let meter = Peak::begin();
    let mut bytes = file(&[track("Raw", "double", &keys(200_000, "1"))]);
    bytes.pop();
    let law =
        Law::Document { columns: 1_600_000, tracks: 1, encoding: Animj::default().info().encoding };
    let result = meter.assert_memory_law(law, || Animj::default().read(&bytes, &Limits::default()));
    assert!(result.is_err());
}

#[test]
fn rejects_nesting_beyond_the_limit_everywhere() {
    let _turn = Peak::begin();
    let deep = "[".repeat(1_000_000);
    for text in [
        format!("{{\"a\":{deep}"),
        format!("{{\"tracks\":{deep}"),
        String::from_utf8(file(&[track("Raw", "float", &deep)])).unwrap(),
        format!("{{\"tracks\":[{{\"data\":{deep}"),
        "{\"a\":".repeat(1_000_000),
    ] {
        assert!(Animj::default().read(text.as_bytes(), &Limits::default()).is_err());
        let _ = Animj::default().check(text.as_bytes(), &Limits::default());
    }
}

#[test]
fn a_high_depth_limit_does_not_overflow_the_stack() {
    let _turn = Peak::begin();
    let limits = Limits::default().with_depth(usize::MAX);
    let text = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(Animj::default().read(text.as_bytes(), &limits).is_ok());
}

#[test]
fn small_limits_are_limit_errors() {
    let _turn = Peak::begin();
    let bytes = file(&vec![track("Raw", "double", "1,2,3"); 11]);
    let items = Limits::default().with_items(10);
    assert_eq!(
        Animj::default().read(&bytes, &items).unwrap_err().to_string(),
        "animj: /tracks/10: 11 items requested, the limit is 10 (line 1, column 842)"
    );
    let decoded = Limits::default().with_decoded_bytes(20);
    assert_eq!(
        Animj::default().read(&bytes, &decoded).unwrap_err().to_string(),
        "animj: /tracks/0/data/keyframes/2: 24 decoded bytes requested, the limit is 20 \
         (line 1, column 90)"
    );
    let check = Animj::default().check(&bytes, &decoded);
    assert!(check.is_err());
}

#[test]
fn findings_do_not_exhaust_memory() {
    let meter = Peak::begin();
    let bytes = file(&vec![track("Raw", "float", "1").replace("Raw", "Discrete"); 50_000]);
    let (findings, peak) =
        meter.measure(|| Animj::default().check(&bytes, &Limits::default()).unwrap());
    assert_eq!(findings.len(), 10_001);
    assert!(peak < 40 << 20, "{peak} bytes");
}
