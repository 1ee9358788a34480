//! Reads extras.

use inbetween_core::json::{Json, JsonResult};
use inbetween_core::{Axes, Blend, BlendMode, BlendOverride, Budget, Mapping, Marker, shown};

use super::members::{
    array, flag, heap_bytes, index, number, object, push, push_text, text, whole, word, wrong,
};
use super::{ClipExtras, CoordinatesNote, Mesh, Role, Scene};
use crate::convert::coordinates::{AXES, HANDS};
use crate::layout::{BLENDS, EXTRAS_VERSION, OWN};

/// Returns whether extras are an object; other types are ignored.
fn is_object(json: &Json<'_>) -> bool {
    json.peek() == Some(b'{')
}

/// Reads the member of this crate in extras, if it is there.
fn own<'t>(
    json: &mut Json<'t>,
    mut member: impl FnMut(&mut Json<'t>, &str) -> JsonResult<bool>,
) -> JsonResult<bool> {
    if !is_object(json) {
        return Ok(false);
    }
    object(json, |json, name| {
        if name != OWN || !is_object(json) {
            return Ok(false);
        }
        object(json, &mut member).map(|()| true)
    })?;
    Ok(true)
}

/// Reads the extras of a node.
pub(super) fn node(json: &mut Json<'_>, role: &mut Role) -> JsonResult<bool> {
    own(json, |json, name| {
        if name == "role" {
            *role = word(json, &Role::NAMES, "bone, other, added or flat")?;
        }
        Ok(name == "role")
    })
}

/// Reads the extras of a mesh.
pub(super) fn mesh(json: &mut Json<'_>, mesh: &mut Mesh, budget: &mut Budget) -> JsonResult<bool> {
    if !is_object(json) {
        return Ok(false);
    }
    object(json, |json, name| match name {
        "targetNames" if json.peek() == Some(b'[') => {
            mesh.names.clear();
            array(json, |json| push_text(json, budget, &mut mesh.names))?;
            Ok(true)
        }
        OWN if is_object(json) => {
            object(json, |json, name| {
                if name == "placeholder" {
                    mesh.is_placeholder = flag(json)?;
                }
                Ok(name == "placeholder")
            })?;
            Ok(true)
        }
        _ => Ok(false),
    })?;
    Ok(true)
}

/// Reads the extras of an animation.
pub(super) fn animation(
    json: &mut Json<'_>,
    extras: &mut ClipExtras,
    budget: &mut Budget,
) -> JsonResult<bool> {
    if !is_object(json) {
        return Ok(false);
    }
    object(json, |json, name| {
        if !is_object(json) {
            return Ok(false);
        }
        match name {
            OWN => object(json, |json, name| clip(json, name, extras, budget))?,
            "OAT_xanim" => object(json, |json, name| foreign(json, name, extras, budget))?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(true)
}

/// Reads the extras of the file.
pub(super) fn root(
    json: &mut Json<'_>,
    scene: &mut Scene,
    budget: &mut Budget,
) -> JsonResult<bool> {
    own(json, |json, name| {
        match name {
            "emptyClips" => array(json, |json| empty_clip(json, scene, budget))?,
            "coordinates" if is_object(json) => scene.coordinates = Some(coordinates(json)?),
            _ => return Ok(false),
        }
        Ok(true)
    })
}

/// Reads the note about the change of coordinates by which the file was made.
fn coordinates(json: &mut Json<'_>) -> JsonResult<CoordinatesNote> {
    let mapping = Mapping::IDENTITY;
    let mut note = CoordinatesNote { handedness: None, up: None, mapping, node: None };
    object(json, |json, name| {
        match name {
            "handedness" => note.handedness = Some(word(json, &HANDS, "left or right")?),
            "up" => note.up = Some(word(json, &AXES, "x, y or z")?),
            "locals" => note.mapping.locals = axes(json)?,
            "top" => note.mapping.top = axes(json)?,
            "factor" => note.mapping.factor = number(json)?,
            "node" => note.node = Some(text(json)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(note)
}

fn axes(json: &mut Json<'_>) -> JsonResult<Axes> {
    let at = json.offset();
    let text = text(json)?;
    text.parse().map_err(|_| wrong(at, "axes such as x,z,-y", &format!("\"{}\"", shown(&text))))
}

fn empty_clip(json: &mut Json<'_>, scene: &mut Scene, budget: &mut Budget) -> JsonResult<()> {
    let (mut place, mut clip_name, mut extras) = (0, None, ClipExtras::default());
    object(json, |json, name| match name {
        "index" => index(json).map(|index| place = index).map(|()| true),
        "name" => text(json).map(|text| clip_name = Some(text)).map(|()| true),
        _ => clip(json, name, &mut extras, budget),
    })?;
    push(json, budget, (&mut scene.empty_clips, 0), (place, clip_name, extras))
}

/// Reads the version of the description. Extras without a version count as version 1, since people
/// write them by hand.
fn version(json: &mut Json<'_>) -> JsonResult<()> {
    let at = json.offset();
    match whole(json)? {
        EXTRAS_VERSION => Ok(()),
        other => Err(wrong(at, "1, the only version", &other.to_string())),
    }
}

/// Reads a member of the description of a clip.
fn clip(
    json: &mut Json<'_>,
    name: &str,
    extras: &mut ClipExtras,
    budget: &mut Budget,
) -> JsonResult<bool> {
    match name {
        "version" => version(json)?,
        "duration" => extras.duration = Some(number(json)?),
        "frameRate" => extras.frame_rate = Some(number(json)?),
        "looping" => extras.looping = flag(json)?,
        "blend" => extras.blend = blend_mode(json)?,
        "nodeBlends" => {
            extras.overrides.clear();
            array(json, |json| {
                let mut each = BlendOverride { node: "".into(), mode: BlendMode::Absolute };
                object(json, |json, name| match name {
                    "node" => text(json).map(|text| each.node = text).map(|()| true),
                    "blend" => blend_mode(json).map(|mode| each.mode = mode).map(|()| true),
                    _ => Ok(false),
                })?;
                let more = heap_bytes(&each.node);
                push(json, budget, (&mut extras.overrides, more), each)
            })?;
        }
        "trackBlends" => {
            extras.tracks.clear();
            array(json, |json| track_blend(json, extras, budget))?;
        }
        "markers" => markers(json, extras, budget)?,
        "tracks" => {
            let at = json.offset();
            json.skip_value()?;
            extras.custom_tracks = Some(at..json.offset());
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn track_blend(
    json: &mut Json<'_>,
    extras: &mut ClipExtras,
    budget: &mut Budget,
) -> JsonResult<()> {
    let mut track = ("".into(), "".into(), Blend::Absolute);
    object(json, |json, name| {
        match name {
            "node" => track.0 = text(json)?,
            "path" => track.1 = text(json)?,
            "blend" => track.2 = word(json, &BLENDS, "absolute, rest-relative or additive")?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let more = heap_bytes(&track.0).saturating_add(heap_bytes(&track.1));
    push(json, budget, (&mut extras.tracks, more), track)
}

/// Reads a blend mode: a name, or the number of an unnamed one.
fn blend_mode(json: &mut Json<'_>) -> JsonResult<BlendMode> {
    const EXPECTED: &str = "absolute, additive, relative, delta or a number up to 255";
    if json.peek() == Some(b'"') {
        let modes = [
            ("absolute", BlendMode::Absolute),
            ("additive", BlendMode::Additive),
            ("relative", BlendMode::Relative),
            ("delta", BlendMode::Delta),
        ];
        return word(json, &modes, EXPECTED);
    }
    let at = json.offset();
    let number = whole(json)?;
    let mode = u8::try_from(number).map(BlendMode::Other);
    mode.map_err(|_| wrong(at, EXPECTED, &number.to_string()))
}

fn markers(json: &mut Json<'_>, extras: &mut ClipExtras, budget: &mut Budget) -> JsonResult<()> {
    extras.markers.clear();
    array(json, |json| {
        let mut marker = Marker { time: 0.0, name: "".into() };
        object(json, |json, name| {
            match name {
                "time" => marker.time = number(json)?,
                "name" => marker.name = text(json)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let more = heap_bytes(&marker.name);
        push(json, budget, (&mut extras.markers, more), marker)
    })
}

/// Reads a member that `OpenAssetTools` writes.
fn foreign(
    json: &mut Json<'_>,
    name: &str,
    extras: &mut ClipExtras,
    budget: &mut Budget,
) -> JsonResult<bool> {
    match name {
        "frameRate" => extras.frame_rate = Some(number(json)?),
        "looped" => extras.looping = flag(json)?,
        "notifies" => {
            markers(json, extras, budget)?;
            extras.has_foreign_times = !extras.markers.is_empty();
        }
        _ => return Ok(false),
    }
    Ok(true)
}
