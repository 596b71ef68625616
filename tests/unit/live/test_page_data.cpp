// What the live page is given: rows of the twin's table, the drive as drawn, bytes and text.
#include <cmath>
#include <string>

#include "host_tools/live/bench.h"
#include "host_tools/live/frame.h"
#include "host_tools/live/hub.h"
#include "host_tools/live/picture.h"
#include "host_tools/live/running_spectrum.h"
#include "host_tools/live/signals.h"
#include "host_tools/rig/rig_error.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "tests/unit/drive/engines.h"

// Last: it has macros of its own where C++ has functions (isnan).
#include "unity.h"

namespace {

using namespace taut;
using namespace taut::live;

void test_base64() {
  TEST_ASSERT_EQUAL_STRING("", base64("").c_str());
  TEST_ASSERT_EQUAL_STRING("TQ==", base64("M").c_str());
  TEST_ASSERT_EQUAL_STRING("TWE=", base64("Ma").c_str());
  TEST_ASSERT_EQUAL_STRING("TWFuTQ==", base64("ManM").c_str());
  TEST_ASSERT_EQUAL_STRING("//8A", base64(std::string("\xff\xff\0", 3)).c_str());
}

void test_rows_are_those_of_the_table() {
  RowMaker rows(plotted_signals(4), 2);
  signal::SensorFrame frame{};
  signal::Prediction prediction{};
  frame.link_force_N = {10, 0, 1, signal::Quality::kGood};
  prediction.strand_mean_N[3] = 4;
  TEST_ASSERT_FALSE(rows.add(frame, prediction));
  frame.link_force_N.value = 30;
  prediction.strand_mean_N[3] = 8;
  TEST_ASSERT_TRUE(rows.add(frame, prediction));
  const std::size_t gauge = rows.index_of("measured.link_force_N");
  const std::size_t strand = rows.index_of("predicted.strand_mean_N[4]");
  TEST_ASSERT_TRUE(rows.row()[gauge] == 20);
  TEST_ASSERT_TRUE(rows.row()[strand] == 6);
  TEST_ASSERT_EQUAL_STRING("N", rows.signals()[gauge].entry->unit);
  frame.link_force_N.quality = signal::Quality::kModelled;
  rows.add(frame, prediction);
  rows.add(frame, prediction);
  TEST_ASSERT_FALSE(math::is_finite(rows.row()[gauge]));
}

struct AtRest {
  Picture picture;
  ChainLook look;
};

const drive::DriveSpec drive_drawn = drive_test::engine_6s90mc_c();

AtRest at_rest() {
  const std::vector<float> nothing(static_cast<std::size_t>(drive_drawn.chain.links));
  AtRest drawn{Picture(drive_drawn), {nothing, nothing, nothing}};
  drawn.picture.move(0, 0);
  return drawn;
}

// Once round the loop every roller is where it began; on the way neighbours stay a pitch apart.
void test_the_chain_goes_round() {
  auto [picture, look] = at_rest();
  const DrawnChain begin = picture.draw(look);
  const double pitch = drive_drawn.chain.pitch_m * picture.view().scale;
  const std::size_t links = begin.roller.size();
  for (const double travel : {0.3, 17.8, 143.9, 144.0, 150.2}) {
    picture.move(travel, 0);
    const DrawnChain now = picture.draw(look);
    for (std::size_t i = 0; i < links; ++i) {
      const tool::Pixel& a = now.roller[i];
      const tool::Pixel& b = now.roller[(i + 1) % links];
      TEST_ASSERT_DOUBLE_WITHIN(0.03 * pitch, pitch, std::hypot(b.x - a.x, b.y - a.y));
    }
  }
  picture.move(144, 0);
  const DrawnChain again = picture.draw(look);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, begin.roller[5].x, again.roller[5].x);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, begin.roller[5].y, again.roller[5].y);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2 * math::kPi<double> * 144 / 64 - 4 * math::kPi<double>,
                            again.turned_rad[0]);
}

// A strand that is off its line by a millimetre is drawn off by as much, exaggerated.
void test_sideways_motion_is_exaggerated() {
  auto [picture, look] = at_rest();
  const DrawnChain straight = picture.draw(look);
  look.beside_m[8] = 1e-3F;
  const DrawnChain bent = picture.draw(look);
  TEST_ASSERT_TRUE(bent.exaggeration > 1);
  const double moved_m =
      std::hypot(bent.roller[8].x - straight.roller[8].x, bent.roller[8].y - straight.roller[8].y) /
      picture.view().scale;
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, bent.exaggeration * 1e-3, moved_m);
  look.beside_m[8] = 0.2F;  // is seen as it is
  TEST_ASSERT_TRUE(picture.draw(look).exaggeration == 1);
}

void test_a_spectrum_tells_amplitude_and_frequency() {
  RunningSpectrum spectrum;
  constexpr int kBin = 40;
  for (std::size_t i = 0; i < 3000; ++i) {
    const double angle_rad = 2 * math::kPi<double> * kBin * static_cast<double>(i) / 2048;
    spectrum.add(static_cast<float>(50 + 3 * std::sin(angle_rad)));
  }
  TEST_ASSERT_TRUE(spectrum.is_full());
  const std::vector<float> amplitude = spectrum.amplitudes(100);
  TEST_ASSERT_EQUAL_size_t(100, amplitude.size());
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 3, amplitude[kBin]);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 0, amplitude[0]);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 0, amplitude[kBin + 5]);
}

void test_faults_come_and_go_by_number() {
  Bench bench(rig::rig_for(drive_test::engine_6s90mc_c()));
  bench.inject_fault({{"sensor", "link_force"}, {"kind", "nan"}});
  bench.inject_fault({{"sensor", "crank_acceleration"}, {"kind", "offset"}, {"size", 1}});
  TEST_ASSERT_FALSE(math::is_finite(bench.advance().frame.link_force_N.value));
  const Json faults = bench.state().at("faults");
  TEST_ASSERT_EQUAL_size_t(2, faults.size());
  bench.clear(faults[0].at("number"));
  TEST_ASSERT_TRUE(math::is_finite(bench.advance().frame.link_force_N.value));
  TEST_ASSERT_EQUAL_size_t(1, bench.state().at("faults").size());
  bench.clear_all();
  TEST_ASSERT_EQUAL_size_t(0, bench.state().at("faults").size());
  try {
    bench.inject_fault({{"sensor", "frame"}, {"kind", "nan"}});
    TEST_FAIL_MESSAGE("a frame has no NaN");
  } catch (const rig::RigError&) {
  }
  TEST_ASSERT_EQUAL_size_t(0, bench.state().at("faults").size());
}

// Who reads too slowly misses frames and no notes.
void test_a_slow_reader() {
  Hub hub;
  hub.state("{}");
  const std::shared_ptr<Hub::Reader> reader = hub.join();
  TEST_ASSERT_NOT_NULL(reader.get());
  for (int i = 0; i < 100; ++i) {
    hub.frame("frame" + std::to_string(i) + ".");
  }
  hub.note("told");
  const std::string text = reader->next(std::chrono::milliseconds(0));
  TEST_ASSERT_TRUE(text.find("frame99.") != std::string::npos);
  TEST_ASSERT_TRUE(text.find("frame5.") == std::string::npos);
  TEST_ASSERT_TRUE(text.find("told") != std::string::npos);
  std::vector<std::shared_ptr<Hub::Reader>> others;
  for (std::size_t i = 1; i < kMostReaders; ++i) {
    others.push_back(hub.join());
    TEST_ASSERT_NOT_NULL(others.back().get());
  }
  TEST_ASSERT_NULL(hub.join().get());
  hub.leave(reader);
  TEST_ASSERT_NOT_NULL(hub.join().get());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_base64);
  RUN_TEST(test_rows_are_those_of_the_table);
  RUN_TEST(test_the_chain_goes_round);
  RUN_TEST(test_sideways_motion_is_exaggerated);
  RUN_TEST(test_a_spectrum_tells_amplitude_and_frequency);
  RUN_TEST(test_faults_come_and_go_by_number);
  RUN_TEST(test_a_slow_reader);
  return UNITY_END();
}
