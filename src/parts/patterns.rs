//! Which coordinates the constraints, the outputs, the motors and the masses of a list use, as constants: what makes the zeros of its
//! matrices known at compile time.

use super::table::{Entry, slot};
use crate::system::Pattern;

/// Coordinates by axis.
type ByAxis<const N: usize> = [[bool; N]; 3];

/// The coordinates that move a part along each axis.
const fn moves<const N: usize>(table: &[Entry], part: usize) -> ByAxis<N> {
    let Entry { kind, on, .. } = table[part];
    let (first, mut moves, mut i) = (slot(table, part).coordinate, [[false; N]; 3], 0);
    while i < kind.coordinates {
        let mut axis = 0;
        while axis < 3 {
            moves[axis][first + i] = !kind.by_axis || axis == i % 3;
            axis += 1;
        }
        i += 1;
    }
    if kind.follows {
        let mut k = 0;
        while k < on.len() {
            moves = either(moves, self::moves(table, on[k]), kind.by_axis);
            k += 1;
        }
    }
    moves
}

/// a or b. If axes are kept apart, each from its own; if not, all from all.
const fn either<const N: usize>(mut a: ByAxis<N>, b: ByAxis<N>, apart: bool) -> ByAxis<N> {
    let mut i = 0;
    while i < N {
        let any = b[0][i] || b[1][i] || b[2][i];
        let mut axis = 0;
        while axis < 3 {
            a[axis][i] = a[axis][i] || if apart { b[axis][i] } else { any };
            axis += 1;
        }
        i += 1;
    }
    a
}

/// The coordinates of a part and of those that it is on.
const fn reach<const N: usize>(table: &[Entry], part: usize) -> ByAxis<N> {
    let (mut reach, mut k) = (moves(table, part), 0);
    while k < table[part].on.len() {
        reach = either(reach, moves(table, table[part].on[k]), true);
        k += 1;
    }
    reach
}

const fn any_axis<const N: usize>(moves: &ByAxis<N>, coordinate: usize) -> bool {
    moves[0][coordinate] || moves[1][coordinate] || moves[2][coordinate]
}

/// The vectors whose products the constraints of a rigid body are.
const RIGID: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Which coordinates each constraint uses.
pub const fn pattern<const N: usize, const M: usize>(table: &[Entry]) -> Pattern<N, M> {
    let (mut entries, mut part) = ([[false; N]; M], 0);
    while part < table.len() {
        let (kind, reach, first) = (table[part].kind, reach::<N>(table, part), slot(table, part).row);
        let mut row = 0;
        while row < kind.constraints {
            let mut i = 0;
            while i < N {
                entries[first + row][i] = if kind.rigid {
                    let vectors = slot(table, part).coordinate + kind.coordinates - 9;
                    i >= vectors && i < vectors + 9 && {
                        let vector = (i - vectors) / 3;
                        vector == RIGID[row].0 || vector == RIGID[row].1
                    }
                } else if row < kind.rows_by_axis {
                    reach[row][i]
                } else {
                    any_axis(&reach, i)
                };
                i += 1;
            }
            row += 1;
        }
        part += 1;
    }
    Pattern::new(entries)
}

/// The coordinates that the motor of a part acts on: its own, or else those between the points or the shafts that it is on.
const fn shaft<const N: usize>(table: &[Entry], part: usize) -> [bool; N] {
    let (Entry { kind, on, .. }, reach) = (table[part], reach::<N>(table, part));
    let (mut shaft, mut i) = ([false; N], 0);
    while i < N {
        shaft[i] = if kind.coordinates == 1 { i == slot(table, part).coordinate } else { any_axis(&reach, i) };
        i += 1;
    }
    if kind.between_shafts {
        shaft = [false; N];
        let mut k = 0;
        while k < on.len() {
            let (of_arm, mut i) = (self::shaft::<N>(table, on[k]), 0);
            while i < N {
                shaft[i] = shaft[i] || of_arm[i];
                i += 1;
            }
            k += 1;
        }
    }
    shaft
}

/// Which coordinates each output uses.
pub const fn output_pattern<const N: usize, const U: usize>(table: &[Entry], parts: &[usize]) -> Pattern<N, U> {
    let (mut entries, mut output, mut k) = ([[false; N]; U], 0, 0);
    while k < parts.len() {
        let (count, position, shaft) =
            (table[parts[k]].kind.outputs, moves::<N>(table, parts[k]), shaft::<N>(table, parts[k]));
        let mut component = 0;
        while component < count && output < U {
            let mut i = 0;
            while i < N {
                entries[output][i] = if count > 1 { position[component][i] } else { shaft[i] };
                i += 1;
            }
            component += 1;
            output += 1;
        }
        k += 1;
    }
    Pattern::new(entries)
}

/// Which coordinates each motor acts on.
pub const fn actuation_pattern<const N: usize, const U: usize>(table: &[Entry], parts: &[usize]) -> Pattern<N, U> {
    let (mut entries, mut k) = ([[false; N]; U], 0);
    while k < parts.len() && k < U {
        entries[k] = shaft::<N>(table, parts[k]);
        k += 1;
    }
    Pattern::new(entries)
}

/// Which coordinates the mass matrix couples directly.
pub const fn mass_pattern<const N: usize>(table: &[Entry]) -> [[bool; N]; N] {
    let (mut entries, mut part) = ([[false; N]; N], 0);
    while part < table.len() {
        let kind = table[part].kind;
        if kind.couples {
            let reach = reach::<N>(table, part);
            let reach = if kind.by_axis { reach } else { either([[false; N]; 3], reach, false) };
            let (own, end) = (slot(table, part).coordinate, slot(table, part + 1).coordinate);
            let mut i = 0;
            while i < N * N {
                let (row, column) = (i / N, i % N);
                let both_own = own <= row && row < end && own <= column && column < end;
                let same_axis = (reach[0][row] && reach[0][column])
                    || (reach[1][row] && reach[1][column])
                    || (reach[2][row] && reach[2][column]);
                entries[row][column] = entries[row][column] || (same_axis && !(kind.apart && both_own));
                i += 1;
            }
        }
        part += 1;
    }
    let mut i = 0;
    while i < N {
        entries[i][i] = true;
        i += 1;
    }
    entries
}

/// Which coordinates the inverse of the mass matrix couples: all that are connected.
pub const fn connected<const N: usize>(mut entries: [[bool; N]; N]) -> [[bool; N]; N] {
    // Warshall's transitive closure.
    let mut through = 0;
    while through < N {
        let mut row = 0;
        while row < N {
            let mut column = 0;
            while column < N {
                entries[row][column] = entries[row][column] || (entries[row][through] && entries[through][column]);
                column += 1;
            }
            row += 1;
        }
        through += 1;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::by_hand::Described;
    use crate::parts::plane::{angles, points};
    use crate::parts::table;
    use crate::parts::table::{Slot, constraints, coordinates, outputs, turns, uses_velocities, varies};

    /// A five-bar linkage with angles: two arms, a tip, two rods.
    const FIVE_BAR: &[Entry] = &[
        Entry { name: "left", kind: angles::Fixed::<f32>::KIND, on: &[] },
        Entry { name: "right", kind: angles::Fixed::<f32>::KIND, on: &[] },
        Entry { name: "one", kind: angles::Arm::<f32>::KIND, on: &[0] },
        Entry { name: "two", kind: angles::Arm::<f32>::KIND, on: &[1] },
        Entry { name: "tip", kind: angles::Point::<f32>::KIND, on: &[] },
        Entry { name: "rod_one", kind: angles::Rod::<f32>::KIND, on: &[2, 4] },
        Entry { name: "rod_two", kind: angles::Rod::<f32>::KIND, on: &[3, 4] },
    ];

    #[test]
    fn counts_and_patterns_follow_from_the_table() {
        assert_eq!((coordinates(FIVE_BAR), constraints(FIVE_BAR), outputs(FIVE_BAR, &[4])), (4, 2, 2));
        assert_eq!(slot(FIVE_BAR, 6), Slot { part: 6, coordinate: 4, row: 1 });
        assert!(varies(FIVE_BAR) && uses_velocities(FIVE_BAR));
        assert_eq!(table::angles::<4>(FIVE_BAR), [true, true, false, false]);
        assert_eq!(pattern::<4, 2>(FIVE_BAR), Pattern::rows(["x.xx", ".xxx"]));
        assert_eq!(output_pattern::<4, 2>(FIVE_BAR, &[4]), Pattern::rows(["..x.", "...x"]));
        assert_eq!(actuation_pattern::<4, 2>(FIVE_BAR, &[2, 3]), Pattern::rows(["x...", ".x.."]));
        // An arm is coupled with both axes of the tip; the axes of the tip are not coupled with each other.
        let masses = Pattern::new(mass_pattern::<4>(FIVE_BAR));
        assert_eq!(masses, Pattern::rows(["x.xx", ".xxx", "xxx.", "xx.x"]));
    }

    #[test]
    fn rods_between_points_couple_the_same_axis_only() {
        const RODS: &[Entry] = &[
            Entry { name: "o", kind: points::Fixed::<f32>::KIND, on: &[] },
            Entry { name: "arm", kind: points::Arm::<f32>::KIND, on: &[0] },
            Entry { name: "end", kind: points::Point::<f32>::KIND, on: &[] },
            Entry { name: "rod", kind: points::Rod::<f32>::KIND, on: &[1, 2] },
        ];
        assert!(!varies(RODS) && !uses_velocities(RODS));
        assert_eq!(Pattern::new(mass_pattern::<4>(RODS)), Pattern::rows(["x.x.", ".x.x", "x.x.", ".x.x"]));
        assert_eq!(pattern::<4, 2>(RODS), Pattern::rows(["xx..", "xxxx"]));
    }

    #[test]
    fn a_gear_needs_the_whole_angle() {
        const GEARED: &[Entry] = &[
            Entry { name: "o", kind: angles::Fixed::<f32>::KIND, on: &[] },
            Entry { name: "one", kind: angles::Arm::<f32>::KIND, on: &[0] },
            Entry { name: "two", kind: angles::Arm::<f32>::KIND, on: &[0] },
            Entry { name: "three", kind: angles::Arm::<f32>::KIND, on: &[0] },
            Entry { name: "gear", kind: angles::Gear::<f32>::KIND, on: &[1, 2] },
        ];
        assert_eq!(turns::<3>(GEARED), [true; 3]);
        assert_eq!(table::angles::<3>(GEARED), [false, false, true]);
        assert_eq!(pattern::<3, 1>(GEARED), Pattern::rows(["xx."]));
    }

    #[test]
    fn the_inverse_couples_what_is_connected() {
        let chain = [
            [true, true, false, false],
            [true, true, true, false],
            [false, true, true, false],
            [false, false, false, true],
        ];
        let all = [true, true, true, false];
        assert_eq!(connected(chain), [all, all, all, [false, false, false, true]]);
    }
}
