//! Converts documents between the coordinates of formats.

use core::str::FromStr;

use inbetween_core::stores::Head;
use inbetween_core::{
    Axes, AxesError, Axis, Code, Coordinates, Document, Finding, FormatInfo, Handedness, Mapped,
    Mapping, Outcome, Unit, significant,
};

use crate::hips::other_unit;
use crate::top::{Placing, place};
use crate::units::{check_factor, scale};
use crate::{EditError, Settings, change_axes, codes};

/// From which coordinates to which a document is converted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route {
    /// The coordinates of the document.
    pub from: Coordinates,
    /// The coordinates that it gets.
    pub to: Coordinates,
    /// Whether the file to write has a node above all bones for a turn and a factor.
    pub has_node: bool,
}

impl Route {
    /// Returns the route of a document that was read from one format and is written in another.
    pub fn new(document: &Document, from: &FormatInfo, to: &FormatInfo) -> Self {
        Self {
            from: from.coordinates_of(document),
            to: to.coordinates,
            has_node: to.stores.has(Head::Placement),
        }
    }
}

/// How coordinates are converted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// The change of axes.
    pub axes: AxesChoice,
    /// Where axes are turned.
    pub at: MapAt,
    /// The unit of the file that states none.
    pub unit: UnitChoice,
}

/// Which axes a conversion changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AxesChoice {
    /// Those that differ in the two formats.
    #[default]
    Auto,
    /// None. Lengths stay too, unless a unit is given.
    Keep,
    /// These. Lengths stay, unless a unit is given.
    Given(Axes),
}

/// Parses `auto`, `keep`, or a map such as `x,z,-y`.
impl FromStr for AxesChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "keep" => Ok(Self::Keep),
            map => map.parse().map(Self::Given).map_err(|error: AxesError| {
                format!("expected auto, keep or a map; in a map, {error}")
            }),
        }
    }
}

/// Where axes are turned. Mirrors always change every local transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapAt {
    /// At the top bones, or in a node above them. All other bones keep their axes, so that the
    /// animation fits a rig that was turned in the same way.
    #[default]
    Root,
    /// In every local transform. All bones get other axes.
    All,
}

/// The unit of a file whose format states none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum UnitChoice {
    /// The usual one of the format.
    #[default]
    Auto,
    /// Lengths stay.
    Keep,
    /// This many meters.
    Meters(f64),
}

/// Parses `auto`, `keep`, `cm`, `in`, `m`, `mm`, or a number of meters.
impl FromStr for UnitChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let meters = match text {
            "auto" => return Ok(Self::Auto),
            "keep" => return Ok(Self::Keep),
            "m" => 1.0,
            "cm" => 0.01,
            "mm" => 0.001,
            "in" => 0.0254,
            number => {
                let meters = number.parse().ok();
                let usable = meters.filter(|meters: &f64| meters.is_normal() && *meters > 0.0);
                usable.ok_or("expected cm, in, m, mm, keep or a positive number of meters")?
            }
        };
        Ok(Self::Meters(meters))
    }
}

/// Converts a document to other coordinates, and says so in one finding.
///
/// Where axes or units of a format are unknown, they stay. A mirror between left-handed and
/// right-handed axes negates X of every local transform. A turn between Z up and Y up, and a factor
/// of lengths, go to a node above all bones if the format to write has one
/// ([`Head::Placement`]). Else the top bones are turned: those without a parent, after static nodes
/// above the bones were multiplied into them. Without a skeleton that names the top bones the turn
/// is left out, with a warning.
///
/// What a file notes about [its own conversion](Document::mapped) is undone if it goes back to the
/// same axes.
///
/// # Errors
///
/// If a unit is not a positive finite number, a rest position becomes infinite, or baking costs
/// more than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Axis, Coordinates, Document, Handedness, Property, Target};
/// use inbetween_core::{Track, TrackData, Values};
/// use inbetween_edit::{MapOptions, Route, Settings, map_coordinates};
///
/// let [from, to] = [Handedness::Left, Handedness::Right].map(|hand| Coordinates::new(hand, Axis::Y));
/// let route = Route { from, to, has_node: false };
/// let data = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let document = Document::single(Animation::new(vec![track]));
/// let mapped = map_coordinates(document, route, MapOptions::default(), &Settings::default())?;
/// let values = mapped.value.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[-1.0_f32, 2.0, 3.0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn map_coordinates(
    mut document: Document,
    route: Route,
    options: MapOptions,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    if let UnitChoice::Meters(meters) = options.unit {
        check_factor("unit", "a positive number of meters such as 0.01", meters)?;
    }
    let noted = document.mapped.take();
    let mut findings = Vec::new();
    // Lengths of an unknown unit stay, as if they had that of the target.
    if let (Unit::Unknown, Unit::Stated(meters), UnitChoice::Auto) =
        (route.from.unit, route.to.unit, options.unit)
    {
        findings.extend(other_unit(&document, route.from.up, meters));
    }
    let Some(plan) = Plan::new(route, noted, options) else {
        document.mapped = noted.filter(|_| route.has_node);
        return Ok(Outcome { value: document, findings });
    };
    if let (Some((meters, true)), None) = (plan.unit, route.from.unit.stated()) {
        findings.extend(other_unit(&document, route.from.up, meters));
    }
    let Mapping { locals, top, factor } = plan.mapping;
    check_factor("unit", "a ratio that is a number", factor)?;
    let mut then = |outcome: Outcome<Document>| {
        findings.extend(outcome.findings);
        outcome.value
    };
    if plan.mapping != Mapping::IDENTITY {
        document.forget_model();
    }
    if locals != Axes::IDENTITY {
        document = then(change_axes(document, locals, settings)?);
    }
    let mut turned = Turned::Above;
    let above = route.has_node && options.at == MapAt::Root;
    if !above && top == Axes::IDENTITY {
        document = then(scale(document, factor, settings)?);
    } else if !above {
        let placing = place(document, (top, factor), settings)?;
        let Placing { outcome, is_turned } = placing;
        document = then(outcome);
        turned = if is_turned { Turned::TopBones } else { Turned::LeftOut };
    }
    if turned == Turned::LeftOut {
        let message = "no skeleton with parents tells which bones are at the top";
        findings.push(Finding::new(codes::TURN_LEFT_OUT, message));
    }
    let message = plan.message(turned, route.to);
    findings.extend(message.map(|message| Finding::new(plan.code(), message)));
    document.mapped = plan.note.filter(|_| route.has_node).map(|note| Mapped {
        above: above && (note.mapping.top != Axes::IDENTITY || note.mapping.factor != 1.0),
        ..note
    });
    Ok(Outcome { value: document, findings })
}

/// Where the axes were turned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turned {
    /// In a node above the bones.
    Above,
    TopBones,
    /// Nowhere, since the top bones are not known.
    LeftOut,
}

/// What a conversion does.
struct Plan {
    from: Coordinates,
    mapping: Mapping,
    /// The unit and whether it is assumed, if lengths are converted by it.
    unit: Option<(f64, bool)>,
    /// Whether a unit is given that no side needs.
    needless: bool,
    reason: Reason,
    /// What the file to write notes.
    note: Option<Mapped>,
}

/// Why axes are changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Formats,
    /// An earlier conversion is undone.
    Undone,
    Asked(Axes, MapAt),
    Kept,
}

impl Plan {
    /// Plans a conversion between coordinates; `None` if nothing changes and nothing is noted.
    fn new(
        Route { from, to, has_node }: Route,
        noted: Option<Mapped>,
        options: MapOptions,
    ) -> Option<Self> {
        let auto = options.axes == AxesChoice::Auto;
        let back = noted.filter(|noted| auto && !has_node && noted.from.has_axes_of(to));
        if let Some(noted) = back {
            return Some(Self::undo(from, noted, options.unit));
        }
        let (factor, unit) = factor_between(from.unit, to.unit, options);
        let (mapping, reason) = match options.axes {
            AxesChoice::Auto => (between(from, to, options.at), Reason::Formats),
            AxesChoice::Keep => (Mapping::IDENTITY, Reason::Kept),
            AxesChoice::Given(axes) => {
                let locals = options.at == MapAt::All || axes.is_mirror();
                let at = if locals { MapAt::All } else { MapAt::Root };
                (given(axes, at), Reason::Asked(axes, at))
            }
        };
        let change = Mapping { factor, ..mapping };
        let above = noted.filter(|noted| noted.above);
        let (mapping, note) = match above {
            // The node above the bones is a part of what the file shows.
            Some(noted) if reason != Reason::Kept || has_node => {
                let node = Mapping { locals: Axes::IDENTITY, ..noted.mapping };
                (node.then(change), Mapped { mapping: noted.mapping.then(change), ..noted })
            }
            _ => (change, Mapped { from, mapping: change, above: false }),
        };
        if has_node && noted.is_some() && change == Mapping::IDENTITY {
            return None;
        }
        let known = from.handedness.is_some() && from.up.is_some();
        let is_noted = known && (mapping != Mapping::IDENTITY || !from.has_axes_of(to));
        let needless = unit.is_none() && matches!(options.unit, UnitChoice::Meters(_));
        let is_idle = mapping == Mapping::IDENTITY
            && !needless
            && (reason == Reason::Formats || (from.has_axes_of(to) && above.is_none()));
        let note = Some(note).filter(|_| is_noted);
        (!is_idle || note.is_some()).then_some(Self { from, mapping, unit, needless, reason, note })
    }

    /// Plans to undo the conversion that a file notes.
    fn undo(from: Coordinates, noted: Mapped, unit: UnitChoice) -> Self {
        let now = if noted.above { noted.mapping.factor } else { 1.0 };
        let factor = match unit {
            UnitChoice::Auto if noted.above => 1.0,
            UnitChoice::Auto => 1.0 / noted.mapping.factor,
            UnitChoice::Keep => 1.0,
            UnitChoice::Meters(meters) => now / meters,
        };
        let locals = noted.mapping.locals.inverse();
        let mapping = Mapping { locals, top: Axes::IDENTITY, factor };
        Self { from, mapping, unit: None, needless: false, reason: Reason::Undone, note: None }
    }

    fn code(&self) -> Code {
        match (self.reason, self.unit) {
            (Reason::Kept, None) => codes::COORDINATES_KEPT,
            (_, Some((_, true))) => codes::UNIT_ASSUMED,
            _ => codes::COORDINATES_MAPPED,
        }
    }

    /// Returns what was done, for people; `None` if that was nothing.
    fn message(&self, turned: Turned, to: Coordinates) -> Option<String> {
        let mut parts = Vec::new();
        match self.reason {
            Reason::Undone => {
                parts.push("axes and unit: those from which the file was made".to_owned());
            }
            Reason::Kept => parts.push("axes: kept".to_owned()),
            Reason::Asked(axes, MapAt::All) => parts.push(format!("axes: {axes} on every bone")),
            Reason::Asked(axes, MapAt::Root) => {
                parts.extend(turned.place().map(|place| format!("axes: {axes} {place}")));
            }
            Reason::Formats => parts.extend(self.changed_axes(turned, to)),
        }
        match self.unit {
            Some((meters, true)) => parts.push(format!("unit: {} assumed", unit_name(meters))),
            Some((meters, false)) => parts.push(format!("unit: {}", unit_name(meters))),
            None if self.needless && self.from.unit.stated().is_some() => {
                parts.push("unit: no effect, since both formats state theirs".to_owned());
            }
            None if self.needless => {
                parts.push("unit: no effect, since neither format states one".to_owned());
            }
            None => {}
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn changed_axes(&self, turned: Turned, to: Coordinates) -> Option<String> {
        let mut changes = Vec::new();
        if self.from.is_mirrored_in(to) {
            let [own, other] = [self.from, to].map(hand_name);
            changes.push(format!("X mirrored, {own} -> {other}"));
        }
        let every = self.mapping.top == Axes::IDENTITY;
        let is_turned = self.from.turn_to(to).is_some_and(|turn| turn != Axes::IDENTITY);
        if let (true, Some(place)) =
            (is_turned, if every { Some("on every bone") } else { turned.place() })
        {
            let [own, other] = [self.from, to].map(up_name);
            changes.push(format!("{own} up -> {other} up {place}"));
        }
        (!changes.is_empty()).then(|| format!("axes: {}", changes.join(", ")))
    }
}

impl Turned {
    const fn place(self) -> Option<&'static str> {
        match self {
            Self::Above => Some("on a root node"),
            Self::TopBones => Some("on the top bones"),
            Self::LeftOut => None,
        }
    }
}

/// Returns the change between two kinds of axes.
fn between(from: Coordinates, to: Coordinates, at: MapAt) -> Mapping {
    let mirror = if from.is_mirrored_in(to) { Axes::MIRROR } else { Axes::IDENTITY };
    let turn = from.turn_to(to).unwrap_or(Axes::IDENTITY);
    match at {
        MapAt::Root => Mapping { locals: mirror, top: turn, factor: 1.0 },
        MapAt::All => given(mirror.then(turn), at),
    }
}

/// Returns the change of axes at a place.
const fn given(axes: Axes, at: MapAt) -> Mapping {
    match at {
        MapAt::Root => Mapping { top: axes, ..Mapping::IDENTITY },
        MapAt::All => Mapping { locals: axes, ..Mapping::IDENTITY },
    }
}

/// Returns the factor of lengths, and the unit of the side that states none with whether it is
/// assumed, or that of the source if both state another one.
fn factor_between(from: Unit, to: Unit, options: MapOptions) -> (f64, Option<(f64, bool)>) {
    let unit = |side: Unit| match (options.unit, side) {
        (UnitChoice::Meters(meters), _) => Some((meters, false)),
        (UnitChoice::Auto, Unit::Assumed(meters)) if options.axes == AxesChoice::Auto => {
            Some((meters, true))
        }
        _ => None,
    };
    match (from.stated(), to.stated()) {
        (None, Some(target)) => {
            unit(from).map_or((1.0, None), |unit| (unit.0 / target, Some(unit)))
        }
        (Some(own), Some(target)) => {
            let converts = own != target
                && options.axes == AxesChoice::Auto
                && options.unit == UnitChoice::Auto;
            if converts { (own / target, Some((own, false))) } else { (1.0, None) }
        }
        (Some(own), None) => unit(to).map_or((1.0, None), |unit| (own / unit.0, Some(unit))),
        _ => (1.0, None),
    }
}

pub(crate) fn unit_name(meters: f64) -> String {
    let names = [(1.0, "m"), (0.01, "cm"), (0.001, "mm"), (0.0254, "in")];
    let known = names.iter().find(|(length, _)| *length == meters);
    known.map_or_else(|| format!("{} m", significant(meters)), |(_, name)| (*name).to_owned())
}

const fn hand_name(coordinates: Coordinates) -> &'static str {
    match coordinates.handedness {
        Some(Handedness::Left) => "left-handed",
        Some(Handedness::Right) => "right-handed",
        None => "unknown",
    }
}

fn up_name(coordinates: Coordinates) -> String {
    coordinates.up.map_or("unknown", Axis::name).to_ascii_uppercase()
}
