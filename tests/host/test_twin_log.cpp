// A twin's log on disk: all that goes in comes out, wherever the file is cut off it is good up to
// there, no damage goes unseen, and a log that begins in mid-run is replayed to the bit.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_run.h"
#include "tests/unit/twin/repeating_engine.h"

// Last: it has macros of its own where C++ has functions (isnan).
#include "unity.h"

namespace {

using namespace taut;
using tool::Bytes;
using tool::bytes_of;
using tool::TwinLog;

constexpr std::size_t kSprockets = 4;
constexpr std::size_t kRows = 2500;  // two whole blocks and a half
// Calibrations before these rows; the last one comes when all rows are written.
constexpr std::size_t kCalibrated[] = {0, 700, 1700, 1701, kRows};

std::string path;

std::vector<char> read_all() {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::vector<char>& bytes, std::size_t size) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(size));
}

signal::SensorFrame frame_of(std::size_t row) {
  signal::SensorFrame frame{};
  const auto number = static_cast<std::uint32_t>(row);
  frame.tick = 0xFFFFFFFFU - 1000 + number;  // wraps
  frame.crank_acceleration_rad_s2 = {0.5F * static_cast<float>(row), number, 0U - number,
                                     signal::Quality::kGood};
  frame.tightener_position_m.quality = signal::Quality::kMissing;
  frame.edges = number % 3;
  frame.edge[1] = {static_cast<std::uint16_t>(number), signal::EdgeKind::kIndex};
  frame.edges_lost = 0xFFFFFFFFU - 3 + number / 500;
  return frame;
}

signal::Prediction prediction_of(std::size_t row) {
  signal::Prediction prediction{};
  prediction.tick = frame_of(row).tick;
  prediction.health = static_cast<std::uint32_t>(row % 7);
  prediction.tagged_link_N = 1e5F + static_cast<float>(row);
  prediction.strand_middle_m[kSprockets - 1] = -static_cast<float>(row);
  return prediction;
}

twin::Calibration calibration_of(std::size_t i) {
  const auto number = static_cast<std::uint32_t>(i);
  return {number, number % 2, 2 * number, 0.001F * static_cast<float>(i)};
}

// A model and a state of any bytes: the log does not look inside.
void write_log() {
  const Bytes model(1000, std::byte{17});
  tool::LogWriter writer(path, {"an engine", "reduced", tool::hash_of(model), kSprockets}, model,
                         Bytes(300, std::byte{4}));
  std::size_t next = 0;
  for (std::size_t row = 0; row <= kRows; ++row) {
    if (next < std::size(kCalibrated) && kCalibrated[next] == row) {
      writer.calibrate(calibration_of(next++));
    }
    if (row < kRows) {
      writer.add(frame_of(row), prediction_of(row));
    }
  }
  writer.close();
}

template <typename Struct>
bool is_same(const Struct& a, const Struct& b) {
  return bytes_of(a) == bytes_of(b);
}

// Of rows and calibrations, as many as there are.
void check_content(const TwinLog& log) {
  TEST_ASSERT_EQUAL_STRING("an engine", log.head.drive.c_str());
  TEST_ASSERT_EQUAL_UINT64(1000, log.model.size());
  TEST_ASSERT_EQUAL_UINT64(300, log.state.size());
  for (std::size_t row = 0; row < log.rows.size(); ++row) {
    TEST_ASSERT_TRUE(is_same(frame_of(row), log.rows[row].frame));
    TEST_ASSERT_TRUE(is_same(prediction_of(row), log.rows[row].prediction));
  }
  TEST_ASSERT_TRUE(log.calibrations.size() <= std::size(kCalibrated));
  for (std::size_t i = 0; i < log.calibrations.size(); ++i) {
    TEST_ASSERT_EQUAL_UINT64(kCalibrated[i], log.calibrations[i].row);
    TEST_ASSERT_TRUE(is_same(calibration_of(i), log.calibrations[i].values));
  }
}

void test_all_that_goes_in_comes_out() {
  write_log();
  const TwinLog log = tool::read_log(path);
  TEST_ASSERT_TRUE(log.is_whole);
  TEST_ASSERT_EQUAL_UINT64(kRows, log.rows.size());
  TEST_ASSERT_EQUAL_UINT64(std::size(kCalibrated), log.calibrations.size());
  check_content(log);
}

// Where blocks end, by their sizes.
std::vector<std::size_t> block_ends(const std::vector<char>& bytes) {
  std::vector<std::size_t> ends = {8};
  while (ends.back() < bytes.size()) {
    std::uint32_t size = 0;
    std::memcpy(&size, &bytes[ends.back() + 4], sizeof size);
    ends.push_back(ends.back() + 12 + size);
  }
  return ends;
}

// Within the first three blocks there is nothing to run; then all rows of whole blocks are there.
void check_cut(const std::vector<char>& whole, const std::vector<std::size_t>& ends,
               std::size_t size) {
  write_all(whole, size);
  const std::size_t begun = ends[3];
  try {
    const TwinLog log = tool::read_log(path);
    TEST_ASSERT_TRUE(size >= begun);
    bool at_end = false;
    for (const std::size_t end : ends) {
      at_end = at_end || end == size;
    }
    TEST_ASSERT_TRUE(log.is_whole == at_end);
    check_content(log);
    // Rows of a block take the same room each.
    std::size_t rows = 0;
    for (std::size_t i = 3; i + 1 < ends.size() && ends[i + 1] <= size; ++i) {
      std::uint32_t kind = 0;
      std::memcpy(&kind, &whole[ends[i]], sizeof kind);
      rows += kind == 4 ? (ends[i + 1] - ends[i] - 12) / ((ends[5] - ends[4] - 12) / 700) : 0;
    }
    TEST_ASSERT_EQUAL_UINT64(rows, log.rows.size());
  } catch (const tool::Failure& failure) {
    TEST_ASSERT_TRUE_MESSAGE(size < begun, failure.what());
    TEST_ASSERT_TRUE(std::string(failure.what()).find("at byte") != std::string::npos);
  }
}

void test_cut_off_anywhere_it_is_good_up_to_there() {
  write_log();
  const std::vector<char> whole = read_all();
  const std::vector<std::size_t> ends = block_ends(whole);
  TEST_ASSERT_EQUAL_UINT64(whole.size(), ends.back());
  for (const std::size_t end : ends) {
    for (std::size_t size = end < 14 ? 0 : end - 14; size <= end + 14 && size <= whole.size();
         ++size) {
      check_cut(whole, ends, size);
    }
  }
  for (std::size_t size = 0; size < whole.size(); size += 7919) {
    check_cut(whole, ends, size);
  }
}

// Either it is refused, and where is told; or a size was made larger and the file seems cut off
// there. What is read is right in any case.
void check_damage(std::vector<char>& bytes, std::size_t place, int bit) {
  bytes[place] = static_cast<char>(bytes[place] ^ (1 << bit));
  write_all(bytes, bytes.size());
  bytes[place] = static_cast<char>(bytes[place] ^ (1 << bit));
  try {
    const TwinLog log = tool::read_log(path);
    TEST_ASSERT_FALSE(log.is_whole);
    check_content(log);
  } catch (const tool::Failure& failure) {
    TEST_ASSERT_TRUE(std::string(failure.what()).find("at byte") != std::string::npos);
  }
}

void test_no_flipped_bit_goes_unseen() {
  write_log();
  std::vector<char> bytes = read_all();
  for (const std::size_t end : block_ends(bytes)) {  // kinds, sizes and checksums
    for (std::size_t place = end < 4 ? 0 : end - 4; place < end + 8 && place < bytes.size();
         ++place) {
      for (int bit = 0; bit < 8; ++bit) {
        check_damage(bytes, place, bit);
      }
    }
  }
  for (std::size_t place = 0; place < bytes.size(); place += 9973) {
    check_damage(bytes, place, static_cast<int>(place % 8));
  }
}

// Twins of tests have the same types as those of the program.
void write_mid_run(bool spoil) {
  static twin_test::SensedTwin sensed;
  static twin_test::RepeatingEngine engine;
  TEST_ASSERT_TRUE(twin_test::make(twin_test::observer_of_the_engine(), sensed));
  twin_test::start(3, engine);
  twin_test::start(sensed);
  for (int i = 0; i < 5000; ++i) {
    twin_test::tick(sensed, twin_test::advance(engine));
  }
  const Bytes model = bytes_of(sensed.model);
  tool::LogWriter writer(path, {"an engine", "reduced", tool::hash_of(model), kSprockets}, model,
                         bytes_of(sensed.state));
  for (std::uint32_t i = 0; i < 3000; ++i) {
    if (i % 777 == 0) {  // also while nothing was calibrated at the log's begin
      twin::Calibration calibration = sensed.state.calibration;
      calibration.tagged_link = i % 100;
      calibration.elongation += 1e-5F;
      twin::calibrate(calibration, sensed.state);
      writer.calibrate(calibration);
    }
    twin_test::tick(sensed, twin_test::advance(engine));
    signal::Prediction told = sensed.prediction;
    told.strand_middle_N[2] += spoil && i == 2345 ? 0.25F : 0.0F;
    writer.add(sensed.frame, told);
  }
  writer.close();
}

void test_a_log_from_mid_run_is_replayed_to_the_bit() {
  write_mid_run(false);
  const tool::ReplayReport report = tool::replay(path);
  TEST_ASSERT_EQUAL_UINT64(3000, report.rows);
  TEST_ASSERT_FALSE(report.first_different.has_value());
}

void test_another_bit_is_told() {
  write_mid_run(true);
  const tool::ReplayReport report = tool::replay(path);
  TEST_ASSERT_TRUE(report.first_different.has_value());
  TEST_ASSERT_EQUAL_UINT64(2345, report.first_different->row);
  TEST_ASSERT_TRUE(report.first_different->text.find("strand_middle_N[3] was logged as") == 0);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  path = (std::filesystem::temp_directory_path() /
          ("test_twin_log." + std::to_string(getpid()) + ".tautlog"))
             .string();
  RUN_TEST(test_all_that_goes_in_comes_out);
  RUN_TEST(test_cut_off_anywhere_it_is_good_up_to_there);
  RUN_TEST(test_no_flipped_bit_goes_unseen);
  RUN_TEST(test_a_log_from_mid_run_is_replayed_to_the_bit);
  RUN_TEST(test_another_bit_is_told);
  static_cast<void>(std::remove(path.c_str()));
  return UNITY_END();
}
