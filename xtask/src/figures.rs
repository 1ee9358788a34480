//! Draws the figures of the README and of `docs/evaluation.md`, with the code of `inbetween plot`.

use std::path::PathBuf;

use inbetween::core::{Handle, KeysError, Rules, Tangents, TrackError};
use inbetween::plot::Plot;
use inbetween::{
    Animation, Document, Interpolation, Interpolations, Property, Quat, Target, Track, TrackData,
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

/// Lists figures that are out of date.
pub(crate) fn check() -> Outcome {
    let figures = figures()?.into_iter();
    let stale = figures.filter(|(path, text)| read(path).ok().as_deref() != Some(text.as_str()));
    let stale: Vec<String> = stale.map(|(path, _)| path.display().to_string()).collect();
    complain(&stale, "these are out of date; run `cargo xtask figures`")
}

fn figures() -> Result<Vec<(PathBuf, String)>, String> {
    let path = |name: &str| PathBuf::from("docs/figures").join(name);
    let panels = |rules, panels: Result<Vec<Panel>, KeysError>| {
        let panels = panels.map_err(|error| error.to_string())?;
        figure(rules, panels).map_err(|error| error.to_string())
    };
    Ok(vec![
        (path("plot.svg"), walk()?),
        (path("resonite.svg"), panels(inbetween::core::resonite::RULES, resonite())?),
        (path("x4.svg"), panels(inbetween::x4_ani::RULES, x4())?),
        (path("linear.svg"), panels(Rules::LINEAR, linear())?),
    ])
}

/// Draws the file that the README converts.
fn walk() -> Result<String, String> {
    let mut cases = inbetween_testing::cases::of("seanim").into_iter();
    let walk =
        cases.find(|case| case.name == "walk").ok_or("there is no fixture walk of seanim")?;
    let walk = inbetween::read(&walk.bytes).map_err(|error| error.to_string())?;
    Ok(Plot::new(&walk.value, "walk.seanim").draw(1).svg)
}

/// The keys and the title of a panel.
type Panel = (&'static str, TrackData);

/// Draws keys from 0 to 2 seconds, and the values before and after them.
fn figure(rules: Rules, panels: Vec<Panel>) -> Result<String, TrackError> {
    let track = |(title, data)| Track::new(Target::new(title, Property::Custom(None)), data);
    let tracks = panels.into_iter().map(track).collect::<Result<Vec<_>, _>>()?;
    let document = Document::single(Animation::new(tracks).with_rules(rules));
    let plot = Plot::new(&document, "").range(-0.25..2.25).without_heading();
    Ok(plot.draw(1).svg)
}

fn curve(
    values: impl Into<Values>,
    interpolation: Interpolation,
    tangents: Option<Tangents>,
) -> Result<TrackData, KeysError> {
    TrackData::curve(TIMES.to_vec(), values, Interpolations::Shared(interpolation), tangents)
}

const TIMES: [f64; 3] = [0.0, 1.0, 2.0];
const HEIGHTS: [f32; 3] = [0.1, 0.8, 0.3];

fn resonite() -> Result<Vec<Panel>, KeysError> {
    let panel = |title, interpolation, left: [f32; 3], right: [f32; 3]| {
        let tangents =
            Tangents::Values { left: left.to_vec().into(), right: right.to_vec().into() };
        Ok((title, curve(HEIGHTS.to_vec(), interpolation, Some(tangents))?))
    };
    let none = [0.0; 3];
    Ok(vec![
        panel("Hold", Interpolation::Hold, none, none)?,
        panel("Linear", Interpolation::Linear, none, none)?,
        panel(
            "Tangent: a Hermite curve",
            Interpolation::Hermite,
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
        )?,
        panel(
            "CubicBezier: tangents are control points",
            Interpolation::Bezier,
            [0.0, 1.0, 0.0],
            [0.6, 0.2, 0.0],
        )?,
    ])
}

fn x4() -> Result<Vec<Panel>, KeysError> {
    let panel = |title, interpolation, tangents| {
        Ok((title, curve(HEIGHTS.to_vec(), interpolation, tangents)?))
    };
    let at = |time, value| Handle { time, value };
    let left = vec![at(0.0, 0.1), at(0.4, 1.0), at(1.7, 0.3)];
    let right = vec![at(0.6, 0.1), at(1.3, 0.6), at(2.0, 0.3)];
    let tangents = Some(Tangents::Handles { left, right });
    Ok(vec![
        panel("1 step", Interpolation::Hold, None)?,
        panel("2 linear", Interpolation::Linear, None)?,
        panel(
            "5 bezier: the values of control points, not their times",
            Interpolation::Bezier,
            tangents,
        )?,
    ])
}

fn linear() -> Result<Vec<Panel>, KeysError> {
    let about_z = |degrees: f32| Quat::from_axis_angle([0.0, 0.0, 1.0], degrees.to_radians());
    let rotations = vec![about_z(0.0), about_z(120.0), about_z(-30.0)];
    Ok(vec![
        ("positions: straight", curve(HEIGHTS.to_vec(), Interpolation::Linear, None)?),
        (
            "rotations by 0, 120 and 330 degrees about z: the shorter arc",
            curve(rotations, Interpolation::Linear, None)?,
        ),
    ])
}
