//! The wrapper of a rig's machine: a fault injector on host and emulator, nothing on a board.

#[cfg(feature = "inject")]
mod injector {
    use taut::supervise::Faulty;

    #[cfg(feature = "firmware")]
    pub use crate::injected::Divert;

    pub type AroundMachine<Machine> = Faulty<Machine, f32>;

    pub fn around_machine<Machine>(machine: Machine) -> AroundMachine<Machine> {
        Faulty::new(machine)
    }

    pub fn inner<Machine>(machine: &AroundMachine<Machine>) -> &Machine {
        &machine.inner
    }

    pub fn inner_mut<Machine>(machine: &mut AroundMachine<Machine>) -> &mut Machine {
        &mut machine.inner
    }
}

#[cfg(not(feature = "inject"))]
mod injector {
    /// Every plan: without faults, none is led astray.
    #[cfg(feature = "firmware")]
    pub trait Divert<const D: usize>: taut::control::Feedforward {}

    #[cfg(feature = "firmware")]
    impl<Plan: taut::control::Feedforward, const D: usize> Divert<D> for Plan {}

    pub type AroundMachine<Machine> = Machine;

    pub fn around_machine<Machine>(machine: Machine) -> Machine {
        machine
    }

    pub fn inner<Machine>(machine: &Machine) -> &Machine {
        machine
    }

    pub fn inner_mut<Machine>(machine: &mut Machine) -> &mut Machine {
        machine
    }
}

pub use injector::*;
