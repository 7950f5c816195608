//! Pinocchio beside taut, if its Python wheel is installed: the wheel brings headers, which `benches/pinocchio/cpp` includes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;

/// How to install what is needed. Pinocchio's wheel has no Eigen.
pub const ADVICE: &str = "pip install pin cmeel-eigen";

/// Prints the versions of Pinocchio and Eigen and the folder that the wheels share; fails if one is not installed.
const LOCATE: &str = "from importlib.metadata import distribution as d\n\
                      print(d('libpinocchio').version, d('cmeel-eigen').version, d('libpinocchio').locate_file('cmeel.prefix'))";

/// What Pinocchio's build system defines for every user, and what a person who measures asks for.
const FLAGS: [&str; 9] = [
    "-std=c++17",
    "-O3",
    "-march=native",
    "-DNDEBUG",
    "-w",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
];

/// Pinocchio as installed on this computer.
pub struct Pinocchio {
    version: String,
    eigen: String,
    prefix: PathBuf,
}

impl Pinocchio {
    /// `None` if it is not installed.
    pub fn installed() -> Option<Self> {
        let found = located(&shell::ask("python3", &["-c", LOCATE])?)?;
        found.prefix.join("include/eigen3/Eigen").is_dir().then_some(found)
    }

    /// Steps the systems in turns and returns what was printed, the versions first.
    pub fn run(&self, systems: &[String], quick: Option<&str>) -> Result<String> {
        let program = self.compiled()?;
        let build = "build taut's side of the comparison with Pinocchio";
        shell::run(build, &mut shell::cargo("benches/pinocchio", &["build", "--quiet", "--release"]))?;
        let mut command = shell::cargo("benches/pinocchio", &["run", "--quiet", "--release", "--"]);
        command.arg(program).args(systems.iter().map(|system| system.replace('-', "_"))).args(quick);
        let output = shell::capture("step taut and Pinocchio in turns", &mut command)?;
        Ok(format!("version pinocchio {}\nversion eigen {}\n{output}", self.version, self.eigen))
    }

    /// Compiles the program unless it is newer than its source.
    fn compiled(&self) -> Result<PathBuf> {
        let source = shell::root().join("benches/pinocchio/cpp/linkage.cpp");
        let folder = shell::target().join("benches");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let program = folder.join(format!("linkage-{}-{}", self.version, self.eigen));
        if !is_newer(&program, &source) {
            let include = self.prefix.join("include");
            let mut command = Command::new("g++");
            command.args(FLAGS).arg("-isystem").arg(&include).arg("-isystem").arg(include.join("eigen3"));
            command.arg(&source).arg("-o").arg(&program);
            shell::run("compile Pinocchio's side, which takes several minutes the first time", &mut command)?;
        }
        Ok(program)
    }
}

/// From the line that [`LOCATE`] prints; the folder may contain spaces.
fn located(line: &str) -> Option<Pinocchio> {
    let mut words = line.trim_end().splitn(3, ' ');
    let [version, eigen, prefix] = [words.next()?, words.next()?, words.next()?];
    Some(Pinocchio { version: version.to_owned(), eigen: eigen.to_owned(), prefix: prefix.into() })
}

/// Whether a file exists and is newer than another.
fn is_newer(file: &Path, than: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    modified(file).is_some_and(|file| modified(than).is_some_and(|than| file > than))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_located_wheel_has_versions_and_a_folder() {
        let found = located("4.1.0 3.4.1 /a folder/cmeel.prefix\n").unwrap();
        assert_eq!((found.version.as_str(), found.eigen.as_str()), ("4.1.0", "3.4.1"));
        assert_eq!(found.prefix, Path::new("/a folder/cmeel.prefix"));
        assert!(located("").is_none());
    }

    #[test]
    fn a_program_that_does_not_exist_is_compiled() {
        let source = shell::root().join("benches/pinocchio/cpp/linkage.cpp");
        assert!(source.is_file() && !is_newer(Path::new("no such program"), &source));
    }
}
