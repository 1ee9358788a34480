//! The hot loops whose instructions are compared with committed figures: small inputs, so that the
//! step takes seconds.

use inbetween::animj::AnimjFile;
use inbetween::animx::AnimxFile;
use inbetween::cast::{CastFile, PropertyValues};
use inbetween::clip::{Bounds, ClipFile, Pose, build, load, save};
use inbetween::edit::{ReduceBounds, Settings, reduce};
use inbetween::gltf::GltfFile;
use inbetween::num::f64_from_index;
use inbetween::seanim::{Channel, SeanimFile, SeanimKeys};
use inbetween::x4_ani::{Group, X4aniFile};
use inbetween::{
    ClipSampler, Document, Element, Format, Limits, PlaybackCursor, Quat, Registry, Rules, Sampler,
};

use super::cases::{Case, Work, file, made, text, with};
use super::inputs::Many;

/// The keys of a track, and the number of bones with short tracks.
const SIZE: usize = 400;

/// Returns all hot loops, in the order in which they run.
pub(crate) fn all() -> Vec<Case> {
    let ids: Vec<&'static str> =
        Registry::with_builtin().formats().map(|format| format.info().id).collect();
    let mut cases = Vec::new();
    for id in ids {
        for many in [Many::Keys, Many::Bones] {
            cases.extend([parse(id, many), inspect(id, many), read(id, many), write(id, many)]);
        }
        cases.push(write_parts(id));
        cases.extend(decode(id));
    }
    cases.extend([sample("float3, played", Many::Keys), sample("floatQ, played", Many::Turns)]);
    cases.extend([seek(), pose(), reducing(Many::Keys), reducing(Many::Turns)]);
    cases.extend([clip_build(), clip_load(), clip_save(), clip_pose(), clip_turns()]);
    cases
}

fn case(what: &str, prepare: impl Fn(usize) -> Result<Work, String> + 'static) -> Case {
    Case::new(what, SIZE, prepare)
}

/// Work with the file of a format.
fn of_file(
    what: &str,
    id: &'static str,
    many: Many,
    work: fn(&str, &[u8]) -> Result<super::cases::Made, String>,
) -> Case {
    case(&format!("{what} {id}: {}", many.name()), move |n| {
        let bytes = file(id, many, n)?;
        Ok(Box::new(move || work(id, &bytes)))
    })
}

fn inspect(id: &'static str, many: Many) -> Case {
    of_file("inspect", id, many, |id, bytes| {
        with(id, |format| format.inspect(bytes, &Limits::default()).map(made).map_err(text))
    })
}

fn read(id: &'static str, many: Many) -> Case {
    of_file("read", id, many, |id, bytes| {
        with(id, |format| format.read(bytes, &Limits::default()).map(made).map_err(text))
    })
}

fn parse(id: &'static str, many: Many) -> Case {
    of_file("parse", id, many, |id, bytes| {
        let limits = Limits::default();
        let count = match id {
            "animj" => AnimjFile::parse(bytes, &limits).map(|file| file.value.tracks().len()),
            "animx" => AnimxFile::parse(bytes, &limits).map(|file| file.track_count()),
            "cast" => CastFile::parse(bytes, &limits).map(|file| file.node_count()),
            "gltf" => GltfFile::parse(bytes, &limits).map(|file| file.chunks().len()),
            "seanim" => SeanimFile::parse(bytes, &limits).map(|file| file.bones().len()),
            "x4-ani" => X4aniFile::parse(bytes, &limits).map(|file| file.record_count()),
            _ => return Err(format!("{id} is not parsed here")),
        };
        count.map(made).map_err(text)
    })
}

/// Writes the document that the format reads from its own file, so that nothing is converted.
fn write(id: &'static str, many: Many) -> Case {
    case(&format!("write {id}: {}", many.name()), move |n| {
        let bytes = file(id, many, n)?;
        let read = |format: &dyn Format| format.read(&bytes, &Limits::default()).map_err(text);
        let document = with(id, read)?.value;
        Ok(Box::new(move || {
            with(id, |format| format.write(document, &Limits::default()).map(made).map_err(text))
        }))
    })
}

fn write_parts(id: &'static str) -> Case {
    /// Parses the file into parts before the count, and writes it from them.
    macro_rules! of_parts {
        ($file:ident, $bytes:ident) => {{
            let parts = $file::parse($bytes, &Limits::default()).map_err(text)?.into_parts();
            Ok(Box::new(move || parts.to_bytes().map(made).map_err(text)))
        }};
    }
    case(&format!("write parts {id}: keys"), move |n| {
        let bytes = file(id, Many::Keys, n)?;
        match id {
            "animj" => {
                let file = AnimjFile::parse(&bytes, &Limits::default()).map_err(text)?.value;
                Ok(Box::new(move || Ok(made(file.to_text(inbetween::animj::Style::Compact)))))
            }
            "animx" => of_parts!(AnimxFile, bytes),
            "cast" => of_parts!(CastFile, bytes),
            "gltf" => of_parts!(GltfFile, bytes),
            "seanim" => of_parts!(SeanimFile, bytes),
            _ => of_parts!(X4aniFile, bytes),
        }
    })
}

/// Decodes the views of keys of a file into a column.
fn decode(id: &'static str) -> Option<Case> {
    /// Appends all keys of a view to a new column.
    macro_rules! column {
        ($view:expr) => {{
            let mut column = Vec::new();
            $view.decode_into(&mut column);
            column.len()
        }};
    }
    let decode: fn(&str, &[u8]) -> Result<super::cases::Made, String> = match id {
        "seanim" => |_, bytes| {
            let file = SeanimFile::parse(bytes, &Limits::default()).map_err(text)?;
            let keys = file.bones().filter_map(|bone| bone.keys(Channel::Location));
            let counts = keys.map(|keys| match keys {
                SeanimKeys::Float3(view) => column!(view),
                _ => 0,
            });
            Ok(made(counts.sum::<usize>()))
        },
        "x4-ani" => |_, bytes| {
            let file = X4aniFile::parse(bytes, &Limits::default()).map_err(text)?;
            let counts = file.records().map(|record| column!(record.keys(Group::Position)));
            Ok(made(counts.sum::<usize>()))
        },
        "cast" => |_, bytes| {
            let file = CastFile::parse(bytes, &Limits::default()).map_err(text)?;
            let properties = file.nodes().flat_map(|node| node.properties().collect::<Vec<_>>());
            let counts = properties.map(|property| match property.values() {
                PropertyValues::F32(view) => column!(view),
                _ => 0,
            });
            Ok(made(counts.sum::<usize>()))
        },
        _ => return None,
    };
    Some(of_file("decode", id, Many::Keys, decode))
}

/// Adds up a component of the values at some times.
///
/// Samplers are inlined into this loop, which is therefore a function that is counted.
#[inline(never)]
fn played<T: Element>(sampler: &Sampler<'_, T>, times: &[f64], component: fn(T) -> f32) -> f32 {
    let (mut cursor, mut sum) = (PlaybackCursor::default(), 0.0);
    for &time in times {
        sum += sampler.sample_from(&mut cursor, time).map_or(0.0, component);
    }
    sum
}

/// Like [`played`], without a cursor.
#[inline(never)]
fn sought(sampler: &Sampler<'_, [f32; 3]>, times: &[f64]) -> f32 {
    let mut sum = 0.0;
    for &time in times {
        sum += sampler.sample(time).map_or(0.0, |[x, ..]| x);
    }
    sum
}

fn sample(what: &str, many: Many) -> Case {
    case(&format!("sample {what}"), move |n| {
        let document = many.document(n, Rules::LINEAR)?;
        Ok(Box::new(move || {
            let times: Vec<f64> = (0..3 * n).map(|step| f64_from_index(step) / 90.0).collect();
            let mut sum = 0.0;
            for track in document.clips.iter().flat_map(|clip| &clip.tracks) {
                let data = track.data();
                if let Some(sampler) = Rules::LINEAR.sampler::<[f32; 3]>(data) {
                    sum += played(&sampler, &times, |[x, ..]| x);
                } else if let Some(sampler) = Rules::LINEAR.sampler::<Quat<f32>>(data) {
                    sum += played(&sampler, &times, |turn| turn.x);
                }
            }
            Ok(made(sum))
        }))
    })
}

fn seek() -> Case {
    case("sample float3, random seek", |n| {
        let document = Many::Keys.document(n, Rules::LINEAR)?;
        Ok(Box::new(move || {
            let track = document.clips.first().and_then(|clip| clip.tracks.first());
            let sampler = track.and_then(|track| Rules::LINEAR.sampler::<[f32; 3]>(track.data()));
            let sampler = sampler.ok_or("no track of float3")?;
            // The multiplier is odd, so every time comes once in each 4,096.
            let times = (0..4_096_usize).map(|step| f64_from_index(step * 2_741 % 4_096));
            let end = f64_from_index(n) / 30.0;
            let times: Vec<f64> = times.map(|time| time / 4_096.0 * end).collect();
            Ok(made(sought(&sampler, &times)))
        }))
    })
}

fn pose() -> Case {
    case("sample a clip of many tracks", |n| {
        let document = Many::Bones.document(n, Rules::LINEAR)?;
        Ok(Box::new(move || {
            for clip in &document.clips {
                let sampler = ClipSampler::new(clip);
                let (mut pose, mut cursor) = (sampler.pose(), sampler.cursor());
                for step in 0..40 {
                    sampler.play_into(&mut cursor, f64_from_index(step) / 400.0, &mut pose);
                }
            }
            Ok(made(document))
        }))
    })
}

fn reducing(many: Many) -> Case {
    case(&format!("reduce: {}", many.name()), move |n| {
        let document = many.document(n, Rules::LINEAR)?;
        let settings = Settings::default();
        Ok(Box::new(move || {
            reduce(document, ReduceBounds::all(1e-3), &settings).map(made).map_err(text)
        }))
    })
}

/// Passes the clip of rotation keys to what creates work.
fn with_clip(what: &str, work: fn(inbetween::clip::Clip) -> Result<Work, String>) -> Case {
    case(what, move |n| {
        let document = Many::Turns.document(n, Rules::LINEAR)?;
        work(built(&document)?)
    })
}

fn built(document: &Document) -> Result<inbetween::clip::Clip, String> {
    let clip = document.clips.first().ok_or("no clip")?;
    Ok(build(clip, &Bounds::default()).map_err(text)?.value.clip)
}

fn clip_build() -> Case {
    case("clip build: rotation keys", |n| {
        let document = Many::Turns.document(n, Rules::LINEAR)?;
        Ok(Box::new(move || built(&document).map(made)))
    })
}

fn clip_load() -> Case {
    with_clip("clip load and read: rotation keys", |clip| {
        let bytes = save(&[clip]);
        Ok(Box::new(move || {
            load(&bytes).map_err(text)?;
            ClipFile.read(&bytes, &Limits::default()).map(made).map_err(text)
        }))
    })
}

fn clip_save() -> Case {
    with_clip("clip save: rotation keys", |clip| {
        let clips = [clip];
        Ok(Box::new(move || Ok(made(save(&clips)))))
    })
}

fn clip_pose() -> Case {
    case("clip sample: poses of many bones", |n| {
        let clip = built(&Many::Bones.document(n, Rules::LINEAR)?)?;
        Ok(Box::new(move || {
            let (mut context, mut pose) = (clip.context(), Pose::new(n));
            for step in 0..40 {
                clip.sample(f64_from_index(step) / 400.0, &mut context, &mut pose);
            }
            Ok(made(pose))
        }))
    })
}

fn clip_turns() -> Case {
    with_clip("clip sample: rotation keys, played", |clip| {
        Ok(Box::new(move || {
            let (mut context, mut pose) = (clip.context(), Pose::new(1));
            for step in 0..3 * SIZE {
                clip.sample(f64_from_index(step) / 90.0, &mut context, &mut pose);
            }
            Ok(made(pose))
        }))
    })
}
