// Worn and damaged chains and bars at rest, and what a fitter does about wear.
#include <algorithm>
#include <cmath>

#include "unity.h"

#include "sim_core/drive/validate.h"
#include "sim_core/roller_chain/potential.h"
#include "sim_core/roller_chain/retighten.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/touches.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;

using drive_test::at_rest;
using drive_test::engine_6s90mc_c;
using drive_test::engine_with_fixed_tightener;
using drive_test::model_of;

drive::DriveSpec with_elongation(drive::DriveSpec spec, double elongation) {
  spec.chain.elongation = elongation;
  return spec;
}

StaticsReport rest_report(const drive::DriveSpec& spec) {
  const drive::DriveModel model = model_of(spec);
  return report(model, at_rest(model));
}

double tension_N(const Equilibrium& rest, std::size_t link) {
  const double length_m = link_span(rest.at, roller_before(rest.model, link), link).length_m;
  return elastic_tension_N(rest.model, link, length_m);
}

// --- Elongation ---

// Links longer by d unload what they lie between: stiffness times dx = forces of the longer links
// in the old places. So much for one micrometre per metre; the slope itself changes by 0.2 %
// over that, as it does by 40 % over 0.02 %.
void check_drop(const drive::DriveSpec& spec) {
  constexpr double kMore = 1e-6;
  const Equilibrium before = at_rest(model_of(with_elongation(spec, 1e-4)));
  const Equilibrium after = at_rest(model_of(with_elongation(spec, 1e-4 + kMore)));
  const Coordinates coordinates(before.model);
  const Eigen::VectorXd pushed = coordinates.gather(forces_at_rest(after.model, before.at));
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(
      roller_chain::stiffness(before.model, before.at));
  const Eigen::VectorXd move = solver.solve(pushed);
  for (std::size_t i = 0; i < before.model.links; ++i) {
    const std::size_t from = roller_before(before.model, i);
    const auto along = link_span(before.at, from, i).along;
    const Eigen::Vector2d span_m =
        move.segment<2>(coordinates.roller(i)) - move.segment<2>(coordinates.roller(from));
    const double expected_N =
        before.model.link_stiffness_N_m[i] * (along.dot(span_m) - kMore * spec.chain.pitch_m);
    const double found_N = tension_N(after, i) - tension_N(before, i);
    TEST_ASSERT_TRUE(expected_N < 0);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3 * std::abs(expected_N) + 0.01, expected_N, found_N);
  }
}

void test_elongation_unloads_the_chain_by_its_compliance() {
  check_drop(engine_6s90mc_c());
  check_drop(engine_with_fixed_tightener());
}

// About 10 mm too long, 0.06 to 0.08 %, the chain of 6S90MC-C is slack: from there on only its
// weight pulls, and further wear hardly changes anything.
void test_a_chain_goes_slack_where_it_should() {
  const drive::DriveSpec spec = engine_with_fixed_tightener();
  const auto at_N = [&](double elongation) {
    return mean_tension_N(with_elongation(spec, elongation));
  };
  const double new_N = at_N(0);
  TEST_ASSERT_DOUBLE_WITHIN(1e3, 64e3, new_N);
  double last_N = new_N;
  for (const double elongation : {0.0002, 0.0004, 0.0006, 0.0008, 0.001}) {
    const double now_N = at_N(elongation);
    TEST_ASSERT_TRUE(now_N > 0 && now_N < last_N);
    last_N = now_N;
  }
  const double taut_N_per_part = (new_N - at_N(0.0002)) / 0.0002;
  const double slack_N_per_part = (at_N(0.0008) - at_N(0.001)) / 0.0002;
  TEST_ASSERT_TRUE(at_N(0.0004) > 0.2 * new_N);
  TEST_ASSERT_TRUE(slack_N_per_part < 0.05 * taut_N_per_part);
}

// --- Single links ---

// A link of strand 2, which has no bar, with neighbours in the strand too.
std::size_t link_in_strand_2(const Equilibrium& rest) {
  for (std::size_t i = 2; i + 2 < rest.model.links; ++i) {
    const auto inside = [&](std::size_t link) { return is_inside(rest.model, rest.at, 1, link); };
    if (inside(i - 2) && inside(i - 1) && inside(i) && inside(i + 1) && inside(i + 2)) {
      return i;
    }
  }
  TEST_FAIL_MESSAGE("strand 2 has no five links");
  return 0;
}

drive::DriveSpec with_link(drive::DriveSpec spec, const drive::LinkSpec& link) {
  spec.special_links.push_back(link);
  return spec;
}

// It stretches by tension/(factor K), and pulls as hard as its neighbours: between them only
// the weight of rollers differs, the same from link to link. Links bend by micrometres.
void test_a_cracked_link_stretches_more_and_pulls_the_same() {
  const drive::DriveSpec sound = engine_with_fixed_tightener();
  const std::size_t i = link_in_strand_2(at_rest(model_of(sound)));
  const drive::DriveSpec cracked =
      with_link(sound, {.number = static_cast<int>(i) + 1, .stiffness_factor = 0.3});
  const Equilibrium rest = at_rest(model_of(cracked));
  const double pull_N = tension_N(rest, i);
  const double stretch_m = link_span(rest.at, i - 1, i).length_m - sound.chain.pitch_m;
  const double sound_m = link_span(rest.at, i, i + 1).length_m - sound.chain.pitch_m;
  TEST_ASSERT_TRUE(pull_N > 50e3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, pull_N / (0.3 * sound.chain.link_stiffness_N_m), stretch_m);
  TEST_ASSERT_DOUBLE_WITHIN(0.01 / 0.3 * sound_m, sound_m / 0.3, stretch_m);
  const double between_N = (tension_N(rest, i - 1) + tension_N(rest, i + 1)) / 2;
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * pull_N, between_N, pull_N);
}

// At rest a crack cannot be told from wear: where the chain with the crack rests, one with a
// sound link that is longer by what the crack gives way more rests too. Round-off of link
// forces is 1e-6 N.
void test_a_cracked_link_is_as_good_as_a_longer_one() {
  const drive::DriveSpec sound = engine_6s90mc_c();
  constexpr int kNumber = 17;
  constexpr double kFactor = 0.3;
  const Equilibrium cracked =
      at_rest(model_of(with_link(sound, {.number = kNumber, .stiffness_factor = kFactor})));
  const double more_m =
      tension_N(cracked, kNumber - 1) * (1 / kFactor - 1) / sound.chain.link_stiffness_N_m;
  TEST_ASSERT_TRUE(more_m > 5e-5);
  RollerModel<double> longer;
  make_roller_model(
      model_of(with_link(sound, {.number = kNumber, .elongation = more_m / sound.chain.pitch_m})),
      {}, longer);
  const Eigen::VectorXd left = Coordinates(longer).gather(forces_at_rest(longer, cracked.at));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, left.cwiseAbs().maxCoeff());
}

// --- Bars ---

void test_a_missing_bar_is_no_bar() {
  drive::DriveSpec missing = engine_6s90mc_c();
  missing.guide_bars[1].condition = drive::BarCondition::kMissing;
  drive::DriveSpec without = engine_6s90mc_c();
  without.guide_bars.erase(without.guide_bars.begin() + 1);
  const StaticsReport a = rest_report(missing);
  const StaticsReport b = rest_report(without);
  for (std::size_t i = 0; i < 144; ++i) {
    TEST_ASSERT_TRUE(a.link_force_N[i] == b.link_force_N[i]);
  }
}

void test_a_worn_bar_is_one_pressed_less() {
  drive::DriveSpec worn = engine_6s90mc_c();
  worn.guide_bars[1].wear_m = 0.002;
  drive::DriveSpec lower = engine_6s90mc_c();
  lower.guide_bars[1].indentation_m -= 0.002;
  const StaticsReport a = rest_report(worn);
  const StaticsReport b = rest_report(lower);
  const StaticsReport unworn = rest_report(engine_6s90mc_c());
  for (std::size_t i = 0; i < 144; ++i) {
    TEST_ASSERT_TRUE(a.link_force_N[i] == b.link_force_N[i]);
  }
  TEST_ASSERT_TRUE(a.strand_mean_N[3] < unworn.strand_mean_N[3]);
}

// With the modulus that gives Pedersen's 3 MN/m^1.5, rubber rests as the stiff bar does; worn to
// half its thickness it is twice as stiff.
void test_rubber_of_the_same_stiffness_rests_the_same() {
  drive::DriveSpec rubber = engine_6s90mc_c();
  for (drive::GuideBarSpec& bar : rubber.guide_bars) {
    bar.lining = drive::BarLining::kRubber;
    bar.lining_thickness_m = 0.02;
    bar.lining_width_m = 0.068;
    bar.lining_modulus_Pa = 3e6 * 0.75 * 0.02 / 0.068 / std::sqrt(2 * 0.036195);
    bar.lining_hysteresis = 0.4;
  }
  const StaticsReport a = rest_report(rubber);
  const StaticsReport b = rest_report(engine_6s90mc_c());
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * b.strand_mean_N[s], b.strand_mean_N[s], a.strand_mean_N[s]);
  }
  rubber.guide_bars[0].wear_m = 0.01;
  TEST_ASSERT_DOUBLE_WITHIN(1, 6e6, drive::bar_law_of<double>(rubber, 0).stiffness_N_m_n);
}

// --- Damper ---

void test_a_weak_damper_has_its_part_of_the_damping() {
  drive::DriveSpec spec = engine_6s90mc_c();
  spec.tightener.damping_factor = 0.25;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 200, drive::arm_of<double>(spec).spring_damping_N_s_m);
}

// --- Retightening ---

// 82 mm of chain too much: the tightener follows, and the chain has again what it had when new.
void check_retightened(const drive::DriveSpec& spec, double elongation) {
  const double wanted_N = mean_tension_N(spec);
  const drive::DriveSpec worn = with_elongation(spec, elongation);
  TEST_ASSERT_TRUE(mean_tension_N(as_new(worn)) == wanted_N);
  TEST_ASSERT_TRUE(mean_tension_N(worn) < 0.5 * wanted_N);
  const Retightened found = retighten(worn, wanted_N);
  TEST_ASSERT_TRUE(found.found);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * wanted_N, wanted_N, mean_tension_N(found.spec));
  drive::SpecErrors errors;
  validate(found.spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  // Drawn anew, the arm rests where it is drawn, to a tenth of a millimetre at its axle.
  const StaticsReport rest = rest_report(found.spec);
  TEST_ASSERT_DOUBLE_WITHIN(6e-4, 0, rest.arm_angle_rad);
  TEST_ASSERT_TRUE(*std::min_element(rest.strand_mean_N, rest.strand_mean_N + 4) > 0.9 * wanted_N);
}

void test_retighten_takes_up_wear() {
  for (const double elongation : {0.001, 0.005, 0.01}) {
    check_retightened(engine_6s90mc_c(), elongation);
    check_retightened(engine_with_fixed_tightener(), elongation);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_elongation_unloads_the_chain_by_its_compliance);
  RUN_TEST(test_a_chain_goes_slack_where_it_should);
  RUN_TEST(test_a_cracked_link_stretches_more_and_pulls_the_same);
  RUN_TEST(test_a_cracked_link_is_as_good_as_a_longer_one);
  RUN_TEST(test_a_missing_bar_is_no_bar);
  RUN_TEST(test_a_worn_bar_is_one_pressed_less);
  RUN_TEST(test_rubber_of_the_same_stiffness_rests_the_same);
  RUN_TEST(test_a_weak_damper_has_its_part_of_the_damping);
  RUN_TEST(test_retighten_takes_up_wear);
  return UNITY_END();
}
