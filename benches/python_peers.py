"""MuJoCo and CasADi on the systems of `peers`, for `cargo xtask compare`.

`python_peers.py FILE [--quick]` reads the lines `start system q... v...` and `reference system duration q...` that `peers` has
printed into a file, and prints lines of the same form as `peers`:
`point system name setting seconds error energy_error constraint_error`. Libraries that are not installed are reported as skipped.
"""

import math
import sys
import time
from importlib import metadata

STEPS = [5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4]
TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11]
ENERGY_SCALE = {"pendulum": 9.81, "double_pendulum": 29.43, "four_bar": 1.641}
LENGTHS = [0.2, 0.7, 0.6]  # crank, coupler, rocker of the four-bar linkage; 1 kg/m
GROUND = 0.8
GRAVITY = 9.81


def distance(system, end, reference):
    total = 0.0
    for i, (x, y) in enumerate(zip(end, reference)):
        difference = x - y
        if system == "four_bar" and i % 3 == 2:
            difference = math.remainder(difference, math.tau)
        total += difference * difference
    return math.sqrt(total)


def quickest(run, patience):
    """The quickest of many runs, as in `peers`."""
    begun, best, runs = time.perf_counter(), math.inf, 0
    while runs < 3 or time.perf_counter() - begun < patience:
        best = min(best, run())
        runs += 1
    return best


def report(system, duration, reference, name, setting, seconds, end, energy, constraint):
    error = distance(system, end, reference)
    print(f"point {system} {name} {setting} {seconds / duration:e} {error:e} {energy:e} {constraint:e}", flush=True)


# MuJoCo: joint coordinates at a fixed step; what closes the loop of the four-bar linkage is a soft constraint, as stiff as its
# documentation allows, a time constant of two steps.

def rods(count):
    # Its compiler refuses a mass without inertia.
    body = '<body pos="{}"><joint type="hinge" axis="0 0 1"/><inertial pos="1 0 0" mass="1" diaginertia="1e-9 1e-9 1e-9"/>'
    return "".join(body.format("1 0 0" if i else "0 0 0") for i in range(count)) + "</body>" * count


def linkage():
    text, position = "", "0 0 0"
    for length in LENGTHS:
        inertia = f"1e-9 {length**3 / 12} {length**3 / 12}"
        text += f'<body pos="{position}"><joint type="hinge" axis="0 0 1"/>'
        text += f'<inertial pos="{length / 2} 0 0" mass="{length}" diaginertia="{inertia}"/>'
        position = f"{length} 0 0"
    return text + f'<site name="end" pos="{LENGTHS[2]} 0 0"/>' + "</body>" * 3


def mujoco_model(mujoco, system, integrator, step):
    body = {"pendulum": rods(1), "double_pendulum": rods(2), "four_bar": linkage()}[system]
    equality = f'<equality><connect site1="end" site2="pivot" solref="{2 * step} 1"/></equality>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler balanceinertia="true" boundinertia="0"/>'
        f'<option gravity="0 {-GRAVITY} 0" timestep="{step}" integrator="{integrator}"><flag contact="disable"/></option>'
        f'<worldbody><site name="pivot" pos="{GROUND} 0 0"/>{body}</worldbody>'
        f'{equality if system == "four_bar" else ""}</mujoco>'
    )


def with_mujoco(system, beginning, duration, reference, steps, patience):
    import mujoco

    for integrator in ["RK4", "implicitfast", "Euler"]:
        for step in steps:
            model = mujoco_model(mujoco, system, integrator, step)
            data = mujoco.MjData(model)
            count = round(duration / step)

            def start():
                mujoco.mj_resetData(model, data)
                if system == "four_bar":
                    q, v = beginning
                    data.qpos[:] = [q[2], q[5] - q[2], q[8] + math.pi - q[5]]
                    data.qvel[:] = [v[2], v[5] - v[2], v[8] - v[5]]
                mujoco.mj_forward(model, data)

            def coordinates():
                if system != "four_bar":
                    return [x for body in range(1, model.nbody) for x in data.xipos[body][:2]]
                centres = data.xipos[1:4]
                angles = [data.qpos[0], data.qpos[0] + data.qpos[1], sum(data.qpos) - math.pi]
                return [x for rod in range(3) for x in (centres[rod][0], centres[rod][1], angles[rod])]

            def run():
                start()
                begun = time.perf_counter()
                mujoco.mj_step(model, data, nstep=count)
                return time.perf_counter() - begun

            model.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_ENERGY)
            start()
            energy_at_start, energy, constraint = sum(data.energy), 0.0, 0.0
            for _ in range(count):
                mujoco.mj_step(model, data)
                mujoco.mj_forward(model, data)
                energy = max(energy, abs(sum(data.energy) - energy_at_start) / ENERGY_SCALE[system])
                constraint = max([constraint, *(abs(x) for x in data.efc_pos)])
            end = coordinates()
            model.opt.enableflags = 0
            seconds = quickest(run, patience)
            name = f"mujoco/{integrator.lower()}"
            report(system, duration, reference, name, f"h={step:.0e}".replace("e-0", "e-"), seconds, end, energy, constraint)


# CasADi: its interfaces to SUNDIALS, variable step. IDAS takes (q, v, multipliers) with the second derivative of the constraint,
# CVODES takes (q, v) with the multipliers eliminated.

def casadi_system(ca, system):
    if system == "four_bar":
        n, mass = 9, [x for length in LENGTHS for x in (length, length, length**3 / 12)]
    else:
        n = 2 if system == "pendulum" else 4
        mass = [1.0] * n
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    if system == "four_bar":
        c = [LENGTHS[rod] / 2 * ca.cos(q[3 * rod + 2]) for rod in range(3)]
        s = [LENGTHS[rod] / 2 * ca.sin(q[3 * rod + 2]) for rod in range(3)]
        g = ca.vertcat(
            q[0] - c[0], q[1] - s[0],
            q[0] + c[0] - q[3] + c[1], q[1] + s[0] - q[4] + s[1],
            q[3] + c[1] - q[6] - c[2], q[4] + s[1] - q[7] - s[2],
            q[6] - c[2] - GROUND, q[7] - s[2],
        )
    elif system == "pendulum":
        g = (q[0] ** 2 + q[1] ** 2 - 1) / 2
    else:
        g = ca.vertcat(q[0] ** 2 + q[1] ** 2 - 1, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - 1) / 2
    vertical = [i for i in range(n) if (i % 3 if system == "four_bar" else i % 2) == 1]
    force = ca.DM.zeros(n)
    for i in vertical:
        force[i] = -GRAVITY * mass[i]
    energy = ca.dot(ca.DM(mass) * v, v) / 2 - ca.dot(force, q)
    return q, v, g, ca.DM(mass), force, energy


def with_casadi(system, beginning, duration, reference, tolerances, patience):
    import casadi as ca

    q, v, g, mass, force, energy = casadi_system(ca, system)
    gradients = ca.jacobian(g, q)
    curvature = ca.jtimes(ca.jtimes(g, q, v), q, v)
    multipliers = ca.SX.sym("multipliers", g.numel())
    acceleration = (force - gradients.T @ multipliers) / mass
    solved = ca.solve(gradients @ ca.diag(1 / mass) @ gradients.T, gradients @ (force / mass) + curvature)
    state = ca.vertcat(q, v)
    eliminated = ca.vertcat(v, (force - gradients.T @ solved) / mass)
    forms = {
        "idas": {"x": state, "z": multipliers, "ode": ca.vertcat(v, acceleration),
                 "alg": gradients @ acceleration + curvature},
        "cvodes": {"x": state, "ode": eliminated},
    }
    x0 = ca.DM(beginning[0] + beginning[1])
    z0 = ca.Function("z0", [state], [solved])(x0)
    judge = ca.Function("judge", [state], [energy, ca.mmax(ca.fabs(g))])
    energy_at_start = float(judge(x0)[0])
    for plugin, form in forms.items():
        for tolerance in tolerances:
            options = {"reltol": tolerance, "abstol": tolerance / 10, "max_num_steps": 1_000_000}
            if plugin == "cvodes":
                # Not stiff: the Adams formulas, for which a functional iteration is enough.
                options |= {"linear_multistep_method": "adams", "nonlinear_solver_iteration": "functional"}
            setting = f"rtol={tolerance:.0e}".replace("e-0", "e-")
            try:
                times = [duration * i / 100 for i in range(1, 101)]
                watched = ca.integrator("watched", plugin, form, 0.0, times, options)
                timed = ca.integrator("timed", plugin, form, 0.0, duration, options)
                given = {"x0": x0, "z0": z0} if plugin == "idas" else {"x0": x0}

                def run():
                    begun = time.perf_counter()
                    timed(**given)
                    return time.perf_counter() - begun

                states = watched(**given)["xf"]
                judged = [judge(states[:, i]) for i in range(states.shape[1])]
                worst = max(abs(float(e) - energy_at_start) / ENERGY_SCALE[system] for e, _ in judged)
                constraint = max(float(c) for _, c in judged)
                end = [float(x) for x in timed(**given)["xf"].full().ravel()[: q.numel()]]
                seconds = quickest(run, patience)
            except RuntimeError:
                print(f"failure {system} casadi/{plugin} {setting}", flush=True)
                continue
            report(system, duration, reference, f"casadi/{plugin}", setting, seconds, end, worst, constraint)


def main():
    quick = "--quick" in sys.argv
    steps, tolerances, patience = ([1e-2, 1e-3], [1e-4, 1e-6, 1e-8], 0.004) if quick else (STEPS, TOLERANCES, 0.04)
    starts, references = {}, []
    with open(sys.argv[1]) as lines:
        for words in map(str.split, lines):
            if words[:1] == ["start"]:
                numbers = [float(word) for word in words[2:]]
                starts[words[1]] = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
            if words[:1] == ["reference"]:
                references.append((words[1], float(words[2]), [float(word) for word in words[3:]]))
    for package, race, settings in [("mujoco", with_mujoco, steps), ("casadi", with_casadi, tolerances)]:
        try:
            __import__(package)
        except ImportError:
            print(f"skipped {package}")
            continue
        print(f"version {package} {metadata.version(package)}")
        for system, duration, reference in references:
            race(system, starts[system], duration, reference, settings, patience)


main()
