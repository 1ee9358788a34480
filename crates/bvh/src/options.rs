//! The format with its options.

use inbetween_core::{Axis, EulerOrder};

/// The BVH format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_bvh::Bvh;
/// use inbetween_core::{Animation, Bone, Document, EulerOrder, Format, Limits, Skeleton};
///
/// let hips = Bone { node: "hips".into(), ..Bone::default() };
/// let spine = Bone { node: "spine".into(), parent: Some("hips".into()), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![hips, spine])?;
/// let document = Document::single(Animation::default()).with_skeleton(skeleton);
/// let format = Bvh::default().order(EulerOrder::XYZ);
/// let text = String::from_utf8(format.write(document, &Limits::default())?.value)?;
/// assert!(text.contains("JOINT spine") && text.contains("CHANNELS 3 Xrotation Yrotation Zrotation"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    rate: Option<f64>,
    order: Option<EulerOrder>,
}

/// The order that most programs write: the rotation about Y first, then about X, then about Z.
pub(crate) const DEFAULT_ORDER: EulerOrder =
    EulerOrder::new([Axis::Z, Axis::X, Axis::Y], [1; 3]).unwrap();

impl Bvh {
    /// Returns the format with a frame rate in frames per second.
    ///
    /// When writing, it replaces the document's rate, and keys that are not on frames are
    /// resampled. When reading, it is used if the file's Frame Time is not a positive number.
    #[must_use]
    pub fn frame_rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Returns the format that writes all rotations with channels in one order, left to right. The
    /// signs of the order are not used.
    ///
    /// Without it, angles keep their own order, and quaternions become angles in the order
    /// `Zrotation Xrotation Yrotation`.
    #[must_use]
    pub fn order(mut self, order: EulerOrder) -> Self {
        self.order = EulerOrder::new(order.axes(), [1; 3]);
        self
    }

    /// Returns the requested frame rate.
    pub(crate) const fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Returns the requested order.
    pub(crate) const fn requested_order(&self) -> Option<EulerOrder> {
        self.order
    }
}

/// Returns the order with the axes of a text such as `ZXY`.
pub(crate) fn order_of(text: &str) -> Option<EulerOrder> {
    let named = |letter: char| match letter.to_ascii_uppercase() {
        'X' => Some(Axis::X),
        'Y' => Some(Axis::Y),
        'Z' => Some(Axis::Z),
        _ => None,
    };
    let axes: Vec<Axis> = text.chars().map(named).collect::<Option<_>>()?;
    EulerOrder::new(axes.try_into().ok()?, [1; 3])
}
