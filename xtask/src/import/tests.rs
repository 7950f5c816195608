//! Files that become lists, and files that do not.

use super::*;

fn folder() -> PathBuf {
    crate::shell::root().join("tests/parts/imported")
}

/// Every model beside its list and, if it has one, its table of loops.
fn models() -> Vec<(PathBuf, Option<PathBuf>)> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let models = files.filter(|file| file.extension().is_some_and(|kind| kind == "xml" || kind == "urdf"));
    let with_loops = |file: PathBuf| (file.clone(), Some(file.with_extension("toml")).filter(|loops| loops.exists()));
    models.map(with_loops).collect()
}

#[test]
fn the_command_prints_the_lists_of_the_tests() {
    let models = models();
    assert!(models.len() >= 10);
    for (file, loops) in models {
        let printed = import(&file, loops.as_deref()).unwrap().list;
        let kept = fs::read_to_string(file.with_extension("rs")).unwrap();
        assert!(printed == kept, "cargo xtask import {} prints another list:\n{printed}", file.display());
    }
}

fn mjcf(worldbody: &str, after: &str) -> Result<Imported> {
    convert("model.xml", &format!("<mujoco>\n<worldbody>\n{worldbody}\n</worldbody>\n{after}\n</mujoco>"), None)
}

const MASS: &str = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";

fn message(result: Result<Imported>) -> String {
    format!("{:#}", result.err().expect("an error"))
}

#[test]
fn errors_name_the_file_and_the_line() {
    let body = |content: &str| message(mjcf(&format!("<body name='b'>\n{content}\n</body>"), ""));
    let cases = [
        (message(convert("a.xml", "<mujoco>\n<body>\n</mujoco>", None)), "a.xml:3:1: not XML: "),
        (message(convert("a.xml", "<html/>", None)), "a.xml:1: <html>: neither MJCF nor URDF begins with `html`"),
        (body("<bdoy/>"), "model.xml:4: <bdoy>: `bdoy` is not understood here"),
        (body("<joint axes='0 0 1'/>"), "model.xml:4: <joint>: unknown attribute `axes`"),
        (body("<joint/>"), "model.xml:3: `b` moves and has no mass: it needs an <inertial>"),
        (body("<joint pos='0 nan 0'/>"), "model.xml:4: <joint>: `pos` is NaN or infinite: 0 nan 0"),
        (body("<joint pos='0 zero 0'/>"), "model.xml:4: <joint>: `pos` is not a number: 0 zero 0"),
        (body("<joint axis='0 1'/>"), "model.xml:4: <joint>: `axis` has 2 numbers instead of 3"),
        (body("<joint axis='0 0 0'/>"), "model.xml:4: <joint>: `axis` has no direction"),
        (body("<joint class='c'/>"), "model.xml:4: <joint>: there is no class `c`"),
        (body("<joint/><joint axis='1 0 1'/>"), "model.xml:4: <joint>: these joints of one body are not one joint"),
        (body("<joint/>\n<geom type='mesh' mesh='m'/>"), "model.xml:5: <geom>: the mass of a mesh is not computed"),
        (body("<joint/>\n<geom size='-1'/>"), "model.xml:5: <geom>: `size` must be positive"),
        (
            message(mjcf("", "<equality><connect body1='b' anchor='0 0 0'/></equality>")),
            "model.xml:5: <connect>: body1: there is no body `b`",
        ),
        (message(mjcf("", "<actuator><motor joint='j'/></actuator>")), "model.xml:5: <motor>: there is no joint `j`"),
        (
            message(mjcf("", "<option gravity='0 -9.81 0'/>")),
            "model.xml: gravity is along (0, -9.81, 0), and along the z",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.starts_with(expected), "{message}\ninstead of\n{expected}");
    }
}

#[test]
fn what_a_list_cannot_say_is_named() {
    let joint = "<joint name='j' range='-1 1' damping='0.1' armature='0'/>";
    let after = "<tendon/><actuator>\n<position joint='j'/>\n<motor joint='j' gear='3'/></actuator>";
    let Imported { list, notes } = mjcf(&format!("<body>{joint}{MASS}</body>"), after).unwrap();
    let expected = [
        "model.xml:3: <joint> `j`: range = -1 1",
        "model.xml:3: <joint> `j`: damping = 0.1",
        "model.xml:5: <tendon>: not carried over",
        "model.xml:6: <position>: not carried over: only motors on joints are",
        "model.xml:7: <motor>: gear = 3",
    ];
    assert_eq!(notes, expected);
    assert!(notes.iter().all(|note| list.contains(&format!("// - {note}\n"))));
    assert!(list.contains("motors j;"));
}

#[test]
fn another_gravity_is_in_the_list() {
    let list = |after| mjcf(&format!("<body><joint/>{MASS}</body>"), after).unwrap().list;
    assert!(!list("<option gravity='0 0 -9.81'/>").contains("gravity"));
    assert!(list("<option gravity='0 0 -1.62'/>").contains("\n    gravity 1.62;\n"));
    assert!(list("<option><flag gravity='disable'/></option>").contains("\n    gravity 0.0;\n"));
}

#[test]
fn several_joints_of_a_body_are_one() {
    let joints = |joints: &str| mjcf(&format!("<body name='b'>{joints}{MASS}</body>"), "").unwrap().list;
    let (x, y, z) = ("<joint axis='1 0 0'/>", "<joint axis='0 1 0'/>", "<joint axis='0 0 1'/>");
    assert!(
        joints(&format!("{x}{z}"))
            .contains("Universal(b_joint_base, b) { first: [1.0, 0.0, 0.0], second: [0.0, 0.0, 1.0] }")
    );
    assert!(joints(&format!("{x}{y}{z}")).contains("b_joint: Pin(b_joint_base, b)"));
    let slides = [x, y, z].concat().replace("axis", "type='slide' axis");
    assert_eq!(joints(&slides).matches("Square(").count(), 3);
    // All six ways: free.
    assert!(!joints(&format!("{slides}<joint type='ball'/>")).contains("b_joint"));
}

const LINK: &str = "<link name='a'/><link name='b'><inertial><mass value='1'/>\
     <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";

fn urdf(joint: &str, loops: Option<&str>) -> Result<Imported> {
    convert("r.urdf", &format!("<robot name='r'>\n{LINK}\n{joint}\n</robot>"), loops.map(|text| ("r.toml", text)))
}

#[test]
fn what_a_list_cannot_say_of_urdf_is_named() {
    let link =
        "<link name='b'>\n<visual/><collision><geometry><sphere radius='0.1'/></geometry></collision><collision/>";
    let joint =
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit effort='1' velocity='1'/></joint>";
    let text = format!("<robot name='r'>\n{}\n{joint}\n</robot>", LINK.replace("<link name='b'>", link));
    let Imported { list, notes } = convert("r.urdf", &text, None).unwrap();
    let expected = [
        "r.urdf:4: <joint> `j`: <limit> is not carried over",
        "r.urdf:2: <link> `b`: <collision> is not carried over: bodies of a list do not touch",
    ];
    assert_eq!(notes, expected);
    assert!(notes.iter().all(|note| list.contains(&format!("// - {note}\n"))), "{list}");
}

#[test]
fn errors_of_urdf_name_the_line_too() {
    let joint = |kind: &str, child: &str| {
        format!("<joint name='j' type='{kind}'><parent link='a'/><child link='{child}'/></joint>")
    };
    let good = joint("continuous", "b");
    let closure = |text: &str| message(urdf(&good, Some(text)));
    let massless = "<link name='c'/><joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>";
    let cases = [
        (message(urdf(&joint("revolute", "c"), None)), "r.urdf:3: <joint>: there is no link `c`"),
        (message(urdf(&joint("planar", "b"), None)), "r.urdf:3: <joint>: a joint of type `planar` is not understood"),
        (message(urdf("", None)), "r.urdf:2: <link>: no joint holds `b`"),
        (message(urdf(&[&good[..], &good].concat(), None)), "r.urdf:3: <joint>: `b` has two parents"),
        (message(urdf(&[&good[..], massless].concat(), None)), "r.urdf:3: `c` moves and has no mass"),
        (closure("[[loop]]\nname = 1"), "r.toml: not a list of loops: "),
        (
            closure("# one\n[[loop]]\nname = 'l'\nkind = 'ball'\nlinks = ['a', 'c']\npoints = [[0, 0, 0], [0, 0, 0]]"),
            "r.toml:2: loop `l`: there is no link `c`",
        ),
        (
            closure("[[loop]]\nname = 'l'\nkind = 'hinge'\nlinks = ['a', 'b']\npoints = [[0, 0, 0], [0, 0, 0]]"),
            "r.toml:1: loop `l`: a hinge needs an `axis`",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.starts_with(expected), "{message}\ninstead of\n{expected}");
    }
}
