//! Edits as flags, in the order in which they are given.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use inbetween::edit::{Axes, EditError, ReduceBounds, SplitAt, TimeRange, TrackPattern};

/// An edit that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    Trim(TimeRange),
    Retime(f64),
    Shift(f64),
    Reverse,
    Resample(f64),
    Reduce(ReduceBounds),
    /// One of the patterns must fit.
    Select(Vec<TrackPattern>),
    /// None of the patterns may fit.
    Drop(Vec<TrackPattern>),
    /// `old=new`, or the path of a file of such pairs.
    Rename(String),
    Merge(PathBuf),
    Split(SplitAt),
    Join,
    Fill,
    Resolve,
    Axes(Axes),
    Scale(f64),
    ToF32,
    ToF64,
}

impl Operation {
    /// Says whether the edit needs a rest pose, and how its flag is called.
    pub(crate) const fn needs_skeleton(&self) -> Option<&'static str> {
        match self {
            Self::Fill => Some("--fill"),
            Self::Resolve => Some("--resolve"),
            _ => None,
        }
    }
}

/// A flag that asks for an edit.
struct Flag {
    name: &'static str,
    value: Value,
    help: &'static str,
    make: fn(&str) -> Result<Operation, String>,
}

/// What stands behind a flag.
enum Value {
    None,
    Needed(&'static str),
    Optional(&'static str),
}

const FLAGS: &[Flag] = &[
    Flag {
        name: "trim",
        value: Value::Needed("A:B"),
        help: "Keeps what is from A to B seconds, and begins there; A or B may be left out",
        make: |text| trim(text).map(Operation::Trim),
    },
    Flag {
        name: "retime",
        value: Value::Needed("FACTOR"),
        help: "Makes the clip so many times as long: 2 plays at half the speed",
        make: |text| number(text, "a factor such as 2").map(Operation::Retime),
    },
    Flag {
        name: "shift",
        value: Value::Needed("SECONDS"),
        help: "Moves all keys and markers, later if positive",
        make: |text| number(text, "seconds such as -0.5").map(Operation::Shift),
    },
    Flag {
        name: "reverse",
        value: Value::None,
        help: "Plays from the end to the start",
        make: |_| Ok(Operation::Reverse),
    },
    Flag {
        name: "resample",
        value: Value::Needed("FPS"),
        help: "Makes one key a frame, so many a second",
        make: |text| number(text, "frames a second such as 30").map(Operation::Resample),
    },
    Flag {
        name: "reduce",
        value: Value::Needed("ERR"),
        help: "Removes keys that are not needed for an error of at most ERR, or of \
               position=E,angle=E,scale=E,scalar=E alone; angles are radians, or degrees as 0.1deg",
        make: |text| reduce(text).map(Operation::Reduce),
    },
    Flag {
        name: "select",
        value: Value::Needed("GLOB"),
        help: "Keeps the tracks of NODE or NODE/PROPERTY alone; several in a row count together",
        make: |text| pattern(text).map(Operation::Select),
    },
    Flag {
        name: "drop",
        value: Value::Needed("GLOB"),
        help: "Drops the tracks of NODE or NODE/PROPERTY",
        make: |text| pattern(text).map(Operation::Drop),
    },
    Flag {
        name: "rename",
        value: Value::Needed("MAP"),
        help: "Renames nodes: OLD=NEW, or a JSON file with an object of old and new names",
        make: |text| Ok(Operation::Rename(text.to_owned())),
    },
    Flag {
        name: "merge",
        value: Value::Needed("FILE"),
        help: "Adds the tracks and markers of another file, of any format",
        make: |text| Ok(Operation::Merge(text.into())),
    },
    Flag {
        name: "split",
        value: Value::Optional("=TIMES"),
        help: "Makes a clip from each marker on, or from each of the times: --split=0.5,1",
        make: |text| split(text).map(Operation::Split),
    },
    Flag {
        name: "join",
        value: Value::None,
        help: "Puts all clips behind each other into one",
        make: |_| Ok(Operation::Join),
    },
    Flag {
        name: "fill",
        value: Value::None,
        help: "Gives bones without keys the rest pose of --skeleton",
        make: |_| Ok(Operation::Fill),
    },
    Flag {
        name: "resolve",
        value: Value::None,
        help: "Turns additive, relative and delta clips into the pose, on that of --skeleton",
        make: |_| Ok(Operation::Resolve),
    },
    Flag {
        name: "axes",
        value: Value::Needed("AXES"),
        help: "Brings it into other axes: x,z,-y takes the new z from the old y, turned round",
        make: |text| {
            text.parse().map(Operation::Axes).map_err(|error: EditError| error.to_string())
        },
    },
    Flag {
        name: "scale",
        value: Value::Needed("FACTOR"),
        help: "Multiplies all lengths: 0.01 makes metres of centimetres",
        make: |text| number(text, "a factor such as 0.01").map(Operation::Scale),
    },
    Flag {
        name: "to-f32",
        value: Value::None,
        help: "Makes f64 values f32",
        make: |_| Ok(Operation::ToF32),
    },
    Flag {
        name: "to-f64",
        value: Value::None,
        help: "Makes f32 values f64",
        make: |_| Ok(Operation::ToF64),
    },
];

fn number(text: &str, expected: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("expected {expected}, found '{text}'"))
}

fn trim(text: &str) -> Result<TimeRange, String> {
    let expected = "START:END in seconds such as 0.5:2";
    let (start, end) =
        text.split_once(':').ok_or_else(|| format!("expected {expected}, found '{text}'"))?;
    let time = |text: &str| -> Result<Option<f64>, String> {
        if text.trim().is_empty() { Ok(None) } else { number(text, expected).map(Some) }
    };
    TimeRange::new(time(start)?, time(end)?).map_err(|error| error.to_string())
}

/// Reads one bound for everything, or `NAME=BOUND` for some.
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

/// Reads a number that is 0 or more; with `deg` behind it, degrees become radians.
fn bound(text: &str, expected: &str) -> Result<f64, String> {
    let bound = match text.trim().strip_suffix("deg") {
        Some(degrees) => number(degrees, expected)?.to_radians(),
        None => number(text, expected)?,
    };
    let usable = bound >= 0.0 && bound.is_finite();
    usable.then_some(bound).ok_or_else(|| format!("expected {expected}, found '{text}'"))
}

fn pattern(text: &str) -> Result<Vec<TrackPattern>, String> {
    TrackPattern::new(text).map(|pattern| vec![pattern]).map_err(|error| error.to_string())
}

fn split(text: &str) -> Result<SplitAt, String> {
    if text.is_empty() {
        return Ok(SplitAt::Markers);
    }
    let times = text.split(',').map(|time| number(time, "seconds such as 0.5,1"));
    times.collect::<Result<_, _>>().map(SplitAt::Times)
}

/// The edits of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operations(Vec<Operation>);

impl Operations {
    pub(crate) fn as_slice(&self) -> &[Operation] {
        &self.0
    }

    /// Adds an edit; patterns behind patterns of the same flag count together with them.
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
            let arg = arg.help_heading("Edits, made in the order given");
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
    fn edits_stand_in_the_order_in_which_they_are_given() {
        let given = ["--reverse", "--shift", "-1", "--split", "--retime", "2", "--split=1,2"];
        let given = [&given[..], &["--reverse", "--to-f64"]].concat();
        let expected = vec![
            Operation::Reverse,
            Operation::Shift(-1.0),
            Operation::Split(SplitAt::Markers),
            Operation::Retime(2.0),
            Operation::Split(SplitAt::Times(vec![1.0, 2.0])),
            Operation::Reverse,
            Operation::ToF64,
        ];
        assert_eq!(parse(&given), Ok(expected));
    }

    #[test]
    fn patterns_in_a_row_count_together() {
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
    fn what_is_no_number_is_a_mistake_that_names_the_flag() {
        let error = parse(&["--retime", "fast"]).unwrap_err();
        assert!(error.contains("--retime: expected a factor such as 2, found 'fast'"), "{error}");
        let error = parse(&["--trim", "1"]).unwrap_err();
        assert!(error.contains("--trim: expected START:END in seconds such as 0.5:2"), "{error}");
        let error = parse(&["--trim", "2:1"]).unwrap_err();
        assert!(error.contains("found 2 to 1"), "{error}");
    }

    #[test]
    fn a_reduction_takes_one_bound_or_some() {
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
    fn a_range_is_open_where_nothing_stands() {
        let open = |start, end| Ok(vec![Operation::Trim(TimeRange::new(start, end).unwrap())]);
        assert_eq!(parse(&["--trim", ":2"]), open(None, Some(2.0)));
        assert_eq!(parse(&["--trim", "-0.5:"]), open(Some(-0.5), None));
    }
}
