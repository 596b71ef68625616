// The number of a drive: every value of the field table counts, nothing else does.
#include "unity.h"

#include "sim_core/drive/fields.h"
#include "sim_core/drive/spec_hash.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut::drive;
using taut::drive_test::engine_6s90mc_c;

void test_every_value_counts() {
  DriveSpec spec = engine_6s90mc_c();
  spec.special_links.push_back({});
  const std::uint64_t hash = hash_of(spec);
  int values = 0;
  for_each_section(spec, [&](auto& section, int /*index*/) {
    for (const auto& field : fields<std::decay_t<decltype(section)>>()) {
      const double value = field.get(section);
      field.set(section, value == field.lowest ? field.highest : field.lowest);
      TEST_ASSERT_TRUE_MESSAGE(hash_of(spec) != hash, field.key.data());
      field.set(section, value);
      ++values;
    }
  });
  TEST_ASSERT_TRUE(values > 100);
  TEST_ASSERT_TRUE(hash_of(spec) == hash);
}

void test_a_section_more_or_less_counts() {
  DriveSpec spec = engine_6s90mc_c();
  const std::uint64_t hash = hash_of(spec);
  spec.guide_bars.pop_back();
  TEST_ASSERT_TRUE(hash_of(spec) != hash);
}

void test_name_and_sign_of_zero_do_not_count() {
  DriveSpec spec = engine_6s90mc_c();
  spec.gravity.x_m_s2 = 0.0;
  const std::uint64_t hash = hash_of(spec);
  spec.name = "by any other name";
  spec.gravity.x_m_s2 = -0.0;
  TEST_ASSERT_TRUE(hash_of(spec) == hash);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_value_counts);
  RUN_TEST(test_a_section_more_or_less_counts);
  RUN_TEST(test_name_and_sign_of_zero_do_not_count);
  return UNITY_END();
}
