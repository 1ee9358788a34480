//! The bones of a document, whose keys are encoded from the columns of its tracks.

use std::rc::Rc;

use inbetween_core::{Property, Text, Values};

use crate::layout::Channel;
use crate::parts::BoneSource;

/// Returns the channel that a property animates.
pub(super) const fn channel(property: &Property) -> Option<Channel> {
    match property {
        Property::Translation => Some(Channel::Location),
        Property::Rotation => Some(Channel::Rotation),
        Property::Scale => Some(Channel::Scale),
        _ => None,
    }
}

/// Returns the property that a channel animates.
pub(super) const fn property(channel: Channel) -> Property {
    match channel {
        Channel::Location => Property::Translation,
        Channel::Rotation => Property::Rotation,
        Channel::Scale => Property::Scale,
    }
}

/// A bone of a document.
#[derive(Debug)]
pub(super) struct Bone {
    pub(super) name: Text,
    /// The keys of its channels, in the order of [`Channel::ALL`].
    channels: [Option<Keys>; 3],
}

/// The keys of a channel.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// Most channels share them with the channel before.
    pub(super) frames: Rc<[u32]>,
    pub(super) values: Values,
}

impl Bone {
    /// Creates a bone without channels.
    pub(super) const fn new(name: Text) -> Self {
        Self { name, channels: [const { None }; 3] }
    }

    pub(super) fn channel(&self, channel: Channel) -> Option<&Keys> {
        channel.of(self.channels.each_ref()).as_ref()
    }

    pub(super) fn channel_mut(&mut self, channel: Channel) -> &mut Option<Keys> {
        channel.of(self.channels.each_mut())
    }

    /// Returns the numbers of keys of its channels.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        self.channels.iter().flatten().map(|keys| keys.frames.len())
    }
}

impl BoneSource for Bone {
    fn name(&self) -> &[u8] {
        self.name.as_bytes()
    }

    fn flags(&self) -> u8 {
        0
    }

    fn keys(&self, channel: Channel) -> Option<(&[u32], &Values)> {
        self.channel(channel).map(|keys| (&*keys.frames, &keys.values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BonePart, ChannelPart, SeanimHeader, SeanimParts, presence};

    #[test]
    fn bones_of_a_document_are_written_like_those_of_parts() {
        let (frames, values) = ([0, 300], Values::from(vec![[1.0_f32, 2.0, 3.0]; 2]));
        let mut bone = Bone::new("hips".into());
        *bone.channel_mut(Channel::Location) =
            Some(Keys { frames: frames.into(), values: values.clone() });
        assert_eq!(bone.lengths().collect::<Vec<_>>(), [2]);
        let locations = Some(ChannelPart { frames: frames.into(), values });
        let part = BonePart { name: b"hips".into(), locations, ..BonePart::default() };
        let header = SeanimHeader {
            presence: presence::LOCATION,
            frame_count: 301,
            ..SeanimHeader::default()
        };
        let parts = |bones| SeanimParts { header, bones, ..SeanimParts::default() };
        let expected = parts(vec![part]).to_bytes().unwrap();
        assert_eq!(parts(Vec::new()).to_bytes_with(&[bone]).unwrap(), expected);
    }
}
