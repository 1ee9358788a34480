//! The figures of `docs/evaluation.md`, drawn by the samplers themselves.

use std::fmt::Write;
use std::path::PathBuf;

use inbetween::core::{
    Handle, Interpolation, Interpolations, KeysError, Quat, Rules, Tangents, TrackData, Value,
    Values,
};

use crate::shell::{complain, read, write};
use crate::{Outcome, only_flag};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if only_flag(arguments, "--check")? {
        return check();
    }
    for (path, text) in figures()? {
        if read(&path).ok().as_deref() != Some(text.as_str()) {
            write(&path, &text)?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// Says which figures are out of date.
pub(crate) fn check() -> Outcome {
    let figures = figures()?.into_iter();
    let stale = figures.filter(|(path, text)| read(path).ok().as_deref() != Some(text.as_str()));
    let stale: Vec<String> = stale.map(|(path, _)| path.display().to_string()).collect();
    complain(&stale, "these are out of date; run `cargo xtask figures`")
}

fn figures() -> Result<Vec<(PathBuf, String)>, String> {
    let path = |name: &str| PathBuf::from("docs/figures").join(name);
    let panels = |panels: Result<Vec<Panel>, KeysError>| {
        panels.map(|panels| svg(&panels)).map_err(|error| error.to_string())
    };
    Ok(vec![
        (path("resonite.svg"), panels(resonite())?),
        (path("x4.svg"), panels(x4())?),
        (path("linear.svg"), panels(linear())?),
    ])
}

/// A track between its keys.
struct Panel {
    title: &'static str,
    rules: Rules,
    data: TrackData,
    /// Turns a value into what is drawn upwards.
    height: fn(&Value) -> f64,
    /// Control points, and the key that each belongs to.
    handles: Vec<[(f64, f64); 2]>,
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Float(number) => f64::from(*number),
        _ => f64::NAN,
    }
}

/// Returns the turn about z as parts of a whole one.
fn turn(value: &Value) -> f64 {
    match value {
        Value::FloatQ(rotation) => {
            2.0 * f64::from(rotation.z).atan2(f64::from(rotation.w)) / std::f64::consts::TAU
        }
        _ => f64::NAN,
    }
}

fn curve(
    times: &[f64],
    values: impl Into<Values>,
    interpolation: Interpolation,
    tangents: Option<Tangents>,
) -> Result<TrackData, KeysError> {
    TrackData::curve(times.to_vec(), values, Interpolations::Shared(interpolation), tangents)
}

const TIMES: [f64; 3] = [0.0, 1.0, 2.0];
const HEIGHTS: [f32; 3] = [0.1, 0.8, 0.3];

fn resonite() -> Result<Vec<Panel>, KeysError> {
    let panel = |title, interpolation, left: [f32; 3], right: [f32; 3]| {
        let tangents =
            Tangents::Values { left: left.to_vec().into(), right: right.to_vec().into() };
        let data = curve(&TIMES, HEIGHTS.to_vec(), interpolation, Some(tangents))?;
        let rules = inbetween::core::resonite::RULES;
        Ok(Panel { title, rules, data, height: number, handles: Vec::new() })
    };
    let none = [0.0; 3];
    let mut bezier = panel(
        "CubicBezier: tangents are control points",
        Interpolation::Bezier,
        [0.0, 1.0, 0.0],
        [0.6, 0.2, 0.0],
    )?;
    // Drawn a third of the way off, which is what their time amounts to.
    let third = 1.0 / 3.0;
    bezier.handles = vec![
        [(0.0, 0.1), (third, 0.6)],
        [(1.0, 0.8), (1.0 - third, 1.0)],
        [(1.0, 0.8), (1.0 + third, 0.2)],
        [(2.0, 0.3), (2.0 - third, 0.0)],
    ];
    Ok(vec![
        panel("Hold", Interpolation::Hold, none, none)?,
        panel("Linear", Interpolation::Linear, none, none)?,
        panel(
            "Tangent: a Hermite curve",
            Interpolation::Hermite,
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
        )?,
        bezier,
    ])
}

fn x4() -> Result<Vec<Panel>, KeysError> {
    let panel = |title, interpolation, tangents, handles| {
        let data = curve(&TIMES, HEIGHTS.to_vec(), interpolation, tangents)?;
        Ok(Panel { title, rules: inbetween::x4_ani::RULES, data, height: number, handles })
    };
    let at = |time, value| Handle { time, value };
    let left = vec![at(0.0, 0.1), at(0.4, 1.0), at(1.7, 0.3)];
    let right = vec![at(0.6, 0.1), at(1.3, 0.6), at(2.0, 0.3)];
    let handles = vec![
        [(0.0, 0.1), (0.6, 0.1)],
        [(1.0, 0.8), (0.4, 1.0)],
        [(1.0, 0.8), (1.3, 0.6)],
        [(2.0, 0.3), (1.7, 0.3)],
    ];
    let tangents = Some(Tangents::Handles { left, right });
    Ok(vec![
        panel("1 step", Interpolation::Hold, None, Vec::new())?,
        panel("2 linear", Interpolation::Linear, None, Vec::new())?,
        panel(
            "5 bezier: the values of handles, not their times",
            Interpolation::Bezier,
            tangents,
            handles,
        )?,
    ])
}

fn linear() -> Result<Vec<Panel>, KeysError> {
    let about_z = |degrees: f32| Quat::from_axis_angle([0.0, 0.0, 1.0], degrees.to_radians());
    let rotations = vec![about_z(0.0), about_z(120.0), about_z(-30.0)];
    let rotations = curve(&TIMES, rotations, Interpolation::Linear, None)?;
    let positions = curve(&TIMES, HEIGHTS.to_vec(), Interpolation::Linear, None)?;
    let panel = |title, data, height| Panel {
        title,
        rules: Rules::LINEAR,
        data,
        height,
        handles: Vec::new(),
    };
    Ok(vec![
        panel("positions: straight", positions, number),
        panel("turns of 0, 120 and 330 (-30) degrees: the shorter arc", rotations, turn),
    ])
}

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 120.0;
const MARGIN: f64 = 20.0;

/// Draws panels next to each other, two in a row.
fn svg(panels: &[Panel]) -> String {
    let (across, down) = (WIDTH + 2.0 * MARGIN, HEIGHT + 3.0 * MARGIN);
    let rows = u32::try_from(panels.len().div_ceil(2)).unwrap_or(u32::MAX);
    let (width, height) = (2.0 * across, f64::from(rows) * down);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let (mut left, mut top) = (0.0, 0.0);
    for panel in panels {
        // Writing to a String does not fail.
        let _ = writeln!(text, "<g transform=\"translate({left} {top})\">");
        draw(panel, &mut text);
        text.push_str("</g>\n");
        left = if left > 0.0 { 0.0 } else { across };
        top += if left > 0.0 { 0.0 } else { down };
    }
    text.push_str("</svg>\n");
    text
}

fn draw(panel: &Panel, text: &mut String) {
    let place = |(time, height): (f64, f64)| {
        let x = MARGIN + (time + 0.25) / 2.5 * WIDTH;
        format!("{x:.1},{:.1}", 2.0 * MARGIN + (1.0 - height) * HEIGHT)
    };
    let height = |time| {
        let value = panel.rules.sample(&panel.data, time);
        value.as_ref().map_or(f64::NAN, panel.height)
    };
    let steps = (0..=250_u16).map(|step| f64::from(step) / 100.0 - 0.25);
    let points: Vec<String> = steps.map(|time| place((time, height(time)))).collect();
    let _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"{MARGIN}\">{}</text>", panel.title);
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"black\" stroke-width=\"1.5\"/>",
        points.join(" ")
    );
    for [key, handle] in &panel.handles {
        let ends = [place(*key), place(*handle)].join(" ");
        let _ =
            writeln!(text, "<polyline points=\"{ends}\" stroke=\"gray\" stroke-dasharray=\"3\"/>");
        dot(&place(*handle), "white", text);
    }
    for time in TIMES {
        dot(&place((time, height(time))), "black", text);
    }
}

fn dot(place: &str, fill: &str, text: &mut String) {
    let (x, y) = place.split_once(',').unwrap_or_default();
    let _ =
        writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\" stroke=\"black\"/>");
}
