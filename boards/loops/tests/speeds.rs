//! A motor is told the speed of its target, so that it can compensate its back-EMF.

use loops::five_bar;
use taut::device::Machine;
use taut::supervise::{Output, Request, State};

/// Reads where it is told to be, and keeps the speeds that it is driven with.
struct Told {
    readings: [f32; 2],
    speeds: Option<[f32; 2]>,
}

impl Machine<f32, 2, 2> for Told {
    type Error = ();

    fn read(&mut self) -> Result<[f32; 2], ()> {
        Ok(self.readings)
    }
    fn drive(&mut self, _: &[f32; 2], speeds: &[f32; 2]) -> Result<(), ()> {
        self.speeds = Some(*speeds);
        Ok(())
    }
}

#[test]
fn a_motor_is_driven_with_the_speed_of_its_target() {
    let (supervisor, mut control) = five_bar::control(1_000).expect("the loop");
    let mut machine = Told { readings: control.record().readings.into(), speeds: None };
    supervisor.request(&mut control, Request::Run).expect("an idle loop runs");
    let (mut targets, mut speeds) = (vec![], vec![]);
    for _ in 0..3_000 {
        supervisor.step(&mut control, &mut machine);
        let record = control.record();
        if record.output != Output::Off {
            machine.readings = (record.readings + record.errors).into();
        }
        if record.state == State::Running {
            targets.push(machine.readings);
            speeds.push(machine.speeds.expect("a running machine is driven"));
        }
    }
    assert!(targets.len() > 1_000, "two turns of the path");
    let mut fastest = 0.0_f32;
    for (around, speeds) in targets.windows(3).zip(&speeds[1..]) {
        for motor in 0..2 {
            let difference = (around[2][motor] - around[0][motor]) / 2e-3;
            // Rounding of targets of up to π: 2.4e-7/2e-3. The third derivative, below 4 rad/s · (12.6 rad/s)² · 10, times h²/6: 1e-3.
            assert!((speeds[motor] - difference).abs() < 2e-3, "{} for {difference}", speeds[motor]);
            fastest = fastest.max(speeds[motor].abs());
        }
    }
    assert!(fastest > 1.0, "{fastest} rad/s");
}
