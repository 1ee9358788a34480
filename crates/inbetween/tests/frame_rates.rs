//! Frame rates of files that store frames, from documents that state none.

#![cfg(all(feature = "cast", feature = "seanim"))]
#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween::cast::Cast;
use inbetween::core::num::f32_from_f64;
use inbetween::core::{Interpolation, Interpolations, RateGuess, codes};
use inbetween::seanim::Seanim;
use inbetween::{Animation, Document, Format, Limits, Property, Target, Track, TrackData};

/// Returns a clip with keys at frames, whose times are rounded as in a glTF file.
fn clip(name: &str, rate: f64, frames: &[u32]) -> Animation {
    let time = |frame: &u32| f64::from(f32_from_f64(f64::from(*frame) / rate));
    let times: Vec<f64> = frames.iter().map(time).collect();
    let values = vec![[1.0_f32, 2.0, 3.0]; times.len()];
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).unwrap();
    let track = Track::new(Target::new("hips", Property::Translation), data).unwrap();
    Animation::new(vec![track]).with_name(name)
}

/// Writes a document; returns the rates of its clips and the ids of all findings.
fn written(format: &dyn Format, document: Document) -> (Vec<f64>, Vec<&'static str>) {
    let limits = Limits::default();
    let written = format.write(document, &limits).unwrap();
    let read = format.read(&written.value, &limits).unwrap().value;
    let rates = read.clips.iter().map(|clip| clip.frame_rate.unwrap());
    (rates.collect(), written.findings.iter().map(|finding| finding.code.id()).collect())
}

fn formats() -> [Box<dyn Format>; 2] {
    [Box::new(Seanim::default()), Box::new(Cast::default())]
}

#[test]
fn evenly_spaced_keys_keep_their_frames() {
    for format in formats() {
        for rate in [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 17.0, 31.5, 1000.0] {
            let frames: Vec<u32> = (0..60).collect();
            let document = Document::single(clip("walk", rate, &frames));
            let (rates, findings) = written(format.as_ref(), document);
            assert_eq!(rates, [f64::from(f32_from_f64(rate))], "{format:?}");
            assert!(findings.contains(&codes::FRAME_RATE_GUESSED.id()));
            assert!(!findings.contains(&codes::KEYS_OFF_GRID.id()), "{rate}: {findings:?}");
        }
    }
}

#[test]
fn clips_of_a_file_share_a_rate() {
    let document = || {
        let empty = Animation::default().with_name("nothing");
        Document::new(vec![clip("rest", 30.0, &[0]), empty, clip("run", 17.0, &[0, 1, 2])])
    };
    let (rates, findings) = written(&Cast::default(), document());
    assert_eq!(rates, [17.0; 3]);
    assert!(!findings.contains(&codes::FRAME_RATE_DEFAULT.id()), "{findings:?}");
    let mut whole = document();
    let mut guess = RateGuess::default();
    Seanim::default().info().stores.guess_rate(&whole.clips, &mut guess);
    whole.rate_guess = Some(guess);
    for document in whole.split() {
        assert_eq!(written(&Seanim::default(), document).0, [17.0]);
    }
}

#[test]
fn a_clip_without_keys_gets_no_warning() {
    for format in formats() {
        let document = Document::single(Animation::default().with_name("nothing"));
        let (rates, findings) = written(format.as_ref(), document);
        assert_eq!(rates, [30.0]);
        assert!(!findings.contains(&codes::FRAME_RATE_DEFAULT.id()), "{findings:?}");
        assert!(findings.contains(&codes::FRAME_RATE_GUESSED.id()), "{findings:?}");
    }
}

#[test]
fn a_stated_rate_and_the_callers_rate_come_first() {
    let stated = Document::single(clip("walk", 17.0, &[0, 1]).with_frame_rate(34.0));
    assert_eq!(written(&Seanim::default(), stated.clone()).0, [34.0]);
    assert_eq!(written(&Seanim::default().frame_rate(51.0), stated).0, [51.0]);
}
