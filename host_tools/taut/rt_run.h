// The firmware in real time on this PC, with the full chain: where its frames come from, how
// regular its ticks were, and how it went.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "boards/linux_pc/histogram.h"
#include "boards/linux_pc/xcp_udp.h"
#include "firmware/application.h"
#include "hal/xcp/slave.h"
#include "host_tools/rig/rig.h"

namespace taut::tool {

inline constexpr const char* kRigSource = "rig";
inline constexpr const char* kLogSource = "log";
inline constexpr const char* kXcpSource = "xcp";

struct RtRequest {
  rig::RigSpec rig;    // its drive and sensors are the twin's; runs where it is the source
  std::string model;   // kRollerModel or kReducedModel
  std::string block;   // of the reduced model; empty: made on the spot
  std::string source;  // one of the above
  std::string from_log;
  double duration_s = 0;
  int core = -1;
  bool best_effort = false;  // go on without rights
  bool cyclictest = false;   // afterwards, for as long
  std::string log;           // path of what is recorded; empty: nothing
  std::string address;       // where XCP listens
  std::uint16_t port = 0;    // 0: any that is free
  std::string secret;        // path of 64 hexadecimal digits; empty: XCP stays locked
};

struct RtReport {
  std::vector<std::string> missing;  // rights, and what to do
  bool has_rights = false;
  firmware::Mode mode = firmware::Mode::kBoot;
  firmware::Counters counters{};
  std::uint64_t starved_ticks = 0;  // whose frame was not there in time
  board::XcpUdpCounters udp{};
  hal::xcp::SlaveCounters xcp{};
  std::size_t most_packets_in_a_tick = 0;
  board::Histogram wake_up;
  board::Histogram tick_time;
  std::string cyclictest;  // its last line, or why there is none
};

// Throws a Failure that says what is missing.
[[nodiscard]] RtReport run_rt(const RtRequest& request);

[[nodiscard]] std::string to_text(const RtRequest& request, const RtReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const RtRequest& request, const RtReport& report);

}  // namespace taut::tool
