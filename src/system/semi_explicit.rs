//! Differential-algebraic systems y' = f, 0 = g of index 1 and 2.

use super::automatic::from_partials;
use crate::linalg::{Matrix, Vector, pivot_tolerance};
use crate::scalar::{Dual, Float, Real};

/// y' = f(t, y, z), 0 = g with `Y` differential and `Z` algebraic variables (Hairer, *Solving Differential Equations on
/// Manifolds*, IV.2):
///
/// | [`INDEX`](Self::INDEX) | constraint | condition | hidden constraint |
/// |---|---|---|---|
/// | 1 | 0 = g(t, y, z) | g_z regular | |
/// | 2 | 0 = g(t, y) | g_y f_z regular | g_y f + g_t = 0 |
/// | [`MIXED`] | 0 = g(t, y, z) | g_z of constant rank below `Z` | that of the combinations of rows that do not use z |
///
/// With a mixed index, rows are combined by elimination in g_z: as many as it has rank determine a part of z, the others g₂(t, y) have index
/// 2. The derivatives by z of both kinds must make a regular matrix. The combinations may change with time and with y; only
/// [`HalfExplicit`](crate::method::HalfExplicit) needs the same ones at both ends of a stage.
///
/// A control that keeps a system on a path has index 2: z are the actuator inputs, g is the distance from the path.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::scalar::Real;
/// use taut::system::SemiExplicit;
///
/// /// A cart whose speed is steered so that it stays on sin t.
/// struct Cart;
/// impl SemiExplicit<1, 1> for Cart {
///     type Base = f64;
///     const INDEX: usize = 2;
///     fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![z[0] - y[0]]
///     }
///     fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
///         vector![y[0] - t.sin()]
///     }
/// }
/// assert_eq!(Cart.algebraic_matrix(0.0, &vector![0.0], &vector![1.0])[0], 1.0); // g_y f_z
/// assert_eq!(Cart.hidden_constraint(0.0, &vector![0.0], &vector![1.0])[0], 0.0); // z − y − cos t
/// ```
pub trait SemiExplicit<const Y: usize, const Z: usize> {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// 1, 2 or [`MIXED`]. With index 2 the constraint must not use z.
    const INDEX: usize;

    /// f(t, y, z): the rate of the differential variables.
    fn rate<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Y>;

    /// g(t, y, z), zero where the constraint holds.
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Z>;

    /// g_y f + g_t: the time derivative of a constraint that does not use z.
    fn hidden_constraint<S: Real<Base = Self::Base>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Z> {
        let rate = self.rate(t, y, z);
        let along = y.zip_map(&rate, |y, f| Dual::<S, 1, Self::Base>::new(y, [f]));
        let time = Dual::new(t, [S::one()]);
        self.constraint(time, &along, &z.map(Dual::constant)).map(|g| g.partials[0])
    }

    /// The matrix that must be regular: g_z for index 1, g_y f_z for index 2; for a mixed index, rows of both.
    fn algebraic_matrix(
        &self,
        t: Self::Base,
        y: &Vector<Self::Base, Y>,
        z: &Vector<Self::Base, Z>,
    ) -> Matrix<Self::Base, Z, Z> {
        from_partials(&self.algebraic(t, y, Dual::variables(z.data.0[0]).into()))
    }

    /// The equation that determines z for given y, with its derivative: g for index 1, the hidden constraint for index 2; for a mixed index,
    /// rows of both.
    #[doc(hidden)]
    #[inline]
    fn algebraic(
        &self,
        t: Self::Base,
        y: &Vector<Self::Base, Y>,
        z: Vector<Dual<Self::Base, Z>, Z>,
    ) -> Vector<Dual<Self::Base, Z>, Z> {
        const { assert!(Self::INDEX <= 2, "the index is 1, 2 or MIXED") };
        let (t, y) = (Dual::constant(t), y.map(Dual::constant));
        match Self::INDEX {
            1 => self.constraint(t, &y, &z),
            2 => self.hidden_constraint(t, &y, &z),
            _ => {
                // The elimination needs g_z, also where only values are wanted.
                let z = Dual::variables(z.map(|z| z.value).data.0[0]).into();
                mixed(self.constraint(t, &y, &z), self.hidden_constraint(t, &y, &z))
            }
        }
    }
}

/// The [`INDEX`](SemiExplicit::INDEX) of a system with constraints of index 1 and of index 2.
pub const MIXED: usize = 0;

/// The rows of g that determine z, and those of `beside` in place of the others. Both are combined by elimination in g_z first, so that the
/// others do not use z.
pub(crate) fn mixed<T: Float, const Z: usize>(
    mut g: Vector<Dual<T, Z>, Z>,
    mut beside: Vector<Dual<T, Z>, Z>,
) -> Vector<Dual<T, Z>, Z> {
    let determines = eliminate(from_partials(&g), |row, pivot, factor| {
        subtract_row(&mut g.data.0[0], row, pivot, factor);
        subtract_row(&mut beside.data.0[0], row, pivot, factor);
    });
    for ((own, other), determines) in g.iter_mut().zip(&beside).zip(determines) {
        *own = if determines { *own } else { *other };
    }
    g
}

/// x_row ← x_row − x_pivot factor.
#[inline(always)]
pub(crate) fn subtract_row<T: Float, S: Real<Base = T>, const Z: usize>(
    x: &mut [S; Z],
    row: usize,
    pivot: usize,
    factor: T,
) {
    if let (Some(from), Some(to)) = (x.get(pivot).copied(), x.get_mut(row)) {
        *to -= from * factor;
    }
}

/// Elimination with full pivoting in a matrix, relative to the size of each row; `subtract` is called with a row, the pivot's row and the
/// factor. Returns which rows have a pivot.
pub(crate) fn eliminate<T: Float, const Z: usize>(
    matrix: Matrix<T, Z, Z>,
    mut subtract: impl FnMut(usize, usize, T),
) -> [bool; Z] {
    let mut rows = matrix.transpose().data.0; // rows[row][column]
    let sizes = rows.map(|row| row.iter().fold(T::zero(), |size, x| if x.abs() > size { x.abs() } else { size }));
    // Zeros that were computed are a few ε.
    let limit = pivot_tolerance::<T>(Z) * T::from_f64(4.0);
    let mut has_pivot = [false; Z];
    for _ in 0..Z {
        let (mut largest, mut at) = (limit, None);
        for (i, ((row, size), has_pivot)) in rows.iter().zip(&sizes).zip(&has_pivot).enumerate() {
            for (j, entry) in row.iter().enumerate() {
                if !has_pivot && entry.abs() > largest * *size {
                    (largest, at) = (entry.abs() / *size, Some((i, j)));
                }
            }
        }
        let Some((i, j)) = at.filter(|&(i, j)| i < Z && j < Z) else { break };
        has_pivot[i] = true;
        let (pivot_row, pivot) = (rows[i], rows[i][j]);
        for (row, entries) in rows.iter_mut().enumerate() {
            if has_pivot.get(row) == Some(&false) {
                let factor = entries[j] / pivot;
                for (entry, pivot_entry) in entries.iter_mut().zip(&pivot_row) {
                    *entry -= *pivot_entry * factor;
                }
                entries[j] = T::zero();
                subtract(row, i, factor);
            }
        }
    }
    has_pivot
}
