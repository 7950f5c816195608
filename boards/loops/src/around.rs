//! The wrapper of a rig's machine: a fault injector on host and emulator, nothing on a board.

#[cfg(feature = "inject")]
mod injector {
    use taut::supervise::Faulty;

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
