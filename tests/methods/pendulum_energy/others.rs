//! The same runs with implicit Euler, half-explicit methods and Runge–Kutta, with their projections and without.

use super::{Method, Run, run_within};
use taut::method::{HalfExplicit, ImplicitEuler, RungeKutta4};

/// Case, h, and max |ΔE|, the last ΔE, the error of the position, max | |q| − 1 |.
type Row = (usize, f64, [f64; 4]);

/// The label of the reference, the rows, and the largest drift of the position constraint that is allowed.
fn assert_rows(label: &str, limit: f64, method: &Method, rows: &[Row]) {
    for &(case, h, [energy, last_energy, position, length]) in rows {
        let steps = (1000.0 / h).round() as usize;
        let run: Run = run_within(limit, (case, h, steps), method);
        let label = format!("C.case{case}.{label}.h{h}");
        // The tolerances of the reference: 1e-3 of the largest; what round-off adds in a million steps below that.
        let tolerance = 1e-3 * energy + 2e-13;
        assert!((run.energy - energy).abs() <= tolerance, "{label}: max |ΔE| {:e}", run.energy);
        assert!((run.last_energy - last_energy).abs() <= tolerance, "{label}: last ΔE {:e}", run.last_energy);
        assert!((run.position - position).abs() <= 1e-3 * position + 1e-9, "{label}: position {:e}", run.position);
        assert!((run.length - length).abs() <= 1e-3 * length + 1e-14, "{label}: length {:e}", run.length);
    }
}

#[test]
fn implicit_euler_loses_energy_as_the_reference_does() {
    assert_rows(
        "implEuler3",
        1e-8,
        &ImplicitEuler::new(),
        &[
            (1, 0.01, [0.004995609135778234, -0.004995609135778234, 0.09352536588912069, 0.0]),
            (1, 0.001, [0.0031648294471711136, -0.0031648294471711136, 0.04332441296212016, 0.0]),
            (2, 0.01, [1.4999743779439703, -1.4999743779439703, 1.6847653681026673, 0.0]),
            (2, 0.001, [1.223199619052599, -1.223199619052599, 1.9606233486861089, 0.0]),
        ],
    );
}

#[test]
fn half_explicit_methods_drift_as_the_reference_does() {
    assert_rows(
        "HEM1",
        100.0,
        &HalfExplicit::order_one().without_projection(),
        &[
            (1, 0.01, [31.878805809802067, 31.878805809802067, 6.737083663037792, 6.721237698374378]),
            (1, 0.001, [0.004334537623902235, 0.004334537623902235, 0.00594568265244396, 0.004290916782833332]),
            (2, 0.001, [2.9852897719072313, 2.9852897719072313, 1.674915246736575, 0.9026363870816874]),
        ],
    );
    assert_rows(
        "HEM2",
        1e-2,
        &HalfExplicit::order_two().without_projection(),
        &[
            (1, 0.01, [6.304228828968306e-07, 6.150371216762096e-07, 0.0005624615839078241, 7.519581703974154e-07]),
            (1, 0.001, [1.2386093262151121e-09, 4.858574653709979e-10, 5.6773284875843066e-06, 1.875923194560869e-09]),
            (2, 0.01, [0.001325064803299636, 0.001280914958637469, 0.08167866295281742, 0.00044573904713485213]),
            (2, 0.001, [1.6615335087788452e-06, 1.2063696825936887e-06, 2.7240884041577044e-05, 6.705236959003713e-07]),
        ],
    );
    assert_rows(
        "HEM3",
        1e-2,
        &HalfExplicit::order_three().without_projection(),
        &[
            (1, 0.01, [2.1321611243241279e-07, -2.1321611243241279e-07, 6.671842525052724e-06, 2.0944413625656466e-07]),
            (1, 0.001, [2.1324042531745135e-10, -2.132403142951489e-10, 6.661240185134981e-09, 2.0945167822361554e-10]),
            (2, 0.01, [0.000589591045631721, -0.000589591045631721, 0.06731839898985158, 0.0001403959926554732]),
            (2, 0.001, [5.898501265200196e-07, -5.898501265200196e-07, 5.797653123330947e-05, 1.404498216617256e-07]),
        ],
    );
    assert_rows(
        "HEM4",
        1e-2,
        &HalfExplicit::order_four().without_projection(),
        &[
            (1, 0.01, [1.500022328571049e-12, -1.326938559031987e-12, 1.3120614542023618e-09, 1.2994050280212832e-12]),
            (2, 0.01, [2.430084933280341e-08, -2.339193527767236e-08, 2.1526900410150674e-06, 5.003608305464979e-09]),
        ],
    );
}

/// Of orders 1 and 3. Those of order 2 and 4 are sensitive to where the gradients are taken along which positions are projected: ours
/// at the beginning of the step, the reference's at its end.
#[test]
fn half_explicit_methods_with_projection_are_those_of_the_reference() {
    assert_rows(
        "HEM1+proj",
        1e-8,
        &HalfExplicit::order_one(),
        &[(1, 0.001, [0.008635371225860666, 0.008635371225860666, 0.07041619539559792, 0.0])],
    );
    assert_rows(
        "HEM3+proj",
        1e-8,
        &HalfExplicit::order_three(),
        &[
            (1, 0.01, [4.2187994087061753e-07, -4.2187994087061753e-07, 4.88530800488807e-06, 0.0]),
            (1, 0.001, [4.2200154481975005e-10, -4.2200154481975005e-10, 4.876248509529731e-09, 0.0]),
            (2, 0.01, [0.0006681164128645722, -0.00066811331561345, 0.06524959488396245, 0.0]),
            (2, 0.001, [6.68511579204889e-07, -6.685051168187073e-07, 5.647087774783044e-05, 0.0]),
        ],
    );
}

/// Where the method's error is above round-off, which an acceleration that is off by a fraction of ε makes grow like t²/2.
#[test]
fn runge_kutta_is_that_of_the_reference_bare_and_projected() {
    assert_rows(
        "RK4idx1",
        1e-2,
        &RungeKutta4::new().bare(),
        &[
            (1, 0.01, [1.3003988108550857e-08, 1.3003988108550857e-08, 7.117142766976262e-08, 1.2978745411729165e-08]),
            (2, 0.01, [0.0009139572424901043, 0.0009134328378892498, 0.0244345674515095, 0.000667810121118606]),
            (2, 0.001, [9.134402279009635e-08, 9.128943245784171e-08, 2.6093816421589102e-06, 6.673976604698595e-08]),
        ],
    );
    assert_rows(
        "RK4idx1+proj",
        1e-8,
        &RungeKutta4::new(),
        &[
            (1, 0.01, [7.043809979734306e-12, -7.043809979734306e-12, 2.772854627400427e-09, 0.0]),
            (2, 0.01, [4.78135548931391e-08, -4.7314083317928635e-08, 3.776879456752875e-06, 0.0]),
        ],
    );
}
