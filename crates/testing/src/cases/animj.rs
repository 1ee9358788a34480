//! The cases of AnimJ: one per row of the table in `docs/formats/animj.md`, and one per reason to
//! reject a file.

mod fates;

use super::{Case, FormatCases};

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "animj",
    extension: "animj",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

pub(crate) fn cases() -> Vec<Case> {
    let lists = [
        shapes(),
        track_members(),
        types(),
        interpolations(),
        missing(),
        unknown_members(),
        numbers(),
        vectors(),
        texts(),
        keys(),
        markers(),
        wrong_shapes(),
        slips(),
        broken_tracks(),
        broken(),
    ];
    lists.into_iter().flatten().collect()
}

fn ok(name: &'static str, text: impl Into<String>) -> Case {
    Case::ok("animj", name, text.into())
}

fn bad(name: &'static str, text: impl Into<String>) -> Case {
    Case::bad("animj", name, text.into())
}

/// A file of these tracks.
fn file(tracks: &str) -> String {
    format!(
        "{{\n  \"name\": \"A\",\n  \"globalDuration\": 0,\n  \"tracks\": [\n    {tracks}\n  ]\n}}\n"
    )
}

/// A file of one track with these members in its data.
fn track(track_type: &str, value_type: &str, data: &str) -> String {
    file(&format!(
        "{{ \"trackType\": \"{track_type}\", \"valueType\": \"{value_type}\",\n      \
         \"data\": {{ \"node\": \"N\", \"property\": \"P\", {data} }} }}"
    ))
}

/// A file of one Raw track with an interval of one second.
fn raw(value_type: &str, keys: &str) -> String {
    track("Raw", value_type, &format!("\"interval\": 1, \"keyframes\": [{keys}]"))
}

/// A file of one Discrete track.
fn discrete(value_type: &str, keys: &str) -> String {
    track("Discrete", value_type, &format!("\"keyframes\": [{keys}]"))
}

/// A file of one Curve track.
fn curve(value_type: &str, keys: &str) -> String {
    track("Curve", value_type, &format!("\"keyframes\": [{keys}]"))
}

fn shapes() -> Vec<Case> {
    vec![
        ok(
            "position-without-a-node",
            file(
                r#"{ "trackType": "Discrete", "valueType": "float3",
      "data": { "node": null, "property": "Position",
        "keyframes": [{ "time": 0, "value": { "x": 1, "y": 2, "z": 3 } }] } }"#,
            ),
        ),
        ok("raw", track("Raw", "float", r#""interval": 0.5, "keyframes": [0.5, 0.75, -1]"#)),
        ok(
            "discrete",
            discrete("int", r#"{ "time": 0, "value": 1 }, { "time": 1.5, "value": -42 }"#),
        ),
        ok(
            "curve",
            curve(
                "float3",
                r#"{ "time": 0, "value": { "x": 1, "y": 2, "z": 3 }, "interpolation": "Linear" },
        { "time": 2, "value": { "x": 0, "y": 0.25, "z": -3 }, "interpolation": "Hold" }"#,
            ),
        ),
        ok(
            "curve-tangents",
            curve(
                "float",
                r#"{ "time": 0, "value": 1, "interpolation": "Tangent", "rightTangent": 2 },
        { "time": 1, "value": 4, "interpolation": "CubicBezier", "leftTangent": -1, "rightTangent": 5 },
        { "time": 2, "value": 9, "interpolation": "Linear", "leftTangent": 8 }"#,
            ),
        ),
        ok(
            "walk",
            r#"{"name":"walk","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float3","data":{"node":"hips","property":"Position","keyframes":[{"time":0,"value":{"x":0,"y":1,"z":0},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":1,"z":2},"interpolation":"Linear"}]}},{"trackType":"Curve","valueType":"floatQ","data":{"node":"hips","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":0.70710677,"z":0,"w":0.70710677},"interpolation":"Linear"}]}},{"trackType":"Discrete","valueType":"string","data":{"node":"Markers","property":"Name","keyframes":[{"time":0.25,"value":"left foot"},{"time":0.75,"value":"right foot"}]}}]}"#,
        ),
        ok("no-tracks", file("")).reports(&["animj/no-tracks"]),
        ok(
            "windows-text",
            "{\r\n\t\"tracks\" :\r\n\t[ {\"trackType\" : \"Raw\", \"valueType\" : \"byte\",\r\n\
             \t\"data\" : { \"node\" : null, \"property\" : \"\", \"interval\" : 1e-1,\r\n\
             \t\"keyframes\" : [ 0 , 255 ] } } ]\r\n}\r\n",
        ),
    ]
}

fn track_members() -> Vec<Case> {
    let data =
        r#""data": { "node": "N", "property": "P", "keyframes": [{ "time": 0, "value": true }] }"#;
    let members = |members: &[&str]| file(&format!("{{ {} }}", members.join(", ")));
    let (kind, value) = (r#""trackType": "Discrete""#, r#""valueType": "bool""#);
    vec![
        ok("track-members-data-first", members(&[data, kind, value]))
            .reports(&["animj/track-member-order"]),
        ok("track-members-types-swapped", members(&[value, kind, data]))
            .reports(&["animj/track-member-order"]),
        ok("track-members-data-between", members(&[kind, data, value]))
            .reports(&["animj/track-member-order"]),
        ok("track-members-twice", members(&[kind, value, r#""data": {}"#, data]))
            .reports(&["animj/duplicate-member", "animj/track-member-order"]),
        ok("track-member-unknown", members(&[kind, r#""node": "N""#, value, data]))
            .reports(&["animj/track-member-unknown", "animj/track-member-order"]),
        bad("track-without-value-type", members(&[kind, data]))
            .reports(&["animj/track-member-missing"]),
        bad("track-type-null", members(&[r#""trackType": null"#, value, data]))
            .reports(&["animj/null-value"]),
        bad("track-data-null", members(&[kind, value, r#""data": null"#]))
            .reports(&["animj/null-value"]),
        bad("track-no-object", file("\"Discrete\"")).reports(&["animj/wrong-type"]),
        bad("track-type-number", raw("float", "1").replace("\"Raw\"", "0"))
            .reports(&["animj/track-type-number"]),
    ]
}

fn types() -> Vec<Case> {
    vec![
        ok("track-type-case", track("raw", "float", r#""interval": 1, "keyframes": [1]"#))
            .reports(&["animj/track-type-case"]),
        ok("value-type-case", raw("FLOATQ", r#"{ "x": 0, "y": 0, "z": 0, "w": 1 }"#))
            .reports(&["animj/value-type-case"]),
        bad("bezier", track("Bezier", "float", r#""keyframes": []"#))
            .reports(&["animj/bezier-track"]),
        bad("track-type-unknown", track("Smooth", "float", r#""keyframes": []"#))
            .reports(&["animj/track-type-unknown"]),
        bad("value-type-colorx", raw("colorX", r#"{ "r": 1 }"#))
            .reports(&["animj/value-type-unsupported"]),
        bad("value-type-datetime", raw("datetime", "\"2024-07-04\""))
            .reports(&["animj/value-type-unsupported"]),
        bad("value-type-unknown", raw("Vector3", "")).reports(&["animj/value-type-unknown"]),
    ]
}

fn interpolations() -> Vec<Case> {
    let key = |time: u32, interpolation: &str| {
        format!(
            r#"{{ "time": {time}, "value": {time}, "interpolation": {interpolation}, "leftTangent": 0, "rightTangent": 0 }}"#
        )
    };
    let keys = |forms: &[&str]| -> String {
        let keys = (0..).zip(forms).map(|(time, form)| key(time, form));
        keys.collect::<Vec<_>>().join(", ")
    };
    vec![
        ok(
            "interpolation-forms",
            curve(
                "double",
                &keys(&[
                    "\"hold\"",
                    "\"LINEAR\"",
                    "\"tangent\"",
                    "\"cubicbezier\"",
                    "0",
                    "1",
                    "2",
                    "3",
                ]),
            ),
        ),
        ok(
            "interpolation-missing",
            curve("float", r#"{ "time": 0, "value": 1 }, { "time": 1, "value": 2 }"#),
        )
        .reports(&["animj/interpolation-missing"]),
        bad("interpolation-unknown", curve("float", &keys(&["\"Smooth\""])))
            .reports(&["interpolation-unknown"]),
        bad("interpolation-4", curve("float", &keys(&["4"])))
            .reports(&["interpolation-unknown"]),
        bad("interpolation-null", curve("float", &keys(&["null"]))).reports(&["animj/null-value"]),
    ]
}

fn missing() -> Vec<Case> {
    let bare = |track_type: &str, value_type: &str, data: &str| {
        format!(
            r#"{{"tracks":[{{"trackType":"{track_type}","valueType":"{value_type}","data":{{{data}}}}}]}}"#
        )
    };
    vec![
        ok("missing-root-members", "{}").reports(&["animj/no-tracks"]),
        ok("missing-tracks-null", r#"{"name":null,"tracks":null}"#).reports(&["animj/no-tracks"]),
        ok("missing-keyframes", bare("Discrete", "float", ""))
            .reports(&["empty-track", "animj/track-unnamed"]),
        ok("missing-keys", bare("Curve", "string", r#""keyframes":[],"node":"N""#))
            .reports(&["empty-track"]),
        ok("missing-keyframes-null", bare("Raw", "float", r#""keyframes":null,"interval":1"#))
            .reports(&["empty-track"]),
        ok("missing-time-and-value", bare("Discrete", "float", r#""keyframes":[{}]"#))
            .reports(&["animj/time-missing", "animj/value-missing"]),
        ok("missing-quaternion", discrete("floatQ", r#"{ "time": 0 }"#))
            .reports(&["animj/quaternion-missing"]),
        ok("missing-color", discrete("color", r#"{ "time": 0 }"#))
            .reports(&["animj/value-missing"]),
        ok("missing-interval", track("Raw", "float", r#""keyframes": [1, 2]"#))
            .reports(&["animj/interval-missing"]),
        ok("interval-zero", track("Raw", "float", r#""interval": 0, "keyframes": [1, 2]"#))
            .reports(&["interval-invalid"]),
        bad("null-duration", r#"{"globalDuration":null,"tracks":[]}"#)
            .reports(&["animj/null-value"]),
        bad("null-number", raw("float", "1, null")).reports(&["animj/null-value"]),
        bad("null-vector", discrete("float3", r#"{ "time": 0, "value": null }"#))
            .reports(&["animj/null-value"]),
        bad("null-component", raw("float2", r#"{ "x": null, "y": 1 }"#))
            .reports(&["animj/null-value"]),
        bad("null-time", discrete("float", r#"{ "time": null, "value": 1 }"#))
            .reports(&["animj/null-value"]),
    ]
}

fn unknown_members() -> Vec<Case> {
    vec![
        ok(
            "unknown-members-kept",
            r#"{
  "author": { "name": "me", "since": 2.50, "tags": [ "a b", null ] },
  "name": "A", "globalDuration": 0, "comment": "two  spaces",
  "tracks": [
    { "trackType": "Discrete", "valueType": "int",
      "data": { "interval": 1.0, "node": "N", "property": "P",
                "keyframes": [{ "time": 0, "value": 1 }], "extra": [ 1, 2e0 ] } }
  ]
}
"#,
        )
        .reports(&["animj/unknown-member"]),
        ok(
            "unknown-members-of-keys-and-values",
            discrete("float2", r#"{ "time": 0, "value": { "x": 1, "y": 2, "z": 3 }, "ease": 1 }"#),
        )
        .reports(&["animj/member-dropped"]),
        ok(
            "unknown-member-of-another-shape",
            discrete("float", r#"{ "time": 0, "value": 1, "interpolation": "Linear" }"#),
        )
        .reports(&["animj/member-dropped"]),
        ok("member-case", discrete("float", r#"{ "Time": 3, "value": 1 }"#))
            .reports(&["animj/member-case", "animj/time-missing"]),
        ok("member-case-of-the-root", r#"{"Name":"A","globalDuration":0,"tracks":[]}"#)
            .reports(&["animj/member-case"]),
        ok(
            "member-case-of-every-member",
            discrete(
                "float2",
                r#"{ "Time": 1, "Value": { "X": 1, "Y": 2 } }, { "Time": 2, "Value": { "X": 3, "Y": 4 } }"#,
            )
            .replace("\"name\"", "\"Name\"")
            .replace("\"globalDuration\"", "\"GlobalDuration\"")
            .replace("\"node\"", "\"Node\"")
            .replace("\"property\"", "\"Property\""),
        )
        .reports(&["animj/member-case"]),
        ok(
            "duplicate-members",
            r#"{"name":"A","name":"B","globalDuration":1,"tracks":[],"tracks":[{"trackType":"Discrete","valueType":"float2","data":{"node":"N","node":"M","keyframes":[{"time":0,"time":2,"value":{"x":1,"y":2,"x":3}}]}}]}"#,
        )
        .reports(&["animj/duplicate-member"]),
        ok("escaped-names", discrete("float", r#"{ "\u0074ime": 1, "v\u0061lue": 2 }"#)),
    ]
}

fn numbers() -> Vec<Case> {
    vec![
        ok(
            "number-forms",
            raw("float", "0, -0, 1, 1.0, 1e2, 1E-2, 0.1, 3.4028235e38, 1e-45, 1e-60, 16777217"),
        ),
        ok(
            "number-forms-of-doubles",
            raw("double", "-0.0, 0.1, 1e308, 4.9e-324, 0.1234567890123456789, 9007199254740993"),
        ),
        ok(
            "integers-at-their-ends",
            file(
                &[
                    ("byte", "0, 255"),
                    ("sbyte", "-128, 127, -0"),
                    ("ushort", "65535"),
                    ("short", "-32768"),
                    ("uint", "4294967295"),
                    ("int", "-2147483648, -0"),
                    ("ulong", "18446744073709551615"),
                    ("long", "-9223372036854775808, 9223372036854775807"),
                ]
                .map(|(value_type, keys)| raw_track(value_type, keys))
                .join(",\n    "),
            ),
        ),
        bad("number-nan", raw("float", "NaN")).reports(&["animj/number-not-finite"]),
        bad("number-infinity", raw("double", "1, -Infinity"))
            .reports(&["animj/number-not-finite"]),
        bad("number-plus", raw("float", "+1")).reports(&["animj/number-syntax"]),
        bad("number-point-first", raw("float", ".5")).reports(&["animj/number-syntax"]),
        bad("number-leading-zero", raw("int", "007")).reports(&["animj/number-syntax"]),
        bad("number-in-quotes", raw("float", "\"1\"")).reports(&["animj/quoted"]),
        bad("number-beyond-f32", raw("float", "1e39")).reports(&["animj/number-range"]),
        bad("number-beyond-f64", raw("double", "-1e309")).reports(&["animj/number-range"]),
        bad("time-beyond-f32", discrete("double", r#"{ "time": 1e39, "value": 1 }"#))
            .reports(&["animj/number-range"]),
        bad("integer-out-of-range", raw("byte", "256")).reports(&["animj/number-range"]),
        bad("integer-negative", raw("ulong", "-1")).reports(&["animj/number-range"]),
        bad("integer-with-fraction", raw("int", "1.0, 2")).reports(&["animj/integer-fraction"]),
        bad("integer-with-exponent", raw("int", "1e2")).reports(&["animj/integer-fraction"]),
        bad("boolean-number", raw("bool", "1")).reports(&["animj/wrong-type"]),
    ]
}

/// A Raw track without a file around it.
fn raw_track(value_type: &str, keys: &str) -> String {
    format!(
        r#"{{ "trackType": "Raw", "valueType": "{value_type}", "data": {{ "node": "{value_type}", "property": "P", "interval": 1, "keyframes": [{keys}] }} }}"#
    )
}

/// Vectors of numbers: the type without its size, and a component.
const VECTORS: [(&str, &str); 6] = [
    ("bool", "true"),
    ("int", "-1"),
    ("uint", "4294967295"),
    ("long", "9223372036854775807"),
    ("float", "0.1"),
    ("double", "0.1"),
];

fn vector(size: usize, component: &str) -> String {
    let members = ["x", "y", "z", "w"].map(|name| format!("\"{name}\": {component}"));
    format!("{{ {} }}", members[..size].join(", "))
}

fn vectors() -> Vec<Case> {
    let mut tracks = Vec::new();
    for (kind, component) in VECTORS {
        for size in 2..=4 {
            tracks.push(raw_track(&format!("{kind}{size}"), &vector(size, component)));
        }
    }
    for kind in ["floatQ", "doubleQ"] {
        tracks.push(raw_track(kind, &vector(4, "0.5")));
    }
    vec![
        ok("vectors", file(&tracks.join(",\n    "))),
        ok("vector-members-in-any-order", raw("float3", r#"{ "z": 3, "x": 1, "y": 2 }"#)),
        ok("vector-component-missing", raw("float3", r#"{ "z": 3 }, {}"#))
            .reports(&["animj/component-missing"]),
        ok(
            "colors",
            raw(
                "color",
                r#"{ "r": 0.2, "g": 0, "b": 1, "a": 0.85 }, { "r": 1 }, { "r": 12.5, "g": -1, "b": 0, "a": 2 }"#,
            ),
        )
        .reports(&["animj/component-missing"]),
        ok("colors-of-bytes", raw("color32", r#"{ "r": 0, "g": 128, "b": 255, "a": 7 }, { "g": 1 }"#)),
        ok(
            "colors-of-bytes-as-fractions",
            raw("color32", r#"{ "r": 0.2, "g": 0, "b": 1, "a": 0.85 }, { "r": 1.0 }"#),
        )
        .reports(&["animj/color32-fractions"]),
        ok(
            "matrices",
            file(
                &[
                    raw_track("float2x2", "[[1, 2], [3, 4.5]]"),
                    raw_track("double3x3", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
                    raw_track("float4x4", "[[1,2,3,4],[5,6,7,8],[9,10,11,12],[13,14,15,16]]"),
                ]
                .join(",\n    "),
            ),
        )
        .reports(&["animj/matrix"]),
        bad("vector-as-array", raw("float3", "[1, 2, 3]")).reports(&["animj/value-as-array"]),
        bad("quaternion-as-array", raw("floatQ", "[0, 0, 0, 1]"))
            .reports(&["animj/value-as-array"]),
        bad("vector-as-number", raw("float3", "1")).reports(&["animj/wrong-type"]),
        bad("raw-key-with-time", raw("float", r#"{ "time": 0, "value": 1 }"#))
            .reports(&["animj/track-type-mismatch"]),
        bad("color-byte-out-of-range", raw("color32", r#"{ "r": 256, "g": 0, "b": 0 }"#))
            .reports(&["animj/number-range"]),
        bad("color-fraction-out-of-range", raw("color32", r#"{ "r": 0.5, "g": 128, "b": 0 }"#))
            .reports(&["animj/number-range"]),
        bad("matrix-as-object", raw("float2x2", r#"{ "m00": 1 }"#)).reports(&["animj/wrong-type"]),
        bad("matrix-row-too-short", raw("float2x2", "[[1, 2], [3]]"))
            .reports(&["animj/wrong-type"]),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        ok(
            "texts",
            discrete(
                "string",
                r#"{ "time": 0, "value": "Hello World!" }, { "time": 1, "value": null }, { "time": 2, "value": "" },
        { "time": 3, "value": "\"\\\/\b\f\n\r\t\u00e9\ud83e\uddb4" }, { "time": 4, "value": "é🦴" }"#,
            ),
        ),
        ok("texts-as-raw-keys", raw("string", r#""a", null, """#)),
        ok("booleans", raw("bool", "true, false")),
        bad("text-number", raw("string", "1")).reports(&["animj/wrong-type"]),
        bad("text-half-a-surrogate-pair", raw("string", r#""\ud83e""#))
            .reports(&["animj/not-json"]),
        bad("text-control-character", raw("string", "\"a\nb\"")).reports(&["animj/not-json"]),
        bad("text-escape", raw("string", r#""C:\path""#)).reports(&["animj/not-json"]),
        bad("name-number", r#"{"name":1,"tracks":[]}"#).reports(&["animj/wrong-type"]),
    ]
}

fn keys() -> Vec<Case> {
    let at = |times: &[&str]| {
        let keys = times.iter().map(|time| format!(r#"{{ "time": {time}, "value": 1 }}"#));
        keys.collect::<Vec<_>>().join(", ")
    };
    let tangents = |value_type: &str, interpolation: &str, value: &str| {
        let key = |time| {
            format!(r#"{{ "time": {time}, "value": {value}, "interpolation": "{interpolation}" }}"#)
        };
        curve(value_type, &[key(0), key(1)].join(", "))
    };
    vec![
        ok("times-unsorted", discrete("int", &at(&["2", "0", "1"])))
            .reports(&["keys-unsorted"]),
        ok("times-equal", discrete("int", &at(&["0", "1", "1"]))).reports(&["times-equal"]),
        ok("times-negative", discrete("int", &at(&["-1", "-0.5", "1"])))
            .reports(&["time-negative"]),
        ok(
            "times-unsorted-with-tangents",
            curve(
                "float",
                r#"{ "time": 1, "value": 2, "interpolation": "Tangent", "leftTangent": 3, "rightTangent": 4 },
        { "time": 0, "value": 5, "interpolation": "Linear" }"#,
            ),
        )
        .reports(&["keys-unsorted"]),
        ok("quaternion-length", raw("floatQ", &[vector(4, "1"), vector(4, "0")].join(", ")))
            .reports(&["rotation-not-unit"]),
        ok("tangents-missing", tangents("float", "Tangent", "1"))
            .reports(&["tangent-missing"]),
        ok("tangents-of-integers", tangents("int", "CubicBezier", "1"))
            .reports(&["tangent-unusable"]),
        ok(
            "keys-after-the-duration",
            discrete("int", &at(&["0", "5"])).replace("\"globalDuration\": 0", "\"globalDuration\": 2"),
        )
        .reports(&["key-after-duration"]),
        // The third key is at 1 s.
        ok(
            "keys-at-an-interval-after-the-duration",
            track("Raw", "int", r#""interval": 0.5, "keyframes": [1, 2, 3]"#)
                .replace("\"globalDuration\": 0", "\"globalDuration\": 0.5"),
        )
        .reports(&["key-after-duration"]),
        ok(
            "keys-before-the-duration",
            raw("int", "1, 2, 3").replace("\"globalDuration\": 0", "\"globalDuration\": 9.5"),
        ),
        ok("one-target-twice", file(&[raw_track("int", "1"), raw_track("int", "2")].join(", ")))
            .reports(&["duplicate-track"]),
        bad("keys-no-array", track("Raw", "float", r#""keyframes": { "0": 1 }"#))
            .reports(&["animj/wrong-type"]),
        bad("keys-without-time", discrete("float", "0.5, 0.7"))
            .reports(&["animj/track-type-mismatch"]),
    ]
}

fn markers() -> Vec<Case> {
    let names = r#"{ "trackType": "Discrete", "valueType": "string", "data": { "node": "Markers", "property": "Name",
        "keyframes": [{ "time": 0.5, "value": "hit" }, { "time": 1, "value": "" }] } }"#;
    let other = raw_track("float", "1");
    let null = names.replace("\"hit\"", "null");
    vec![
        ok("markers", file(&[other.as_str(), names].join(", "))),
        ok("markers-first", file(&[names, other.as_str()].join(", "))),
        ok("markers-twice", file(&[names, names].join(", "))),
        ok("markers-with-null", file(&null)),
        ok(
            "weight",
            raw("float", "0, 1").replace("\"property\": \"P\"", "\"property\": \"Weight:smile\""),
        ),
        ok(
            "position-of-another-type",
            raw("float", "0, 1").replace("\"property\": \"P\"", "\"property\": \"Position\""),
        ),
    ]
}

/// Keys of another type of track, and objects without the members that they need.
fn wrong_shapes() -> Vec<Case> {
    let vector = r#"{ "x": 1, "y": 2, "z": 3 }"#;
    let stepped = format!(r#"{{ "time": 0, "value": {vector} }}"#);
    let blended = format!(r#"{{ "time": 1, "value": {vector}, "interpolation": "Linear" }}"#);
    let with_interval = track(
        "Curve",
        "float3",
        &format!("\"interval\": 0.5, \"keyframes\": [{vector}, {vector}]"),
    );
    let mismatch: &[&str] = &["animj/track-type-mismatch"];
    let wrong: &[&str] = &["animj/wrong-members"];
    vec![
        bad("curve-keys-in-a-raw-track", raw("float3", &[&*stepped, &*blended].join(", ")))
            .reports(mismatch),
        bad("discrete-keys-in-a-raw-track", raw("float3", &stepped)).reports(mismatch),
        bad("vectors-in-a-curve-track", curve("float3", vector)).reports(mismatch),
        bad("vectors-in-a-curve-track-with-interval", with_interval).reports(mismatch),
        bad("keys-of-two-shapes", raw("float3", &[&*stepped, vector].join(", "))).reports(mismatch),
        bad("components-beside-time", discrete("float2", r#"{ "time": 0, "x": 1, "y": 2 }"#))
            .reports(wrong),
        bad("keys-of-other-members", discrete("float", r#"{ "t": 0, "v": 1 }"#)).reports(wrong),
        bad("vector-of-channels", raw("float3", r#"{ "r": 1, "g": 2, "b": 3 }"#)).reports(wrong),
    ]
}

fn slips() -> Vec<Case> {
    vec![
        ok("byte-order-mark", format!("\u{feff}{}", raw("float", "1")))
            .reports(&["animj/byte-order-mark"]),
        bad("python-literals", discrete("bool2", r#"{ "time": 0, "value": {"x": True, "y": FALSE} }"#))
            .reports(&["animj/literal-case"]),
        bad("trailing-commas", raw("float", "1, 2,")).reports(&["animj/trailing-comma"]),
        bad("comments", format!("// made by hand\n{}", raw("float", "1 /* one */")))
            .reports(&["animj/comment"]),
        bad(
            "many-slips",
            r#"{ "tracks": [ /* one */
  { "data": { "keyframes": [ {"time": 0, "value": True,}, ], "node": None, }, "valueType": "Bool", "trackType": "discrete", },
  { "trackType": "Raw", "data": { "interval": 1, "keyframes": [ 1.0, 2 ] }, "valueType": "int" },
] }
"#,
        )
        .reports(&[
            "animj/comment",
            "animj/integer-fraction",
            "animj/literal-case",
            "animj/track-member-order",
            "animj/trailing-comma",
            "animj/track-type-case",
            "animj/value-type-case",
        ]),
    ]
}

/// Files of two tracks of which one is broken. The other one is read.
fn broken_tracks() -> Vec<Case> {
    let two = |track_type: &str, value_type: &str, members: &str| {
        file(&format!(
            r#"{{ "trackType": "Raw", "valueType": "float", "data": {{ "node": "N", "property": "P", "interval": 1, "keyframes": [1, 2] }} }},
    {{ "trackType": "{track_type}", "valueType": "{value_type}", "data": {{ "node": "O", "property": "P", {members} }} }}"#
        ))
    };
    let keys = r#""interval": 1, "keyframes": [1, 2]"#;
    vec![
        ok("one-track-of-quoted-numbers", two("Raw", "float", r#""interval": 1, "keyframes": ["1"]"#)),
        ok("one-track-of-an-unknown-type", two("Row", "float", keys)),
        ok("one-track-of-unknown-values", two("Raw", "half", keys)),
        ok("one-track-without-keyframes", two("Raw", "float", r#""interval": 1"#)),
    ]
}

fn broken() -> Vec<Case> {
    let whole = raw("float", "1, 2");
    let utf16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        bad("empty", ""),
        bad("blank", " \n\t"),
        bad("array", "[]"),
        bad("another-format", "SEAnim"),
        Case::bad("animj", "utf-16", utf16),
        Case::bad("animj", "not-utf8", *b"{\"name\": \"\xe9t\xe9\", \"tracks\": []}")
            .reports(&["not-utf8"]),
        Case::bad("animj", "not-utf8-in-a-node", *b"{\"tracks\": [{\"data\": {\"node\": \"\xff\"}}]}")
            .reports(&["not-utf8"]),
        bad("hidden-letters", raw("\u{202e}\\u001b[2J", "1")).reports(&["animj/value-type-unknown"]),
        bad("hidden-letters-in-a-track-type", track("\u{202e}\\u001b[2J", "float", r#""keyframes": []"#))
            .reports(&["animj/track-type-unknown"]),
        bad("null", "null"),
        bad("a-number", "1"),
        bad("tracks-an-object", r#"{"tracks": {}}"#).reports(&["animj/wrong-type"]),
        bad("duration-nan", r#"{"globalDuration": NaN, "tracks": []}"#)
            .reports(&["animj/number-not-finite"]),
        bad("duration-beyond-f32", r#"{"globalDuration": 1e39, "tracks": []}"#)
            .reports(&["animj/number-range"]),
        bad("duration-a-text", r#"{"globalDuration": "long", "tracks": []}"#)
            .reports(&["animj/wrong-type"]),
        bad("interval-infinite", track("Raw", "float", r#""interval": Infinity, "keyframes": [1]"#))
            .reports(&["animj/number-not-finite"]),
        bad("time-nan", discrete("float", r#"{ "time": NaN, "value": 1 }"#))
            .reports(&["animj/number-not-finite"]),
        bad("tangent-infinite", curve(
            "float",
            r#"{ "time": 0, "value": 1, "interpolation": "Tangent", "leftTangent": -Infinity }"#,
        ))
        .reports(&["animj/number-not-finite"]),
        bad("component-nan", raw("float3", r#"{ "x": 0, "y": nan, "z": 0 }"#))
            .reports(&["animj/number-not-finite"]),
        bad("nested-in-an-unknown-member", format!("{{\"tracks\": [], \"a\": {}", "{\"a\":".repeat(70))),
        bad("cut-off", &whole[..whole.len() - 5]).reports(&["animj/not-json"]),
        bad("string-without-end", r#"{"name": "A"#).reports(&["animj/not-json"]),
        bad("two-files", format!("{whole}{whole}")).reports(&["animj/not-json"]),
        bad("comma-missing", raw("float", "1 2")).reports(&["animj/not-json"]),
        bad("colon-missing", r#"{"name" "A"}"#).reports(&["animj/not-json"]),
        bad("single-quotes", "{'name': 'A'}").reports(&["animj/not-json"]),
        bad("comma-first", "{,}").reports(&["animj/not-json"]),
        bad("nested-bomb", format!("{{\"a\":{}", "[".repeat(500))),
    ]
}
