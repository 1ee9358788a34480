//! The format with its options.

/// The Cast format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_cast::Cast;
/// use inbetween_core::{Document, Format, Limits};
///
/// let document = Document::single(Default::default());
/// let bytes = Cast::default().write(document, &Limits::default())?.value;
/// assert!(bytes.starts_with(b"cast\x01\0\0\0"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cast {
    rate: Option<f64>,
    names: Store,
    scale: ScaleMode,
    end: Store,
    up: Option<Up>,
}

/// Whether data that Cast has no field for is written in another form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Store {
    /// The data is dropped and reported.
    #[default]
    Drop,
    /// The data is written.
    Keep,
}

/// The mode of scales in additive animations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScaleMode {
    /// Absolute, as SEAnim plays them.
    #[default]
    Absolute,
    /// Additive, as other converters write them; programs multiply them.
    Additive,
}

/// The up axis in the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Up {
    /// X.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
}

impl Up {
    /// Returns `x`, `y` or `z`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

impl Cast {
    /// Returns the format with a frame rate in frames per second.
    ///
    /// When writing, it replaces the document's rate, and keys that are not on frames are
    /// resampled. When reading, it is used for animations whose rate is not a positive number.
    #[must_use]
    pub const fn frame_rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Returns the format that writes skeletons into animations: the document's skeleton into the
    /// first animation, and the names of bones without keys. By default, these names are dropped,
    /// and the skeleton of the document becomes that of a model.
    #[must_use]
    pub const fn with_names(mut self, names: Store) -> Self {
        self.names = names;
        self
    }

    /// Returns the format with a mode for the scales of additive animations.
    #[must_use]
    pub const fn with_scale_mode(mut self, scale: ScaleMode) -> Self {
        self.scale = scale;
        self
    }

    /// Returns the format that writes a closing key at the stated duration, or drops the duration.
    #[must_use]
    pub const fn with_end(mut self, end: Store) -> Self {
        self.end = end;
        self
    }

    /// Returns the format with an up axis in the metadata; values do not change.
    #[must_use]
    pub const fn with_up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    pub(crate) const fn rate(&self) -> Option<f64> {
        self.rate
    }

    pub(crate) const fn names(&self) -> Store {
        self.names
    }

    pub(crate) const fn scale_mode(&self) -> ScaleMode {
        self.scale
    }

    pub(crate) const fn end(&self) -> Store {
        self.end
    }

    pub(crate) const fn up(&self) -> Option<Up> {
        self.up
    }
}
