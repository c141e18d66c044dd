//! The scripts of jobs.

use std::path::Path;

use super::SlurmError;
use super::ask::Ask;
use crate::config::EngineSettings;
use crate::provenance::shell_word;

/// A script for `sbatch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of its job.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

impl Script {
    /// With a remark on which jobs it comes after, for who reads it and does not submit it.
    #[must_use]
    pub(super) fn with_note(mut self, after: &[&str]) -> Self {
        if !after.is_empty() {
            let (first, rest) = self.text.split_once('\n').unwrap_or_default();
            self.text = format!("{first}\n# After {}: --dependency=afterany:...\n{rest}", after.join(", "));
        }
        self
    }
}

/// What an array is of.
pub(super) struct ArrayOf<'a> {
    pub experiment: &'a str,
    pub name: &'a str,
    /// Where its files are, as seen from the working folder.
    pub folder: &'a Path,
    pub tasks: usize,
    pub ask: Ask,
    pub settings: &'a EngineSettings,
    pub command: &'a str,
}

/// The script of an array.
pub(super) fn array(of: &ArrayOf) -> Result<Script, SlurmError> {
    let ArrayOf { experiment, name, folder, tasks, ask, settings, command } = of;
    let log = |number: &str| path(&folder.join(format!("{name}.{number}.log")));
    let mut options = vec![
        format!("--job-name={}", quoted(&format!("{experiment} {name}"))?),
        format!("--array=0-{}", tasks.saturating_sub(1)),
        format!("--output={}", quoted(&log("%a")?.replace('%', "%%").replace("%%a", "%a"))?),
        format!("--cpus-per-task={}", settings.threads),
    ];
    options.extend(ask.minutes.map(|minutes| format!("--time={minutes}")));
    options.extend(ask.mib.map(|mib| format!("--mem={mib}M")));
    options.extend(own_options(settings)?);
    let list = shell_word(&path(&folder.join(format!("{name}.tasks")))?);
    let log = format!("{}\"$SLURM_ARRAY_TASK_ID\".log", shell_word(&path(&folder.join(format!("{name}.")))?));
    let body = format!(
        "task=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {list} | cut -f 1)\n\
         exec {command} --artifact \"$task\" --log {log} --jobs {}\n",
        settings.threads
    );
    Ok(Script { name: (*name).to_owned(), text: text(&options, &body) })
}

/// The script of the job that comes last.
pub(super) fn collate(
    experiment: &str,
    folder: &Path,
    settings: &EngineSettings,
    command: &str,
) -> Result<Script, SlurmError> {
    let mut options = vec![
        format!("--job-name={}", quoted(&format!("{experiment} collate"))?),
        format!("--output={}", quoted(&path(&folder.join("collate.log"))?.replace('%', "%%"))?),
    ];
    options.extend(own_options(settings)?);
    Ok(Script { name: "collate".to_owned(), text: text(&options, &format!("exec {command}\n")) })
}

fn text(options: &[String], body: &str) -> String {
    let options: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
    format!("#!/bin/sh\n{options}{body}")
}

/// What the config says, after what the engine says: Slurm takes the last.
fn own_options(settings: &EngineSettings) -> Result<Vec<String>, SlurmError> {
    let mut options = vec!["--requeue".to_owned(), "--open-mode=append".to_owned()];
    let named = [("partition", &settings.partition), ("account", &settings.account)];
    for (name, value) in named {
        if let Some(value) = value {
            options.push(format!("--{name}={}", quoted(value)?));
        }
    }
    for option in &settings.options {
        // The value of an option may have blanks.
        options.push(match option.split_once('=') {
            Some((name, value)) => format!("{name}={}", quoted(value)?),
            None => option.clone(),
        });
    }
    Ok(options)
}

fn path(path: &Path) -> Result<String, SlurmError> {
    path.to_str().map(str::to_owned).ok_or_else(|| SlurmError::Path(path.display().to_string()))
}

/// A value as a line of options has it.
fn quoted(value: &str) -> Result<String, SlurmError> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:@%+=".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return Ok(value.to_owned());
    }
    if value.chars().any(|c| c.is_control() || "\"\\".contains(c)) {
        return Err(SlurmError::Path(value.to_owned()));
    }
    Ok(format!("\"{value}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> EngineSettings {
        EngineSettings {
            partition: Some("long".to_owned()),
            account: None,
            threads: 2,
            options: vec!["--exclusive".to_owned(), "--comment=two words".to_owned()],
        }
    }

    #[test]
    fn scripts_are_as_they_were() {
        let of = |folder| {
            array(&ArrayOf {
                experiment: "ewt",
                name: "models-1",
                folder: Path::new(folder),
                tasks: 12,
                ask: Ask { minutes: Some(20), mib: Some(512) },
                settings: &settings(),
                command: "treebound run ewt.toml",
            })
        };
        let expected = "#!/bin/sh\n\
            #SBATCH --job-name=\"ewt models-1\"\n\
            #SBATCH --array=0-11\n\
            #SBATCH --output=\"a b/1/models-1.%a.log\"\n\
            #SBATCH --cpus-per-task=2\n\
            #SBATCH --time=20\n\
            #SBATCH --mem=512M\n\
            #SBATCH --requeue\n\
            #SBATCH --open-mode=append\n\
            #SBATCH --partition=long\n\
            #SBATCH --exclusive\n\
            #SBATCH --comment=\"two words\"\n\
            task=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" 'a b/1/models-1.tasks' | cut -f 1)\n\
            exec treebound run ewt.toml --artifact \"$task\" --log 'a b/1/models-1.'\"$SLURM_ARRAY_TASK_ID\".log --jobs 2\n";
        assert_eq!(of("a b/1").expect("a script").text, expected);
        assert!(matches!(of("a\nb"), Err(SlurmError::Path(_))));
        let last = collate("ewt", Path::new("a%/1"), &settings(), "treebound collate ewt.toml").expect("a script");
        assert!(
            last.text.contains("--output=a%%/1/collate.log\n")
                && last.text.ends_with("exec treebound collate ewt.toml\n")
        );
        assert!(last.with_note(&["models-1"]).text.starts_with("#!/bin/sh\n# After models-1: "));
    }
}
