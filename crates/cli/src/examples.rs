//! The examples at the end of each command's help. `tests/cli/examples.rs` runs all of them.

pub(crate) const INFO: &str = "\
Examples:
  inbetween info walk.seanim
  inbetween info --all walk.seanim door.animj
  inbetween info --json anims";

pub(crate) const CHECK: &str = "\
Examples:
  inbetween check walk.seanim
  inbetween check --profile resonite --deny warning door.animj
  inbetween check --fix --backup door.animj
  inbetween check cockpit.ani --component cockpit.xml";

pub(crate) const CONVERT: &str = "\
Examples:
  inbetween convert walk.seanim walk.animj
  inbetween convert cockpit.ani opening.animj --clip cockpit_opening
  inbetween convert anims --to animj --out-dir out
  inbetween convert walk.seanim door.animj --to x4-ani -o both.ani";

pub(crate) const UNPACK: &str = "\
Examples:
  inbetween unpack walk.seanim
  inbetween unpack cockpit.ani -o cockpit.json";

pub(crate) const PACK: &str = "\
Examples:
  inbetween pack cockpit.ani.json --force
  inbetween pack cockpit.ani.json -o changed.ani";

pub(crate) const EDIT: &str = "\
Examples:
  inbetween edit walk.seanim -o half.seanim --trim 0:0.5 --retime 2
  inbetween edit walk.seanim -o small.animj --reduce position=0.01,angle=0.1deg
  inbetween edit walk.seanim -o hips.seanim --select 'j_hip_*/*' --rename 'j_*=*'
  inbetween edit anims --to seanim --out-dir out --reverse";

pub(crate) const SAMPLE: &str = "\
Examples:
  inbetween sample walk.seanim --at 0,0.5,1
  inbetween sample walk.seanim --range 0:0.5 --fps 10 --track '*/Rotation'
  inbetween sample walk.seanim --json -o walk.jsonl";

pub(crate) const FORMATS: &str = "\
Examples:
  inbetween formats
  inbetween formats --json";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  inbetween completions bash
  inbetween completions zsh";

pub(crate) const MAN: &str = "\
Examples:
  inbetween man
  inbetween man convert";
