// XCP on UDP as a part of every tick: what has come is served before it, what it measured leaves
// after it. However much comes, a tick handles no more than hal::xcp::kPacketsPerTick packets.
// Models firmware::TickListener.
#pragma once

#include <cstddef>

#include "boards/linux_pc/xcp_udp.h"
#include "firmware/xcp_port.h"

namespace taut::board {

class XcpListener {
 public:
  XcpListener(firmware::XcpPort& port, XcpUdp& udp) : port_(port), udp_(udp) {}

  void before_tick(twin::Calibration& calibration) {
    udp_.receive(port_.in());
    const std::size_t handled = port_.serve();
    most_in_a_tick_ = handled > most_in_a_tick_ ? handled : most_in_a_tick_;
    port_.before_tick(calibration);
  }
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
    port_.after_tick(frame, prediction);
    udp_.send(port_.out());
  }

  [[nodiscard]] std::size_t most_in_a_tick() const { return most_in_a_tick_; }

 private:
  firmware::XcpPort& port_;
  XcpUdp& udp_;
  std::size_t most_in_a_tick_ = 0;
};

}  // namespace taut::board
