// Pinocchio's side of the comparison: planar chains of rods, open or closed to the ground, at a fixed step.
//
// The program reads commands and answers each with one line, so that the caller can alternate its own runs with these:
//
//     linkage RODS CLOSED SPAN STEP, then for each rod LENGTH MASS CENTRE INERTIA ANGLE RATE      answer: ready
//     run METHOD REGULARISATION STEPS                      answer: the seconds, then x and y of the end of each rod
//
// CENTRE is the distance from the rod's joint to its centre of mass, INERTIA is about that centre, ANGLE and RATE are relative to the rod
// before. A closed chain is cut at the ground: the end of its last rod is tied to (SPAN, 0) by a constraint.
//
// A step is the classical Runge-Kutta method on Pinocchio's accelerations, then one Newton iteration that puts positions and
// velocities of a closed chain back on the constraint, with one Jacobian for both. An open chain has no constraint in joint coordinates.

#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>

namespace pin = pinocchio;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

struct Linkage {
    pin::Model model;
    std::unique_ptr<pin::Data> data;
    std::vector<pin::RigidConstraintModel> ties;
    std::vector<pin::RigidConstraintData> tied;
    std::vector<double> lengths;
    VectorXd start_q, start_v, no_torque;
    Eigen::Matrix<double, 2, Eigen::Dynamic> jacobian;
    double span, step;
    bool closed;

    explicit Linkage(std::istream& in) {
        std::size_t rods;
        in >> rods >> closed >> span >> step;
        start_q.resize(rods);
        start_v.resize(rods);
        no_torque = VectorXd::Zero(rods);
        jacobian.resize(2, rods);
        model.gravity.linear() = Vector3d(0, -9.81, 0);
        pin::JointIndex parent = 0;
        Vector3d joint = Vector3d::Zero();
        for (std::size_t i = 0; i < rods; ++i) {
            double length, mass, centre, inertia;
            in >> length >> mass >> centre >> inertia >> start_q[i] >> start_v[i];
            parent = model.addJoint(parent, pin::JointModelRZ(), pin::SE3(Eigen::Matrix3d::Identity(), joint),
                                    "joint" + std::to_string(i));
            // Only the entry about z matters in the plane.
            model.appendBodyToJoint(parent, pin::Inertia(mass, Vector3d(centre, 0, 0), Vector3d(0, inertia, inertia).asDiagonal()));
            lengths.push_back(length);
            joint = Vector3d(length, 0, 0);
        }
        if (closed) {
            const pin::SE3 end(Eigen::Matrix3d::Identity(), joint), pivot(Eigen::Matrix3d::Identity(), Vector3d(span, 0, 0));
            ties.emplace_back(pin::CONTACT_3D, model, parent, end, 0, pivot, pin::LOCAL);
        }
    }

    // Every run has data of its own: lcaba leaves accelerations in them, which constraintDynamics takes for those of the ground.
    void prepare() {
        data = std::make_unique<pin::Data>(model);
        if (closed) {
            tied.assign(1, pin::RigidConstraintData(ties.front()));
            pin::computeJointMinimalOrdering(model, *data, ties);
            pin::initConstraintDynamics(model, *data, ties, tied);
        }
    }

    Vector3d end_of(std::size_t rod) const {
        return data->oMi[rod + 1].act(Vector3d(lengths[rod], 0, 0));
    }

    // One Newton iteration: q -= J^+ g(q), then v -= J^+ J v. J is that of the position before it, which differs by O(h^5).
    void project(VectorXd& q, VectorXd& v) {
        pin::computeJointJacobians(model, *data, q);
        const Vector3d end = end_of(lengths.size() - 1);
        // A revolute joint of unit rate moves the end by its angular velocity times the end, plus the velocity of the origin.
        jacobian.row(0) = data->J.row(0) - end.y() * data->J.row(5);
        jacobian.row(1) = data->J.row(1) + end.x() * data->J.row(5);
        const Eigen::Matrix2d inverse = (jacobian * jacobian.transpose()).inverse();
        const Eigen::Vector2d gap(end.x() - span, end.y());
        q.noalias() -= jacobian.transpose() * (inverse * gap);
        const Eigen::Vector2d rate = jacobian * v;
        v.noalias() -= jacobian.transpose() * (inverse * rate);
    }

    // Steps from the start and prints the seconds and the ends of the rods. `acceleration` is inlined.
    template <typename Acceleration>
    void run(int steps, Acceleration acceleration) {
        VectorXd q = start_q, v = start_v, v2 = v, v3 = v, v4 = v, a1 = v, a2 = v, a3 = v, a4 = v, stage = q;
        const double h = step, half = h / 2;
        prepare();
        const auto begun = std::chrono::steady_clock::now();
        for (int i = 0; i < steps; ++i) {
            a1 = acceleration(q, v);
            stage = q + half * v;
            v2 = v + half * a1;
            a2 = acceleration(stage, v2);
            stage = q + half * v2;
            v3 = v + half * a2;
            a3 = acceleration(stage, v3);
            stage = q + h * v3;
            v4 = v + h * a3;
            a4 = acceleration(stage, v4);
            q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            if (closed) project(q, v);
        }
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
        std::cout << time.count();
        pin::forwardKinematics(model, *data, q);
        for (std::size_t rod = 0; rod < lengths.size(); ++rod) {
            const Vector3d end = end_of(rod);
            std::cout << ' ' << end.x() << ' ' << end.y();
        }
        std::cout << std::endl;
    }

    void run(const std::string& method, double regularisation, int steps) {
        // One pass, the cheapest. The tie's third component is redundant in the plane, so that no regularisation at all divides by zero.
        pin::ProximalSettings settings(1e-12, regularisation, 1);
        if (method == "aba_local") {
            run(steps, [&](const VectorXd& q, const VectorXd& v) -> const VectorXd& {
                return pin::aba(model, *data, q, v, no_torque, pin::Convention::LOCAL);
            });
        } else if (method == "aba_world") {
            run(steps, [&](const VectorXd& q, const VectorXd& v) -> const VectorXd& {
                return pin::aba(model, *data, q, v, no_torque, pin::Convention::WORLD);
            });
        } else if (method == "lcaba") {
            run(steps, [&](const VectorXd& q, const VectorXd& v) -> const VectorXd& {
                return pin::lcaba(model, *data, q, v, no_torque, ties, tied, settings);
            });
        } else if (method == "constraintDynamics") {
            run(steps, [&](const VectorXd& q, const VectorXd& v) -> const VectorXd& {
                return pin::constraintDynamics(model, *data, q, v, no_torque, ties, tied, settings);
            });
        } else {
            std::cout << "unknown method " << method << std::endl;
        }
    }
};

}  // namespace

int main() {
    std::cout << std::setprecision(17);
    std::unique_ptr<Linkage> linkage;
    std::string command;
    while (std::cin >> command) {
        if (command == "linkage") {
            linkage = std::make_unique<Linkage>(std::cin);
            std::cout << "ready" << std::endl;
        } else if (command == "run" && linkage) {
            std::string method;
            double regularisation;
            int steps;
            std::cin >> method >> regularisation >> steps;
            linkage->run(method, regularisation, steps);
        } else {
            return 1;
        }
    }
}
