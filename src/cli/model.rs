//! `treebound model`: what a model file is.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::output::print;
use treebound_core::shown::shown;
use treebound_parser::features::{Kind, TemplateSet};
use treebound_parser::model::TrainedParser;

#[derive(Args)]
pub struct ModelArguments {
    /// The model, as written by treebound train
    model: PathBuf,
}

pub fn model(arguments: &ModelArguments) -> Result<ExitCode> {
    let path = &arguments.model;
    let TrainedParser { tagger, pruner, rule, model, facts } = TrainedParser::open(path)?;
    let bytes = std::fs::metadata(path).with_context(|| path.display().to_string())?.len();
    let families: Vec<&str> = model.families().iter().map(|family| family.name()).collect();
    let mut lines: Vec<(&str, String)> =
        facts.iter().map(|(name, value)| (name.as_str(), shown(value).to_string())).collect();
    lines.push(("non-local features", if families.is_empty() { "none".to_owned() } else { families.join(", ") }));
    lines.push(("templates", templates(model.templates())));
    lines.push(("dynamic program", model.backbone().to_string()));
    lines.push(("words on the root", model.roots().to_string()));
    lines.push(("candidate heads", format!("{rule}, {} templates", pruner.templates().templates().len())));
    lines.push(("probabilities", if model.log_unit().is_some() { "of heads (CRF)" } else { "none" }.to_owned()));
    lines.push(match &tagger {
        Some(tagger) => ("tagger", format!("{} pairs of tags", tagger.labels().len())),
        None => ("tagger", "none: words come with their tags".to_owned()),
    });
    let labels =
        |names: &[std::sync::Arc<str>], set: &TemplateSet| format!("{} relations, {}", names.len(), templates(set));
    lines.push(match (model.labeller(), model.arc_labeller()) {
        (Some(labeller), _) => ("labels", format!("second stage, {}", labels(labeller.names(), labeller.templates()))),
        (None, Some(labeller)) => {
            ("labels", format!("in the search, {}", labels(labeller.names(), labeller.templates())))
        }
        (None, None) => ("labels", "none".to_owned()),
    });
    lines.push(("size", format!("{} MiB ({bytes} bytes)", bytes.div_ceil(1 << 20))));
    print(&lines.iter().map(|(name, value)| format!("{name:<20} {value}\n")).collect::<String>())?;
    Ok(ExitCode::SUCCESS)
}

/// How many templates a set has, of which parts.
fn templates(set: &TemplateSet) -> String {
    let of_kind = |kind: Kind| (set.for_kind(kind).count(), kind.name());
    let parts = Kind::ALL.into_iter().map(of_kind).filter(|(many, _)| *many > 0);
    let parts: Vec<String> = parts.map(|(many, name)| format!("{name} {many}")).collect();
    format!("{} templates ({})", set.templates().len(), parts.join(", "))
}
