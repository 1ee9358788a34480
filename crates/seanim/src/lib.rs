//! Placeholder until the crate is written.
use inbetween_core::*;
/// The format.
#[derive(Clone, Debug, Default)]
pub struct Seanim {}
static INFO: FormatInfo = FormatInfo { id: "seanim", name: "SEAnim", extensions: &["seanim"], summary: "", promise: "", encoding: FileEncoding::Binary, clips: ClipCount::One, codes: &[], options: &[], fields: &[] };
fn no() -> ReadError { ReadError::invalid("a", "b") }
impl Format for Seanim {
    fn info(&self) -> &'static FormatInfo { &INFO }
    fn probe(&self, _: &[u8], _: &Hint<'_>) -> Confidence { Confidence::No }
    fn inspect(&self, _: &[u8], _: &Limits) -> Result<Inspection, ReadError> { Err(no()) }
    fn check(&self, _: &[u8], _: &Limits) -> Result<Vec<Finding>, ReadError> { Err(no()) }
    fn read(&self, _: &[u8], _: &Limits) -> Result<Outcome<Document>, ReadError> { Err(no()) }
    fn write(&self, _: Document, _: &Limits) -> Result<Outcome<Vec<u8>>, WriteError> { Err(WriteError::not_representable("seanim", "a", "b")) }
    fn rewrite(&self, _: &[u8], _: &Limits) -> Result<Vec<u8>, ReadError> { Err(no()) }
    fn rebuild(&self, _: &[u8], _: &Limits) -> Result<Vec<u8>, ReadError> { Err(no()) }
    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> { Err(OptionError::Unknown) }
}
