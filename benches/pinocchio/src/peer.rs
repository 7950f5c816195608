//! Pinocchio in a process of its own, which answers a line for a line.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::linkage::{Case, Run};

/// One of Pinocchio's algorithms for accelerations.
pub struct Method {
    /// Its name there.
    pub name: &'static str,
    /// For closed chains, or for open ones.
    pub closed: bool,
    /// What Pinocchio adds to the diagonal of G M⁻¹ Gᵀ, as its documentation advises. Zero is not possible: the closing joint has a third
    /// component, which is redundant in the plane. In `lcaba`, a smaller one loses more digits than it gains.
    regularisation: f64,
}

/// Those that are timed; the tables show the fastest.
pub const METHODS: [Method; 4] = [
    Method { name: "aba_local", closed: false, regularisation: 0.0 },
    Method { name: "aba_world", closed: false, regularisation: 0.0 },
    Method { name: "lcaba", closed: true, regularisation: 1e-6 },
    Method { name: "constraintDynamics", closed: true, regularisation: 1e-12 },
];

/// The process; it ends with this.
pub struct Peer {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts the program.
    pub fn start(program: &str) -> Self {
        let mut command = Command::new(program);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let questions = process.stdin.take().expect("its input");
        let answers = BufReader::new(process.stdout.take().expect("its output"));
        Self { process, questions, answers }
    }

    /// Gives it a linkage.
    pub fn take(&mut self, case: &Case) {
        let mut question =
            format!("linkage {} {} {:e} {:e}", case.rods.len(), u8::from(case.closed), case.span, case.step);
        for rod in &case.rods {
            for number in [rod.length, rod.mass, rod.centre, rod.inertia, rod.angle, rod.rate] {
                write!(question, " {number:e}").expect("a string takes text");
            }
        }
        assert_eq!(self.ask(&question), "ready");
    }

    /// Runs a number of steps from the start.
    pub fn run(&mut self, method: &Method, steps: usize) -> Run {
        let answer = self.ask(&format!("run {} {:e} {steps}", method.name, method.regularisation));
        let numbers: Option<Vec<f64>> = answer.split(' ').map(|number| number.parse().ok()).collect();
        let numbers = numbers.unwrap_or_else(|| panic!("Pinocchio says: {answer}"));
        let ends = numbers[1..].chunks_exact(2).map(|end| [end[0], end[1]]).collect();
        Run { seconds: numbers[0], ends }
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.questions, "{question}").expect("the program listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the program answers");
        answer.trim_end().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It has no state to save.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
