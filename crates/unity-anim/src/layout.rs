//! Names and numbers of the format.

use inbetween_core::{
    Axis, Clock, Coordinates, EulerOrder, Handedness, Rules, StatedDuration, Unit,
};

/// The id of the format.
pub(crate) const ID: &str = "unity-anim";

/// What every file of Unity begins with.
pub(crate) const YAML: &str = "%YAML 1.1";

/// The tag prefix that the second line declares.
pub(crate) const TAG: &str = "tag:unity3d.com,2011:";

/// The begin of the line before each object.
pub(crate) const SEPARATOR: &str = "--- ";

/// The class of clips.
pub(crate) const CLIP_CLASS: u64 = 74;

/// The file id of the main clip of a file.
pub(crate) const CLIP_ID: i64 = 7_400_000;

/// The members of a clip that hold curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum List {
    Rotation,
    Euler,
    Position,
    Scale,
    Float,
    Object,
}

impl List {
    /// All lists, in the order of a file.
    pub(crate) const ALL: [Self; 6] =
        [Self::Rotation, Self::Euler, Self::Position, Self::Scale, Self::Float, Self::Object];

    /// Returns the name of the member.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rotation => "m_RotationCurves",
            Self::Euler => "m_EulerCurves",
            Self::Position => "m_PositionCurves",
            Self::Scale => "m_ScaleCurves",
            Self::Float => "m_FloatCurves",
            Self::Object => "m_PPtrCurves",
        }
    }
}

pub(crate) const PACKED_ROTATIONS: &str = "m_CompressedRotationCurves";
pub(crate) const EDITOR_CURVES: &str = "m_EditorCurves";
pub(crate) const EDITOR_EULER_CURVES: &str = "m_EulerEditorCurves";
pub(crate) const EVENTS: &str = "m_Events";
pub(crate) const NAME: &str = "m_Name";
pub(crate) const SAMPLE_RATE: &str = "m_SampleRate";
pub(crate) const SETTINGS: &str = "m_AnimationClipSettings";
pub(crate) const START: &str = "m_StartTime";
pub(crate) const STOP: &str = "m_StopTime";
pub(crate) const LOOP: &str = "m_LoopTime";
pub(crate) const LEGACY: &str = "m_Legacy";
pub(crate) const WRAP_MODE: &str = "m_WrapMode";
pub(crate) const BINDINGS: &str = "m_ClipBindingConstant";

/// The class of transforms.
pub(crate) const TRANSFORM: u64 = 4;
/// The class of animators, whose curves with an empty path are muscles and parameters.
pub(crate) const ANIMATOR: u64 = 95;
/// The class of scripts.
pub(crate) const SCRIPT: u64 = 114;
/// The class of skinned meshes, which have blend shapes.
pub(crate) const SKINNED_MESH: u64 = 137;

/// The names of the classes that clips animate most.
pub(crate) const CLASSES: [(u64, &str); 10] = [
    (1, "GameObject"),
    (TRANSFORM, "Transform"),
    (23, "MeshRenderer"),
    (82, "AudioSource"),
    (ANIMATOR, "Animator"),
    (SCRIPT, "MonoBehaviour"),
    (SKINNED_MESH, "SkinnedMeshRenderer"),
    (198, "ParticleSystem"),
    (212, "SpriteRenderer"),
    (224, "RectTransform"),
];

/// The begin of the attribute of a blend shape.
pub(crate) const BLEND_SHAPE: &str = "blendShape.";

/// The value of a blend shape that is fully applied.
pub(crate) const FULL_WEIGHT: f32 = 100.0;

/// The attributes of the axes of a transform, before `.x`.
pub(crate) const COMPONENTS: [(&str, List); 4] = [
    ("m_LocalPosition", List::Position),
    ("m_LocalScale", List::Scale),
    ("localEulerAnglesRaw", List::Euler),
    ("m_LocalRotation", List::Rotation),
];

/// The orders of Euler angles by their number, as products from left to right: order 0 is named XYZ
/// and turns about x first, so its product ends with x.
pub(crate) const ORDERS: [[Axis; 3]; 6] = [
    [Axis::Z, Axis::Y, Axis::X],
    [Axis::Y, Axis::Z, Axis::X],
    [Axis::X, Axis::Z, Axis::Y],
    [Axis::Z, Axis::X, Axis::Y],
    [Axis::Y, Axis::X, Axis::Z],
    [Axis::X, Axis::Y, Axis::Z],
];

/// The number of the order of files that state none: ZXY.
pub(crate) const DEFAULT_ORDER: usize = 4;

/// Returns the order with a number; unknown numbers are the default.
pub(crate) fn euler_order(number: usize) -> EulerOrder {
    let axes = ORDERS.get(number).or_else(|| ORDERS.get(DEFAULT_ORDER));
    axes.and_then(|axes| EulerOrder::new(*axes, [1; 3])).unwrap_or(EulerOrder::XYZ)
}

/// The value of the infinities that clamp, which all real files have.
pub(crate) const CLAMP: i64 = 2;

/// The weight of a tangent that has none.
pub(crate) const THIRD: f32 = 1.0 / 3.0;

/// The axes of Unity (`docs/formats/axes.md`).
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Left, Axis::Y).with_front(Axis::Z).with_unit(Unit::Stated(1.0));

/// A clip without curves, as Unity writes it.
pub(crate) const TEMPLATE: &str = "\
AnimationClip:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
  m_Name: 
  serializedVersion: 6
  m_Legacy: 0
  m_Compressed: 0
  m_UseHighQualityCurve: 1
  m_RotationCurves: []
  m_CompressedRotationCurves: []
  m_EulerCurves: []
  m_PositionCurves: []
  m_ScaleCurves: []
  m_FloatCurves: []
  m_PPtrCurves: []
  m_SampleRate: 60
  m_WrapMode: 0
  m_Bounds:
    m_Center: {x: 0, y: 0, z: 0}
    m_Extent: {x: 0, y: 0, z: 0}
  m_ClipBindingConstant:
    genericBindings: []
    pptrCurveMapping: []
  m_AnimationClipSettings:
    serializedVersion: 2
    m_AdditiveReferencePoseClip: {fileID: 0}
    m_AdditiveReferencePoseTime: 0
    m_StartTime: 0
    m_StopTime: 0
    m_OrientationOffsetY: 0
    m_Level: 0
    m_CycleOffset: 0
    m_HasAdditiveReferencePose: 0
    m_LoopTime: 0
    m_LoopBlend: 0
    m_LoopBlendOrientation: 0
    m_LoopBlendPositionY: 0
    m_LoopBlendPositionXZ: 0
    m_KeepOriginalOrientation: 0
    m_KeepOriginalPositionY: 1
    m_KeepOriginalPositionXZ: 0
    m_HeightFromFeet: 0
    m_Mirror: 0
  m_EditorCurves: []
  m_EulerEditorCurves: []
  m_HasGenericRootTransform: 0
  m_HasMotionFloatCurves: 0
  m_Events: []
";

/// The playback rules of Unity: times are `f32`, and the stated end counts. Each number is interpolated
/// alone, so readers make Bezier curves of rotations.
pub const RULES: Rules =
    Rules::LINEAR.with_clock(Clock::F32).with_stated_duration(StatedDuration::Exact);
