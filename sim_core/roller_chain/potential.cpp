#include "sim_core/roller_chain/potential.h"

#include <vector>

#include "sim_core/roller_chain/engagement.h"

namespace taut::roller_chain {
namespace {

using Vector = math::Vector2<double>;
using Matrix2 = Eigen::Matrix2d;
using Triplets = std::vector<Eigen::Triplet<double>>;

void add_block(Triplets& entries, int row, int column, const Matrix2& block) {
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      entries.emplace_back(row + i, column + j, block(i, j));
    }
  }
}

// Both places of a pair of different coordinates, so that the matrix stays symmetric to
// the last bit. Held coordinates (-1) drop out.
void add_pair(Triplets& entries, int row, int column, double value) {
  if (row < 0 || column < 0) {
    return;
  }
  entries.emplace_back(row, column, value);
  if (row != column) {
    entries.emplace_back(column, row, value);
  }
}

void add_links(const RollerModel<double>& model, const Configuration<double>& at,
               const Coordinates& coordinates, Triplets& entries) {
  for (std::size_t i = 0; i < model.links; ++i) {
    const LinkSpan<double> link = link_span(at, roller_before(model, i), i);
    const double tension_N = elastic_tension_N(model, i, link.length_m);
    const Matrix2 along = link.along * link.along.transpose();
    const Matrix2 block = model.link_stiffness_N_m[i] * along +
                          tension_N / link.length_m * (Matrix2::Identity() - along);
    const int from = coordinates.roller(roller_before(model, i));
    const int to = coordinates.roller(i);
    add_block(entries, from, from, block);
    add_block(entries, to, to, block);
    add_block(entries, from, to, -block);
    add_block(entries, to, from, -block);
  }
}

Matrix2 contact_block(const contact::Touch<double>& touch, double force_N, double slope_N_m) {
  const Vector normal = touch.normal();
  const Vector tangent = math::hat(normal);
  return slope_N_m * normal * normal.transpose() +
         force_N * touch.curvature_1_m * tangent * tangent.transpose();
}

// A contact's energy depends on w = dr - hat(a) dpsi - hat(p) dtheta, with p the roller from
// the sprocket's centre and a the axle from the arm's hinge; a centre that yields by dc counts as
// dr = -dc. Besides w^T H w, turning the frame gives second-order terms:
// f n.(2 hat(dr) dtheta + 2 a dpsi dtheta + p dtheta^2 - a dpsi^2).
void add_seat(const RollerModel<double>& model, const Configuration<double>& at,
              const Coordinates& coordinates, std::size_t s, std::size_t i,
              const SeatTouch<double>& seat, Triplets& entries) {
  const double force_N = elastic_force_N(model.tooth_law, seat.touch.indentation_m);
  const double slope_N_m = elastic_slope_N_m(model.tooth_law, seat.touch.indentation_m);
  const Matrix2 block = contact_block(seat.touch, force_N, slope_N_m);
  const Vector normal = seat.touch.normal();
  const Vector by_angle = -math::hat(seat.from_centre_m);  // w per dtheta
  const int roller = coordinates.roller(i);
  const int angle = coordinates.sprocket(s);
  add_block(entries, roller, roller, block);
  const Vector with_angle = block * by_angle - force_N * math::hat(normal);
  add_pair(entries, roller, angle, with_angle.x());
  add_pair(entries, roller + 1, angle, with_angle.y());
  add_pair(entries, angle, angle,
           by_angle.dot(block * by_angle) + force_N * normal.dot(seat.from_centre_m));
  if (const int centre = coordinates.centre(s); centre >= 0) {
    add_block(entries, centre, centre, block);
    add_block(entries, roller, centre, -block);
    add_block(entries, centre, roller, -block);
    add_pair(entries, centre, angle, -with_angle.x());
    add_pair(entries, centre + 1, angle, -with_angle.y());
  }
  if (s != model.arm_sprocket) {
    return;
  }
  const Vector axle = tightener::axle(model.arm, at.arm_angle_rad);
  const Vector by_arm = -math::hat(axle);  // w per dpsi
  const int arm = coordinates.arm();
  const Vector with_arm = block * by_arm;
  add_pair(entries, roller, arm, with_arm.x());
  add_pair(entries, roller + 1, arm, with_arm.y());
  add_pair(entries, angle, arm, by_angle.dot(block * by_arm) + force_N * normal.dot(axle));
  add_pair(entries, arm, arm, by_arm.dot(block * by_arm) - force_N * normal.dot(axle));
}

template <typename Visit>
void for_each_seat(const RollerModel<double>& model, const Configuration<double>& at, Visit visit) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const Vector centre_m = centre(model, at, s);
    for (std::size_t i = 0; i < model.links; ++i) {
      const Vector from_centre_m = position(at, i) - centre_m;
      if (!in_reach(model.sprocket[s], from_centre_m)) {
        continue;
      }
      const SeatTouch<double> seat = seat_touch(model, at, s, from_centre_m);
      if (seat.touching) {
        visit(s, i, seat);
      }
    }
  }
}

Vector unbalance_kg_m(const RollerModel<double>& model, const Configuration<double>& at,
                      std::size_t s) {
  return tightener::rotated(model.sprocket[s].unbalance_x_kg_m, model.sprocket[s].unbalance_y_kg_m,
                            at.angle_rad[s]);
}

// Of arm, spring and hydraulic unit; its oil is held.
tightener::ArmPotential<double> arm_potential(const RollerModel<double>& model,
                                              const Configuration<double>& at) {
  const Vector gravity(model.gravity_x_m_s2, model.gravity_y_m_s2);
  const tightener::ArmPose<double> pose = tightener::pose(model.arm, at.arm_angle_rad);
  tightener::ArmPotential<double> found = tightener::potential(model.arm, gravity, pose);
  if (model.has_hydraulic_unit) {
    const double travel_m = tightener::travel_m(model.unit, pose.length_m);
    const double push_N = tightener::push_N(model.unit, at.unit, travel_m);
    const double per_angle_m = model.unit.sense * pose.length_per_angle_m;
    found.energy_J += tightener::energy_J(model.unit, at.unit, travel_m);
    found.slope_N_m -= push_N * per_angle_m;
    found.stiffness_N_m_rad +=
        tightener::stiffness_N_m(model.unit, at.unit, travel_m) * per_angle_m * per_angle_m -
        push_N * model.unit.sense * pose.length_per_angle2_m;
  }
  return found;
}

template <typename Visit>
void for_each_bar_touch(const RollerModel<double>& model, const Configuration<double>& at,
                        Visit visit) {
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    // As the forces: a thick bar touches its own strand only, not one behind it.
    Engagement<double> run{};
    update_bar(model, at, b, run);
    for (std::size_t place = 0; place < run.count; ++place) {
      const std::size_t i = roller_at(run, place, model.links);
      const contact::Touch<double> touch = contact::touch(model.guide_bar[b].bar, position(at, i));
      if (touch.indentation_m > 0) {
        visit(model.guide_bar[b].law, i, touch);
      }
    }
  }
}

}  // namespace

Coordinates::Coordinates(const RollerModel<double>& model)
    : links_(model.links),
      sprockets_(model.sprockets),
      has_arm_(model.arm_sprocket != kNoSprocket),
      count_(after_sprockets() + (has_arm_ ? 1 : 0)),
      centre_{} {
  for (std::size_t s = 0; s < sprockets_; ++s) {
    centre_[s] = model.sprocket[s].yields ? count_ : -1;
    count_ += model.sprocket[s].yields ? 2 : 0;
  }
}

Eigen::VectorXd Coordinates::gather(const Forces<double>& forces) const {
  Eigen::VectorXd all(count());
  for (std::size_t i = 0; i < links_; ++i) {
    all[roller(i)] = forces.x_N[i];
    all[roller(i) + 1] = forces.y_N[i];
  }
  for (std::size_t s = 1; s < sprockets_; ++s) {
    all[sprocket(s)] = forces.torque_N_m[s];
  }
  if (has_arm_) {
    all[arm()] = forces.arm_moment_N_m;
  }
  for (std::size_t s = 0; s < sprockets_; ++s) {
    if (centre(s) >= 0) {
      all[centre(s)] = forces.offset_x_N[s];
      all[centre(s) + 1] = forces.offset_y_N[s];
    }
  }
  return all;
}

void Coordinates::add(const Eigen::VectorXd& step, Configuration<double>& at) const {
  for (std::size_t i = 0; i < links_; ++i) {
    at.x_m[i] += step[roller(i)];
    at.y_m[i] += step[roller(i) + 1];
  }
  for (std::size_t s = 1; s < sprockets_; ++s) {
    at.angle_rad[s] += step[sprocket(s)];
  }
  if (has_arm_) {
    at.arm_angle_rad += step[arm()];
  }
  for (std::size_t s = 0; s < sprockets_; ++s) {
    if (centre(s) >= 0) {
      at.offset_x_m[s] += step[centre(s)];
      at.offset_y_m[s] += step[centre(s) + 1];
    }
  }
}

double potential_J(const RollerModel<double>& model, const Configuration<double>& at) {
  const Vector gravity(model.gravity_x_m_s2, model.gravity_y_m_s2);
  double energy_J = 0;
  for (std::size_t i = 0; i < model.links; ++i) {
    const double length_m = link_span(at, roller_before(model, i), i).length_m;
    energy_J += elastic_tension_N(model, i, length_m) * (length_m - model.link_length_m[i]) / 2;
    energy_J -= model.roller_mass_kg * gravity.dot(position(at, i));
  }
  for_each_seat(model, at, [&](std::size_t, std::size_t, const SeatTouch<double>& seat) {
    energy_J += elastic_energy_J(model.tooth_law, seat.touch.indentation_m);
  });
  for_each_bar_touch(model, at, [&](const auto& law, std::size_t, const auto& touch) {
    energy_J += elastic_energy_J(law, touch.indentation_m);
  });
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    energy_J -= model.sprocket[s].load_torque_N_m * at.angle_rad[s];
    energy_J -= gravity.dot(unbalance_kg_m(model, at, s));
    if (model.sprocket[s].yields) {
      const Vector offset_m(at.offset_x_m[s], at.offset_y_m[s]);
      energy_J += model.sprocket[s].support_stiffness_N_m * offset_m.squaredNorm() / 2 -
                  model.sprocket[s].mass_kg * gravity.dot(offset_m);
    }
  }
  if (model.arm_sprocket != kNoSprocket) {
    energy_J += arm_potential(model, at).energy_J;
  }
  return energy_J;
}

Eigen::SparseMatrix<double> stiffness(const RollerModel<double>& model,
                                      const Configuration<double>& at) {
  const Coordinates coordinates(model);
  Triplets entries;
  add_links(model, at, coordinates, entries);
  for_each_seat(model, at, [&](std::size_t s, std::size_t i, const SeatTouch<double>& seat) {
    add_seat(model, at, coordinates, s, i, seat, entries);
  });
  for_each_bar_touch(model, at, [&](const auto& law, std::size_t i, const auto& touch) {
    const int roller = coordinates.roller(i);
    add_block(entries, roller, roller,
              contact_block(touch, elastic_force_N(law, touch.indentation_m),
                            elastic_slope_N_m(law, touch.indentation_m)));
  });
  const Vector gravity(model.gravity_x_m_s2, model.gravity_y_m_s2);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    add_pair(entries, coordinates.sprocket(s), coordinates.sprocket(s),
             gravity.dot(unbalance_kg_m(model, at, s)));
    if (const int centre = coordinates.centre(s); centre >= 0) {
      add_block(entries, centre, centre,
                model.sprocket[s].support_stiffness_N_m * Matrix2::Identity());
    }
  }
  if (model.arm_sprocket != kNoSprocket) {
    add_pair(entries, coordinates.arm(), coordinates.arm(),
             arm_potential(model, at).stiffness_N_m_rad);
  }
  Eigen::SparseMatrix<double> matrix(coordinates.count(), coordinates.count());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace taut::roller_chain
