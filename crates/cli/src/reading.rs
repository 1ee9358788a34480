//! Reads single files into the common model.

use std::path::{Path, PathBuf};

use inbetween::{Document, Finding, Reading, Registry, Source};

use crate::console::Console;
use crate::exit::Failure;
use crate::flags::Given;
use crate::inputs;
use crate::plan::{Plan, Wanted};
use crate::report;

/// A file and its content.
#[derive(Debug)]
pub(crate) struct ReadFile {
    /// The name for messages.
    pub(crate) name: String,
    pub(crate) document: Document,
    losses: Vec<Finding>,
}

/// The file to read, and the requested part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) path: &'a PathBuf,
    /// The format to assume.
    pub(crate) from: Option<&'a str>,
    /// The name or the number of the only clip to read.
    pub(crate) clip: Option<&'a str>,
    pub(crate) only: OnlyClip,
}

/// Whether the only clip of a file must have the requested name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnlyClip {
    Named,
    /// It is compared with a clip of that name, and formats of one clip often store no name.
    Fits,
}

impl ReadFile {
    /// Reads a file, or one clip of it.
    pub(crate) fn new(
        request: Request<'_>,
        registry: &Registry,
        given: &[Given],
    ) -> Result<Self, Failure> {
        let inputs = inputs::expand(std::slice::from_ref(request.path), None)?;
        let wanted = Wanted { from: request.from, profile: None };
        let plan = Plan::make(inputs, wanted, registry)?;
        plan.check_flags(given, registry, None)?;
        let mut files = plan.files.into_iter();
        let (Some(file), None) = (files.next(), files.next()) else {
            let path = request.path.display();
            return Err(Failure::Usage(format!("{path}: expected a single file; give its name")));
        };
        let name = file.input.name();
        let (opened, bytes) = file.load(registry)?;
        let format = opened.get();
        let failed = |error: inbetween::Error| Failure::of_file(&name, error);
        let source = Source::open(format, &bytes, registry.limits());
        let source = source.map_err(|error| failed(error.into()))?;
        let fits = request.only == OnlyClip::Fits && source.names().len() == 1;
        let Reading { document, findings, .. } = match request.clip.filter(|_| !fits) {
            None => source.whole().map_err(|error| failed(error.into()))?,
            Some(clip) => source.clip(clip).map_err(|error| match error {
                inbetween::Error::Clip(error) => Failure::Usage(format!("{name}: {error}")),
                error => failed(error),
            })?,
        };
        let losses = findings.into_iter().filter(|finding| finding.code.is_loss()).collect();
        Ok(Self { name, document, losses })
    }

    /// Returns the name without its directories.
    pub(crate) fn short_name(&self) -> String {
        let name = Path::new(&self.name).file_name().map(|name| name.to_string_lossy());
        name.map_or_else(|| self.name.clone(), std::borrow::Cow::into_owned)
    }

    /// Returns the findings about data of the file that the common model cannot store.
    pub(crate) fn losses(&self) -> &[Finding] {
        &self.losses
    }

    /// Reports the broken parts of the file.
    pub(crate) fn report_skipped(&self, console: &mut Console) {
        report::skipped_parts(&self.name, &self.losses, console);
    }
}
