// A twin that runs on and on behind sensors that repeat themselves to the bit
// (tests/unit/twin/repeating_engine.h): does anything drift, overflow or leak? Once it has settled,
// crank and place of the chain must come back to the same bits in every period. Strands swing
// without ever repeating themselves: of them means and standard deviations are compared. All
// counters of frames wrap in the middle of the run. Argument: ticks (10^7, 5000 s of engine). Exit
// code 1: something is not as it was.
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <sys/resource.h>
#include <vector>

#include "hal/edge_collector.h"
#include "sim_core/math/float_bits.h"
#include "tests/unit/twin/repeating_engine.h"

namespace {

using namespace taut;

constexpr double kAmplitude_rad_s2 = 3;
constexpr std::uint64_t kAllTicks = 10'000'000;
constexpr std::uint64_t kSettlingPeriods = 2;
constexpr std::uint64_t kFewestPeriods = 6;  // three against three
constexpr std::size_t kStrands = 4;
constexpr std::size_t kFollowed = kStrands + 4;

twin_test::SensedTwin sensed;
twin_test::RepeatingEngine engine;

struct Period {
  std::uint64_t crank_hash = 0;
  double mean[kFollowed] = {};
  double sd[kFollowed] = {};
  std::uint64_t not_valid = 0;  // ticks
};

struct Followed {
  const char* name;
  double allowed;  // beyond the scatter of periods, as a part of it: what float leaves of sums
};
constexpr Followed kNames[kFollowed] = {{"tension 1 [N]", 1e-5},  {"tension 2 [N]", 1e-5},
                                        {"tension 3 [N]", 1e-5},  {"tension 4 [N]", 1e-5},
                                        {"link force [N]", 1e-5}, {"tightener [m]", 1e-5},
                                        {"speed [rad/s]", 1e-6},  {"bias [rad/s^2]", 1e-3}};

void values_of(double (&values)[kFollowed]) {
  const signal::Prediction& told = sensed.prediction;
  for (std::size_t s = 0; s < kStrands; ++s) {
    values[s] = static_cast<double>(told.strand_mean_N[s]);
  }
  values[kStrands] = static_cast<double>(told.tagged_link_N);
  values[kStrands + 1] = static_cast<double>(told.tightener_position_m);
  values[kStrands + 2] = static_cast<double>(told.crank_speed_rad_s);
  values[kStrands + 3] = static_cast<double>(sensed.state.observer.bias_rad_s2);
}

void add_crank_to(math::Hash64& hash) {
  const crank::ObserverState& observer = sensed.state.observer;
  const twin::Follower& follower = sensed.state.follower;
  hash.add(observer.angle);
  hash.add(observer.speed_rad_s);
  hash.add(observer.acceleration_rad_s2);
  hash.add(observer.bias_rad_s2);
  hash.add(follower.angle);
  hash.add(follower.turns);
  hash.add(follower.behind);
  hash.add(follower.speed_rad_s);
}

Period run_period(std::uint64_t ticks) {
  math::Hash64 hash;
  Period period;
  sensed.noise_seed = 1;
  for (std::uint64_t i = 0; i < ticks; ++i) {
    twin_test::tick(sensed, twin_test::advance(engine));
    add_crank_to(hash);
    period.not_valid += sensed.prediction.health != 0 ? 1U : 0U;
    double values[kFollowed];
    values_of(values);
    for (std::size_t k = 0; k < kFollowed; ++k) {
      period.mean[k] += values[k];
      period.sd[k] += values[k] * values[k];
    }
  }
  period.crank_hash = hash.value();
  for (std::size_t k = 0; k < kFollowed; ++k) {
    period.mean[k] /= static_cast<double>(ticks);
    const double variance =
        period.sd[k] / static_cast<double>(ticks) - period.mean[k] * period.mean[k];
    period.sd[k] = std::sqrt(std::fmax(variance, 0));
  }
  return period;
}

// Half of the run before they wrap, half behind.
void start(std::uint64_t ticks) {
  twin_test::start(kAmplitude_rad_s2, engine);
  twin_test::start(sensed);
  const auto before = static_cast<std::uint32_t>(0U - ticks / 2);
  sensed.frame.tick = before - 1;
  sensed.frame.edges_lost = 0xFFFFFFFFU;
  for (hal::RawReading hal::RawReadings::*const reading :
       {&hal::RawReadings::crank_acceleration, &hal::RawReadings::link_force,
        &hal::RawReadings::tightener_acceleration, &hal::RawReadings::tightener_position}) {
    (sensed.readings.*reading).sequence = before;
  }
}

// Those of the first tenth of periods, but three at least, against as many last ones: within five
// standard errors. Scatter is that from one period to the next, which a slow drift does not raise.
bool is_same(const std::vector<Period>& periods, double (Period::*const values)[kFollowed],
             const char* what, std::size_t k) {
  const std::size_t count = periods.size() / 10 > 3 ? periods.size() / 10 : 3;
  const auto value = [&](std::size_t i) { return (periods[i].*values)[k]; };
  double first = 0;
  double last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    first += value(i) / static_cast<double>(count);
    last += value(periods.size() - 1 - i) / static_cast<double>(count);
  }
  double squares = 0;
  for (std::size_t i = 1; i < periods.size(); ++i) {
    squares += (value(i) - value(i - 1)) * (value(i) - value(i - 1));
  }
  const double variance = squares / (2 * static_cast<double>(periods.size() - 1));
  const double allowed = 5 * std::sqrt(2 * variance / static_cast<double>(count)) +
                         kNames[k].allowed * std::fabs(first);
  const bool same = std::fabs(last - first) <= allowed;
  std::printf("%-16s %-4s %14.6g %14.6g %+12.3g  +- %.2g%s\n", kNames[k].name, what, first, last,
              last - first, allowed, same ? "" : "  DRIFTS");
  return same;
}

// From which on every period's crank has the bits of the last one's.
std::size_t first_of_the_same(const std::vector<Period>& periods) {
  std::size_t first = periods.size() - 1;
  while (first > 0 && periods[first - 1].crank_hash == periods.back().crank_hash) {
    --first;
  }
  return first;
}

long resident_kB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// More edges lost than 32 bits count: the queue stays full, then takes edges as ever.
bool counts_of_lost_edges_wrap() {
  hal::EdgeCollector collector(65536);
  constexpr std::uint64_t kPushed = (std::uint64_t{1} << 32) + 1000;
  for (std::uint64_t i = 0; i < kPushed; ++i) {
    collector.push_from_interrupt(static_cast<std::uint32_t>(i) % 1000, signal::EdgeKind::kTooth);
  }
  signal::SensorFrame frame{};
  collector.collect(0, frame);
  const bool is_counted = frame.edges == signal::kMaxEdges &&
                          frame.edges_lost == static_cast<std::uint32_t>(kPushed) - frame.edges;
  const std::uint32_t lost = frame.edges_lost;
  collector.push_from_interrupt(65536 + 7, signal::EdgeKind::kIndex);
  collector.collect(65536, frame);
  const bool goes_on = frame.edges == 1 && frame.edge[0].moment == 7 && frame.edges_lost == lost;
  std::printf("2^32 + 1000 edges into a full queue: %s\n",
              is_counted && goes_on ? "counted modulo 2^32, and it goes on" : "MISCOUNTED");
  return is_counted && goes_on;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t ticks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kAllTicks;
  const std::uint64_t whole = (ticks + twin_test::kPeriod_ticks - 1) / twin_test::kPeriod_ticks;
  if (whole < kSettlingPeriods + kFewestPeriods ||
      !twin_test::make(twin_test::observer_of_the_engine(), sensed)) {
    std::fprintf(stderr, "twin_hours: give %" PRIu64 " ticks or more\n",
                 (kSettlingPeriods + kFewestPeriods) * twin_test::kPeriod_ticks);
    return 2;
  }
  start(ticks);
  std::vector<Period> periods;
  periods.reserve(whole);
  for (std::uint64_t i = 0; i < kSettlingPeriods; ++i) {
    static_cast<void>(run_period(twin_test::kPeriod_ticks));
  }
  const crank::ObserverCounts counts = sensed.state.observer.counts;
  const std::size_t heap = mallinfo2().uordblks;
  const long resident = resident_kB();
  bool healthy = true;
  for (std::uint64_t i = kSettlingPeriods; i < whole; ++i) {
    periods.push_back(run_period(twin_test::kPeriod_ticks));
    healthy = healthy && periods.back().not_valid == 0;
  }
  const bool no_leak = mallinfo2().uordblks == heap && resident_kB() == resident;
  const crank::ObserverCounts& after = sensed.state.observer.counts;
  const bool no_faults = after.losses == counts.losses && after.stray_edges == counts.stray_edges &&
                         after.missed_edges == counts.missed_edges && after.stale_frames == 0 &&
                         after.bad_accelerations == 0 && sensed.state.restarts == 0;
  std::printf("reduced twin, 6S90MC-C at 75 rpm, order 6 of %g rad/s^2: %" PRIu64
              " ticks, periods of 72 s\n",
              kAmplitude_rad_s2, whole * twin_test::kPeriod_ticks);
  std::printf("                           first tenth     last tenth   difference    allowed\n");
  bool same = true;
  for (std::size_t k = 0; k < kFollowed; ++k) {
    same = is_same(periods, &Period::mean, "mean", k) && same;
    same = is_same(periods, &Period::sd, "sd", k) && same;
  }
  const bool repeats = first_of_the_same(periods) == 0;
  std::printf("crank and place of the chain: %s\n",
              repeats ? "the same bits in every period" : "NOT the same bits in every period");
  std::printf("every tick valid: %s; edges, samples and frames all in order: %s; memory: %s\n",
              healthy ? "yes" : "NO", no_faults ? "yes" : "NO", no_leak ? "as before" : "GROWS");
  const bool wraps = ticks < kAllTicks || counts_of_lost_edges_wrap();  // seconds long
  return same && repeats && healthy && no_faults && no_leak && wraps ? 0 : 1;
}
