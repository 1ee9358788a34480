//! The names of properties that only Unity has: `MeshRenderer.material._Color.r`.

use inbetween_core::{Property, Text};

use crate::layout::{BLEND_SHAPE, CLASSES, SCRIPT, SKINNED_MESH};

/// What a curve of a number or of objects animates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    /// The class of the component.
    pub(super) class: u64,
    /// The script of a component that is one: `{fileID: 11500000, guid: ..., type: 3}`.
    pub(super) script: Text,
    /// The name of the member.
    pub(super) attribute: Text,
}

/// The reference to no script.
pub(super) const NO_SCRIPT: &str = "{fileID: 0}";

impl Binding {
    /// Returns the property.
    pub(super) fn property(&self) -> Property {
        if let Some(shape) = self.attribute.strip_prefix(BLEND_SHAPE)
            && self.class == SKINNED_MESH
        {
            return Property::Weight(shape.into());
        }
        let known = CLASSES.into_iter().find(|(number, _)| *number == self.class);
        let class = known.map_or_else(|| format!("Class{}", self.class), |(_, name)| name.into());
        let script = if self.class == SCRIPT { &*self.script } else { "" };
        Property::Custom(Some(format!("{class}{script}.{}", self.attribute).into()))
    }

    /// Returns the binding of a property; `None` if Unity cannot store it.
    pub(super) fn of(property: &Property) -> Option<Self> {
        let name = match property {
            Property::Weight(shape) => {
                let (class, script) = (SKINNED_MESH, NO_SCRIPT.into());
                let attribute = format!("{BLEND_SHAPE}{shape}").into();
                return Some(Self { class, script, attribute });
            }
            Property::Custom(Some(name)) => name,
            _ => return None,
        };
        let (class, rest) = match name.find('{') {
            Some(brace) if name.find('.').is_some_and(|dot| dot > brace) => name.split_at(brace),
            _ => name.split_at(name.find('.')?),
        };
        let number = CLASSES.into_iter().find(|(_, known)| *known == class);
        let class = match number {
            Some((number, _)) => number,
            None => class.strip_prefix("Class")?.parse().ok()?,
        };
        let (script, attribute) = if let Some(attribute) = rest.strip_prefix('.') {
            (NO_SCRIPT, attribute)
        } else {
            let (script, attribute) = rest.split_at(rest.find('}')?.checked_add(1)?);
            (script, attribute.strip_prefix('.')?)
        };
        let binding = Self { class, script: script.into(), attribute: attribute.into() };
        // Another spelling would be read back as another property.
        (binding.property() == *property).then_some(binding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bindings_belong_to_each_other() {
        for name in [
            "MeshRenderer.material._Color.r",
            "Animator.Spine Front-Back",
            "GameObject.m_IsActive",
            "Class108.m_Intensity",
            "MonoBehaviour{fileID: 11500000, guid: 1a, type: 3}.weight.x",
        ] {
            let property = Property::Custom(Some(name.into()));
            let binding = Binding::of(&property).unwrap();
            assert_eq!(binding.property(), property);
        }
        let shape = Binding::of(&Property::Weight("Smile".into())).unwrap();
        assert_eq!((shape.class, &*shape.attribute), (137, "blendShape.Smile"));
        for name in ["glow", "Glow.x", "Class4.m_X", "SkinnedMeshRenderer.blendShape.a"] {
            assert_eq!(Binding::of(&Property::Custom(Some(name.into()))), None, "{name}");
        }
    }
}
