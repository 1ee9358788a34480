//! `Skeleton`.

use inbetween::core::BoneRole;
use inbetween::edit::first_frame;
use inbetween::{Bone, Quat};
use pyo3::prelude::*;

use crate::clip::Clip;
use crate::document::missing;
use crate::errors::{self, class, value_error};

/// Bones with their parents and rest pose. Positions have the unit of the animation.
#[pyclass(frozen, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Skeleton(pub(crate) inbetween::Skeleton);

#[pymethods]
impl Skeleton {
    /// Makes a skeleton of bones in any order.
    ///
    /// Raises ``ValueError`` if two bones have one name, a parent is missing, or parents form a cycle.
    #[new]
    fn new(bones: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let bones = bones.iter().map(|bone| {
            let name: String = bone.getattr("name")?.extract()?;
            let parent: Option<String> = bone.getattr("parent")?.extract()?;
            let rotation: Option<[f64; 4]> = bone.getattr("rotation")?.extract()?;
            Ok(Bone {
                node: name.into(),
                parent: parent.map(Into::into),
                translation: bone.getattr("translation")?.extract()?,
                rotation: rotation.map(|rotation| Quat::from_array(rotation).normalized()),
                scale: bone.getattr("scale")?.extract()?,
                role: if bone.getattr("is_above")?.extract()? {
                    BoneRole::Above
                } else {
                    BoneRole::Bone
                },
            })
        });
        let bones = bones.collect::<PyResult<_>>()?;
        let skeleton = inbetween::Skeleton::new(bones);
        skeleton.map(Self).map_err(|error| value_error(error.to_string()))
    }

    /// Returns the bones that a clip animates, with the values of its first frame as the rest pose.
    #[staticmethod]
    #[pyo3(name = "first_frame")]
    fn of_first_frame(clip: &Bound<'_, Clip>) -> PyResult<Self> {
        first_frame(clip.get().animation()).map(Self).map_err(|error| errors::edit(&error))
    }

    /// The bones.
    #[getter]
    fn bones<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.bones().iter().map(|bone| to_python(py, bone)).collect()
    }

    /// Returns the bone with a name.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let names = || self.0.bones().iter().map(|bone| &*bone.node);
        let bone = self.0.bone(name).ok_or_else(|| missing("bone", name, names()))?;
        to_python(py, bone)
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| self.0.bone(&name).is_some())
    }

    fn __len__(&self) -> usize {
        self.0.bones().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bones = pyo3::types::PyList::new(py, self.bones(py)?)?;
        Ok(bones.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<Skeleton: {} bones>", self.0.bones().len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
    }
}

fn to_python<'py>(py: Python<'py>, bone: &Bone) -> PyResult<Bound<'py, PyAny>> {
    let tuple = |numbers: [f64; 3]| (numbers[0], numbers[1], numbers[2]);
    let rotation = bone.rotation.map(|it| (it.x, it.y, it.z, it.w));
    class(py, "Bone")?.call1((
        &*bone.node,
        bone.parent.as_deref(),
        bone.translation.map(tuple),
        rotation,
        bone.scale.map(tuple),
        bone.role == BoneRole::Above,
    ))
}
