//! Files that must be rejected.

use super::{Case, HEAD, bad, bounce, clip, cut, object, one};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = starts();
    cases.extend(separators());
    cases.extend(lines());
    cases.extend(scalars());
    cases.extend(flows());
    cases.extend(members());
    cases
}

/// A clip with a member that the reader does not know.
fn value(value: &str) -> String {
    clip(&format!("  m_Bounds: {value}\n"))
}

fn starts() -> Vec<Case> {
    let utf16: Vec<u8> = clip("").encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        bad("empty", ""),
        bad("magic-cut", "%YAML"),
        bad("head-cut", "%YAML 1.1\n%TAG !u! tag:uni"),
        bad("yaml-1-2", clip("").replace("1.1", "1.2")),
        bad("other-yaml", "%YAML 1.1\n%TAG !e! tag:example.com:\n--- a\n"),
        bad("another-format", "HIERARCHY\nROOT hips\n{\n}\n"),
        bad("binary", [0_u8, 1, 2, 3]),
        bad("utf-16", [&[0xff, 0xfe], &utf16[..]].concat()),
        bad("not-utf8", [clip("").as_bytes(), b"  m_A: \xff\n"].concat()),
        bad("not-utf8-in-a-path", {
            let text = clip(&one("m_PositionCurves", &bounce(), "Hips")).into_bytes();
            [&text[..text.len() - 1], b"\xe9\n"].concat()
        }),
    ]
}

/// Lines before objects.
fn separators() -> Vec<Case> {
    let line = |line: &str| format!("{HEAD}--- {line}\nAnimationClip:\n  m_Name: Wave\n");
    vec![
        bad("separator", clip("--- !u!74\n")),
        bad("separator-alone", line("")),
        bad("separator-without-a-class", line("&7400000")),
        bad("separator-of-a-negative-class", line("!u!-74 &7400000")),
        bad("separator-of-a-class-beyond-64-bits", line("!u!18446744073709551616 &1")),
        bad("separator-of-an-id-beyond-64-bits", line("!u!74 &9223372036854775808")),
        bad("separator-of-three-words", line("!u!74 &7400000 striped")),
        bad("separator-of-hidden-letters", line("!u!\u{1b}[2J\u{202e} &1")),
    ]
}

/// Lines that begin at a wrong column, and lines without a key.
fn lines() -> Vec<Case> {
    vec![
        bad("tab", value("\n\tm_Center: 1")),
        bad("comment", value("1 # half")),
        bad("comment-alone", clip("  # half\n  m_A: 1\n")),
        bad("complex-key", value("\n    ? a\n    : b")),
        bad("no-colon", clip("  m_Bounds\n")),
        bad("deeper-line", clip("  m_A: 1\n  m_B: {}\n      m_C: 2\n")),
        bad("line-between-columns", clip("  m_A:\n      m_B: 1\n    m_C: 2\n")),
        bad("less-indentation", clip("  m_A: 1\n m_B: 2\n")),
        bad("text-after-a-quote", value("\"a\" b")),
        bad("text-after-a-bracket", value("{x: 1} y")),
        bad("cut-in-a-key", cut(&clip(&one("m_PositionCurves", &bounce(), "Hips")), "Slope: ")),
    ]
}

fn scalars() -> Vec<Case> {
    vec![
        bad("alias", value("*a")),
        bad("anchor", value("&a 1")),
        bad("tag", value("!thing 1")),
        bad("block-text", value("|\n    a")),
        bad("folded-block-text", value(">\n    a")),
        bad("directive", value("%YAML 1.1")),
        bad("open-quote", value("\"a")),
        bad("open-single-quote", value("'it''s")),
        bad("unknown-escape", value("\"\\q\"")),
        bad("escape-of-hidden-letters", value("\"\\\u{202e}\"")),
        bad("escape-cut", format!("{HEAD}{}", object(1, "  m_A: \"\\"))),
        bad("escape-of-no-digits", value("\"\\u\u{1b}[2J\"")),
        bad("escape-of-few-digits", value("\"\\x4\"")),
        bad("escape-beyond-unicode", value("\"\\UFFFFFFFF\"")),
        bad("half-a-surrogate", value("\"\\uD83D\"")),
        bad("second-half-of-a-surrogate", value("\"\\uDE00\"")),
        bad("surrogate-of-two-first-halves", value("\"\\uD83D\\uD83D\"")),
        bad("surrogate-of-another-escape", value("\"\\uD83D\\nDE00\"")),
    ]
}

fn flows() -> Vec<Case> {
    vec![
        bad("open-brace", value("{x: 1")),
        bad("open-bracket", value("[1, 2")),
        bad("wrong-bracket", value("[1, 2}")),
        bad("no-comma", value("{x: 1 y: 2}")),
        bad("no-colon-in-braces", value("{x}")),
        bad("nested-too-deep", value(&"[".repeat(65))),
        bad("nested-too-deep-in-lines", value(&format!("\n  {}", "- ".repeat(65)))),
    ]
}

/// Members of another shape.
fn members() -> Vec<Case> {
    let curves = |value: &str| clip(&format!("  m_PositionCurves:{value}\n"));
    vec![
        bad("list-for-a-clip", format!("{HEAD}--- !u!74 &1\n- a\n")),
        bad("text-for-a-clip", format!("{HEAD}--- !u!74 &1\nAnimationClip\n")),
        bad("clip-without-text", format!("{HEAD}--- !u!74 &1\n")),
        bad("text-for-members", format!("{HEAD}--- !u!74 &1\nAnimationClip: none\n")),
        bad("curves-as-text", curves(" none")),
        bad("curves-as-a-map", curves(" {a: 1}")),
        bad("curve-as-a-number", curves("\n  - 5")),
        bad("curve-as-a-list", curves("\n  - [1]")),
        bad("keys-as-text", curves("\n  - curve:\n      m_Curve: none")),
        bad("key-as-a-number", curves("\n  - curve:\n      m_Curve:\n      - 5")),
        bad("number-as-a-map", curves("\n  - curve: {m_Curve: [{time: 0, value: {x: {}}}]}")),
        bad("path-as-a-map", curves("\n  - path: {a: 1}")),
        bad("settings-as-text", clip("  m_AnimationClipSettings: none\n")),
        bad("event-as-text", clip("  m_Events:\n  - step\n")),
        bad("two-broken-clips", {
            let second = object(7_400_002, "  m_ScaleCurves: *alias\n");
            [clip("  m_PositionCurves: &anchor\n"), second].concat()
        }),
    ]
}
