//! Checks a file and reports findings.

use std::collections::HashMap;

use inbetween_core::json::{resolve, unresolved};
use inbetween_core::{
    Budget, Code, Finding, Findings, Limits, Position, ReadError, Text, codes as shared, shown,
};

use crate::file::{BvhFile, BvhJoint, Channel, Parsed};
use crate::read::{joint_path, utf8};
use crate::{codes, rows};

/// Checks the text of a file: its hierarchy, then its rows.
pub(crate) fn check(bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
    let Parsed { file, mut findings } = BvhFile::parse_text(utf8(bytes)?.into(), limits)?;
    joints(&file, &mut findings);
    let mut budget = Budget::new(limits, bytes.len());
    let rows = rows::decode(&file, &mut budget)?;
    for (index, (joint, rows)) in file.joints().iter().zip(rows).enumerate() {
        findings.enter(joint_path(index));
        findings.extend(rows.skipped(&file, joint));
    }
    findings.leave();
    if let Some(token) = file.row_tokens().find(|token| token.has_comma()) {
        let message = token.text.to_owned();
        let finding = Finding::new(codes::DECIMAL_COMMA, message).position(unresolved(token.at));
        let count = file.row_tokens().filter(|token| token.has_comma()).count();
        findings.push(finding.count(inbetween_core::num::u64_from_len(count)));
    }
    resolve(&file.source, findings.as_mut_slice());
    let mut findings = findings.into_vec();
    findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, Position::offset));
    Ok(findings)
}

fn joints(file: &BvhFile<'_>, findings: &mut Findings) {
    let mut names: HashMap<&Text, usize> = HashMap::new();
    let mut root = None;
    for (index, joint) in file.joints().iter().enumerate() {
        let mut say = |code, message| findings.push(file.finding(index, code, message));
        if let Some(first) = names.insert(&joint.name, index) {
            say(shared::DUPLICATE_BONE, format!("\"{}\", as joint {first}", shown(&joint.name)));
        }
        if let Some(skipped) = rows::skipped_offset(joint) {
            say(shared::PART_SKIPPED, skipped.message.into_owned());
        }
        if joint.tips.iter().any(|tip| !tip.iter().all(|number| number.is_finite())) {
            let message = format!("the OFFSET of an end site of {}", shown(&joint.name));
            say(shared::NUMBER_NOT_FINITE, message);
        }
        if joint.parent.is_none()
            && let Some(first) = root.replace(index)
        {
            say(codes::SEVERAL_ROOTS, format!("\"{}\", after joint {first}", shown(&joint.name)));
        }
        channels(joint, &mut say);
    }
}

fn channels(joint: &BvhJoint, say: &mut impl FnMut(Code, String)) {
    let repeats = |(at, channel): (usize, &Channel)| {
        joint.channels.get(..at).is_some_and(|before| before.contains(channel))
    };
    if let Some((_, channel)) = joint.channels.iter().enumerate().find(|it| repeats(*it)) {
        say(codes::CHANNEL_REPEATED, channel.name().to_owned());
    }
    let positions = joint.positions();
    if (1..3).contains(&positions) {
        say(codes::POSITION_PARTIAL, format!("{positions} of 3 coordinates"));
    }
    match joint.parent {
        Some(_) if positions > 0 => say(codes::JOINT_POSITIONS, shown(&joint.name).to_string()),
        None if positions > 0 && joint.offset != [0.0; 3] => {
            let [x, y, z] = joint.offset;
            say(codes::ROOT_OFFSET, format!("OFFSET {x} {y} {z}"));
        }
        _ => {}
    }
}
