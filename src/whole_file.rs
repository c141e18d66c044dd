//! Files that are either whole or absent.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under a temporary name in its folder (made if absent) and renames it, so that no half-written file ever
/// bears the name.
///
/// # Errors
/// What the system says.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = io::BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Temporary files are private; results are as readable as other files.
    #[cfg(unix)]
    fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    file.persist(path)?;
    Ok(())
}
