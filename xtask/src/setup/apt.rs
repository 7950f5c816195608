//! Installing packages on Debian and its relatives.
//!
//! Where some packages of a machine already come from the release's backports (a newer `qemu-utils`, say), the plain
//! packages conflict with them; the same packages from the backports then fit.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use crate::shell;

/// Installs packages: the release's own, or those of its backports if these conflict with what is installed or are
/// not `enough` (too old, say). Never removes a package to make room for another.
pub fn install(packages: &[&str], enough: impl Fn() -> bool) -> Result<()> {
    if shell::ask("apt-get", &["--version"]).is_none() {
        bail!("there is no apt-get here");
    }
    let administrator = Administrator::get()?;
    // A broken third-party source makes this fail although the packages we want can be had.
    if let Err(error) = shell::run("refresh the package lists", &mut administrator.apt(&["update"])) {
        eprintln!("{error:#}");
    }
    let reason = match administrator.install(packages, None) {
        Ok(()) if enough() => return Ok(()),
        Ok(()) => anyhow!("the release's own packages are too old"),
        Err(conflict) => conflict,
    };
    eprintln!("  the release's own packages do not serve; trying its backports");
    administrator.install_from_backports(packages).with_context(|| format!("{reason:#}"))
}

/// How to run a command as the administrator: directly, or through `sudo` if it asks for no password.
struct Administrator {
    sudo: bool,
}

impl Administrator {
    fn get() -> Result<Self> {
        if shell::ask("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
            return Ok(Self { sudo: false });
        }
        if shell::ask("sudo", &["-n", "true"]).is_some() {
            return Ok(Self { sudo: true });
        }
        bail!("installing needs root, and sudo asks for a password")
    }

    fn command(&self, program: &str) -> Command {
        let words = if self.sudo { vec!["sudo", "-n", "env"] } else { vec!["env"] };
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("DEBIAN_FRONTEND=noninteractive").arg(program);
        command
    }

    fn apt(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("apt-get");
        command.args(["-o", "DPkg::Lock::Timeout=300"]).args(arguments);
        command
    }

    fn install(&self, packages: &[&str], suite: Option<&str>) -> Result<()> {
        // With -y alone, apt removes what conflicts: somebody else's package.
        let mut command = self.apt(&["install", "-y", "--no-remove", "--no-install-recommends"]);
        command.args(suite.iter().flat_map(|suite| ["-t", suite])).args(packages);
        let origin = suite.unwrap_or("this release");
        shell::run(&format!("install {} from {origin}", packages.join(", ")), &mut command)
    }

    fn install_from_backports(&self, packages: &[&str]) -> Result<()> {
        let release = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
        let codename = release
            .lines()
            .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
            .map(|name| name.trim_matches('"').to_owned())
            .context("/etc/os-release has no VERSION_CODENAME")?;
        let suite = format!("{codename}-backports");

        let sources = Source::all(Path::new("/etc/apt"));
        if !sources.iter().any(|source| source.offers(&suite)) {
            let source = sources
                .iter()
                .find(|source| source.offers(&codename))
                .with_context(|| format!("no package source offers {codename}"))?;
            let draft = std::env::temp_dir().join(format!("{suite}-{}.sources", std::process::id()));
            fs::write(&draft, source.with_suite(&suite))?;
            let place = format!("/etc/apt/sources.list.d/{suite}.sources");
            let copied = shell::run(
                &format!("add {suite} as {place}"),
                self.command("install").args(["-m", "644"]).arg(&draft).arg(&place),
            );
            fs::remove_file(&draft).ok();
            copied?;
            shell::run("refresh the package lists", &mut self.apt(&["update"]))?;
        }
        self.install(packages, Some(&suite))
    }
}

/// One package source: the fields of a deb822 stanza, which a one-line entry is turned into, too.
#[derive(Debug, PartialEq)]
struct Source {
    fields: Vec<(String, String)>,
}

impl Source {
    /// All binary package sources below apt's configuration folder.
    fn all(folder: &Path) -> Vec<Self> {
        let listed = fs::read_dir(folder.join("sources.list.d")).into_iter().flatten().flatten();
        let mut files: Vec<_> = listed.map(|entry| entry.path()).chain([folder.join("sources.list")]).collect();
        files.sort();
        let mut sources = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_default();
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("sources") => sources.extend(Self::from_stanzas(&text)),
                Some("list") => sources.extend(text.lines().filter_map(Self::from_line)),
                _ => {}
            }
        }
        sources.retain(|source| {
            source.words("Types").any(|kind| kind == "deb") && source.words("Enabled").all(|w| w != "no")
        });
        sources
    }

    /// The stanzas of a `.sources` file; a line that begins with a blank continues the field above it.
    fn from_stanzas(text: &str) -> Vec<Self> {
        let mut sources = vec![Self { fields: Vec::new() }];
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields = &mut sources.last_mut().expect("never empty").fields;
            if line.trim().is_empty() {
                sources.push(Self { fields: Vec::new() });
            } else if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut() {
                    *value += &format!("\n{line}");
                }
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.to_owned(), value.trim().to_owned()));
            }
        }
        sources.retain(|source| !source.fields.is_empty());
        sources
    }

    /// `deb [option=value …] uri suite component …`
    fn from_line(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("deb")?;
        let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(bracket) => bracket.split_once(']')?,
            None => ("", rest),
        };
        let mut words = rest.split_whitespace();
        let mut fields = vec![
            ("Types".to_owned(), "deb".to_owned()),
            ("URIs".to_owned(), words.next()?.to_owned()),
            ("Suites".to_owned(), words.next()?.to_owned()),
        ];
        fields.push(("Components".to_owned(), words.collect::<Vec<_>>().join(" ")));
        for (name, value) in options.split_whitespace().filter_map(|option| option.split_once('=')) {
            let name = match name {
                "arch" => "Architectures",
                "signed-by" => "Signed-By",
                "trusted" => "Trusted",
                _ => continue,
            };
            fields.push((name.to_owned(), value.replace(',', " ")));
        }
        Some(Self { fields })
    }

    fn words<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.fields.iter().filter(move |(field, _)| field.eq_ignore_ascii_case(name));
        named.flat_map(|(_, value)| value.split_whitespace())
    }

    fn offers(&self, suite: &str) -> bool {
        self.words("Suites").any(|offered| offered == suite)
    }

    /// The same mirror, keys and components for another suite.
    fn with_suite(&self, suite: &str) -> String {
        let line = |(name, value): &(String, String)| match name.eq_ignore_ascii_case("suites") {
            true => format!("{name}: {suite}\n"),
            false if value.starts_with('\n') => format!("{name}:{value}\n"),
            false => format!("{name}: {value}\n"),
        };
        self.fields.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stanza_keeps_its_mirror_and_keys_under_another_suite() {
        let text = "# plain\nTypes: deb\nURIs: http://mirror/debian\nSuites: green green-updates\nComponents: main\nSigned-By:\n key\n\n\nTypes: deb\nSuites: other\n";
        let sources = Source::from_stanzas(text);
        assert_eq!(sources.len(), 2);
        assert!(sources[0].offers("green") && !sources[0].offers("green-backports"));
        assert_eq!(
            sources[0].with_suite("green-backports"),
            "Types: deb\nURIs: http://mirror/debian\nSuites: green-backports\nComponents: main\nSigned-By:\n key\n"
        );
    }

    #[test]
    fn a_one_line_entry_reads_as_a_stanza() {
        let source =
            Source::from_line("deb [arch=amd64,arm64 signed-by=/k.gpg] http://mirror/debian green main contrib")
                .unwrap();
        assert_eq!(
            source.with_suite("green-backports"),
            "Types: deb\nURIs: http://mirror/debian\nSuites: green-backports\nComponents: main contrib\nArchitectures: amd64 arm64\nSigned-By: /k.gpg\n"
        );
        assert_eq!(Source::from_line("deb-src http://mirror green main"), None);
        assert_eq!(Source::from_line("# deb http://mirror green main"), None);
    }
}
