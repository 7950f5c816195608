use taut::control::{Actuated, Sensed};

impl Actuated<2, 1, 1> for SliderCrank {
    fn actuation<S: Real<Base = f32>>(&self, _q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        matrix![S::one(); S::zero()] // the motor turns the crank
    }
    fn output<S: Real<Base = f32>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[1]] // the slider has to follow the path
    }
}

impl Sensed<2, 1, 1> for SliderCrank {
    fn sensors<S: Real<Base = f32>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[0]] // an encoder on the motor's shaft
    }
}
