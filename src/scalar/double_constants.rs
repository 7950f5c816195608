//! Constants of the double-float's elementary functions, to twice the digits of their base scalar.
//!
//! The `f32` tables are the leading part of the `f64` tables, split anew.

/// What the elementary functions of a [`DoubleFloat`](super::DoubleFloat) over `T` need.
#[derive(Debug)]
pub struct DoubleConstants<T: 'static> {
    /// 1/n! for n = 0, 1, …, each as a high and a low part.
    pub(super) inverse_factorials: &'static [[T; 2]],
    /// Highest power of x that the Taylor series of the exponential needs for |x| ≤ ln(2)/2.
    pub(super) exponential_degree: usize,
    /// Highest power of x that the Taylor series of sine and cosine need for |x| ≤ π/4.
    pub(super) circular_degree: usize,
    /// π/2 in three parts.
    pub(super) half_pi: [T; 3],
    /// ln 2 in three parts.
    pub(super) ln_2: [T; 3],
    /// 1/ln 2, rounded.
    pub(super) inverse_ln_2: T,
    /// Largest angle that the three-part π/2 reduces.
    pub(super) reduction_reach: T,
}

/// Splits a number of twice a double's digits into parts of an `f32` each.
const fn split<const PARTS: usize>(high: f64, low: f64) -> [f32; PARTS] {
    let mut parts = [0.0; PARTS];
    let mut rest = high;
    let mut i = 0;
    while i < PARTS {
        if i == 2 {
            // Two parts have taken 48 of the high part's 53 bits; only now does the low part fit beside the rest.
            rest += low;
        }
        parts[i] = rest as f32;
        rest -= parts[i] as f64;
        i += 1;
    }
    parts
}

const fn split_table<const N: usize>(table: &[[f64; 2]; 31]) -> [[f32; 2]; N] {
    let mut parts = [[0.0; 2]; N];
    let mut i = 0;
    while i < N {
        parts[i] = split(table[i][0], table[i][1]);
        i += 1;
    }
    parts
}

/// Truncation of the series: 0.347ⁿ/n! < 2⁻⁴⁸ from n = 13 on, 0.786ⁿ/n! from n = 17 on.
pub(super) static DOUBLE_F32: DoubleConstants<f32> = DoubleConstants {
    inverse_factorials: &INVERSE_FACTORIALS_F32,
    exponential_degree: 13,
    circular_degree: 18,
    half_pi: split(HALF_PI[0], HALF_PI[1]),
    ln_2: split(LN_2[0], LN_2[1]),
    inverse_ln_2: core::f32::consts::LOG2_E,
    reduction_reach: 4_194_304.0,
};

/// Truncation of the series: 0.347ⁿ/n! < 2⁻¹⁰⁶ from n = 24 on, 0.786ⁿ/n! from n = 28 on.
pub(super) static DOUBLE_F64: DoubleConstants<f64> = DoubleConstants {
    inverse_factorials: &INVERSE_FACTORIALS,
    exponential_degree: 25,
    circular_degree: 30,
    half_pi: HALF_PI,
    ln_2: LN_2,
    inverse_ln_2: core::f64::consts::LOG2_E,
    reduction_reach: 1e9,
};

static INVERSE_FACTORIALS_F32: [[f32; 2]; 19] = split_table(&INVERSE_FACTORIALS);

const HALF_PI: [f64; 3] = [core::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
const LN_2: [f64; 3] = [core::f64::consts::LN_2, 2.3190468138462996e-17, 5.707708438416212e-34];

const INVERSE_FACTORIALS: [[f64; 2]; 31] = [
    [1.0, 0.0],
    [1.0, 0.0],
    [0.5, 0.0],
    [0.16666666666666666, 9.25185853854297e-18],
    [0.041666666666666664, 2.3129646346357427e-18],
    [0.008333333333333333, 1.1564823173178714e-19],
    [0.001388888888888889, -5.300543954373577e-20],
    [0.0001984126984126984, 1.7209558293420705e-22],
    [2.48015873015873e-05, 2.1511947866775882e-23],
    [2.7557319223985893e-06, -1.858393274046472e-22],
    [2.755731922398589e-07, 2.3767714622250297e-23],
    [2.505210838544172e-08, -1.448814070935912e-24],
    [2.08767569878681e-09, -1.20734505911326e-25],
    [1.6059043836821613e-10, 1.2585294588752098e-26],
    [1.1470745597729725e-11, 2.0655512752830745e-28],
    [7.647163731819816e-13, 7.03872877733453e-30],
    [4.779477332387385e-14, 4.399205485834081e-31],
    [2.8114572543455206e-15, 1.6508842730861433e-31],
    [1.5619206968586225e-16, 1.1910679660273754e-32],
    [8.22063524662433e-18, 2.2141894119604265e-34],
    [4.110317623312165e-19, 1.4412973378659527e-36],
    [1.9572941063391263e-20, -1.3643503830087908e-36],
    [8.896791392450574e-22, -7.911402614872376e-38],
    [3.868170170630684e-23, -8.843177655482344e-40],
    [1.6117375710961184e-24, -3.6846573564509766e-41],
    [6.446950284384474e-26, -1.9330404233703465e-42],
    [2.4795962632247976e-27, -1.2953730964765229e-43],
    [9.183689863795546e-29, 1.4303150396787322e-45],
    [3.279889237069838e-30, 1.5117542744029879e-46],
    [1.1309962886447716e-31, 1.0498015412959506e-47],
    [3.7699876288159054e-33, 2.5870347832750324e-49],
];
