// What an XCP master reads and writes: rows by their addresses, calibrations at the border of
// ticks.
#include <bit>
#include <limits>

#include "unity.h"
#include <etl/optional.h>

#include "tests/support/xcp_bench.h"

namespace {

using namespace taut;
using hal::xcp::Error;
using test::row_of;
using test::XcpBench;
using twin::Part;

etl::optional<XcpBench> bench;

void short_download_float(std::uint32_t row, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  bench->send({0xED, 4, 0, 0, TAUT_ADDRESS(row, 0), static_cast<int>(bits & 0xFFU),
               static_cast<int>(bits >> 8U & 0xFFU), static_cast<int>(bits >> 16U & 0xFFU),
               static_cast<int>(bits >> 24U)});
}

void expect_refused(Error error) {
  TEST_ASSERT_EQUAL_UINT32(2, bench->response.size);
  TEST_ASSERT_EQUAL_HEX8(hal::xcp::kPidError, bench->response.bytes[0]);
  TEST_ASSERT_EQUAL_HEX8(error, bench->response.bytes[1]);
}

void test_every_row_is_readable_whole_and_no_further() {
  bench->connect();
  std::uint32_t row = 0;
  for (const Part part : {Part::kInput, Part::kMeasurement, Part::kCalibration}) {
    for (const signal::Entry& entry : twin::entries(part)) {
      const auto size = static_cast<int>(hal::xcp::size_of(entry));
      bench->expect_ok({0xF4, size, 0, 0, TAUT_ADDRESS(row, 0)});
      TEST_ASSERT_EQUAL_UINT32(size + 1, bench->response.size);
      bench->expect_error(Error::kAccessDenied, {0xF4, size + 1, 0, 0, TAUT_ADDRESS(row, 0)});
      bench->expect_error(Error::kAccessDenied, {0xF4, 1, 0, 0, TAUT_ADDRESS(row, size)});
      bench->expect_error(Error::kAccessDenied, {0xF4, size, 0, 0, TAUT_ADDRESS(row, 1)});
      ++row;
    }
  }
  bench->expect_error(Error::kAccessDenied, {0xF4, 1, 0, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kAccessDenied, {0xF4, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
}

void test_upload_walks_on() {
  bench->connect();
  bench->prediction.strand_mean_N[0] = 1;
  bench->prediction.strand_mean_N[1] = 2;
  bench->expect_error(Error::kSequence, {0xF5, 4});
  const std::uint32_t row = row_of(Part::kMeasurement, "strand_mean_N");
  bench->expect({0xF6, 0, 0, 0, TAUT_ADDRESS(row, 0)}, {0xFF});
  bench->expect({0xF5, 4}, {0xFF, 0, 0, 0x80, 0x3F});
  bench->expect({0xF5, 4}, {0xFF, 0, 0, 0, 0x40});
  bench->expect_error(Error::kAccessDenied, {0xF5, 25});
  bench->expect_ok({0xF5, 24});
  bench->expect_error(Error::kAccessDenied, {0xF5, 4});
  bench->expect_error(Error::kOutOfRange, {0xF5, 0});
  bench->expect_error(Error::kOutOfRange, {0xF5, 64});
  bench->expect_error(Error::kOutOfRange, {0xF6, 0, 0, 1, TAUT_ADDRESS(row, 0)});
}

void test_nothing_is_written_while_locked() {
  bench->connect();
  const std::uint32_t row = row_of(Part::kCalibration, "elongation");
  short_download_float(row, 0.02F);
  expect_refused(Error::kAccessLocked);
  bench->unlock(hal::xcp::kResourceStim);  // the other resource is no help
  short_download_float(row, 0.02F);
  expect_refused(Error::kAccessLocked);
  bench->expect_ok({0xF6, 0, 0, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kAccessLocked, {0xF0, 4, 0, 0, 0, 0});
  bench->expect_error(Error::kAccessLocked, {0xF9, 1, 0, 0});
  bench->tick();
  TEST_ASSERT_EQUAL_FLOAT(0.01F, bench->calibration.elongation);
  TEST_ASSERT_EQUAL_UINT32(0, bench->log.size());
}

void test_a_write_takes_effect_at_the_border_and_is_logged() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  bench->tick();
  const std::uint32_t row = row_of(Part::kCalibration, "elongation");
  short_download_float(row, 0.02F);
  TEST_ASSERT_EQUAL_HEX8(0xFF, bench->response.bytes[0]);
  TEST_ASSERT_EQUAL_FLOAT(0.01F, bench->calibration.elongation);
  bench->expect({0xF4, 4, 0, 0, TAUT_ADDRESS(row, 0)}, {0xFF, 0x0A, 0xD7, 0xA3, 0x3C});
  TEST_ASSERT_TRUE(hal::xcp::commit_calibration(bench->state, bench->images));
  TEST_ASSERT_EQUAL_FLOAT(0.02F, bench->calibration.elongation);
  TEST_ASSERT_FALSE(hal::xcp::commit_calibration(bench->state, bench->images));
  hal::xcp::WriteRecord record{};
  TEST_ASSERT_TRUE(bench->log.pop(record));
  TEST_ASSERT_EQUAL_UINT32(1, record.tick);
  TEST_ASSERT_EQUAL_HEX32(row * 256, record.address);
  TEST_ASSERT_EQUAL_HEX32(std::bit_cast<std::uint32_t>(0.01F), record.before);
  TEST_ASSERT_EQUAL_HEX32(std::bit_cast<std::uint32_t>(0.02F), record.after);
}

// Between two borders all writes wait together.
void test_writes_take_effect_together() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  short_download_float(row_of(Part::kCalibration, "elongation"), 0.03F);
  const std::uint32_t row = row_of(Part::kCalibration, "tagged_link");
  bench->expect({0xF6, 0, 0, 0, TAUT_ADDRESS(row, 0)}, {0xFF});
  bench->expect({0xF0, 4, 7, 0, 0, 0}, {0xFF});
  TEST_ASSERT_EQUAL_UINT32(0, bench->calibration.tagged_link);
  bench->tick();
  TEST_ASSERT_EQUAL_UINT32(7, bench->calibration.tagged_link);
  TEST_ASSERT_EQUAL_FLOAT(0.03F, bench->calibration.elongation);
}

void test_ranges_are_held() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  const std::uint32_t row = row_of(Part::kCalibration, "elongation");
  for (const float value :
       {-1e-9F, 0.0500001F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    short_download_float(row, value);
    expect_refused(Error::kOutOfRange);
  }
  const std::uint32_t link = row_of(Part::kCalibration, "tagged_link");
  bench->expect_error(Error::kOutOfRange, {0xED, 4, 0, 0, TAUT_ADDRESS(link, 0), 0, 1, 0, 0});
  bench->tick();
  TEST_ASSERT_EQUAL_FLOAT(0.01F, bench->calibration.elongation);
  TEST_ASSERT_EQUAL_UINT32(0, bench->log.size());
  short_download_float(row, 0.0F);
  bench->tick();
  TEST_ASSERT_EQUAL_FLOAT(0.0F, bench->calibration.elongation);
}

void test_what_is_no_calibration_is_read_only() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  bench->unlock(hal::xcp::kResourceStim);
  const auto rows = static_cast<std::uint32_t>(twin::entries(Part::kInput).size() +
                                               twin::entries(Part::kMeasurement).size());
  for (std::uint32_t row = 0; row < rows; ++row) {
    short_download_float(row, 0);
    expect_refused(Error::kWriteProtected);
  }
}

void test_parts_of_elements_are_refused() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  const std::uint32_t row = row_of(Part::kCalibration, "tagged_link");
  bench->expect_error(Error::kAccessDenied, {0xED, 2, 0, 0, TAUT_ADDRESS(row, 0), 1, 0});
  bench->expect_error(Error::kAccessDenied, {0xED, 2, 0, 0, TAUT_ADDRESS(row, 2), 1, 0});
  bench->expect_error(Error::kAccessDenied,
                      {0xED, 8, 0, 0, TAUT_ADDRESS(row, 0), 0, 0, 0, 0, 0, 0, 0, 0});
  bench->expect_error(Error::kSyntax, {0xED, 4, 0, 0, TAUT_ADDRESS(row, 0), 1, 0, 0});
  bench->expect_error(Error::kOutOfRange, {0xED, 0, 0, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kOutOfRange, {0xF0, 0});
  bench->expect_error(Error::kSyntax, {0xF0, 4, 1, 2, 3});
  bench->expect_ok({0xFA, 0});  // the address is now in a text
  bench->expect_error(Error::kSequence, {0xF0, 4, 1, 0, 0, 0});
}

// Every write is logged: without room there is none.
void test_a_full_log_refuses_writes() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  const std::uint32_t row = row_of(Part::kCalibration, "elongation");
  for (std::size_t i = 0; i < 4; ++i) {
    short_download_float(row, 0.02F);
    TEST_ASSERT_EQUAL_HEX8(0xFF, bench->response.bytes[0]);
  }
  short_download_float(row, 0.04F);
  expect_refused(Error::kBusy);
  bench->tick();
  TEST_ASSERT_EQUAL_FLOAT(0.02F, bench->calibration.elongation);
}

void test_there_is_one_page() {
  bench->connect();
  bench->expect({0xE9}, {0xFF, 1, 0});
  bench->expect({0xEB, 0x83, 0, 0}, {0xFF});
  bench->expect({0xEB, 0x01, 0, 0}, {0xFF});
  bench->expect_error(Error::kPageNotValid, {0xEB, 0x02, 0, 1});
  bench->expect_error(Error::kSegmentNotValid, {0xEB, 0x02, 1, 0});
  bench->expect_error(Error::kModeNotValid, {0xEB, 0x80, 0, 0});
  bench->expect_error(Error::kModeNotValid, {0xEB, 0x04, 0, 0});
  bench->expect({0xEA, 1, 0}, {0xFF, 0, 0, 0});
  bench->expect({0xEA, 2, 0}, {0xFF, 0, 0, 0});
  bench->expect_error(Error::kModeNotValid, {0xEA, 3, 0});
  bench->expect_error(Error::kSegmentNotValid, {0xEA, 1, 1});
}

void test_a_request_to_store_is_kept_until_it_is_done() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceCalibration);
  bench->expect_error(Error::kOutOfRange, {0xF9, 4, 0, 0});
  bench->expect({0xF9, 1, 0, 0}, {0xFF});
  TEST_ASSERT_TRUE(hal::xcp::is_store_requested(bench->state));
  bench->expect({0xFD}, {0xFF, 1, 0x08, 0, 0, 0});
  hal::xcp::end_storing(bench->state, true);
  bench->expect({0xFD}, {0xFF, 0, 0x08, 0, 0, 0});
  static_cast<void>(hal::xcp::serve(bench->model, bench->state, bench->images, bench->queues));
  hal::xcp::Packet event{};
  TEST_ASSERT_TRUE(bench->out.pop(event));
  TEST_ASSERT_EQUAL_UINT32(2, event.size);
  TEST_ASSERT_EQUAL_HEX8(0xFD, event.bytes[0]);
  TEST_ASSERT_EQUAL_HEX8(0x03, event.bytes[1]);
  TEST_ASSERT_FALSE(bench->out.pop(event));
  // One that could not be done ends without a word of success.
  bench->expect({0xF9, 1, 0, 0}, {0xFF});
  hal::xcp::end_storing(bench->state, false);
  TEST_ASSERT_FALSE(hal::xcp::is_store_requested(bench->state));
  static_cast<void>(hal::xcp::serve(bench->model, bench->state, bench->images, bench->queues));
  TEST_ASSERT_FALSE(bench->out.pop(event));
}

}  // namespace

void setUp() {
  bench.emplace();
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_row_is_readable_whole_and_no_further);
  RUN_TEST(test_upload_walks_on);
  RUN_TEST(test_nothing_is_written_while_locked);
  RUN_TEST(test_a_write_takes_effect_at_the_border_and_is_logged);
  RUN_TEST(test_writes_take_effect_together);
  RUN_TEST(test_ranges_are_held);
  RUN_TEST(test_what_is_no_calibration_is_read_only);
  RUN_TEST(test_parts_of_elements_are_refused);
  RUN_TEST(test_a_full_log_refuses_writes);
  RUN_TEST(test_there_is_one_page);
  RUN_TEST(test_a_request_to_store_is_kept_until_it_is_done);
  return UNITY_END();
}
