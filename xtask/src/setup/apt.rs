//! Installs packages on Debian and its derivatives.
//!
//! If some packages of a computer already come from the release's backports (for example a newer `qemu-utils`), the release's own
//! packages conflict with them. Then the packages are installed from the backports as well.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::shell;

/// Debian's keys. They also sign its backports.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Installs packages: the release's own, or those of its backports if the release's own conflict with installed packages or are not
/// `enough` (for example too old). Never removes a package.
pub fn install(packages: &[&str], enough: impl Fn() -> bool) -> Result<()> {
    ensure!(!packages.is_empty(), "no Debian package is known");
    ensure!(shell::ask("apt-get", &["--version"]).is_some(), "this computer has no apt-get");
    let administrator = Administrator::get()?;
    // A broken third-party source makes this fail although our packages are available.
    if let Err(error) = administrator.update() {
        eprintln!("{error:#}");
    }
    let reason = match administrator.install(packages, "") {
        Ok(()) if enough() => return Ok(()),
        Ok(()) => anyhow!("the release's own packages are too old"),
        Err(conflict) => conflict,
    };
    eprintln!("  the release's own packages conflict or are too old; trying its backports");
    administrator.install_from_backports(packages).with_context(|| format!("{reason:#}"))
}

/// The words before a command that run it as root: `env`, or `sudo -n env` if sudo needs no password.
struct Administrator(&'static [&'static str]);

impl Administrator {
    fn get() -> Result<Self> {
        if shell::ask("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
            return Ok(Self(&["env"]));
        }
        if shell::ask("sudo", &["-n", "true"]).is_some() {
            return Ok(Self(&["sudo", "-n", "env"]));
        }
        bail!("installing needs root, and sudo asks for a password")
    }

    fn run(&self, step: &str, words: &[&str]) -> Result<()> {
        let mut command = Command::new(self.0[0]);
        command.args(&self.0[1..]).arg("DEBIAN_FRONTEND=noninteractive").args(words);
        shell::run(step, &mut command)
    }

    fn update(&self) -> Result<()> {
        self.run("refresh the package lists", &["apt-get", "-o", "DPkg::Lock::Timeout=300", "update"])
    }

    /// Installs from a suite, or from the release itself if `suite` is empty.
    fn install(&self, packages: &[&str], suite: &str) -> Result<()> {
        // With -y alone, apt would remove conflicting packages.
        let mut words = vec!["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-remove"];
        words.push("--no-install-recommends");
        if !suite.is_empty() {
            words.extend(["-t", suite]);
        }
        let origin = if suite.is_empty() { "this release" } else { suite };
        self.run(&format!("install {} from {origin}", packages.join(", ")), &[&words, packages].concat())
    }

    fn install_from_backports(&self, packages: &[&str]) -> Result<()> {
        let release = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
        let name = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
        let release = name.context("/etc/os-release has no VERSION_CODENAME")?.trim_matches('"');
        let suite = format!("{release}-backports");

        let format = ["indextargets", "--format", "$(RELEASE) $(REPO_URI)", "Created-By: Packages"];
        let known = shell::ask("apt-get", &format).context("apt-get does not list its sources")?;
        if mirror(&known, &suite).is_none() {
            let mirror = mirror(&known, release).with_context(|| format!("no package source offers {release}"))?;
            let draft = std::env::temp_dir().join(format!("{suite}-{}.list", std::process::id()));
            fs::write(&draft, entry(mirror, &suite, Path::new(KEYS).exists()))?;
            let place = format!("/etc/apt/sources.list.d/{suite}.list");
            let file = draft.to_string_lossy();
            let copied = self.run(&format!("add {suite} as {place}"), &["install", "-m", "644", &file, &place]);
            fs::remove_file(&draft).ok();
            copied?;
            self.update()?;
        }
        self.install(packages, &suite)
    }
}

/// Finds the address of a suite in a list of suites and addresses.
fn mirror<'a>(known: &'a str, suite: &str) -> Option<&'a str> {
    known.lines().find_map(|line| line.strip_prefix(suite)?.strip_prefix(' '))
}

/// The line of a sources list for another suite of the same mirror.
fn entry(mirror: &str, suite: &str, has_keys: bool) -> String {
    let keys = if has_keys { format!("[signed-by={KEYS}] ") } else { String::new() };
    format!("deb {keys}{mirror} {suite} main\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &str = "green-updates http://mirror/debian/\ngreen http://mirror/debian/\nother http://else/\n";

    #[test]
    fn a_suite_is_found_by_its_whole_name() {
        assert_eq!(mirror(KNOWN, "green"), Some("http://mirror/debian/"));
        assert_eq!(mirror(KNOWN, "green-backports"), None);
    }

    #[test]
    fn an_entry_keeps_mirror_and_keys_under_another_suite() {
        let keys = format!("deb [signed-by={KEYS}] http://mirror/ green-backports main\n");
        assert_eq!(entry("http://mirror/", "green-backports", true), keys);
        assert_eq!(entry("http://mirror/", "green-backports", false), "deb http://mirror/ green-backports main\n");
    }
}
