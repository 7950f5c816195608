//! A bridge that notes in which order it is told what, and whose n-th call fails.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::pwm::{self, SetDutyCycle};

/// What a bridge was told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    Duty(u16),
    Direction(bool),
    Enable(bool),
}

/// What a bridge has seen, and how it is now.
#[derive(Debug, Default)]
pub struct Bridge {
    /// Every call that was obeyed.
    pub told: Vec<Told>,
    /// The call that fails, counted from zero.
    pub failing: Option<usize>,
    pub calls: usize,
    pub duty: u16,
    pub forward: bool,
    pub on: bool,
    /// After each call, whether it turns forwards and the duty that the motor sees.
    pub applied: Vec<(bool, u16)>,
}

/// A bridge that its timer and its two pins share.
pub type Shared = Rc<RefCell<Bridge>>;

/// Something on a bridge failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dead;

impl pwm::Error for Dead {
    fn kind(&self) -> pwm::ErrorKind {
        pwm::ErrorKind::Other
    }
}

impl digital::Error for Dead {
    fn kind(&self) -> digital::ErrorKind {
        digital::ErrorKind::Other
    }
}

impl Bridge {
    fn tell(&mut self, told: Told) -> Result<(), Dead> {
        self.calls += 1;
        if self.failing == Some(self.calls - 1) {
            return Err(Dead);
        }
        match told {
            Told::Duty(duty) => self.duty = duty,
            Told::Direction(forward) => self.forward = forward,
            Told::Enable(on) => self.on = on,
        }
        self.told.push(told);
        self.applied.push((self.forward, if self.on { self.duty } else { 0 }));
        Ok(())
    }
}

/// The timer of a bridge, with this many steps.
pub struct Timer(pub Shared, pub u16);
/// The direction pin.
pub struct DirectionPin(pub Shared);
/// The enable pin.
pub struct EnablePin(pub Shared);

impl pwm::ErrorType for Timer {
    type Error = Dead;
}

impl SetDutyCycle for Timer {
    fn max_duty_cycle(&self) -> u16 {
        self.1
    }
    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Dead> {
        assert!(duty <= self.1, "duty {duty} of {}", self.1);
        self.0.borrow_mut().tell(Told::Duty(duty))
    }
}

impl digital::ErrorType for DirectionPin {
    type Error = Dead;
}

impl OutputPin for DirectionPin {
    fn set_low(&mut self) -> Result<(), Dead> {
        self.0.borrow_mut().tell(Told::Direction(false))
    }
    fn set_high(&mut self) -> Result<(), Dead> {
        self.0.borrow_mut().tell(Told::Direction(true))
    }
}

impl digital::ErrorType for EnablePin {
    type Error = Dead;
}

impl OutputPin for EnablePin {
    fn set_low(&mut self) -> Result<(), Dead> {
        self.0.borrow_mut().tell(Told::Enable(false))
    }
    fn set_high(&mut self) -> Result<(), Dead> {
        self.0.borrow_mut().tell(Told::Enable(true))
    }
}

/// An encoder that gives what it is told, NaN included, and fails when it is told nothing.
pub struct Readings(pub Vec<Option<f32>>);

impl taut::device::Encoder<f32> for Readings {
    type Error = &'static str;
    fn read(&mut self) -> Result<f32, Self::Error> {
        self.0.remove(0).ok_or("dead")
    }
}

/// An encoder that always reads zero.
pub struct Zero;

impl taut::device::Encoder<f32> for Zero {
    type Error = Infallible;
    fn read(&mut self) -> Result<f32, Infallible> {
        Ok(0.0)
    }
}
