// The bench's drive differs from the drawing as far as it says, by its seed, and by damage.
#include <cmath>
#include <string>

#include "unity.h"

#include "host_tools/rig/plant_parameters.h"
#include "sim_core/drive/links.h"
#include "sim_core/drive/spec_hash.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut;
using namespace taut::rig;

const drive::DriveSpec& nominal() {
  static const drive::DriveSpec kSpec = drive_test::engine_6s90mc_c();
  return kSpec;
}

Drawn drawn_by(std::uint64_t seed, const Spread& spread = {}) {
  Random random(seed, Stream::kPlant);
  return draw(nominal(), spread, random);
}

struct Extent {
  double lowest = 1e9;
  double highest = -1e9;
  void add(double value) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
};

// Of 400 draws the outermost are within 5 % of the bound with a chance of 1 - 2 (0.975)^400: all
// but 1e-4; none is beyond.
void check_fills(const Extent& extent, double middle, double bound) {
  TEST_ASSERT_TRUE(extent.lowest >= middle - bound && extent.lowest < middle - 0.95 * bound);
  TEST_ASSERT_TRUE(extent.highest <= middle + bound && extent.highest > middle + 0.95 * bound);
}

void test_parameters_lie_within_their_bounds() {
  Extent contact, friction, joint, link_damping, x_m, y_m, elongation, link;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const drive::DriveSpec spec = with(nominal(), drawn_by(seed));
    TEST_ASSERT_TRUE_MESSAGE(problem_with(spec).empty(), problem_with(spec).c_str());
    contact.add(spec.contact.stiffness_N_m_n / nominal().contact.stiffness_N_m_n);
    friction.add(spec.friction.coefficient / nominal().friction.coefficient);
    joint.add(spec.chain.joint_damping_N_m_s / nominal().chain.joint_damping_N_m_s);
    link_damping.add(spec.chain.link_damping_N_s_m / nominal().chain.link_damping_N_s_m);
    x_m.add(spec.sprockets[2].centre_x_m - nominal().sprockets[2].centre_x_m);
    y_m.add(spec.sprockets[2].centre_y_m - nominal().sprockets[2].centre_y_m);
    TEST_ASSERT_EQUAL(1, spec.special_links.size());
    elongation.add(spec.special_links[0].elongation);
    link.add(spec.special_links[0].number);
    TEST_ASSERT_TRUE(spec.special_links[0].stiffness_factor == 1);
  }
  check_fills(contact, 1, 0.15);
  check_fills(friction, 1, 0.15);
  check_fills(joint, 1, 0.15);
  check_fills(link_damping, 1, 0.15);
  check_fills(x_m, 0, 1e-4 + 1e-15);
  check_fills(y_m, 0, 1e-4 + 1e-15);
  check_fills(elongation, 0, 5e-4);
  TEST_ASSERT_TRUE(link.lowest >= 1 && link.lowest < 8);
  TEST_ASSERT_TRUE(link.highest <= 144 && link.highest > 137);
}

// Nothing else than these is touched.
void test_all_other_parameters_stay() {
  const drive::DriveSpec spec = with(nominal(), drawn_by(3));
  drive::DriveSpec back = spec;
  back.contact.stiffness_N_m_n = nominal().contact.stiffness_N_m_n;
  back.friction.coefficient = nominal().friction.coefficient;
  back.chain.joint_damping_N_m_s = nominal().chain.joint_damping_N_m_s;
  back.chain.link_damping_N_s_m = nominal().chain.link_damping_N_s_m;
  back.sprockets[2].centre_x_m = nominal().sprockets[2].centre_x_m;
  back.sprockets[2].centre_y_m = nominal().sprockets[2].centre_y_m;
  back.special_links.clear();
  TEST_ASSERT_TRUE(drive::hash_of(spec) != drive::hash_of(nominal()));
  TEST_ASSERT_TRUE(drive::hash_of(back) == drive::hash_of(nominal()));
}

void test_without_spread_it_is_the_drawing() {
  const drive::DriveSpec spec = with(nominal(), drawn_by(3, kNoSpread));
  TEST_ASSERT_TRUE(drive::hash_of(spec) == drive::hash_of(nominal()));
}

void test_a_full_list_of_links_is_used_again() {
  drive::DriveSpec full = nominal();
  for (int number = 1; !full.special_links.full(); ++number) {
    full.special_links.push_back({.number = number});
  }
  Random random(3, Stream::kPlant);
  const Drawn drawn = draw(full, {}, random);
  TEST_ASSERT_TRUE(has_room_for(full, drawn.link));
  TEST_ASSERT_EQUAL(full.special_links.size(), with(full, drawn).special_links.size());
  TEST_ASSERT_FALSE(has_room_for(full, 100));
  const Damage damage{DamageKind::kCrackedLink, 100, 0.5, 1, 1};
  TEST_ASSERT_EQUAL_STRING("number", problem_with(damage, full).member.c_str());
}

void test_damage_changes_its_field_and_grows() {
  const auto change = [](DamageKind kind, int number, double size, double part) {
    return damaged(nominal(), {kind, number, size, 0, 0}, part);
  };
  const auto cracked = change(DamageKind::kCrackedLink, 20, 0.3, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1, 0.3 * nominal().chain.link_stiffness_N_m,
                            drive::link_stiffness_N_m(cracked, 19));
  TEST_ASSERT_TRUE(drive::link_stiffness_N_m(cracked, 18) == nominal().chain.link_stiffness_N_m);
  TEST_ASSERT_DOUBLE_WITHIN(
      1, 0.65 * nominal().chain.link_stiffness_N_m,
      drive::link_stiffness_N_m(change(DamageKind::kCrackedLink, 20, 0.3, 0.5), 19));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.002,
                            change(DamageKind::kWornBar, 2, 0.004, 0.5).guide_bars[1].wear_m);
  TEST_ASSERT_TRUE(change(DamageKind::kWornBar, 2, 0.004, 0.5).guide_bars[0].wear_m == 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.4,
                            change(DamageKind::kWeakDamper, 0, 0.2, 0.75).tightener.damping_factor);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1e-4,
                            change(DamageKind::kElongation, 0, 4e-4, 0.25).chain.elongation);
}

void expect_problem(const Damage& damage, const char* member, const char* part) {
  const MemberProblem problem = problem_with(damage, nominal());
  TEST_ASSERT_EQUAL_STRING(member, problem.member.c_str());
  TEST_ASSERT_TRUE_MESSAGE(problem.text.find(part) != std::string::npos, problem.text.c_str());
}

void test_wrong_damages_are_told() {
  using enum DamageKind;
  expect_problem({kCrackedLink, 145, 0.5, 1, 1}, "number", "number = 145: allowed 1 to 144, links");
  expect_problem({kWornBar, 4, 0.001, 1, 1}, "number", "allowed 1 to 3, guide-bars");
  expect_problem({kCrackedLink, 1, 0, 1, 1}, "size", "allowed 0.01 to 1");
  expect_problem({kWeakDamper, 0, 1.5, 1, 1}, "size", "allowed 0 to 1 of its damping");
  expect_problem({kElongation, 0, 1e-4, -1, 1}, "at_s", "at_s = -1");
  expect_problem({kElongation, 0, 1e-4, 1, INFINITY}, "until_s", "until_s = inf");
  expect_problem({kElongation, 0, 0.02, 1, 1}, "size", "makes of the drive");  // hangs slack
  drive::DriveSpec fixed = nominal();
  fixed.tightener.kind = drive::TightenerKind::kFixed;
  TEST_ASSERT_EQUAL_STRING("kind",
                           problem_with(Damage{kWeakDamper, 0, 0.5, 1, 1}, fixed).member.c_str());
  TEST_ASSERT_TRUE(problem_with(Damage{kWornBar, 3, 0.001, 1, 1}, nominal()).empty());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_parameters_lie_within_their_bounds);
  RUN_TEST(test_all_other_parameters_stay);
  RUN_TEST(test_without_spread_it_is_the_drawing);
  RUN_TEST(test_a_full_list_of_links_is_used_again);
  RUN_TEST(test_damage_changes_its_field_and_grows);
  RUN_TEST(test_wrong_damages_are_told);
  return UNITY_END();
}
