use taut::prelude::*;

/// q = (φ, s): the angle of a crank of 0.1 m and the place of a slider, with a rod of
/// 0.5 m between them.
#[derive(Clone, Copy)]
struct SliderCrank {
    torque: f32, // of the motor on the crank, N m
}

impl Mechanical<2, 1> for SliderCrank {
    type Base = f32;
    type Mass = Diagonal<f32, 2>;
    const ANGLES: [bool; 2] = [true, false];

    fn mass(&self) -> Diagonal<f32, 2> {
        Diagonal::new([0.1, 5.0]) // kg m², kg
    }
    fn force<S: Real<Base = f32>>(
        &self, _t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>,
    ) -> Vector<S, 2> {
        vector![S::from(self.torque), v[1] * -2.0] // N m, and the slider's friction, N
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let (sin, cos) = q[0].sin_cos();
        // From the end of the crank to the slider.
        let (along, across) = (q[1] - cos * 0.1, sin * 0.1);
        vector![(along * along + across * across - 0.25) * 0.5]
    }
}
