// The energy whose slope forces.h gives at rest, and its second derivatives; the oil of a
// hydraulic unit is held. Host only: statics and modes stand on it, a step does not.
#pragma once

#include "sim_core/math/dynamic_linear_algebra.h"
#include "sim_core/roller_chain/roller_model.h"
#include "sim_core/roller_chain/roller_state.h"

namespace taut::roller_chain {

// Coordinates of statics and modes in one vector: x and y of each roller, the angle of
// each sprocket but the crankshaft's, the arm's angle if there is one, x and y of each centre
// that yields.
class Coordinates {
 public:
  explicit Coordinates(const RollerModel<double>& model);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int roller(std::size_t i) const { return static_cast<int>(2 * i); }
  // -1 for the crankshaft: it is held.
  [[nodiscard]] int sprocket(std::size_t s) const {
    return s == 0 ? -1 : static_cast<int>(2 * links_ + s - 1);
  }
  // -1 without an arm.
  [[nodiscard]] int arm() const { return has_arm_ ? after_sprockets() : -1; }

  // x; y follows. -1 for a centre that stands or hangs on the arm.
  [[nodiscard]] int centre(std::size_t s) const { return centre_[s]; }

  [[nodiscard]] Eigen::VectorXd gather(const Forces<double>& forces) const;
  void add(const Eigen::VectorXd& step, Configuration<double>& at) const;

 private:
  [[nodiscard]] int after_sprockets() const {
    return static_cast<int>(2 * links_ + sprockets_ - 1);
  }

  std::size_t links_;
  std::size_t sprockets_;
  bool has_arm_;
  int count_;
  PerSprocket<int> centre_;
};

[[nodiscard]] double potential_J(const RollerModel<double>& model, const Configuration<double>& at);

// Second derivatives of the potential; symmetric.
[[nodiscard]] Eigen::SparseMatrix<double> stiffness(const RollerModel<double>& model,
                                                    const Configuration<double>& at);

}  // namespace taut::roller_chain
