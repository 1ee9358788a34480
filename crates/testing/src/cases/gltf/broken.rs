//! Files of which a part is broken. The rest is read.

use super::{Case, File, HIPS, chunk, container, file, ok, padded, rise};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = channels();
    cases.extend(nodes());
    cases.extend(containers());
    cases.extend(data_uris());
    cases.extend(custom_tracks());
    cases
}

/// A file of two animations, with text of the second one replaced.
fn second(name: &'static str, from: &str, to: &str) -> Case {
    let both = rise().animation(r#""name": "sound", "#);
    let scale = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let both = both.channel(0, "scale", "", &[0.0, 1.0], &scale).animation(r#""name": "broken", "#);
    replaced(name, &both, from, to)
}

/// A file with text of its JSON replaced, where it comes last.
pub(super) fn replaced(name: &'static str, file: &File, from: &str, to: &str) -> Case {
    let json = file.json("");
    let start = json.rfind(from).unwrap_or_else(|| panic!("{name}: there is no {from}"));
    let json = [&json[..start], to, &json[start + from.len()..]].concat();
    ok(name, container(&[chunk("JSON", &padded(&json)), chunk("BIN", &file.buffer)]))
}

fn channels() -> Vec<Case> {
    let same_clip = rise()
        .channel(0, "scale", "", &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
        .animation(r#""name": "walk", "#);
    let one = |name, from: &str, to: &str| replaced(name, &same_clip, from, to);
    let rest = [0.0, 0.0, 0.0];
    let talk = super::weights("", &[0.0; 5]).channel(0, "translation", "", &[0.0], &rest);
    vec![
        second("second-animation-without-keys", r#""count": 2, "type": "SCALAR""#, r#""count": 0, "type": "SCALAR""#),
        second("second-animation-of-a-missing-node", r#""node": 0"#, r#""node": 99"#),
        second("second-animation-without-a-sampler", r#""sampler": 0"#, r#""sampler": 7"#),
        second("second-animation-of-another-type", r#"{"name": "broken""#, r#"7, {"name": "third""#),
        second("second-animation-with-a-number-for-a-name", r#""name": "broken""#, r#""name": 5"#),
        second("second-animation-of-a-number-for-channels", r#""channels": ["#, r#""channels": 1, "a": ["#),
        one("one-channel-of-a-missing-node", r#""node": 0"#, r#""node": 99"#),
        one("one-channel-of-another-type", r#""sampler": 1"#, r#""sampler": "1""#),
        one("one-sampler-of-an-unknown-mode", r#""output": 3"#, r#""output": 3, "interpolation": "SMOOTH""#),
        one("one-accessor-of-another-type", r#""type": "VEC3""#, r#""type": 3"#),
        one("one-view-beyond-the-buffer", r#""byteLength": 24"#, r#""byteLength": 2400"#),
        ok("weights-of-another-count", talk.animation("").glb()),
    ]
}

fn nodes() -> Vec<Case> {
    let tree = |name, nodes: &str| ok(name, file(nodes).glb());
    vec![
        tree("cycle-of-nodes", r#"{"children": [1]}, {"children": [2]}, {"children": [1]}"#),
        tree("node-that-is-its-own-child", r#"{"children": [0]}"#),
        tree("node-with-two-parents", r#"{"children": [2]}, {"children": [2]}, {}"#),
        tree("child-missing", r#"{"children": [1]}"#),
        tree("rotation-of-five-numbers", r#"{"rotation": [0, 0, 0, 1, 0]}"#),
        tree("ring-of-nodes", r#"{"children": [1]}, {"children": [2]}, {"children": [0]}"#),
        ok(
            "rest-rotation-of-length-0",
            file(r#"{"rotation": [0, 0, 0, 0]}"#).with(r#""skins": [{"joints": [0]}]"#).glb(),
        ),
    ]
}

fn containers() -> Vec<Case> {
    let (json, buffer) = (rise().animation("").json(""), rise().buffer);
    let nuls = [json.as_bytes(), &[0; 5][..5 - (json.len() + 1) % 4]].concat();
    let good = || rise().animation("").glb();
    let length = u32::try_from(good().build().len()).unwrap_or(0);
    vec![
        ok("nul-padding", container(&[chunk("JSON", &nuls), chunk("BIN", &buffer)])),
        ok("length-too-small", good().patch(8, 12_u32.to_le_bytes())),
        ok("length-two-bytes-short", good().patch(8, (length - 2).to_le_bytes())),
        ok("bytes-after-the-length", good().bytes("more")),
    ]
}

/// URIs that other programs read too.
fn data_uris() -> Vec<Case> {
    let (file, base64) = (rise().animation(""), super::base64(&rise().buffer));
    let at = |name, uri: &str| ok(name, file.gltf(uri)).with_extension("gltf");
    let lines: Vec<&str> = [&base64[..20], &base64[20..40], &base64[40..]].into();
    let percent: Vec<String> = file.buffer.iter().map(|byte| format!("%{byte:02x}")).collect();
    let percent = percent.concat();
    vec![
        at("data-uri-in-capitals", &format!("DATA:application/octet-stream;BASE64,{base64}")),
        at("data-uri-of-three-lines", &format!("data:;base64,{}", lines.join(r"\n"))),
        at("data-uri-with-percent-signs", &format!("data:;base64,{}", base64.replace('A', "%41"))),
        at("data-uri-of-percent-signs", &format!("data:application/octet-stream,{percent}")),
        at("data-uri-of-url-letters", &format!("data:;base64,{}", base64.replace('/', "_").replace('+', "-"))),
    ]
}

/// Invalid tracks in extras. The channels are read.
fn custom_tracks() -> Vec<Case> {
    let track = |name, members: &str| {
        let extras = format!(r#""extras": {{"inbetween": {{"tracks": [{{{members}}}]}}}}, "#);
        ok(name, rise().animation(&extras).glb())
    };
    let empty = r#""extras": {"inbetween": {"emptyClips": [{"tracks": [{"kind": "float3", "times": [0], "values": [[1, 2]]}]}]}}"#;
    let other_version = r#""extras": {"inbetween": {"version": 2}}, "#;
    vec![
        ok("extras-of-another-version", rise().animation(other_version).glb()),
        track("track-without-a-kind", r#""times": [0], "values": [1]"#),
        track("track-of-an-unknown-kind", r#""kind": "Float3", "times": [0], "values": [[1, 2, 3]]"#),
        track("track-of-another-type", r#""kind": "bool", "times": [0], "values": [1]"#),
        track("track-of-fewer-values", r#""kind": "float", "times": [0, 1], "values": [1]"#),
        track("track-of-fewer-tangents", r#""kind": "float", "times": [0, 1], "interpolation": "hermite", "values": [1, 2],
            "leftTangents": [1, 2], "rightTangents": [1]"#),
        track("track-of-fewer-interpolations", r#""kind": "float", "times": [0, 1], "interpolation": ["hold"], "values": [1, 2]"#),
        track("track-of-an-unknown-interpolation", r#""kind": "float", "times": [0], "interpolation": "smooth", "values": [1]"#),
        track("track-whose-times-go-back", r#""kind": "float", "times": [1, 0], "values": [1, 2]"#),
        track("track-beyond-64-bits", r#""kind": "ulong", "times": [0], "values": ["18446744073709551616"]"#),
        track("track-beyond-f32", r#""kind": "float", "times": [0], "values": [1e39]"#),
        ok("empty-clip-of-two-numbers-for-three", file(HIPS).with(empty).glb()),
    ]
}
