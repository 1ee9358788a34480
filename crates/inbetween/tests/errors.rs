//! Errors of the facade as programs see them.

#![cfg(feature = "seanim")]

use std::collections::HashSet;
use std::error::Error as _;
use std::io;

use inbetween::core::codes;
use inbetween::files::load;
use inbetween::{Error, Hint, Limits, ReadError, Registry};

#[test]
fn an_error_that_main_returns_prints_its_message() {
    let error = load("no such file.seanim", &Limits::default()).unwrap_err();
    assert_eq!(format!("{error:?}"), "no such file.seanim: no such file or directory");
    let error = Registry::default().read(b"SEAnim", &Hint::default()).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(error.to_string().starts_with("seanim: "), "{error}");
}

#[test]
fn errors_name_their_source() {
    let error = load("no such file.seanim", &Limits::default()).unwrap_err();
    let path = error.source().unwrap();
    let source = path.source().unwrap().downcast_ref::<io::Error>().unwrap();
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
    let error = Registry::default().read(b"SEAnim", &Hint::default()).unwrap_err();
    assert!(matches!(error, Error::Read(_)));
    assert!(error.source().unwrap().is::<ReadError>());
}

#[test]
fn the_default_registry_has_the_built_in_formats() {
    let ids = |registry: &Registry| -> Vec<&str> {
        registry.formats().map(|format| format.info().id).collect()
    };
    assert_eq!(ids(&Registry::default()), ids(&Registry::with_builtin()));
    assert!(!ids(&Registry::default()).is_empty());
}

#[test]
fn codes_can_be_counted_in_a_set() {
    let codes = HashSet::from([codes::TRACK_DROPPED, codes::TRACK_DROPPED, codes::NAME_DROPPED]);
    assert_eq!(codes.len(), 2);
}
