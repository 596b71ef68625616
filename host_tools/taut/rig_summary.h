// What a run of the rig was like, over the second half of it: from the truth, not from readings.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host_tools/rig/rig.h"

namespace taut::tool {

inline constexpr int kHighestOrderTold = 24;

// Of a quantity over time.
struct Range {
  double lowest = 0;
  double highest = 0;
  double sum = 0;
  std::uint64_t count = 0;
  void add(double value);
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

class RigSummary {
 public:
  explicit RigSummary(std::uint64_t ticks) : begin_(ticks / 2) {}
  void add(const rig::Rig::Tick& tick);

  [[nodiscard]] std::string text(const rig::RigSpec& spec, const rig::Rig& rig) const;
  [[nodiscard]] nlohmann::ordered_json json(const rig::RigSpec& spec, const rig::Rig& rig) const;

 private:
  struct Turn {
    std::array<std::complex<double>, kHighestOrderTold + 1> integral{};
    double angle_rad = 0;
  };
  void add_orders(const rig::Truth& truth);
  // Of the acceleration by order, over whole turns; empty before there is one.
  [[nodiscard]] std::vector<double> amplitudes_rad_s2() const;

  std::uint64_t begin_;
  std::uint64_t ticks_ = 0;
  std::uint64_t teeth_ = 0;
  std::uint64_t indices_ = 0;
  std::uint32_t edges_lost_ = 0;
  Range speed_rad_s_;
  Range acceleration_rad_s2_;
  Range link_N_;
  Range tightener_m_;
  double last_angle_rad_ = 0;
  bool in_turn_ = false;
  std::uint64_t turns_ = 0;
  Turn now_;
  Turn whole_;
};

}  // namespace taut::tool
