//! The laws, on the fixtures and on generated documents.

use inbetween_gltf::{Container, Curves, Gltf, GltfFile};
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use proptest::prelude::*;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Gltf::default(), &rewriter!(GltfFile::parse), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Gltf::default());
    laws::replay_documents(&Gltf::default().with_container(Container::Gltf));
    laws::replay_documents(&Gltf::default().with_curves(Curves::Bake));
    laws::replay_documents(&Gltf::default().with_curves(Curves::Linear));
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn the_laws_hold_on_any_document(document in arbitrary_documents()) {
        laws::document_round_trip(&Gltf::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_any_text_file(document in arbitrary_documents()) {
        laws::document_round_trip(&Gltf::default().with_container(Container::Gltf), &document);
    }

    #[test]
    fn the_laws_hold_on_any_document_without_curves(document in arbitrary_documents()) {
        laws::document_round_trip(&Gltf::default().with_curves(Curves::Bake), &document);
    }

    #[test]
    fn the_laws_hold_on_any_document_of_linear_keys(document in arbitrary_documents()) {
        laws::document_round_trip(&Gltf::default().with_curves(Curves::Linear), &document);
    }
}
