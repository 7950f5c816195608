"""Accelerations of the models in this folder, by MuJoCo (MJCF) and Pinocchio (URDF).

    pip install mujoco==4.0.0 pin==4.1.0
    python reference.py                # writes NAME.csv beside each model
    python reference.py --check        # only compares with it

Joints are turned by random amounts, loops are closed by Newton's method, and random velocities are projected onto the constraints.
MuJoCo's own equalities are soft. So both libraries give M, the bias h, and J and J' v of points of bodies only, and the accelerations
solve  M a + h = J^T f,  J a + J' v = 0.

A row has: body, origin in the reference pose, origin, rotation since the reference pose (by columns), velocity of the origin, angular
velocity, acceleration of the origin, angular acceleration; all in the world.
"""

import csv
import pathlib
import sys
import tomllib

import mujoco
import numpy as np
import pinocchio

HERE = pathlib.Path(__file__).parent

# Other versions of the libraries round otherwise. The tests need 1e-6.
ROUND_OFF = 1e-9


class Mujoco:
    def __init__(self, path):
        self.m = mujoco.MjModel.from_xml_path(str(path))
        self.d = mujoco.MjData(self.m)
        self.nv = self.m.nv
        self.q = self.m.qpos0.copy()
        self.bodies = [self.m.body(i).name for i in range(1, self.m.nbody)]

    def update(self, q, v):
        self.d.qpos, self.d.qvel = q, v
        mujoco.mj_forward(self.m, self.d)

    def integrate(self, q, v):
        q = q.copy()
        mujoco.mj_integratePos(self.m, q, v, 1.0)
        return q

    def mass_and_bias(self):
        mass = np.zeros((self.nv, self.nv))
        mujoco.mj_fullM(self.m, self.d, mass)
        return mass, self.d.qfrc_bias.copy()

    def frame(self, name):
        body = self.d.body(name)
        return body.xpos.copy(), body.xmat.reshape(3, 3).copy()

    def jacobian(self, name, point):
        """Velocity of a point and angular velocity: J, and J' v."""
        body = self.m.body(name).id
        j, d = [np.zeros((3, self.nv)) for _ in range(2)], [np.zeros((3, self.nv)) for _ in range(2)]
        mujoco.mj_jac(self.m, self.d, *j, point, body)
        mujoco.mj_jacDot(self.m, self.d, *d, point, body)
        return np.vstack(j), np.vstack(d) @ self.d.qvel

    def loops(self):
        """Kind, the two bodies, and the points in their frames."""
        kinds = {int(mujoco.mjtEq.mjEQ_CONNECT): "ball", int(mujoco.mjtEq.mjEQ_WELD): "weld"}
        for i in range(self.m.neq):
            objects = [self.m.eq_obj1id[i], self.m.eq_obj2id[i]]
            kind = kinds[self.m.eq_type[i]]
            if self.m.eq_objtype[i] == int(mujoco.mjtObj.mjOBJ_SITE):
                bodies = [self.m.body(self.m.site_bodyid[site]).name for site in objects]
                yield kind, bodies, [self.m.site_pos[site] for site in objects]
            elif kind == "ball":
                yield kind, [self.m.body(b).name for b in objects], [self.m.eq_data[i][:3], self.m.eq_data[i][3:6]]
            else:
                names = [self.m.body(b).name for b in objects]
                (p, r), (at, _) = self.frame(names[0]), self.frame(names[1])
                yield kind, names, [r.T @ (at - p), np.zeros(3)]


class Pinocchio:
    def __init__(self, path):
        self.m = pinocchio.buildModelFromUrdf(str(path))
        self.d = self.m.createData()
        self.nv = self.m.nv
        self.q = pinocchio.neutral(self.m)
        frames = [f for f in self.m.frames if f.type == pinocchio.FrameType.BODY]
        self.bodies = [f.name for f in frames if f.parentJoint > 0]
        self.path = path

    def update(self, q, v):
        self.v = v
        pinocchio.forwardKinematics(self.m, self.d, q, v, np.zeros(self.nv))
        pinocchio.computeJointJacobians(self.m, self.d, q)
        pinocchio.updateFramePlacements(self.m, self.d)
        self.mass = pinocchio.crba(self.m, self.m.createData(), q)
        self.bias = pinocchio.nonLinearEffects(self.m, self.m.createData(), q, v)

    def integrate(self, q, v):
        return pinocchio.integrate(self.m, q, v)

    def mass_and_bias(self):
        return np.triu(self.mass) + np.triu(self.mass, 1).T, self.bias

    def frame(self, name):
        at = self.d.oMf[self.m.getFrameId(name)]
        return at.translation.copy(), at.rotation.copy()

    def jacobian(self, name, point):
        frame, world = self.m.getFrameId(name), pinocchio.LOCAL_WORLD_ALIGNED
        j = pinocchio.getFrameJacobian(self.m, self.d, frame, world)
        drift = pinocchio.getFrameClassicalAcceleration(self.m, self.d, frame, world)
        r = point - self.frame(name)[0]
        cross = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        omega = j[3:] @ self.v
        at_point = drift.linear + np.cross(drift.angular, r) + np.cross(omega, np.cross(omega, r))
        return np.vstack([j[:3] - cross @ j[3:], j[3:]]), np.hstack([at_point, drift.angular])

    def loops(self):
        path = self.path.with_suffix(".toml")
        for loop in tomllib.loads(path.read_text())["loop"] if path.exists() else []:
            yield loop["kind"], loop["links"], [np.array(point) for point in loop["points"]]


def closures(model, loops, reference):
    """Residual, J and J' v of all loops."""
    g, j, d = [np.zeros(0)], [np.zeros((0, model.nv))], [np.zeros(0)]
    for kind, names, points in loops:
        (pa, ra), (pb, rb) = map(model.frame, names)
        a, b = pa + ra @ points[0], pb + rb @ points[1]
        (ja, da), (jb, db) = model.jacobian(names[0], a), model.jacobian(names[1], b)
        rows = 3 if kind == "ball" else 6
        turn = (rb @ reference[names[1]][1].T) @ (ra @ reference[names[0]][1].T).T
        angle = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        g.append(np.hstack([b - a, angle])[:rows])
        j.append((jb - ja)[:rows])
        d.append((db - da)[:rows])
    return np.hstack(g), np.vstack(j), np.hstack(d)


def record(path):
    model = (Mujoco if path.suffix == ".xml" else Pinocchio)(path)
    model.update(model.q, np.zeros(model.nv))
    reference, loops = {name: model.frame(name) for name in model.bodies}, list(model.loops())
    random = np.random.default_rng(sum(map(ord, path.stem)))
    q, v = model.integrate(model.q, random.uniform(-0.3, 0.3, model.nv)), random.uniform(-2.0, 2.0, model.nv)
    for _ in range(20):
        model.update(q, v)
        g, j, _ = closures(model, loops, reference)
        q = model.integrate(q, -np.linalg.lstsq(j, g, rcond=1e-9)[0]) if len(g) else q
    model.update(q, v)
    v -= np.linalg.pinv(closures(model, loops, reference)[1], rcond=1e-9) @ closures(model, loops, reference)[1] @ v
    model.update(q, v)
    g, j, drift = closures(model, loops, reference)
    assert np.abs(g).max(initial=0) < 1e-13 and np.abs(j @ v).max(initial=0) < 1e-13, path
    mass, bias = model.mass_and_bias()
    free = np.linalg.solve(mass, -bias)
    pull = np.linalg.solve(mass, j.T)
    a = free - pull @ np.linalg.lstsq(j @ pull, j @ free + drift, rcond=1e-9)[0]
    rows = []
    for name in model.bodies:
        at, r = model.frame(name)
        jb, db = model.jacobian(name, at)
        turn = r @ reference[name][1].T
        rows.append((name, np.hstack([reference[name][0], at, turn.T.ravel(), jb @ v, jb @ a + db])))
    print(path.name, model.nv, "ways to move,", len(g), "rows, rank", np.linalg.matrix_rank(j, tol=1e-9) if len(g) else 0)
    return rows


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([name] + [repr(float(x)) for x in row] for name, row in rows)


def check(path, rows):
    recorded = list(csv.reader(path.read_text().splitlines()))
    if [row[0] for row in recorded] != [name for name, _ in rows]:
        sys.exit(f"{path.name} has other bodies")
    for (name, row), expected in zip(rows, recorded):
        expected = np.array([float(x) for x in expected[1:]])
        off = np.abs(row - expected).max() / max(1.0, np.abs(expected).max())
        if not off < ROUND_OFF:
            sys.exit(f"{path.name}: {name} is off by {off:.1e}")


for path in sorted([*HERE.glob("*.xml"), *HERE.glob("*.urdf")]):
    (check if "--check" in sys.argv[1:] else write)(path.with_suffix(".csv"), record(path))
