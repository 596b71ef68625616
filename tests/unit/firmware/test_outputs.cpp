// Currents and fail values.
#include <limits>

#include "unity.h"

#include "firmware/outputs.h"

namespace {

using namespace taut;

void test_a_current_follows_its_quantity_and_ends() {
  const firmware::OutputSpec spec = firmware::default_outputs();
  TEST_ASSERT_TRUE(firmware::is_valid(spec));
  signal::Prediction prediction{};
  signal::OutputFrame frame{};
  const auto at = [&](float link_N) {
    prediction.tagged_link_N = link_N;
    firmware::show(spec, prediction, frame);
    return frame.analog_mA[0];
  };
  TEST_ASSERT_EQUAL_FLOAT(4, at(0));
  TEST_ASSERT_EQUAL_FLOAT(12, at(500e3F));
  TEST_ASSERT_EQUAL_FLOAT(20, at(1e6F));
  TEST_ASSERT_EQUAL_FLOAT(20.5F, at(2e6F));
  TEST_ASSERT_EQUAL_FLOAT(3.8F, at(-100e3F));
  TEST_ASSERT_EQUAL_FLOAT(3.8F, at(std::numeric_limits<float>::quiet_NaN()));
}

void test_fail_values_keep_the_last_with_invalid_health() {
  const firmware::OutputSpec spec = firmware::default_outputs();
  signal::Prediction prediction{};
  prediction.tick = 7;
  prediction.tagged_link_N = 300e3F;
  prediction.latched = signal::kEdgesLost;
  signal::OutputFrame frame{};
  firmware::show(spec, prediction, frame);
  firmware::fail(spec, signal::kLateTick, frame);
  TEST_ASSERT_EQUAL_FLOAT(300e3F, frame.prediction.tagged_link_N);
  TEST_ASSERT_EQUAL_UINT32(7, frame.prediction.tick);
  TEST_ASSERT_EQUAL_UINT32(signal::kLateTick | static_cast<std::uint32_t>(signal::Trust::kInvalid),
                           frame.prediction.health);
  TEST_ASSERT_EQUAL_UINT32(signal::kEdgesLost | signal::kLateTick, frame.prediction.latched);
  for (const float current_mA : frame.analog_mA) {
    TEST_ASSERT_EQUAL_FLOAT(4, current_mA);
  }
}

void test_what_cannot_be_is_refused() {
  const auto is_valid_with = [](auto change) {
    firmware::OutputSpec spec = firmware::default_outputs();
    change(spec.analog[2]);
    return firmware::is_valid(spec);
  };
  using Spec = firmware::AnalogOutputSpec;
  TEST_ASSERT_TRUE(is_valid_with([](Spec& spec) { spec.fail_mA = 24; }));
  TEST_ASSERT_FALSE(is_valid_with([](Spec& spec) { spec.fail_mA = 24.5F; }));
  TEST_ASSERT_FALSE(is_valid_with([](Spec& spec) { spec.fail_mA = -1; }));
  TEST_ASSERT_FALSE(is_valid_with([](Spec& spec) { spec.quantity = nullptr; }));
  TEST_ASSERT_FALSE(is_valid_with([](Spec& spec) { spec.at_full_scale = spec.at_live_zero; }));
  TEST_ASSERT_FALSE(is_valid_with(
      [](Spec& spec) { spec.at_full_scale = std::numeric_limits<float>::infinity(); }));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_current_follows_its_quantity_and_ends);
  RUN_TEST(test_fail_values_keep_the_last_with_invalid_health);
  RUN_TEST(test_what_cannot_be_is_refused);
  return UNITY_END();
}
