#include "sim_core/reduced_chain/wrap_statics.h"

#include <algorithm>
#include <cmath>

#include "sim_core/drive/links.h"

namespace taut::reduced_chain {
namespace {

using Matrix = Eigen::Matrix2d;

Vector radial(double angle_rad) {
  return {std::cos(angle_rad), std::sin(angle_rad)};
}

// Unit vectors of both pulls, and the angles of the points where they touch the pitch circle.
struct Ends {
  double arriving_rad, leaving_rad;
  Vector arriving_pull, leaving_pull;
};

Ends ends_of(const WrapSpec& spec, double phase) {
  const double arriving_rad = phase * spec.pitch_angle_rad;
  const double leaving_rad = (phase + spec.wrap_pitches) * spec.pitch_angle_rad;
  return {arriving_rad, leaving_rad, Vector(-math::hat(radial(arriving_rad))),
          math::hat(radial(leaving_rad))};
}

struct Seat {
  Vector place_m, out, along;
};

Seat seat_of(const WrapSpec& spec, int gap) {
  const Vector out = radial(gap * spec.pitch_angle_rad);
  return {spec.pitch_radius_m * out, out, math::hat(out)};
}

// A roller against its own pocket; one that is nearer to another is free.
contact::Touch<double> touch_of(const WrapSpec& spec, int gap, const Vector& at_m) {
  const Seat seat = seat_of(spec, gap);
  const Vector from_seat_m = at_m - seat.place_m;
  const double along_m = seat.along.dot(from_seat_m);
  contact::Touch<double> touch = contact::touch(spec.gap, along_m, seat.out.dot(from_seat_m));
  if (std::abs(along_m) > spec.pitch_m / 2) {
    touch.indentation_m = -1;
  }
  const Vector normal = touch.normal_x * seat.along + touch.normal_y * seat.out;
  touch.normal_x = normal.x();
  touch.normal_y = normal.y();
  return touch;
}

struct Span {
  Vector along;
  double length_m;
};

Span span_of(const WrapState& state, std::size_t from) {
  const Vector span_m = state.at_m[from + 1] - state.at_m[from];
  return {span_m / span_m.norm(), span_m.norm()};
}

double tension_N(const WrapSpec& spec, double length_m) {
  return spec.link_stiffness_N_m * (length_m - spec.link_length_m);
}

struct Pulls {
  Vector arriving_N, leaving_N;
  const std::vector<Vector>& on_roller_N;
};

double energy_J(const WrapSpec& spec, const WrapState& state, const Pulls& pulls) {
  double energy =
      -pulls.arriving_N.dot(state.at_m.front()) - pulls.leaving_N.dot(state.at_m.back());
  for (std::size_t j = 0; j < state.at_m.size(); ++j) {
    const auto touch = touch_of(spec, state.first + static_cast<int>(j), state.at_m[j]);
    energy += contact::elastic_energy_J(spec.law, touch.indentation_m);
    if (j < pulls.on_roller_N.size()) {
      energy -= pulls.on_roller_N[j].dot(state.at_m[j]);
    }
    if (j + 1 < state.at_m.size()) {
      const double stretch_m = span_of(state, j).length_m - spec.link_length_m;
      energy += spec.link_stiffness_N_m * stretch_m * stretch_m / 2;
    }
  }
  return energy;
}

// Second derivatives of the energy: 2x2 blocks on the diagonal and beside it.
struct Tangent {
  std::vector<Matrix> diagonal;
  std::vector<Matrix> beside;  // between j and j + 1
  std::vector<Vector> force_N;
};

Tangent tangent_of(const WrapSpec& spec, const WrapState& state, const Pulls& pulls) {
  const std::size_t rollers = state.at_m.size();
  Tangent tangent{std::vector<Matrix>(rollers, Matrix::Zero()), std::vector<Matrix>(rollers - 1),
                  std::vector<Vector>(rollers, Vector::Zero())};
  std::copy(pulls.on_roller_N.begin(), pulls.on_roller_N.end(), tangent.force_N.begin());
  tangent.force_N.front() += pulls.arriving_N;
  tangent.force_N.back() += pulls.leaving_N;
  for (std::size_t j = 0; j < rollers; ++j) {
    const auto touch = touch_of(spec, state.first + static_cast<int>(j), state.at_m[j]);
    const Vector normal = touch.normal();
    const Vector across = math::hat(normal);
    const double force_N = contact::elastic_force_N(spec.law, touch.indentation_m);
    tangent.force_N[j] += force_N * normal;
    tangent.diagonal[j] +=
        contact::elastic_slope_N_m(spec.law, touch.indentation_m) * normal * normal.transpose() +
        force_N * touch.curvature_1_m * across * across.transpose();
    if (j + 1 < rollers) {
      const Span span = span_of(state, j);
      const double link_N = tension_N(spec, span.length_m);
      const Vector aside = math::hat(span.along);
      const Matrix stiff = spec.link_stiffness_N_m * span.along * span.along.transpose() +
                           link_N / span.length_m * aside * aside.transpose();
      tangent.diagonal[j] += stiff;
      tangent.diagonal[j + 1] += stiff;
      tangent.beside[j] = -stiff;
      tangent.force_N[j] += link_N * span.along;
      tangent.force_N[j + 1] -= link_N * span.along;
    }
  }
  return tangent;
}

// Block elimination. False where the matrix is not positive definite.
class Solver {
 public:
  bool factor(const Tangent& tangent, double damping_N_m) {
    const std::size_t rollers = tangent.diagonal.size();
    pivot_inverse_.resize(rollers);
    beside_ = &tangent.beside;
    for (std::size_t j = 0; j < rollers; ++j) {
      Matrix pivot = tangent.diagonal[j] + damping_N_m * Matrix::Identity();
      if (j > 0) {
        pivot -= tangent.beside[j - 1].transpose() * pivot_inverse_[j - 1] * tangent.beside[j - 1];
      }
      const double determinant = pivot(0, 0) * pivot(1, 1) - pivot(0, 1) * pivot(1, 0);
      if (!(pivot(0, 0) > 0 && determinant > 0)) {
        return false;
      }
      pivot_inverse_[j] << pivot(1, 1), -pivot(0, 1), -pivot(1, 0), pivot(0, 0);
      pivot_inverse_[j] /= determinant;
    }
    return true;
  }

  [[nodiscard]] std::vector<Vector> solve(std::vector<Vector> right) const {
    for (std::size_t j = 1; j < right.size(); ++j) {
      right[j] -= (*beside_)[j - 1].transpose() * (pivot_inverse_[j - 1] * right[j - 1]);
    }
    for (std::size_t j = right.size(); j-- > 0;) {
      if (j + 1 < right.size()) {
        right[j] -= (*beside_)[j] * right[j + 1];
      }
      right[j] = pivot_inverse_[j] * right[j];
    }
    return right;
  }

 private:
  std::vector<Matrix> pivot_inverse_;
  const std::vector<Matrix>* beside_ = nullptr;
};

double largest(const std::vector<Vector>& vectors) {
  double size = 0;
  for (const Vector& vector : vectors) {
    size = std::max(size, vector.cwiseAbs().maxCoeff());
  }
  return size;
}

// Energy never rises; damping grows until it does not.
bool settle(const WrapSpec& spec, const Pulls& pulls, WrapState& state) {
  constexpr int kMostSteps = 200;
  const double most_m = 0.05 * spec.pitch_m;
  const double pull_N = std::max(pulls.leaving_N.norm(), pulls.arriving_N.norm());
  // Round-off of a link's spring at the places of its rollers.
  const double close_enough_N = std::max(1e-9 * pull_N, 1e-15 * spec.link_stiffness_N_m);
  double damping_N_m = 0;
  double energy = energy_J(spec, state, pulls);
  Solver solver;
  for (int i = 0; i < kMostSteps; ++i) {
    const Tangent tangent = tangent_of(spec, state, pulls);
    if (largest(tangent.force_N) < close_enough_N) {
      return true;
    }
    bool accepted = false;
    for (int tries = 0; tries < 30 && !accepted; ++tries) {
      if (solver.factor(tangent, damping_N_m)) {
        std::vector<Vector> move_m = solver.solve(tangent.force_N);
        const double size_m = largest(move_m);
        const double share = size_m > most_m ? most_m / size_m : 1;
        WrapState next = state;
        for (std::size_t j = 0; j < move_m.size(); ++j) {
          next.at_m[j] += share * move_m[j];
        }
        const double next_J = energy_J(spec, next, pulls);
        if (next_J <= energy + 1e-13 * std::abs(energy)) {
          state = next;
          energy = next_J;
          accepted = true;
        }
      }
      damping_N_m =
          accepted ? (damping_N_m > 1e3 ? damping_N_m / 10 : 0) : std::max(10 * damping_N_m, 1e4);
    }
    if (!accepted) {
      return largest(tangent.force_N) < 1e3 * close_enough_N;
    }
  }
  return false;
}

// Of the end roller beyond its tangent point, less what lies there of an ideal chain with its
// stretch. `pitches`: of the ideal chain from the tangent point to that roller.
double give_m(const WrapSpec& spec, const Vector& end_m, const Vector& tangent_point_m,
              const Vector& pull, double pitches, double pull_N) {
  const double stretch = pull_N / (spec.link_stiffness_N_m * spec.link_length_m);
  return (end_m - tangent_point_m).dot(pull) - pitches * spec.link_length_m * (1 + stretch);
}

void add_answers(const WrapSpec& spec, const Pulls& pulls, const Ends& ends, WrapAnswer& answer) {
  const WrapState& state = answer.state;
  const Tangent tangent = tangent_of(spec, state, pulls);
  Solver solver;
  if (!solver.factor(tangent, 0)) {
    answer.found = false;
    return;
  }
  const std::size_t rollers = state.at_m.size();
  std::vector<Vector> by_leaving(rollers, Vector::Zero());
  std::vector<Vector> by_arriving(rollers, Vector::Zero());
  by_leaving.back() = ends.leaving_pull;
  by_arriving.front() = ends.arriving_pull;
  by_leaving = solver.solve(by_leaving);
  by_arriving = solver.solve(by_arriving);
  answer.leaving_by_leaving_m_N = ends.leaving_pull.dot(by_leaving.back());
  answer.leaving_by_arriving_m_N = ends.leaving_pull.dot(by_arriving.back());
  answer.arriving_by_arriving_m_N = ends.arriving_pull.dot(by_arriving.front());
  for (std::size_t j = 0; j < rollers; ++j) {
    const auto touch = touch_of(spec, state.first + static_cast<int>(j), state.at_m[j]);
    const Vector normal = touch.normal();
    WrapRoller roller{};
    roller.indentation_m = std::max(touch.indentation_m, 0.0);
    roller.force_N = contact::elastic_force_N(spec.law, touch.indentation_m);
    const Vector across = math::hat(normal);
    const bool with_travel = across.dot(seat_of(spec, state.first + static_cast<int>(j)).along) > 0;
    roller.tangent = with_travel ? across : Vector(-across);
    if (roller.force_N > 0) {
      roller.sinks_own_m_N = -normal.dot(by_leaving[j]);
      roller.sinks_other_m_N = -normal.dot(by_arriving[j]);
      roller.slides_own_m_N = roller.tangent.dot(by_leaving[j]);
      roller.slides_other_m_N = roller.tangent.dot(by_arriving[j]);
    }
    if (j > 0) {
      roller.link_N = tension_N(spec, span_of(state, j - 1).length_m);
    }
    answer.rollers.push_back(roller);
  }
}

}  // namespace

WrapSpec make_wrap_spec(const drive::DriveModel& drive, std::size_t sprocket) {
  const drive::DriveSpec& spec = drive.spec;
  const drive::Wrap& wrap = drive.geometry.wrap[sprocket];
  return {.gap = drive::tooth_gap_of<double>(spec, sprocket),
          .law = drive::tooth_law_of<double>(spec),
          .pitch_radius_m = wrap.pitch_radius_m,
          .pitch_angle_rad = wrap.pitch_angle_rad,
          .pitch_m = spec.chain.pitch_m,
          .wrap_pitches = wrap.angle_rad / wrap.pitch_angle_rad,
          .link_stiffness_N_m = spec.chain.link_stiffness_N_m,
          .link_length_m = spec.chain.pitch_m * (1 + drive::mean_elongation(spec))};
}

WrapState ideal_wrap(const WrapSpec& spec, double phase) {
  const Ends ends = ends_of(spec, phase);
  const int first = static_cast<int>(std::ceil(phase)) - kFreeRollers;
  const int last = static_cast<int>(std::floor(phase + spec.wrap_pitches)) + kFreeRollers;
  WrapState state{first, {}};
  for (int gap = first; gap <= last; ++gap) {
    const double before_m = (phase - gap) * spec.pitch_m;
    const double beyond_m = (gap - phase - spec.wrap_pitches) * spec.pitch_m;
    if (before_m > 0) {
      state.at_m.emplace_back(spec.pitch_radius_m * radial(ends.arriving_rad) +
                              before_m * ends.arriving_pull);
    } else if (beyond_m > 0) {
      state.at_m.emplace_back(spec.pitch_radius_m * radial(ends.leaving_rad) +
                              beyond_m * ends.leaving_pull);
    } else {
      state.at_m.push_back(seat_of(spec, gap).place_m);
    }
  }
  return state;
}

WrapAnswer rest_of_wrap(const WrapSpec& spec, double phase, double leaving_N, double arriving_N,
                        const WrapState& start, const std::vector<Vector>& on_roller_N) {
  const Ends ends = ends_of(spec, phase);
  const Pulls pulls{arriving_N * ends.arriving_pull, leaving_N * ends.leaving_pull, on_roller_N};
  WrapAnswer answer{};
  answer.state = start;
  answer.found = settle(spec, pulls, answer.state);
  if (!answer.found) {
    return answer;
  }
  const int last = answer.state.first + static_cast<int>(answer.state.at_m.size()) - 1;
  answer.leaving_give_m =
      give_m(spec, answer.state.at_m.back(), spec.pitch_radius_m * radial(ends.leaving_rad),
             ends.leaving_pull, last - phase - spec.wrap_pitches, leaving_N);
  answer.arriving_give_m =
      give_m(spec, answer.state.at_m.front(), spec.pitch_radius_m * radial(ends.arriving_rad),
             ends.arriving_pull, phase - answer.state.first, arriving_N);
  answer.leaving_aside_m =
      radial(ends.leaving_rad).dot(answer.state.at_m.back()) - spec.pitch_radius_m;
  add_answers(spec, pulls, ends, answer);
  answer.leaving_by_leaving_m_N -= (last - phase - spec.wrap_pitches) / spec.link_stiffness_N_m;
  answer.arriving_by_arriving_m_N -= (phase - answer.state.first) / spec.link_stiffness_N_m;
  return answer;
}

}  // namespace taut::reduced_chain
