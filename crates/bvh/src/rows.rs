//! Decodes the rows of a file into columns, one track at a time.

use inbetween_core::json::unresolved;
use inbetween_core::{
    Axis, Budget, EulerOrder, Finding, Quat, ReadError, Values, memory, num, shown,
};

use crate::file::{BvhFile, BvhJoint, Channel};
use crate::layout::ID;
use crate::read::Tokens;

/// The values of a joint, row after row.
#[derive(Debug, Default)]
pub(crate) struct JointRows {
    /// The positions; `None` without position channels, or if a number of them is not one.
    pub(crate) positions: Option<Vec<[f32; 3]>>,
    /// The rotations; `None` without rotation channels, or if a number of them is not one.
    pub(crate) turns: Option<Turns>,
    /// The bytes of the first position and the first angle that are no numbers. Their findings are made
    /// later, one after the other: a file may have any number of joints.
    bad: [Option<usize>; 2],
}

/// The rotations of a joint.
#[derive(Debug)]
pub(crate) enum Turns {
    /// Angles x y z in radians.
    Angles(EulerOrder, Vec<[f32; 3]>),
    /// The products of the turns of a joint that names an axis twice.
    Products(Vec<Quat<f32>>),
}

impl Turns {
    /// Returns the values.
    pub(crate) fn into_values(self) -> Values {
        match self {
            Self::Angles(_, angles) => angles.into(),
            Self::Products(products) => products.into(),
        }
    }
}

impl BvhJoint {
    /// Returns how many coordinates have a channel.
    pub(crate) fn positions(&self) -> usize {
        let has = |axis: &&Axis| self.channels.contains(&Channel::Position(**axis));
        Axis::ALL.iter().filter(has).count()
    }

    /// Returns how many tracks the joint has.
    pub(crate) fn tracks(&self) -> usize {
        usize::from(self.positions() > 0).saturating_add(usize::from(self.turns().next().is_some()))
    }

    /// Returns the axes of the rotations, from left to right.
    fn turns(&self) -> impl Iterator<Item = Axis> {
        self.channels.iter().filter_map(|channel| match channel {
            Channel::Rotation(axis) => Some(*axis),
            Channel::Position(_) => None,
        })
    }

    /// Returns the order of the angles, in which missing axes come last; `None` if an axis is named
    /// twice, which no order of three angles does.
    fn order(&self) -> Option<EulerOrder> {
        let mut axes: Vec<Axis> = self.turns().collect();
        for axis in Axis::ALL {
            if !axes.contains(&axis) {
                axes.push(axis);
            }
        }
        EulerOrder::new(axes.try_into().ok()?, [1; 3])
    }

    /// Makes the columns for some rows, and charges them.
    fn columns(&self, rows: usize, budget: &mut Budget) -> Result<JointRows, ReadError> {
        let mut columns = JointRows::default();
        if self.positions() > 0 {
            columns.positions = Some(column(rows, budget)?);
        }
        if self.turns().next().is_some() {
            columns.turns = Some(match self.order() {
                Some(order) => Turns::Angles(order, column(rows, budget)?),
                None => Turns::Products(column(rows, budget)?),
            });
        }
        Ok(columns)
    }
}

/// Makes a column for a number of rows that the file has. A key costs its time, too.
fn column<T>(rows: usize, budget: &mut Budget) -> Result<Vec<T>, ReadError> {
    let key = size_of::<T>().saturating_add(size_of::<f64>());
    budget.charge_columns(rows.saturating_mul(key)).map_err(|error| error.in_format(ID))?;
    let mut column = Vec::new();
    memory::reserve(&mut column, rows)?;
    Ok(column)
}

/// Decodes all rows: the values of each joint.
///
/// # Errors
///
/// If the columns exceed the budget.
#[expect(clippy::arithmetic_side_effects, reason = "products of floats")]
pub(crate) fn decode(file: &BvhFile<'_>, budget: &mut Budget) -> Result<Vec<JointRows>, ReadError> {
    let rows = file.motion.map_or(0, |motion| num::len_from_u64(motion.rows()));
    let columns = file.joints.iter().map(|joint| joint.columns(rows, budget));
    let mut columns = columns.collect::<Result<Vec<_>, ReadError>>()?;
    // Others have no number in a row, and there may be many of both.
    let has_channels = |(joint, _): &(&BvhJoint, _)| !joint.channels.is_empty();
    let mut moving: Vec<_> = file.joints.iter().zip(&mut columns).filter(has_channels).collect();
    let mut tokens = file.row_tokens().peekable();
    while tokens.peek().is_some() {
        for (joint, columns) in &mut moving {
            let (mut position, mut angles) = ([0.0; 3], [0.0; 3]);
            let mut product = Quat::IDENTITY;
            for channel in &joint.channels {
                let Some(token) = tokens.next() else { break };
                let number = token.number().filter(|number| fits(*channel, *number));
                let number = number.unwrap_or_else(|| {
                    columns.skip(*channel, token.at);
                    0.0
                });
                match channel {
                    Channel::Position(axis) => set(&mut position, *axis, number),
                    Channel::Rotation(axis) => {
                        set(&mut angles, *axis, number.to_radians());
                        if matches!(columns.turns, Some(Turns::Products(_))) {
                            product = product * turn(*axis, number.to_radians());
                        }
                    }
                }
            }
            columns.push(position, angles, product);
        }
    }
    Ok(columns)
}

impl JointRows {
    /// Skips the track of a channel, because of the first number that is none.
    fn skip(&mut self, channel: Channel, at: usize) {
        let [position, rotation] = &mut self.bad;
        match channel {
            Channel::Position(_) => {
                self.positions = None;
                position.get_or_insert(at);
            }
            Channel::Rotation(_) => {
                self.turns = None;
                rotation.get_or_insert(at);
            }
        }
    }

    /// Returns the findings about what was skipped of a joint.
    pub(crate) fn skipped(
        &self,
        file: &BvhFile<'_>,
        joint: &BvhJoint,
    ) -> impl Iterator<Item = Finding> {
        ["position", "rotation"].into_iter().zip(self.bad).filter_map(move |(what, at)| {
            let token = Tokens::new(&file.source, at?).next()?;
            Some(skipped(what, joint, token.at, token.text))
        })
    }

    fn push(&mut self, position: [f64; 3], angles: [f64; 3], product: Quat<f64>) {
        if let Some(positions) = &mut self.positions {
            positions.push(position.map(num::f32_from_f64));
        }
        match &mut self.turns {
            Some(Turns::Angles(_, column)) => column.push(angles.map(num::f32_from_f64)),
            Some(Turns::Products(column)) => {
                let product = product.to_array().map(num::f32_from_f64);
                column.push(Quat::from_array(product));
            }
            None => {}
        }
    }
}

/// Returns whether a track can hold a number.
fn fits(channel: Channel, number: f64) -> bool {
    let held = match channel {
        Channel::Position(_) => number,
        Channel::Rotation(_) => number.to_radians(),
    };
    num::f32_from_f64(held).is_finite()
}

fn skipped(what: &str, joint: &BvhJoint, at: usize, text: &str) -> Finding {
    let found = format!("\"{}\"", shown(text));
    let error = ReadError::invalid("a finite f32 number", found);
    let what = format!("the {what} of {}", shown(&joint.name));
    Finding::skipped(&what, &error).position(unresolved(at))
}

/// Returns the finding about an offset that positions cannot repeat.
pub(crate) fn skipped_offset(joint: &BvhJoint) -> Option<Finding> {
    let [x, y, z] = joint.offset;
    let is_finite = joint.offset.iter().all(|number| num::f32_from_f64(*number).is_finite());
    let error = || ReadError::invalid("finite f32 numbers", format!("{x} {y} {z}"));
    let what = || format!("the OFFSET of {}", shown(&joint.name));
    (!is_finite).then(|| Finding::skipped(&what(), &error()))
}

fn set(vector: &mut [f64; 3], axis: Axis, number: f64) {
    if let Some(place) = vector.get_mut(axis.index()) {
        *place = number;
    }
}

/// Returns the turn about an axis by an angle in radians.
fn turn(axis: Axis, angle: f64) -> Quat<f64> {
    let mut unit = [0.0; 3];
    set(&mut unit, axis, 1.0);
    Quat::from_axis_angle(unit, angle)
}
