//! Placeholder until the crate is written.
use inbetween_core::*;
/// The format.
#[derive(Clone, Debug, Default)]
pub struct Animj {}
static INFO: FormatInfo = FormatInfo { id: "animj", name: "AnimJ", extensions: &["animj"], summary: "", promise: "", encoding: FileEncoding::Text, clips: ClipCount::One, codes: &[], options: &[], fields: &[] };
fn no() -> ReadError { ReadError::invalid("a", "b") }
impl Format for Animj {
    fn info(&self) -> &'static FormatInfo { &INFO }
    fn probe(&self, _: &[u8], _: &Hint<'_>) -> Confidence { Confidence::No }
    fn inspect(&self, _: &[u8], _: &Limits) -> Result<Inspection, ReadError> { Err(no()) }
    fn check(&self, _: &[u8], _: &Limits) -> Result<Vec<Finding>, ReadError> { Err(no()) }
    fn read(&self, _: &[u8], _: &Limits) -> Result<Outcome<Document>, ReadError> { Err(no()) }
    fn write(&self, _: Document, _: &Limits) -> Result<Outcome<Vec<u8>>, WriteError> { Err(WriteError::not_representable("animj", "a", "b")) }
    fn rewrite(&self, _: &[u8], _: &Limits) -> Result<Vec<u8>, ReadError> { Err(no()) }
    fn rebuild(&self, _: &[u8], _: &Limits) -> Result<Vec<u8>, ReadError> { Err(no()) }
    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> { Err(OptionError::Unknown) }
}
