#include "host_tools/rig/fault_injector.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim_core/assert.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {
namespace {

constexpr double kTick_s = roller_chain::kTick_s;
constexpr std::size_t kRing = 2048;  // ticks; more than the longest delay, one second
constexpr double kMoments = 65536;   // in a tick

std::uint64_t tick_of(double time_s) {
  return std::isfinite(time_s) ? static_cast<std::uint64_t>(std::llround(time_s / kTick_s))
                               : std::numeric_limits<std::uint64_t>::max();
}

signal::EdgeKind kind_of(Sensor pick_up) {
  return pick_up == Sensor::kEdges ? signal::EdgeKind::kTooth : signal::EdgeKind::kIndex;
}

bool is_pick_up(Sensor sensor) {
  return sensor == Sensor::kEdges || sensor == Sensor::kIndex;
}

std::array<RawReading*, 4> readings_of(RawFrame& frame) {  // in the order of Sensor
  return {&frame.crank_acceleration_rad_s2, &frame.link_force_N, &frame.tightener_acceleration_m_s2,
          &frame.tightener_position_m};
}

void lose(std::vector<PassedEdge>& passed, signal::EdgeKind kind, double part, Random& random) {
  passed.erase(std::remove_if(passed.begin(), passed.end(),
                              [&](const PassedEdge& edge) {
                                return edge.kind == kind && random.uniform() < part;
                              }),
               passed.end());
}

// As many as the mean's whole part, and one more as often as its fraction says.
void add_false_edges(std::vector<PassedEdge>& passed, signal::EdgeKind kind, double mean,
                     std::uint64_t tick, Random& random) {
  const double whole = std::floor(mean);
  const int edges = static_cast<int>(whole) + (random.uniform() < mean - whole ? 1 : 0);
  for (int i = 0; i < edges; ++i) {
    passed.push_back({static_cast<double>(tick) + random.uniform(), kind});
  }
}

std::uint16_t jumped(std::uint16_t moment, double size_s) {
  const double to = moment + std::round(size_s / kTick_s * kMoments);
  return static_cast<std::uint16_t>(to - kMoments * std::floor(to / kMoments));
}

}  // namespace

double FaultInjector::Scheduled::seconds_in(std::uint64_t tick) const {
  return static_cast<double>(tick - begin) * kTick_s;
}

std::size_t FaultInjector::add(const Fault& fault) {
  TAUT_ASSERT(problem_with(fault).empty(), fault.size);
  const auto stream = static_cast<std::uint32_t>(Stream::kFirstFault) +
                      static_cast<std::uint32_t>(schedule_.size());
  schedule_.push_back({fault, tick_of(fault.at_s), tick_of(fault.until_s), Random(seed_, stream)});
  return schedule_.size() - 1;
}

void FaultInjector::end(std::size_t number, std::uint64_t tick) {
  TAUT_ASSERT(number < schedule_.size(), number);
  schedule_[number].end = std::min(schedule_[number].end, tick);
}

void FaultInjector::end_all(std::uint64_t tick) {
  for (std::size_t number = 0; number < schedule_.size(); ++number) {
    end(number, tick);
  }
}

double FaultInjector::slip_rad(Sensor pick_up, std::uint64_t tick) const {
  double slip_rad = 0;
  for (const Scheduled& scheduled : schedule_) {
    if (scheduled.fault.sensor != pick_up || !scheduled.acts(tick)) {
      continue;
    }
    slip_rad += scheduled.fault.kind == FaultKind::kOffset ? scheduled.fault.size : 0;
    slip_rad += scheduled.fault.kind == FaultKind::kSlow
                    ? scheduled.fault.size * scheduled.seconds_in(tick)
                    : 0;
  }
  return slip_rad;
}

void FaultInjector::disturb(std::uint64_t tick, std::vector<PassedEdge>& passed) {
  for (Scheduled& scheduled : schedule_) {
    const Fault& fault = scheduled.fault;
    if (!is_pick_up(fault.sensor) || !scheduled.acts(tick)) {
      continue;
    }
    const signal::EdgeKind kind = kind_of(fault.sensor);
    switch (fault.kind) {
      case FaultKind::kOff:
        lose(passed, kind, 1, scheduled.random);
        break;
      case FaultKind::kIntermittent:
        lose(passed, kind, fault.size, scheduled.random);
        break;
      case FaultKind::kDelayed:
        for (PassedEdge& edge : passed) {
          edge.time_ticks += edge.kind == kind ? fault.size / kTick_s : 0;
        }
        break;
      case FaultKind::kGarbage:
        add_false_edges(passed, kind, fault.size, tick, scheduled.random);
        break;
      default:  // slips come before, stuck and jumped clocks after
        break;
    }
  }
}

void FaultInjector::disturb_reading(std::uint64_t tick, Scheduled& scheduled, Memory& memory,
                                    RawReading& reading) {
  const Fault& fault = scheduled.fault;
  switch (fault.kind) {
    case FaultKind::kOff:
      reading = {0, memory.sent.sequence};
      break;
    case FaultKind::kStuck:
      reading.value = memory.sent.value;
      break;
    case FaultKind::kGarbage:
      reading.value = static_cast<float>(scheduled.random.within(fault.size));
      break;
    case FaultKind::kOffset:
      reading.value += static_cast<float>(fault.size);
      break;
    case FaultKind::kSlow:
      reading.value += static_cast<float>(fault.size * scheduled.seconds_in(tick));
      break;
    case FaultKind::kDelayed: {  // the last one before the fault stays until later ones arrive
      const std::uint64_t late = tick_of(fault.size);
      const std::uint64_t before = scheduled.begin > 0 ? scheduled.begin - 1 : 0;
      reading = memory.measured[(tick > before + late ? tick - late : before) % kRing];
      break;
    }
    case FaultKind::kIntermittent:
      reading = scheduled.random.uniform() < fault.size ? memory.sent : reading;
      break;
    case FaultKind::kNan:
      reading.value = std::numeric_limits<float>::quiet_NaN();
      break;
    case FaultKind::kInf:
      reading.value = std::numeric_limits<float>::infinity();
      break;
    case FaultKind::kTimeJump:
      reading.sequence += static_cast<std::uint32_t>(static_cast<std::int32_t>(fault.size));
      break;
  }
}

void FaultInjector::disturb_moments(const Scheduled& scheduled, RawFrame& frame) const {
  const Fault& fault = scheduled.fault;
  const signal::EdgeKind kind = kind_of(fault.sensor);
  const std::uint16_t last = moment_[fault.sensor == Sensor::kEdges ? 0 : 1];
  for (std::size_t i = 0; i < frame.edges; ++i) {
    signal::Edge& edge = frame.edge[i];
    if (edge.kind == kind && fault.kind == FaultKind::kStuck) {
      edge.moment = last;
    }
    if (edge.kind == kind && fault.kind == FaultKind::kTimeJump) {
      edge.moment = jumped(edge.moment, fault.size);
    }
  }
  std::stable_sort(
      frame.edge.begin(), frame.edge.begin() + frame.edges,
      [](const signal::Edge& a, const signal::Edge& b) { return a.moment < b.moment; });
}

void FaultInjector::remember_moments(const RawFrame& frame) {
  for (std::size_t i = 0; i < frame.edges; ++i) {
    moment_[frame.edge[i].kind == signal::EdgeKind::kTooth ? 0 : 1] = frame.edge[i].moment;
  }
}

void FaultInjector::disturb(std::uint64_t tick, RawFrame& frame) {
  const std::array<RawReading*, kReadings> readings = readings_of(frame);
  for (std::size_t i = 0; i < kReadings; ++i) {
    memory_[i].measured.resize(kRing);
    memory_[i].measured[tick % kRing] = *readings[i];
  }
  for (Scheduled& scheduled : schedule_) {
    if (!scheduled.acts(tick)) {
      continue;
    }
    const auto sensor = static_cast<std::size_t>(scheduled.fault.sensor);
    if (sensor < kReadings) {
      disturb_reading(tick, scheduled, memory_[sensor], *readings[sensor]);
    } else if (is_pick_up(scheduled.fault.sensor)) {
      disturb_moments(scheduled, frame);
    } else {
      frame.tick += static_cast<std::uint32_t>(static_cast<std::int32_t>(scheduled.fault.size));
    }
  }
  for (std::size_t i = 0; i < kReadings; ++i) {
    memory_[i].sent = *readings[i];
  }
  remember_moments(frame);
}

}  // namespace taut::rig
