// The reduced chain about standstill, against the full model: run up from rest to the nominal speed
// and stopped again, and turned backwards slowly. Slow parts are means of a quarter of a second: of
// twenty tooth periods at speed, of half a pitch when creeping.
#include <cmath>
#include <memory>
#include <vector>

#include "unity.h"

#include "sim_core/reduced_chain/outputs.h"
#include "tests/unit/reduced_chain/block.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using reduced_chain::ReducedModel;

constexpr std::size_t kStrands = 4;
constexpr double kTick_s = static_cast<double>(reduced_chain::kStep_s);
constexpr int kTicksAMean = 500;

// A crank that follows a course of speed, backwards too.
struct Course {
  double angle_rad = 0;
  double speed_rad_s = 0;

  void advance(double speed_after_rad_s, double step_s) {
    constexpr double kTurn_rad = math::kTwoPi<double>;
    angle_rad += (speed_rad_s + speed_after_rad_s) / 2 * step_s;
    angle_rad -= kTurn_rad * std::floor(angle_rad / kTurn_rad);
    speed_rad_s = speed_after_rad_s;
  }
};

// 3 u^2 - 2 u^3 from 0 to 1.
double risen(double u) {
  const double held = std::fmin(std::fmax(u, 0), 1);
  return held * held * (3 - 2 * held);
}

struct Means {
  double strand_N[kStrands];
  double link_N;
  double driver_W;

  void add(const signal::ChainOutputs& outputs) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      strand_N[s] += static_cast<double>(outputs.strand_mean_N[s]) / kTicksAMean;
    }
    link_N += static_cast<double>(outputs.tagged_link_N) / kTicksAMean;
    driver_W += static_cast<double>(outputs.driver_W) / kTicksAMean;
  }
  [[nodiscard]] double tightest_N() const {
    return std::fmax(std::fmax(strand_N[0], strand_N[1]), std::fmax(strand_N[2], strand_N[3]));
  }
};

struct Slow {
  double time_s;  // of its end
  Means full, reduced;
  std::uint32_t told;  // health
};

ReducedModel model;

// Both models from rest on, along speed_rad_s(time).
template <typename Speed>
std::vector<Slow> both(Speed speed_rad_s, double duration_s, reduced_test::Running& running) {
  const drive::DriveModel drive = drive_test::model_of(drive_test::engine_6s90mc_c());
  const auto full = std::make_unique<drive_test::Moving<double>>();
  drive_test::start(drive, drive_test::at_rest(drive).at, {.speed_rpm = 0}, *full);
  reduced_chain::init(model, 0, running.state, running.scratch);
  const double step_s = full->model.step_s;
  const long steps = std::lround(kTick_s / step_s);
  Course of_full;
  Course of_reduced;
  signal::ChainOutputs outputs{};
  std::vector<Slow> slow;
  const long ticks = std::lround(duration_s / kTick_s);
  for (long i = 0; i < ticks; ++i) {
    for (long k = 1; k <= steps; ++k) {
      of_full.advance(speed_rad_s(static_cast<double>(i * steps + k) * step_s), step_s);
      roller_chain::step(full->model, {of_full.angle_rad, of_full.speed_rad_s, 0}, full->state,
                         full->scratch);
    }
    of_reduced.advance(speed_rad_s(static_cast<double>(i + 1) * kTick_s), kTick_s);
    reduced_chain::step(
        model,
        {static_cast<float>(of_reduced.angle_rad), static_cast<float>(of_reduced.speed_rad_s), 0},
        running.state, running.scratch);
    if (i % kTicksAMean == 0) {
      slow.push_back({static_cast<double>(i + kTicksAMean) * kTick_s, {}, {}, 0});
    }
    roller_chain::predict(full->model, full->state, full->scratch, {}, outputs);
    slow.back().full.add(outputs);
    reduced_chain::predict(model, running.state, running.scratch, {}, outputs);
    slow.back().reduced.add(outputs);
    slow.back().told |= running.state.health;
  }
  return slow;
}

// Sprockets that take up 76 rpm within 2 s draw 190 kN through strand 4, and leave 12 kN in strand
// 1, where the full model's chain swings most: of the tightest strand 4 %. At constant speed and at
// rest each strand within 1 %.
void test_run_up_and_stop() {
  constexpr double kSpeed_rad_s = 76 * math::kTwoPi<double> / 60;
  reduced_test::Running running;
  const std::vector<Slow> slow = both(
      [](double time_s) { return kSpeed_rad_s * (risen(time_s / 2) - risen((time_s - 3) / 2)); },
      6.5, running);
  for (const Slow& at : slow) {
    const bool steady = (at.time_s > 2.2 && at.time_s < 3.1) || at.time_s > 5.2;
    for (std::size_t s = 0; s < kStrands; ++s) {
      const double allowed_N = steady ? 0.01 * at.full.strand_N[s] : 0.04 * at.full.tightest_N();
      TEST_ASSERT_DOUBLE_WITHIN(allowed_N, at.full.strand_N[s], at.reduced.strand_N[s]);
    }
    // Up to 1.1 MW, for the sprockets; when they run, the chain's ringing gives and takes 0.4 % of
    // it for as long.
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * std::abs(at.full.driver_W) + 4500, at.full.driver_W,
                              at.reduced.driver_W);
    TEST_ASSERT_EQUAL_UINT32(0, at.told);
  }
  // It turned by 3 s at 76 rpm, times 64 teeth, and the loop has 144 links.
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 3.0F * 76 * 64 / 60 - 144, running.scratch.travel_pitches);
}

// At -2 rpm, two pitches a second.
void test_reverse_creep() {
  constexpr double kSpeed_rad_s = -2 * math::kTwoPi<double> / 60;
  reduced_test::Running running;
  const std::vector<Slow> slow =
      both([](double time_s) { return kSpeed_rad_s * risen(4 * time_s); }, 4.125, running);
  for (const Slow& at : slow) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      TEST_ASSERT_DOUBLE_WITHIN(0.015 * at.full.strand_N[s], at.full.strand_N[s],
                                at.reduced.strand_N[s]);
    }
    // The tagged link begins where the chain leaves the crank and goes back round it.
    TEST_ASSERT_DOUBLE_WITHIN(0.12 * at.full.tightest_N(), at.full.link_N, at.reduced.link_N);
    TEST_ASSERT_EQUAL_UINT32(0, at.told);
  }
  TEST_ASSERT_TRUE(slow.back().reduced.link_N < 0.5 * slow[1].reduced.link_N);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 144 - 4.0F * 2 * 64 / 60, running.scratch.travel_pitches);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  if (!reduced_test::unpack(model)) {
    return 1;
  }
  RUN_TEST(test_run_up_and_stop);
  RUN_TEST(test_reverse_creep);
  return UNITY_END();
}
