// Does to readings and edges what faults say, while they last, in the order in which they were
// given; what has no fault passes unchanged.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host_tools/rig/faults.h"
#include "host_tools/rig/random.h"
#include "host_tools/rig/raw_frame.h"
#include "host_tools/rig/tooth_wheel.h"

namespace taut::rig {

class FaultInjector {
 public:
  explicit FaultInjector(std::uint64_t seed) : seed_(seed) {}

  // It has no problem_with(). Times are rounded to whole ticks. Faults are numbered from 0.
  std::size_t add(const Fault& fault);
  // From this tick on that fault does not act.
  void end(std::size_t number, std::uint64_t tick);
  // From this tick on no fault acts, of those added so far.
  void end_all(std::uint64_t tick);

  // By how much the wheel, or its index mark, has slipped back.
  [[nodiscard]] double slip_rad(Sensor pick_up, std::uint64_t tick) const;
  // Once a tick, before the edges that passed in it are sorted into frames.
  void disturb(std::uint64_t tick, std::vector<PassedEdge>& passed);
  // Once a tick, after the frame is filled.
  void disturb(std::uint64_t tick, RawFrame& frame);

 private:
  struct Scheduled {
    Fault fault;
    std::uint64_t begin;  // first tick
    std::uint64_t end;    // first one without
    Random random;
    [[nodiscard]] bool acts(std::uint64_t tick) const { return tick >= begin && tick < end; }
    [[nodiscard]] double seconds_in(std::uint64_t tick) const;
  };
  // What one sensor has sent: as measured, for delays, and as it left here.
  struct Memory {
    std::vector<RawReading> measured;  // a ring, by tick
    RawReading sent{};
  };

  static constexpr std::size_t kReadings = 4;
  static constexpr std::size_t kPickUps = 2;

  void disturb_reading(std::uint64_t tick, Scheduled& scheduled, Memory& memory,
                       RawReading& reading);
  void disturb_moments(const Scheduled& scheduled, RawFrame& frame) const;
  void remember_moments(const RawFrame& frame);

  std::uint64_t seed_;
  std::vector<Scheduled> schedule_;
  std::array<Memory, kReadings> memory_;
  std::array<std::uint16_t, kPickUps> moment_{};  // of the last edge that left here
};

}  // namespace taut::rig
