//! The table of a list: a line for each part, and what can be counted in it at compile time.

/// A line of the table of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The part's name, for errors and drawings.
    pub name: &'static str,
    /// What kind of part it is.
    pub kind: Kind,
    /// The parts that it is on, by their place in the table.
    pub on: &'static [usize],
}

/// What a kind of part adds to a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How many coordinates it has of its own.
    pub coordinates: usize,
    /// How many constraints it adds.
    pub constraints: usize,
    /// How many numbers it has as an output.
    pub outputs: usize,
    /// Whether its coordinate is an angle.
    pub angle: bool,
    /// Whether motion along an axis comes only from the same axis: of its own coordinates, and of the places that it follows. It also limits
    /// the mass coupling to coordinates of the same axis.
    pub by_axis: bool,
    /// Whether it moves with the places that it is on.
    pub follows: bool,
    /// How many of its first constraints use the coordinates of one axis only: constraint i those of axis i.
    pub rows_by_axis: usize,
    /// Whether its mass couples the places that it is on, and itself.
    pub couples: bool,
    /// Whether its mass does not couple its own coordinates with each other.
    pub apart: bool,
    /// Whether its last nine coordinates are three vectors, whose six products its first constraints keep.
    pub rigid: bool,
    /// Whether its force uses velocities.
    pub damps: bool,
    /// Whether its motor acts between the shafts of the parts that it is on: an elbow.
    pub between_shafts: bool,
    /// Whether its reading, which is its output, too, is an angle that jumps at the end of a turn: an arm as a point, a hinge.
    pub wraps: bool,
    /// Whether it needs the whole angles of the arms that it is on, turns included: a gear, a feed.
    pub counts_turns: bool,
    /// Whether its constraints use the time: prescribed motion.
    pub moves_with_time: bool,
    /// Whether its constraints can only pull: a rope.
    pub pulls: bool,
}

impl Kind {
    /// Nothing at all: a fixed point.
    pub const NONE: Self = Self {
        coordinates: 0,
        constraints: 0,
        outputs: 0,
        angle: false,
        by_axis: false,
        follows: false,
        rows_by_axis: 0,
        couples: false,
        apart: false,
        rigid: false,
        damps: false,
        between_shafts: false,
        wraps: false,
        counts_turns: false,
        moves_with_time: false,
        pulls: false,
    };
}

/// Where the coordinates and the constraints of a part begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The part in the table.
    pub part: usize,
    /// Its first coordinate.
    pub coordinate: usize,
    /// Its first constraint.
    pub row: usize,
}

/// The slot of a part.
pub const fn slot(table: &[Entry], part: usize) -> Slot {
    let (mut slot, mut i) = (Slot { part, coordinate: 0, row: 0 }, 0);
    while i < part && i < table.len() {
        slot.coordinate += table[i].kind.coordinates;
        slot.row += table[i].kind.constraints;
        i += 1;
    }
    slot
}

/// The number of coordinates.
pub const fn coordinates(table: &[Entry]) -> usize {
    slot(table, table.len()).coordinate
}

/// The number of constraints.
pub const fn constraints(table: &[Entry]) -> usize {
    slot(table, table.len()).row
}

/// The number of outputs of some parts.
pub const fn outputs(table: &[Entry], parts: &[usize]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < parts.len() {
        sum += table[parts[i]].kind.outputs;
        i += 1;
    }
    sum
}

/// Whether the mass varies: a coordinate is an angle.
pub const fn varies(table: &[Entry]) -> bool {
    let mut i = 0;
    while i < table.len() {
        if table[i].kind.angle {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether a force uses velocities.
pub const fn uses_velocities(table: &[Entry]) -> bool {
    let mut i = 0;
    while i < table.len() {
        if table[i].kind.damps {
            return true;
        }
        i += 1;
    }
    varies(table)
}

/// Whether a constraint uses the time.
pub const fn moves_with_time(table: &[Entry]) -> bool {
    let mut i = 0;
    while i < table.len() {
        if table[i].kind.moves_with_time {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether something can move: fewer constraints than coordinates, unless some may depend on others. Prescribed motion may use up all of
/// them.
pub const fn movable(table: &[Entry], redundant: bool) -> bool {
    let (n, m) = (coordinates(table), constraints(table));
    m < n || m == n && moves_with_time(table) || redundant
}

/// Which coordinates are angles.
pub const fn turns<const N: usize>(table: &[Entry]) -> [bool; N] {
    let (mut turns, mut i) = ([false; N], 0);
    while i < table.len() {
        if table[i].kind.angle {
            turns[slot(table, i).coordinate] = true;
        }
        i += 1;
    }
    turns
}

/// Which coordinates are angles whose turns are counted apart. A gear and a feed need the whole angle.
pub const fn angles<const N: usize>(table: &[Entry]) -> [bool; N] {
    let (mut angles, mut i) = (turns::<N>(table), 0);
    while i < table.len() {
        if table[i].kind.counts_turns {
            let mut k = 0;
            while k < table[i].on.len() {
                let arm = table[i].on[k];
                if table[arm].kind.coordinates > 0 {
                    angles[slot(table, arm).coordinate] = false;
                }
                k += 1;
            }
        }
        i += 1;
    }
    angles
}

/// Whether the angle of a part jumps at the end of a turn: also an elbow's, if one of its arms does.
const fn angle_wraps(table: &[Entry], part: usize) -> bool {
    let (Entry { kind, on, .. }, mut k) = (table[part], 0);
    let mut wraps = kind.wraps;
    while k < on.len() {
        wraps = wraps || (kind.between_shafts && table[on[k]].kind.wraps);
        k += 1;
    }
    wraps
}

/// Which numbers of some parts, encoders or outputs, are angles that jump at the end of a turn. The parts have `D` numbers in all.
pub const fn wraps<const D: usize>(table: &[Entry], parts: &[usize]) -> [bool; D] {
    let (mut wraps, mut next, mut i) = ([false; D], 0, 0);
    while next < D && i < parts.len() {
        wraps[next] = angle_wraps(table, parts[i]);
        next += table[parts[i]].kind.outputs;
        i += 1;
    }
    wraps
}

/// Which constraints can only pull.
pub const fn pulls<const M: usize>(table: &[Entry]) -> [bool; M] {
    let (mut pulls, mut part) = ([false; M], 0);
    while part < table.len() {
        let (kind, first, mut row) = (table[part].kind, slot(table, part).row, 0);
        while row < kind.constraints {
            pulls[first + row] = kind.pulls;
            row += 1;
        }
        part += 1;
    }
    pulls
}

/// Whether the encoders begin with those of the motors, in their order, as controllers expect. A list without encoders is right, too.
pub const fn encoders_fit(motors: &[usize], encoders: &[usize]) -> bool {
    let mut i = 0;
    while i < motors.len() && !encoders.is_empty() {
        if i >= encoders.len() || encoders[i] != motors[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether a part can have a motor or an encoder: its output is one number, an angle or a length.
pub const fn has_shaft(table: &[Entry], part: usize) -> bool {
    table[part].kind.outputs == 1
}

/// Whether a part is named at most once among the motors, the encoders or the outputs.
pub const fn named_once(parts: &[usize], part: usize) -> bool {
    let (mut count, mut i) = (0, 0);
    while i < parts.len() {
        if parts[i] == part {
            count += 1;
        }
        i += 1;
    }
    count <= 1
}

/// Whether the words of a header say that constraints may depend on each other.
pub const fn redundant(words: &[&str]) -> bool {
    assert!(
        words.is_empty() || words[0].eq_ignore_ascii_case("redundant"),
        "the word after the arms can only be `redundant`"
    );
    !words.is_empty()
}

/// Whether a part is not on the same part twice in a row. A rope may return to the point where it begins.
pub const fn on_different_parts(table: &[Entry], part: usize) -> bool {
    let (on, mut k) = (table[part].on, 1);
    while k < on.len() {
        if on[k] == on[k - 1] {
            return false;
        }
        k += 1;
    }
    true
}
