//! Edits of parts that leave everything else unchanged.

use inbetween_core::{Path, WriteError, shown};

use crate::layout::ID;
use crate::{ControlPoints, Group, RecordPart, X4aniKey, X4aniName, X4aniParts};

impl X4aniParts {
    /// Returns the index of the first record of a part and animation, case-insensitive in ASCII.
    pub fn find(&self, part: &str, subname: &str) -> Option<usize> {
        self.records
            .iter()
            .position(|record| record.part.matches(part) && record.subname.matches(subname))
    }

    /// Renames a record.
    ///
    /// An unchanged name keeps the leftover bytes after its NUL; a new name is padded with zeros.
    ///
    /// # Errors
    ///
    /// If there is no such record, a name is too long, or another record has both names.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_x4_ani::{RecordPart, X4aniParts};
    ///
    /// let mut parts = X4aniParts { records: vec![RecordPart::default()], ..X4aniParts::default()
    /// }; parts.rename(0, "anim_door", "opening")?; assert_eq!(parts.find("ANIM_DOOR", "Opening"),
    /// Some(0));
    /// # Ok::<(), inbetween_core::WriteError>(())
    /// ```
    pub fn rename(&mut self, index: usize, part: &str, subname: &str) -> Result<(), WriteError> {
        if self.find(part, subname).is_some_and(|known| known != index) {
            return Err(taken(part, subname).at_path(path(index)));
        }
        self.record_mut(index)?.set_names(part, subname).map_err(|error| error.at_path(path(index)))
    }

    /// Copies a record under other names and inserts the copy after the original. Returns its
    /// index.
    ///
    /// # Errors
    ///
    /// Fails like [`rename`](Self::rename), also if the original itself has both names.
    pub fn duplicate(
        &mut self,
        index: usize,
        part: &str,
        subname: &str,
    ) -> Result<usize, WriteError> {
        if self.find(part, subname).is_some() {
            return Err(taken(part, subname).at_path(path(index)));
        }
        let mut copy = self.record_mut(index)?.clone();
        copy.set_names(part, subname).map_err(|error| error.at_path(path(index)))?;
        let place = index.saturating_add(1);
        self.records.insert(place, copy);
        Ok(place)
    }

    /// Removes a record and returns it.
    ///
    /// # Errors
    ///
    /// If there is no such record.
    pub fn remove(&mut self, index: usize) -> Result<RecordPart, WriteError> {
        self.record_mut(index)?;
        Ok(self.records.remove(index))
    }

    /// Inserts a record before record `index`, or at the end.
    ///
    /// # Errors
    ///
    /// If `index` is beyond the end, or another record has both names.
    pub fn insert(&mut self, index: usize, record: RecordPart) -> Result<(), WriteError> {
        if index > self.records.len() {
            return Err(missing(index, self.records.len()));
        }
        let same = |other: &RecordPart| {
            (other.part.folded(), other.subname.folded())
                == (record.part.folded(), record.subname.folded())
        };
        if self.records.iter().any(same) {
            let (part, subname) = (record.part.text().0, record.subname.text().0);
            return Err(taken(&part, &subname).at_path(path(index)));
        }
        self.records.insert(index, record);
        Ok(())
    }

    /// Returns a record for modification.
    ///
    /// # Errors
    ///
    /// If there is no such record.
    pub fn record_mut(&mut self, index: usize) -> Result<&mut RecordPart, WriteError> {
        let records = self.records.len();
        self.records.get_mut(index).ok_or_else(|| missing(index, records))
    }
}

impl RecordPart {
    fn set_names(&mut self, part: &str, subname: &str) -> Result<(), WriteError> {
        let (new_part, new_subname) = (X4aniName::new(part)?, X4aniName::new(subname)?);
        for (name, new) in [(&mut self.part, new_part), (&mut self.subname, new_subname)] {
            if name.bytes() != new.bytes() {
                *name = new;
            }
        }
        Ok(())
    }

    /// Multiplies the length of the animation by `factor`: times of keys and control points, the
    /// duration, and derivatives.
    ///
    /// # Errors
    ///
    /// If the factor is not positive, or a time becomes infinite; nothing is changed then.
    pub fn retime(&mut self, factor: f32) -> Result<(), WriteError> {
        if !(factor.is_finite() && factor > 0.0) {
            let what = format!("a length factor of {factor}");
            return Err(WriteError::not_representable(what, "it must be positive").in_format(ID));
        }
        let duration = checked(self.duration, self.duration * factor)?;
        self.change_times(|time| time * factor)?;
        self.duration = duration;
        for key in self.keys.iter_mut().flatten() {
            for rate in key.derivative_in.iter_mut().chain(&mut key.derivative_out) {
                *rate /= factor;
            }
        }
        Ok(())
    }

    /// Moves all keys and their control points by a number of seconds; the duration is unchanged.
    ///
    /// # Errors
    ///
    /// If a time becomes infinite; nothing is changed then.
    pub fn shift(&mut self, seconds: f32) -> Result<(), WriteError> {
        self.change_times(|time| time + seconds)
    }

    /// Multiplies the values of a group, including control points and derivatives, by one factor
    /// per axis.
    pub fn scale_values(&mut self, group: Group, factors: [f32; 3]) {
        for key in self.keys_mut(group) {
            let X4aniKey { value, control_points, derivative_in, derivative_out, .. } = key;
            for numbers in [value, derivative_in, derivative_out] {
                for (number, factor) in numbers.iter_mut().zip(factors) {
                    *number *= factor;
                }
            }
            for (points, factor) in control_points.iter_mut().zip(factors) {
                points.out_value *= factor;
                points.in_value *= factor;
            }
        }
    }

    /// Replaces the keys of a group and returns the old ones.
    pub fn replace_keys(&mut self, group: Group, keys: Vec<X4aniKey>) -> Vec<X4aniKey> {
        core::mem::replace(self.keys_mut(group), keys)
    }

    /// Changes the times of all keys. Unset control points stay unset.
    fn change_times(&mut self, change: impl Fn(f32) -> f32) -> Result<(), WriteError> {
        let mut keys = self.keys.clone();
        for key in keys.iter_mut().flatten() {
            key.time = checked(key.time, change(key.time))?;
            for points in key.control_points.iter_mut().filter(|points| is_set(**points)) {
                points.out_time = checked(points.out_time, change(points.out_time))?;
                points.in_time = checked(points.in_time, change(points.in_time))?;
            }
        }
        self.keys = keys;
        Ok(())
    }
}

/// Returns whether any of the four numbers is not 0.
fn is_set(points: ControlPoints) -> bool {
    points.to_array().iter().any(|number| *number != 0.0)
}

/// Rejects a number that a change made infinite.
fn checked(before: f32, after: f32) -> Result<f32, WriteError> {
    if before.is_finite() && !after.is_finite() {
        let what = format!("a time that was {before} s");
        return Err(WriteError::time_out_of_range(what).in_format(ID));
    }
    Ok(after)
}

fn path(index: usize) -> Path {
    Path::item("records", index)
}

fn missing(index: usize, records: usize) -> WriteError {
    let limit = format!("there are {records}");
    WriteError::not_representable(format!("record {index}"), limit).in_format(ID)
}

fn taken(part: &str, subname: &str) -> WriteError {
    let (part, subname) = (shown(part), shown(subname));
    let what = format!("a second record of \"{part}\" in \"{subname}\"");
    let limit = "X4 uses the first one; choose another name";
    WriteError::not_representable(what, limit).in_format(ID)
}
