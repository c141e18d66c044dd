//! Learning a CRF instead of the weights of an online learner.

use crate::features::TemplateGroups;
use crate::learn::crf;
use crate::learn::crf::lbfgs::{Settings, Step};
use crate::learn::online::Example;
use crate::systems::graph::schedule::CrfSchedule;
use crate::systems::graph::settings::GraphSystem;
use crate::systems::graph::train::GraphModel;
use crate::systems::{Descent, Facts, PassRecord, SystemError};

impl GraphSystem {
    /// What decides a CRF that is learnt by a descent.
    pub(super) fn field_facts(&self, crf: CrfSchedule) -> Facts {
        let CrfSchedule { c, charge, features, tolerance, iterations, history, batches: _ } = crf;
        vec![
            ("crf", format!("c {c}, tolerance {tolerance}, iterations {iterations}, history {history}")),
            ("features", features.name().to_owned()),
            ("charge", charge.to_string()),
        ]
    }

    /// Learns; `log` is told of each step.
    pub(super) fn learn_field(
        &self,
        crf: CrfSchedule,
        template_groups: &TemplateGroups,
        examples: &[Example],
        log: &mut dyn FnMut(usize),
    ) -> Result<GraphModel, SystemError> {
        let CrfSchedule { c, charge, features, tolerance, iterations, history, batches: _ } = crf;
        let mut passes: Vec<PassRecord> = Vec::new();
        let told = |Step { value, gradient_norm, .. }: Step| {
            let descent = Some(Descent { objective: value, gradient_norm: Some(gradient_norm), whole_numbers: None });
            passes.push(PassRecord { descent, ..PassRecord::default() });
            log(passes.len());
        };
        let (roots, descent) = (self.schedule.roots, Settings { history, iterations, tolerance });
        let task = crf::Task { c, charge, features, roots, descent };
        let field = crf::learn(template_groups, self.backbone, examples, task, told)?;
        if let Some(last) = passes.last_mut() {
            last.chosen = true;
            if let Some(descent) = &mut last.descent {
                descent.whole_numbers = Some(field.value_of_whole_numbers);
            }
        }
        let model = self.model(field.entries).map_err(SystemError::Memory)?;
        Ok(GraphModel { model, passes, end: Some(field.end) })
    }
}
