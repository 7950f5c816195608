//! The two parts of `cargo xtask advise`: on a machine, count the instructions of a step with every method; on this computer, recommend
//! a method, precision and rate from these costs.

/// Whether a word is in a list separated by commas. A `const fn`, for choices at compile time.
pub const fn lists(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let mut begin = 0;
    while begin <= list.len() {
        let mut length = 0;
        let mut is_equal = true;
        while begin + length < list.len() && list[begin + length] != b',' {
            is_equal = is_equal && length < word.len() && list[begin + length] == word[length];
            length += 1;
        }
        if is_equal && length == word.len() {
            return true;
        }
        begin += length + 1;
    }
    false
}

#[cfg(target_os = "none")]
pub mod cost {
    //! The costs of a step.

    use semihosting::println;
    use taut::system::{ConstantMass, Mechanical};

    use crate::digits::Digits;
    use crate::measure;
    use crate::methods::combinations::{visit_methods, visit_methods_for_any_mass};
    use crate::methods::cost::Count;
    use crate::methods::problem::Judged;

    /// Starts the counter and prints its readings for code of known length.
    pub fn begin() -> Count {
        measure::start();
        let count = Count::with_rounds();
        let (instructions, ticks) = measure::rounds::calibration();
        println!("long {instructions} {ticks}");
        count
    }

    /// Prints the cost of a step of the system in a precision, for every method.
    pub fn constant<System, P, const N: usize, const M: usize>(count: &mut Count)
    where
        System: Judged<N, M, Mass: ConstantMass<<System as Mechanical<N, M>>::Base, N>>,
        P: Digits,
    {
        visit_methods::<System, P, N, M>(count);
    }

    pub use constant as redundant;

    /// The same for a mass that varies.
    pub fn varying<System, P, const N: usize, const M: usize>(count: &mut Count)
    where
        System: Judged<N, M>,
        P: Digits,
    {
        visit_methods_for_any_mass::<System, P, N, M>(count);
    }
}

#[cfg(not(target_os = "none"))]
pub mod recommend {
    //! The recommendation, for each kind of system.

    use std::collections::BTreeMap;
    use std::error::Error;
    use std::string::{String, ToString};
    use std::vec::Vec;
    use std::{env, format, fs, print, println};

    use taut::advise::{Advice, Digits, Study, StudyError, Trial, Wanted, Way};
    use taut::scalar::Float;
    use taut::system::ConstantMass;

    use crate::methods::problem::Judged;

    /// The rates in hertz that are always tried, in addition to the requested ones.
    const RATES: [f64; 8] = [50.0, 100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0];

    /// The arguments of the program.
    struct Question {
        /// The cost of a step on the machine.
        costs: BTreeMap<Way, f64>,
        /// The wanted error.
        error: f64,
        /// The slowest and the fastest rate.
        rates: [f64; 2],
        /// The unit of the costs.
        unit: String,
    }

    /// The outcome of the program.
    type Outcome<T = ()> = Result<T, std::boxed::Box<dyn Error>>;

    /// Tries every method on a system with a constant mass.
    pub fn constant<Single, Double, const N: usize, const M: usize>() -> Outcome
    where
        Single: Judged<N, M, Base = f32, Mass: ConstantMass<f32, N>>,
        Double: Judged<N, M, Base = f64, Mass: ConstantMass<f64, N>>,
    {
        answer(|question| {
            let single = study::<Single, f32, N, M>(&Digits::ALL, question, |study| study.run())?;
            Ok(single.joined(study::<Double, f64, N, M>(&[Digits::Plain], question, |study| study.run())?))
        })
    }

    /// The same for constraints that depend on each other.
    pub fn redundant<Single, Double, const N: usize, const M: usize>() -> Outcome
    where
        Single: Judged<N, M, Base = f32, Mass: ConstantMass<f32, N>>,
        Double: Judged<N, M, Base = f64, Mass: ConstantMass<f64, N>>,
    {
        answer(|question| {
            let single = study::<Single, f32, N, M>(&Digits::ALL, question, |study| study.redundant().run())?;
            Ok(single.joined(study::<Double, f64, N, M>(&[Digits::Plain], question, |study| study.redundant().run())?))
        })
    }

    /// The same for a mass that varies.
    pub fn varying<Single, Double, const N: usize, const M: usize>() -> Outcome
    where
        Single: Judged<N, M, Base = f32>,
        Double: Judged<N, M, Base = f64>,
    {
        answer(|question| {
            let single = study::<Single, f32, N, M>(&Digits::ALL, question, |study| study.run_any_mass())?;
            Ok(single.joined(study::<Double, f64, N, M>(&[Digits::Plain], question, |study| study.run_any_mass())?))
        })
    }

    /// Reads the arguments: a file of costs (`rattle plain-f32 132`), the wanted error, the slowest and the fastest rate, and the unit of
    /// the costs. Prints every trial, the Pareto front, the choice, and a table.
    fn answer(advice: impl FnOnce(&Question) -> Outcome<Advice>) -> Outcome {
        let question = question()?;
        let advice = advice(&question)?;
        let advice = advice.with_costs(question.unit, |way| question.costs.get(&way).copied());
        let row = |what: &str, trial: &Trial| {
            let Way { base, digits, method } = trial.way;
            let error = advice.error_of(trial).unwrap_or(f64::INFINITY);
            let cost = trial.cost_per_second().unwrap_or(f64::INFINITY);
            println!("{what} {method} {digits}-{base} {} {error:e} {cost:e}", trial.rate);
        };
        advice.trials.iter().for_each(|trial| row("trial", trial));
        advice.front().into_iter().for_each(|trial| row("front", trial));
        let wanted = Wanted::error(question.error).rates(question.rates[0]..=question.rates[1]);
        if let Some(trial) = advice.cheapest(&wanted) {
            row("choice", trial);
        }
        print!("table\n{advice}");
        Ok(())
    }

    fn study<System, T, const N: usize, const M: usize>(
        digits: &[Digits],
        question: &Question,
        run: impl FnOnce(Study<'_, System, T, N, M>) -> Result<Advice, StudyError<T>>,
    ) -> Outcome<Advice>
    where
        T: Float,
        System: Judged<N, M, Base = T>,
    {
        let system = System::system();
        let [position, velocity] = system.initial();
        let mut rates: Vec<f64> = RATES.to_vec();
        rates.extend(question.rates.iter().filter(|rate| rate.is_finite() && **rate > 0.0));
        rates.sort_by(f64::total_cmp);
        rates.dedup();
        let study = Study::of(&system, position).moving(velocity).lasting(System::DURATION);
        let study = study.carrying(digits.iter().copied()).at_rates(rates);
        run(study).map_err(|error| error.to_string().into())
    }

    fn question() -> Outcome<Question> {
        let arguments: Vec<String> = env::args().skip(1).collect();
        let [file, error, slowest, fastest, unit] = arguments.as_slice() else {
            return Err("usage: advise COSTS ERROR SLOWEST FASTEST UNIT".into());
        };
        let mut costs = BTreeMap::new();
        for line in fs::read_to_string(file)?.lines() {
            let cost = line.rsplit_once(' ').and_then(|(way, cost)| Some((Way::from_words(way)?, cost)));
            let (way, cost) = cost.ok_or_else(|| format!("not a method and a cost: {line}"))?;
            costs.insert(way, cost.parse()?);
        }
        let rates = [slowest.parse()?, fastest.parse()?];
        Ok(Question { costs, error: error.parse()?, rates, unit: unit.clone() })
    }
}
