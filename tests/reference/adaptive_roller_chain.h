// A roller chain integrated by Dormand and Prince 5(4) with error control (Boost.Numeric.Odeint),
// an integrator that knows nothing of chains: what fixed steps are compared with, in accuracy and
// in cost. Over the fast forces or over the plain ones. Constant crank speed,
// no hydraulic unit; host only.
#pragma once

#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cstddef>
#include <vector>

#include "tests/reference/plain_roller_chain.h"
#include "tests/unit/roller_chain/moving.h"

namespace taut::adaptive_roller_chain {

using drive_test::Moving;
using plain_roller_chain::Configuration;
using plain_roller_chain::Forces;
using plain_roller_chain::Model;
using plain_roller_chain::PerLink;
using plain_roller_chain::Rates;
using plain_roller_chain::Scratch;
using Vector = std::vector<double>;

// Error of a step in m, m/s, rad, rad/s and of their sizes. Where a roller first touches, its speed
// is kept in the law of contact, so that this moment counts: steps there are made shorter until
// they end no later than first_touch_s after it. Without, the answer converges with the first
// power of the step only (4e-5 at a tolerance of 1e-10).
struct Accuracy {
  double tolerance;
  double first_touch_s;
};

// A kernel gives forces; its contacts remember 1/v0 of every roller that touches.
struct FastKernel {
  using Memory = roller_chain::Engagements<double, double>;

  static void compute_forces(const Model& model, const Configuration<double>& at,
                             const Rates<double>& rate, Memory& memory, Scratch& scratch,
                             Forces<double>& forces) {
    roller_chain::compute_forces(model, at, rate, memory, scratch, forces);
  }
  static const PerLink<double>& on_teeth(const Memory& memory, std::size_t sprocket) {
    return memory.teeth[sprocket].inverse_first_touch_speed_s_m;
  }
  static const PerLink<double>& on_bar(const Memory& memory, std::size_t bar) {
    return memory.bars[bar].inverse_first_touch_speed_s_m;
  }
};

struct PlainKernel {
  using Memory = plain_roller_chain::FirstTouches;

  static void compute_forces(const Model& model, const Configuration<double>& at,
                             const Rates<double>& rate, Memory& memory, Scratch& scratch,
                             Forces<double>& forces) {
    plain_roller_chain::compute_forces(model, at, rate, memory, scratch, forces);
  }
  static const PerLink<double>& on_teeth(const Memory& memory, std::size_t sprocket) {
    return memory.teeth[sprocket];
  }
  static const PerLink<double>& on_bar(const Memory& memory, std::size_t bar) {
    return memory.bars[bar];
  }
};

// Only what the drive has: an evaluation takes not much longer than copying all there could be.
template <typename Memory>
void copy(const Model& model, const Memory& from, Memory& to) {
  std::copy_n(from.teeth.begin(), model.sprockets, to.teeth.begin());
  std::copy_n(from.bars.begin(), model.guide_bars, to.bars.begin());
}

// The chain as dy/dt = f(y, t). Contacts remember what was committed; what a trial adds to that is
// thrown away with it.
template <typename Kernel>
class EquationsOfMotion {
 public:
  EquationsOfMotion(Moving<>& moving, const typename Kernel::Memory& memory)
      : moving_(moving), start_(moving.crank.motion), committed_(memory), trial_(memory) {}

  [[nodiscard]] Vector places_and_speeds() {
    Vector places;
    Vector speeds;
    visit([&](double place, double speed, double) {
      places.push_back(place);
      speeds.push_back(speed);
    });
    places.insert(places.end(), speeds.begin(), speeds.end());
    return places;
  }

  void slope(const Vector& y, double time_s, Vector& dy) {
    const std::size_t half = y.size() / 2;
    std::size_t k = 0;
    visit([&](double& place, double& speed, double) {
      place = y[k];
      speed = y[half + k];
      ++k;
    });
    const crank::Motion<double> crank{start_.angle_rad + start_.speed_rad_s * time_s,
                                      start_.speed_rad_s, 0};
    move_crank(moving_.model, crank, moving_.state);
    copy(moving_.model, committed_, trial_);
    Kernel::compute_forces(moving_.model, moving_.state.at, moving_.state.rate, trial_,
                           moving_.scratch, moving_.state.forces);
    ++evaluations_;
    k = 0;
    visit([&](double, double speed, double acceleration) {
      dy[k] = speed;
      dy[half + k] = acceleration;
      ++k;
    });
  }

  // Did the last trial find a contact that is not yet remembered?
  [[nodiscard]] bool found_first_touch() const {
    const std::size_t links = moving_.model.links;
    const auto is_new = [links](const PerLink<double>& now, const PerLink<double>& before) {
      for (std::size_t i = 0; i < links; ++i) {
        if (now[i] > 0 && before[i] == 0) {
          return true;
        }
      }
      return false;
    };
    bool found = false;
    for (std::size_t s = 0; s < moving_.model.sprockets; ++s) {
      found = found || is_new(Kernel::on_teeth(trial_, s), Kernel::on_teeth(committed_, s));
    }
    for (std::size_t b = 0; b < moving_.model.guide_bars; ++b) {
      found = found || is_new(Kernel::on_bar(trial_, b), Kernel::on_bar(committed_, b));
    }
    return found;
  }

  void commit() { copy(moving_.model, trial_, committed_); }

  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  template <typename Visit>
  void visit(Visit visitor) {
    plain_roller_chain::for_each_coordinate(moving_.model, moving_.state.at, moving_.state.rate,
                                            moving_.state.forces, visitor);
  }

  Moving<>& moving_;
  crank::Motion<double> start_;
  typename Kernel::Memory committed_;
  typename Kernel::Memory trial_;
  long evaluations_ = 0;
};

// Moves a chain on from where it is. Its state, forces and scratch are those of the time reached;
// its steps, engagements and crank are left alone.
template <typename Kernel>
class AdaptiveRun {
 public:
  AdaptiveRun(Moving<>& moving, const typename Kernel::Memory& memory, const Accuracy& accuracy)
      : equations_(moving, memory),
        accuracy_(accuracy),
        stepper_(typename Controlled::error_checker_type(accuracy.tolerance, accuracy.tolerance)),
        y_(equations_.places_and_speeds()),
        dy_(y_.size()),
        next_y_(y_.size()),
        next_dy_(y_.size()) {
    equations_.slope(y_, 0, dy_);
  }

  // False if it is stuck: no step is short enough.
  [[nodiscard]] bool advance_to(double end_s) {
    while (time_s_ < end_s) {
      if (!(wanted_s_ > 1e-12)) {
        return false;
      }
      take_step(end_s);
    }
    return true;
  }

  [[nodiscard]] long evaluations() const { return equations_.evaluations(); }

 private:
  using Stepper = boost::numeric::odeint::runge_kutta_dopri5<Vector>;
  using Controlled = boost::numeric::odeint::controlled_runge_kutta<Stepper>;

  void take_step(double end_s) {
    const auto system = [&](const Vector& y, Vector& dy, double t) { equations_.slope(y, t, dy); };
    const bool last = time_s_ + wanted_s_ >= end_s;
    const double step_s = last ? end_s - time_s_ : wanted_s_;
    double reached_s = time_s_;
    double proposed_s = step_s;
    const auto result =
        stepper_.try_step(system, y_, dy_, reached_s, next_y_, next_dy_, proposed_s);
    if (result == boost::numeric::odeint::fail) {
      wanted_s_ = proposed_s;
      return;
    }
    // The last of the seven stages was evaluated at next_y_.
    if (step_s > accuracy_.first_touch_s && equations_.found_first_touch()) {
      wanted_s_ = std::max(step_s / 4, 0.9 * accuracy_.first_touch_s);
      return;
    }
    equations_.commit();
    y_.swap(next_y_);
    dy_.swap(next_dy_);
    time_s_ = last ? end_s : reached_s;
    wanted_s_ = last ? std::max(wanted_s_, proposed_s) : proposed_s;
  }

  EquationsOfMotion<Kernel> equations_;
  Accuracy accuracy_;
  Controlled stepper_;
  Vector y_;
  Vector dy_;
  Vector next_y_;
  Vector next_dy_;
  double time_s_ = 0;
  double wanted_s_ = 1e-5;  // next step
};

}  // namespace taut::adaptive_roller_chain
