//! Edit flags, kept in the order in which they are given.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use inbetween::core::{Axes, AxesError, shown};
use inbetween::edit::{
    Case, EditError, MapOptions, NamePattern, Named, ReduceBounds, Time, TimeRange, TrackPattern,
};
use inbetween::{BlendMode, Looping};

/// A requested edit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    /// The start and the end; `None` cuts nothing there.
    Trim(Option<Time>, Option<Time>),
    /// Plays the frames of the file at another rate than the stated one.
    PlayFramesAt(f64),
    Retime(f64),
    RetimeTo(Time),
    Shift(Time),
    StartAt(Time),
    CloseLoop,
    Reverse,
    Resample(f64),
    Reduce(ReduceBounds),
    /// Keeps tracks that match any of the patterns.
    Select(Vec<TrackPattern>),
    /// Drops tracks that match any of the patterns.
    Drop(Vec<TrackPattern>),
    DropConstant,
    /// `old=new`, or the path of a JSON file with such pairs.
    Rename(Named, String),
    /// The name of a clip, and that of its copy.
    CopyClip(String, String),
    DropClip(NamePattern),
    Append(PathBuf),
    AddMarker(Time, String),
    DropMarker(NamePattern),
    SetLooping(Looping),
    SetFrameRate(f64),
    SetBlend(BlendMode),
    Merge(PathBuf),
    /// At these times, or at each marker.
    Split(Option<Vec<Time>>),
    Join,
    /// Makes one clip of all clips of a file.
    MergeClips,
    Fill,
    Resolve,
    /// The inverse of resolving.
    Relate(BlendMode),
    Axes(Axes),
    /// Converts to the coordinates of the format to write.
    Map(MapOptions),
    /// Puts the clips on the bones of a model.
    Onto(PathBuf, MapOptions),
    Scale(f64),
    /// The values of tracks that match any of the patterns; of all tracks if there are none.
    ScaleValues(Vec<TrackPattern>, f64),
    ToF32,
    ToF64,
}

impl Operation {
    /// Returns the file that the edit reads.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Append(path) | Self::Merge(path) | Self::Onto(path, _) => Some(path),
            // A map may also be written out; then no file has its name.
            Self::Rename(_, map) => Some(Path::new(map)),
            _ => None,
        }
    }
}

/// A flag for an edit.
struct Flag {
    name: &'static str,
    value: Value,
    help: &'static str,
    make: fn(&str) -> Result<Operation, String>,
}

/// Whether a flag takes a value.
enum Value {
    None,
    Needed(&'static str),
    Optional(&'static str),
}

const FLAGS: &[Flag] = &[
    Flag {
        name: "trim",
        value: Value::Needed("A:B"),
        help: "Keep the range from A to B, in seconds or frames (15f:30f); A becomes 0. A or B may be omitted",
        make: trim,
    },
    Flag {
        name: "retime",
        value: Value::Needed("FACTOR|LENGTH"),
        help: "Multiply all times: 2 or 2/1 plays at half speed, 1/30 makes seconds of frames; or \
               make the clip play for a length, such as 4s or 120f",
        make: retime,
    },
    Flag {
        name: "shift",
        value: Value::Needed("TIME"),
        help: "Move all keys and markers by seconds or frames (15f); positive values move them later",
        make: |text| time(text).map(Operation::Shift),
    },
    Flag {
        name: "start",
        value: Value::Needed("TIME"),
        help: "Move each clip so that its first key is at a time in seconds or frames, such as 0; a \
               stated length gets shorter by what was before",
        make: |text| time(text).map(Operation::StartAt),
    },
    Flag {
        name: "close-loop",
        value: Value::None,
        help: "Add a key with the first value to the end of each track that does not end with it, so \
               that the clip repeats without a jump",
        make: |_| Ok(Operation::CloseLoop),
    },
    Flag {
        name: "reverse",
        value: Value::None,
        help: "Play backward",
        make: |_| Ok(Operation::Reverse),
    },
    Flag {
        name: "resample",
        value: Value::Needed("FPS"),
        help: "Replace all keys with one key per frame at this rate",
        make: |text| number(text, "frames per second such as 30").map(Operation::Resample),
    },
    Flag {
        name: "reduce",
        value: Value::Needed("ERR"),
        help: "Remove keys that are redundant within the error ERR, or only within \
               position=E,angle=E,scale=E,scalar=E; angles are radians, or degrees as in 0.1deg",
        make: |text| reduce(text).map(Operation::Reduce),
    },
    Flag {
        name: "select",
        value: Value::Needed("GLOB"),
        help: "Keep only tracks of NODE or NODE/PROPERTY, such as 'hand_{l,r}/*,hips', or with the \
               number that info --all lists, such as '#3'; adjacent --select flags are combined",
        make: |text| pattern(text).map(Operation::Select),
    },
    Flag {
        name: "drop",
        value: Value::Needed("GLOB"),
        help: "Drop tracks of NODE or NODE/PROPERTY, or with a number such as '#3'",
        make: |text| pattern(text).map(Operation::Drop),
    },
    Flag {
        name: "drop-constant",
        value: Value::None,
        help: "Drop tracks of bones that hold the rest pose all the time",
        make: |_| Ok(Operation::DropConstant),
    },
    Flag {
        name: "rename",
        value: Value::Needed("MAP"),
        help: "Rename nodes: OLD=NEW, or a JSON file that maps old to new names. Each * or ? in NEW \
               is the text that the one in OLD matches: 'mixamorig:*=*'",
        make: |text| Ok(Operation::Rename(Named::Nodes, text.to_owned())),
    },
    Flag {
        name: "rename-property",
        value: Value::Needed("MAP"),
        help: "Rename properties in the same way: On=Enabled, or 'Weight:*=*'",
        make: |text| Ok(Operation::Rename(Named::Properties, text.to_owned())),
    },
    Flag {
        name: "rename-clip",
        value: Value::Needed("MAP"),
        help: "Rename clips in the same way",
        make: |text| Ok(Operation::Rename(Named::Clips, text.to_owned())),
    },
    Flag {
        name: "rename-marker",
        value: Value::Needed("MAP"),
        help: "Rename markers in the same way",
        make: |text| Ok(Operation::Rename(Named::Markers, text.to_owned())),
    },
    Flag {
        name: "copy-clip",
        value: Value::Needed("OLD=NEW"),
        help: "Add a copy of the clip OLD with the name NEW",
        make: |text| {
            let (old, new) = pair(text, "OLD=NEW")?;
            Ok(Operation::CopyClip(old.to_owned(), new.to_owned()))
        },
    },
    Flag {
        name: "drop-clip",
        value: Value::Needed("GLOB"),
        help: "Drop clips by name",
        make: |text| names(text).map(Operation::DropClip),
    },
    Flag {
        name: "append",
        value: Value::Needed("FILE"),
        help: "Add the clips of another file of any format",
        make: |text| Ok(Operation::Append(text.into())),
    },
    Flag {
        name: "add-marker",
        value: Value::Needed("TIME=NAME"),
        help: "Add a marker at a time in seconds or frames: 0.5=step or 15f=step",
        make: |text| {
            let (at, name) = pair(text, "TIME=NAME")?;
            Ok(Operation::AddMarker(time(at)?, name.to_owned()))
        },
    },
    Flag {
        name: "drop-marker",
        value: Value::Needed("GLOB"),
        help: "Drop markers by name",
        make: |text| names(text).map(Operation::DropMarker),
    },
    Flag {
        name: "loop",
        value: Value::Needed("on|off"),
        help: "State that the clip repeats, or that it plays once",
        make: |text| match text {
            "on" => Ok(Operation::SetLooping(Looping::Loop)),
            "off" => Ok(Operation::SetLooping(Looping::Once)),
            other => Err(format!("expected on or off, found '{}'", shown(other))),
        },
    },
    Flag {
        name: "set-fps",
        value: Value::Needed("FPS"),
        help: "State the frame rate; key times in seconds are unchanged",
        make: |text| number(text, "frames per second such as 30").map(Operation::SetFrameRate),
    },
    Flag {
        name: "blend",
        value: Value::Needed("MODE"),
        help: "State the blend mode absolute, additive, relative or delta; values are unchanged",
        make: |text| blend(text).map(Operation::SetBlend),
    },
    Flag {
        name: "merge",
        value: Value::Needed("FILE"),
        help: "Add the tracks and markers of another file of any format",
        make: |text| Ok(Operation::Merge(text.into())),
    },
    Flag {
        name: "split",
        value: Value::Optional("=TIMES"),
        help: "Split into clips at each marker, or at these times: --split=0.5,1 or --split=15f,30f",
        make: |text| split(text).map(Operation::Split),
    },
    Flag {
        name: "join",
        value: Value::None,
        help: "Join all clips into one, one after the other",
        make: |_| Ok(Operation::Join),
    },
    Flag {
        name: "merge-clips",
        value: Value::None,
        help: "Merge all clips of a file into one that plays them at once",
        make: |_| Ok(Operation::MergeClips),
    },
    Flag {
        name: "fill",
        value: Value::None,
        help: "Give bones without keys the rest pose of --skeleton",
        make: |_| Ok(Operation::Fill),
    },
    Flag {
        name: "resolve",
        value: Value::None,
        help: "Convert additive, relative and delta clips to absolute poses, using --skeleton",
        make: |_| Ok(Operation::Resolve),
    },
    Flag {
        name: "relate",
        value: Value::Needed("MODE"),
        help: "Convert absolute clips to relative or additive ones, using --skeleton: the inverse of --resolve",
        make: |text| blend(text).map(Operation::Relate),
    },
    Flag {
        name: "axes",
        value: Value::Needed("AXES"),
        help: "Remap axes: x,z,-y makes new Y from old Z and new Z from old -Y",
        make: |text| {
            text.parse().map(Operation::Axes).map_err(|error: AxesError| error.to_string())
        },
    },
    Flag {
        name: "scale",
        value: Value::Needed("FACTOR"),
        help: "Multiply all lengths: 0.01 converts centimeters to meters",
        make: |text| number(text, "a factor such as 0.01").map(Operation::Scale),
    },
    Flag {
        name: "scale-values",
        value: Value::Needed("[GLOB=]FACTOR"),
        help: "Multiply the values of the tracks that GLOB matches, or of all tracks: \
               'face/Weight:*=1.2'. Quaternions stay",
        make: scale_values,
    },
    Flag {
        name: "to-f32",
        value: Value::None,
        help: "Convert f64 values to f32",
        make: |_| Ok(Operation::ToF32),
    },
    Flag {
        name: "to-f64",
        value: Value::None,
        help: "Convert f32 values to f64",
        make: |_| Ok(Operation::ToF64),
    },
];

fn number(text: &str, expected: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("expected {expected}, found '{text}'"))
}

/// Parses a time in seconds or frames.
fn time(text: &str) -> Result<Time, String> {
    text.parse().map_err(|error: EditError| error.to_string())
}

fn pair<'t>(text: &'t str, expected: &str) -> Result<(&'t str, &'t str), String> {
    text.split_once('=').ok_or_else(|| format!("expected {expected}, found '{}'", shown(text)))
}

fn names(text: &str) -> Result<NamePattern, String> {
    NamePattern::new(text, Case::Sensitive).map_err(|error| error.to_string())
}

fn blend(text: &str) -> Result<BlendMode, String> {
    let modes = [BlendMode::Absolute, BlendMode::Additive, BlendMode::Relative, BlendMode::Delta];
    let mode = modes.into_iter().find(|mode| mode.name() == text);
    let expected = "absolute, additive, relative or delta";
    mode.ok_or_else(|| format!("expected {expected}, found '{}'", shown(text)))
}

/// Parses a factor, a ratio of two numbers, or a length with its unit.
fn retime(text: &str) -> Result<Operation, String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    let length = |unit: char| text.strip_suffix(unit).and_then(number);
    let ratio = || {
        let (dividend, divisor) = text.split_once('/')?;
        Some(number(dividend)? / number(divisor)?)
    };
    let operation = match (length('s'), length('f')) {
        // The last letter of `inf` is no unit.
        _ if number(text).is_some() => number(text).map(Operation::Retime),
        (Some(seconds), _) => Some(Operation::RetimeTo(Time::Seconds(seconds))),
        (None, Some(frames)) => Some(Operation::RetimeTo(Time::Frames(frames))),
        (None, None) => ratio().map(Operation::Retime),
    };
    operation.ok_or_else(|| {
        let expected = "a factor such as 2 or 1/30, or a length such as 4s or 120f";
        format!("expected {expected}, found '{}'", shown(text))
    })
}

fn trim(text: &str) -> Result<Operation, String> {
    let expected = "START:END in seconds such as 0.5:2, or in frames such as 15f:30f";
    let wrong = || format!("expected {expected}, found '{}'", shown(text));
    let (start, end) = text.split_once(':').ok_or_else(wrong)?;
    let time = |text: &str| -> Result<Option<Time>, String> {
        if text.trim().is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_| wrong()) }
    };
    let (start, end) = (time(start)?, time(end)?);
    if let (Some(Time::Seconds(start)), Some(Time::Seconds(end))) = (start, end) {
        TimeRange::new(Some(start), Some(end)).map_err(|error| error.to_string())?;
    }
    Ok(Operation::Trim(start, end))
}

/// Parses one bound for all tracks, or `NAME=BOUND` pairs for some categories.
fn reduce(text: &str) -> Result<ReduceBounds, String> {
    let expected = "a bound such as 0.001, or position=0.001,angle=0.1deg";
    if !text.contains('=') {
        return bound(text, expected).map(ReduceBounds::all);
    }
    let mut bounds = ReduceBounds::default();
    for part in text.split(',') {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("expected {expected}, found '{part}'"))?;
        let place = match name.trim() {
            "position" => &mut bounds.position,
            "angle" => &mut bounds.angle,
            "scale" => &mut bounds.scale,
            "scalar" => &mut bounds.scalar,
            other => {
                let known = "position, angle, scale or scalar";
                return Err(format!("expected {known} before '=', found '{other}'"));
            }
        };
        *place = Some(bound(value, expected)?);
    }
    Ok(bounds)
}

/// Parses a finite number of at least 0; the suffix `deg` converts degrees to radians.
fn bound(text: &str, expected: &str) -> Result<f64, String> {
    let bound = match text.trim().strip_suffix("deg") {
        Some(degrees) => number(degrees, expected)?.to_radians(),
        None => number(text, expected)?,
    };
    let usable = bound >= 0.0 && bound.is_finite();
    usable.then_some(bound).ok_or_else(|| format!("expected {expected}, found '{text}'"))
}

fn pattern(text: &str) -> Result<Vec<TrackPattern>, String> {
    TrackPattern::list(text).map_err(|error| error.to_string())
}

/// Parses a factor, after patterns of tracks if there are any.
fn scale_values(text: &str) -> Result<Operation, String> {
    let factor = |text: &str| number(text, "a factor such as 1.2, or TRACK=1.2");
    match text.rsplit_once('=') {
        Some((tracks, number)) => Ok(Operation::ScaleValues(pattern(tracks)?, factor(number)?)),
        None => Ok(Operation::ScaleValues(Vec::new(), factor(text)?)),
    }
}

fn split(text: &str) -> Result<Option<Vec<Time>>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    text.split(',').map(time).collect::<Result<_, _>>().map(Some)
}

/// The edits of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operations(Vec<Operation>);

impl Operations {
    pub(crate) fn as_slice(&self) -> &[Operation] {
        &self.0
    }

    /// Makes the patterns of all edits ignore upper and lower case.
    pub(crate) fn ignore_case(&mut self) -> Result<(), EditError> {
        for operation in &mut self.0 {
            match operation {
                Operation::Select(patterns)
                | Operation::Drop(patterns)
                | Operation::ScaleValues(patterns, _) => {
                    let all = core::mem::take(patterns).into_iter();
                    *patterns = all.map(TrackPattern::ignoring_case).collect();
                }
                Operation::DropClip(pattern) | Operation::DropMarker(pattern) => {
                    *pattern = NamePattern::new(pattern.as_str(), Case::Ignored)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds an edit, combining the patterns of adjacent flags of the same name.
    fn push(&mut self, operation: Operation) {
        match (self.0.last_mut(), operation) {
            (Some(Operation::Select(known)), Operation::Select(more))
            | (Some(Operation::Drop(known)), Operation::Drop(more)) => known.extend(more),
            (_, operation) => self.0.push(operation),
        }
    }
}

impl FromIterator<Operation> for Operations {
    fn from_iter<I: IntoIterator<Item = Operation>>(operations: I) -> Self {
        let mut all = Self::default();
        operations.into_iter().for_each(|operation| all.push(operation));
        all
    }
}

impl Args for Operations {
    fn augment_args(command: Command) -> Command {
        let arg = |flag: &Flag| {
            let arg = Arg::new(flag.name).long(flag.name).help(flag.help).action(ArgAction::Append);
            let arg = arg.help_heading("Edits, applied in the order given");
            match flag.value {
                Value::None => arg.num_args(0).default_missing_value(""),
                Value::Needed(name) => arg.value_name(name).allow_hyphen_values(true),
                Value::Optional(name) => arg
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("")
                    .value_name(name.trim_start_matches('=')),
            }
        };
        command.args(FLAGS.iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Operations {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut found: Vec<(usize, Operation)> = Vec::new();
        for flag in FLAGS {
            let values = matches.get_many::<String>(flag.name).into_iter().flatten();
            let places = matches.indices_of(flag.name).into_iter().flatten();
            for (value, place) in values.zip(places) {
                let operation = (flag.make)(value).map_err(|problem| {
                    let message = format!("--{}: {problem}\n", flag.name);
                    Error::raw(ErrorKind::ValueValidation, message)
                })?;
                found.push((place, operation));
            }
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(found.into_iter().map(|(_, operation)| operation).collect())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Vec<Operation>, String> {
        let command = Operations::augment_args(Command::new("edit"));
        let arguments = ["edit"].iter().chain(arguments);
        let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
        let operations = Operations::from_arg_matches(&matches);
        operations.map(|operations| operations.0).map_err(|error| error.to_string())
    }

    #[test]
    fn edits_keep_their_order_on_the_command_line() {
        let given = ["--reverse", "--shift", "-1", "--split", "--retime", "2", "--split=1,2f"];
        let given = [&given[..], &["--reverse", "--to-f64"]].concat();
        let expected = vec![
            Operation::Reverse,
            Operation::Shift(Time::Seconds(-1.0)),
            Operation::Split(None),
            Operation::Retime(2.0),
            Operation::Split(Some(vec![Time::Seconds(1.0), Time::Frames(2.0)])),
            Operation::Reverse,
            Operation::ToF64,
        ];
        assert_eq!(parse(&given), Ok(expected));
    }

    #[test]
    fn adjacent_patterns_of_one_flag_are_combined() {
        let pattern = |text| TrackPattern::new(text).unwrap();
        assert_eq!(
            parse(&["--select", "a", "--select", "b", "--reverse", "--select", "c"]),
            Ok(vec![
                Operation::Select(vec![pattern("a"), pattern("b")]),
                Operation::Reverse,
                Operation::Select(vec![pattern("c")]),
            ])
        );
    }

    #[test]
    fn an_invalid_number_is_an_error_that_names_the_flag() {
        let error = parse(&["--retime", "fast"]).unwrap_err();
        assert!(error.contains("--retime: expected a factor such as 2 or 1/30, or a length such as 4s or 120f, found 'fast'"), "{error}");
        let error = parse(&["--trim", "1"]).unwrap_err();
        assert!(error.contains("--trim: expected START:END in seconds such as 0.5:2"), "{error}");
        let error = parse(&["--trim", "2:1"]).unwrap_err();
        assert!(error.contains("found 2 to 1"), "{error}");
    }

    #[test]
    fn retime_takes_a_factor_a_ratio_or_a_length() {
        let of = |text| parse(&["--retime", text]).map(|mut operations| operations.remove(0));
        assert_eq!(of("1/4"), Ok(Operation::Retime(0.25)));
        assert_eq!(of("4s"), Ok(Operation::RetimeTo(Time::Seconds(4.0))));
        assert_eq!(of("120f"), Ok(Operation::RetimeTo(Time::Frames(120.0))));
        assert_eq!(of("inf"), Ok(Operation::Retime(f64::INFINITY)));
        for bad in ["", "s", "f", "1/", "/2", "1/2s", "4m", "1/2/3"] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reduce_takes_one_bound_or_a_bound_per_category() {
        let all = ReduceBounds::all(0.5);
        assert_eq!(parse(&["--reduce", "0.5"]), Ok(vec![Operation::Reduce(all)]));
        let some = ReduceBounds {
            position: Some(0.25),
            angle: Some(180_f64.to_radians()),
            ..ReduceBounds::default()
        };
        let given = parse(&["--reduce", "position=0.25,angle=180deg"]);
        assert_eq!(given, Ok(vec![Operation::Reduce(some)]));
        for bad in ["", "-1", "NaN", "inf", "angle=", "weight=1", "angle=1,,", "1,angle=2"] {
            let error = parse(&["--reduce", bad]).unwrap_err();
            assert!(error.contains("--reduce: expected "), "{bad}: {error}");
        }
    }

    #[test]
    fn an_omitted_end_of_a_range_is_open() {
        let open = |start, end| Ok(vec![Operation::Trim(start, end)]);
        assert_eq!(parse(&["--trim", ":2"]), open(None, Some(Time::Seconds(2.0))));
        assert_eq!(parse(&["--trim", "-0.5:"]), open(Some(Time::Seconds(-0.5)), None));
        assert_eq!(parse(&["--trim", "15f:"]), open(Some(Time::Frames(15.0)), None));
    }
}
