// The forces on a chain in motion: what each dissipates, and that inner ones cancel.
#include <cmath>
#include <memory>

#include "unity.h"

#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::Moving;

// Every force at work: friction, joints, bars (one of them rubber) and arm under the 6th order,
// a bearing and a load besides; no link quite like another.
std::unique_ptr<Moving<>> running_engine(drive::DriveSpec spec = drive_test::damaged_6s90mc_c()) {
  spec.sprockets[1].bearing_damping_N_m_s = 20;
  spec.sprockets[3].load_torque_N_m = 500;
  const drive::DriveModel drive = drive_test::model_of(spec);
  auto moving = std::make_unique<Moving<>>();
  start(drive, drive_test::at_rest(drive).at, {.step = {}, .order = 6, .order_amplitude_rad_s2 = 7},
        *moving);
  advance(*moving, 8000);
  return moving;
}

double power_W(const Moving<>& moving, const Forces<double>& forces) {
  double sum_W = forces.arm_moment_N_m * moving.state.rate.arm_angle_rad_s;
  for (std::size_t i = 0; i < moving.model.links; ++i) {
    sum_W +=
        forces.x_N[i] * moving.state.rate.x_m_s[i] + forces.y_N[i] * moving.state.rate.y_m_s[i];
  }
  for (std::size_t s = 0; s < moving.model.sprockets; ++s) {
    sum_W += forces.torque_N_m[s] * moving.state.rate.angle_rad_s[s] +
             forces.offset_x_N[s] * moving.state.rate.offset_x_m_s[s] +
             forces.offset_y_N[s] * moving.state.rate.offset_y_m_s[s];
  }
  return sum_W;
}

// Sums of 144 terms of up to 1e5 N times 10 m/s, rounded at 1e-16 each.
constexpr double kRoundOff_W = 1e-6;

// What links and joints do to the rollers, without their weight.
void set_pulls(RollerModel<double> model, RollerScratch<double>& scratch, Forces<double>& forces) {
  model.gravity_x_m_s2 = 0;
  model.gravity_y_m_s2 = 0;
  compute_joints(model, scratch);
  compute_pulls(model.links, scratch);
  set_pulls_and_weight(model, scratch, forces);
}

// Pedersen 3.10-3.17: into the rollers goes -C_d phidot^2 at every joint.
void test_joint_damping_takes_its_coefficient_times_rate_squared() {
  const auto moving = running_engine();
  Forces<double> forces{};
  moving->scratch.tension_N.fill(0);
  set_pulls(moving->model, moving->scratch, forces);
  double expected_W = 0;
  for (std::size_t i = 0; i < moving->model.links; ++i) {
    const auto& turning = moving->scratch.turning_rad_s;
    const double rate_rad_s = turning[(i + 1) % moving->model.links] - turning[i];
    expected_W += moving->model.joint_damping_N_m_s * rate_rad_s * rate_rad_s;
  }
  TEST_ASSERT_TRUE(expected_W > 100);
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_W, -expected_W, power_W(*moving, forces));
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_W, expected_W, moving->scratch.powers.joint_W);
}

// The rate at which a link's direction turns, against a difference of directions.
void test_turning_is_the_rate_of_a_links_direction() {
  const auto moving = running_engine();
  const auto& now = moving->state;
  Configuration<double> later = now.at;
  constexpr double kTime_s = 1e-7;
  drift(moving->model, now.rate, kTime_s, later);
  compute_links(moving->model, now.at, now.rate, moving->scratch);
  for (std::size_t i = 0; i < moving->model.links; ++i) {
    const std::size_t from = roller_before(moving->model, i);
    const auto before = link_span(now.at, from, i).along;
    const auto after = link_span(later, from, i).along;
    const double turned_rad = before.x() * after.y() - before.y() * after.x();
    // Round-off of a direction, 1e-15, over 1e-7 s.
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, turned_rad / kTime_s, moving->scratch.turning_rad_s[i]);
  }
}

// All inner forces: of links, joints and teeth, the teeth's on sprockets included. They sum to
// nothing, and so do their moments about any point (here the origin).
void test_inner_forces_and_moments_cancel() {
  const auto moving = running_engine();
  const RollerModel<double>& model = moving->model;
  const Configuration<double>& at = moving->state.at;
  Forces<double> forces{};
  RollerScratch<double>& scratch = moving->scratch;
  set_pulls(model, scratch, forces);
  add_tooth_contacts(model, at, moving->state.rate, moving->state.engaged, scratch, forces);
  math::Vector2<double> sum_N(0, 0);
  double moment_N_m = 0;
  double size_N = 0;
  for (std::size_t i = 0; i < model.links; ++i) {
    const math::Vector2<double> force_N(forces.x_N[i], forces.y_N[i]);
    sum_N += force_N;
    moment_N_m += math::hat(position(at, i)).dot(force_N);
    size_N += std::abs(scratch.tension_N[i]);
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const math::Vector2<double> on_centre_N(scratch.on_centre_x_N[s], scratch.on_centre_y_N[s]);
    sum_N += on_centre_N;
    moment_N_m += math::hat(centre(model, at, s)).dot(on_centre_N) + forces.torque_N_m[s];
  }
  // Round-off of sums of the links' sizes (1e7 N), at up to 5 m for moments.
  TEST_ASSERT_DOUBLE_WITHIN(1e-15 * size_N, 0, sum_N.norm());
  TEST_ASSERT_DOUBLE_WITHIN(5e-15 * size_N, 0, moment_N_m);
}

// What the forces take out of motion and springs is what the powers book.
void check_powers(const drive::DriveSpec& spec) {
  const auto moving = running_engine(spec);
  const RollerModel<double>& model = moving->model;
  const auto& state = moving->state;
  const Powers<double>& powers = moving->scratch.powers;
  const Forces<double> elastic = forces_at_rest(model, state.at);
  // Gravity, springs and loads are in both; the rest of the power is what is lost. The
  // crankshaft's share counts as well: it is a sprocket like the others here.
  const double lost_in_motion_W = power_W(*moving, elastic) - power_W(*moving, state.forces);
  const double booked_W = powers.link_W + powers.joint_W + powers.contact_W + powers.friction_W +
                          powers.bearing_W + powers.tightener_W;
  TEST_ASSERT_TRUE(powers.link_W > 0 && powers.joint_W > 0 && powers.contact_W > 0);
  TEST_ASSERT_TRUE(powers.friction_W > 0 && powers.bearing_W > 0 && powers.tightener_W > 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * booked_W + kRoundOff_W, booked_W, lost_in_motion_W);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, driver_torque_N_m(state.forces) * state.rate.angle_rad_s[0],
                            powers.driver_W);
  const double load_W = model.sprocket[3].load_torque_N_m * state.rate.angle_rad_s[3];
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -load_W, powers.load_W);
  TEST_ASSERT_TRUE(powers.load_W > 0);
}

void test_powers_account_for_all_work() {
  check_powers(drive_test::engine_6s90mc_c());
  check_powers(drive_test::engine_on_supports());
  check_powers(drive_test::engine_with_counterweights());
}

// The dampers of supports are booked with the bearings.
void test_supports_take_their_damping_times_speed_squared() {
  drive::DriveSpec spec = drive_test::engine_on_supports();
  const auto moving = running_engine(spec);
  double expected_W = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    const auto& rate = moving->state.rate;
    const double turning_rad_s = rate.angle_rad_s[s];
    expected_W += moving->model.sprocket[s].bearing_damping_N_m_s * turning_rad_s * turning_rad_s +
                  moving->model.sprocket[s].support_damping_N_s_m *
                      (rate.offset_x_m_s[s] * rate.offset_x_m_s[s] +
                       rate.offset_y_m_s[s] * rate.offset_y_m_s[s]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * expected_W, expected_W, moving->scratch.powers.bearing_W);
}

// At rest a bearing carries what the support's spring does, and all bearings, bars and the arm's
// hinge together the weight: here a pair without them.
void test_bearings_carry_pull_and_weight() {
  for (const double stiffness_N_m : {0.0, 1e9}) {
    drive::DriveSpec spec = drive_test::engine_6l60mc();
    spec.chain.links = 90;
    spec.sprockets.clear();
    const double distance_m = 30 * spec.chain.pitch_m + 1.8e-3;
    spec.sprockets.push_back(drive_test::sprocket(0, 0, 30, 0, 82, 759));
    spec.sprockets.push_back(drive_test::sprocket(distance_m, 0, 30, 0, 82, 759));
    spec.sprockets[1].support_stiffness_N_m = stiffness_N_m;
    const drive::DriveModel drive = drive_test::model_of(spec);
    auto moving = std::make_unique<Moving<>>();
    start(drive, drive_test::at_rest(drive).at, {}, *moving);
    init(moving->model, drive_test::at_rest(drive).at, 0.0, moving->state, moving->scratch);
    Outputs outputs{};
    predict(moving->model, moving->state, moving->scratch, {}, outputs);
    const double weight_N = (2 * 759 + 90 * spec.chain.roller_mass_kg) * 9.81;
    // Outputs are in float.
    TEST_ASSERT_DOUBLE_WITHIN(
        1e-6 * weight_N, -weight_N,
        static_cast<double>(outputs.bearing_y_N[0]) + static_cast<double>(outputs.bearing_y_N[1]));
    TEST_ASSERT_TRUE(outputs.bearing_x_N[0] > 10e3F);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, static_cast<double>(-outputs.bearing_x_N[0]),
                              static_cast<double>(outputs.bearing_x_N[1]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, stiffness_N_m * static_cast<double>(outputs.offset_x_m[1]),
                              stiffness_N_m > 0 ? static_cast<double>(outputs.bearing_x_N[1]) : 0);
  }
}

// Of a hydraulic unit: pressure times flow goes out of its oil, is lost in valve and gap, and comes
// from the supply.
void test_powers_account_for_the_oil() {
  const auto moving = running_engine(drive_test::engine_with_hydraulic_tightener());
  const RollerModel<double>& model = moving->model;
  double lost_W = 0;
  double supply_W = 0;
  double oil_W = 0;
  for (int step = 0; step < 4000; ++step) {
    advance(*moving);
    const double travel_m = tightener::travel_m(model.unit, moving->scratch.arm_pose.length_m);
    const double p_Pa = tightener::pressure_Pa(model.unit, moving->state.at.unit, travel_m);
    const double flow_m3_s =
        tightener::valve_flow_m3_s(model.unit, p_Pa) - tightener::leak_flow_m3_s(model.unit, p_Pa);
    const double damper_m_s =
        moving->scratch.arm_pose.length_per_angle_m * moving->state.rate.arm_angle_rad_s;
    const double damper_W = model.arm.spring_damping_N_s_m * damper_m_s * damper_m_s;
    const Powers<double>& powers = moving->scratch.powers;
    TEST_ASSERT_TRUE(powers.tightener_W >= damper_W && powers.supply_W >= 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * powers.tightener_W + 1e-9, p_Pa * flow_m3_s,
                              powers.supply_W - (powers.tightener_W - damper_W));
    lost_W += powers.tightener_W;
    supply_W += powers.supply_W;
    oil_W += std::abs(p_Pa * flow_m3_s);
  }
  TEST_ASSERT_TRUE(lost_W > 0 && supply_W > 0 && oil_W > 0);
}

// A drive at rest with its crankshaft held stays there: the pressure it was settled with is where
// valve and gap balance.
void test_a_hydraulic_drive_at_rest_stays_there() {
  const drive::DriveModel drive =
      drive_test::model_of(drive_test::engine_with_hydraulic_tightener());
  const Equilibrium rest = drive_test::at_rest(drive);
  auto moving = std::make_unique<Moving<>>();
  start(drive, rest.at, {}, *moving);
  init(moving->model, rest.at, 0.0, moving->state, moving->scratch);
  for (int i = 0; i < 4000; ++i) {
    step(moving->model, {0, 0, 0}, moving->state, moving->scratch);
  }
  // As with the arm alone, 3e-7 rad: rollers that hardly touch settle.
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, rest.at.arm_angle_rad, moving->state.at.arm_angle_rad);
  const tightener::HydraulicUnit<double>& unit = moving->model.unit;
  const double travel_m = tightener::travel_m(unit, moving->scratch.arm_pose.length_m);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * unit.rest_pressure_Pa, unit.rest_pressure_Pa,
                            tightener::pressure_Pa(unit, moving->state.at.unit, travel_m));
}

// First touch at speed stays latched while the roller sits, and ends when it leaves.
void test_contacts_remember_their_first_touch() {
  const auto moving = running_engine();
  Engagements<double, double> before = moving->state.engaged;
  int fast_touches = 0;
  int kept = 0;
  int left = 0;
  for (int step = 0; step < 4000; ++step) {
    advance(*moving);
    for (std::size_t s = 0; s < moving->model.sprockets; ++s) {
      for (std::size_t i = 0; i < moving->model.links; ++i) {
        const double was_s_m = before.teeth[s].inverse_first_touch_speed_s_m[i];
        const double is_s_m = moving->state.engaged.teeth[s].inverse_first_touch_speed_s_m[i];
        if (was_s_m == 0 && is_s_m > 0) {
          fast_touches += is_s_m < 9.99 ? 1 : 0;
        } else if (was_s_m > 0 && is_s_m > 0) {
          TEST_ASSERT_TRUE(was_s_m == is_s_m);
          ++kept;
        } else if (was_s_m > 0) {
          ++left;
        }
      }
    }
    before = moving->state.engaged;
  }
  // 0.2 s are 16 teeth on each of four sprockets.
  TEST_ASSERT_TRUE(fast_touches >= 32);
  TEST_ASSERT_TRUE(left >= 64);
  TEST_ASSERT_TRUE(kept > 100000);
}

// Place of a roller in a run, from its first; at or beyond the run's count: not in it.
std::size_t place_in(const Engagement<double>& run, std::size_t roller, std::size_t links) {
  return roller >= run.first ? roller - run.first : roller + links - run.first;
}

// The runs that are kept up to date at their ends are what a search of all rollers finds: whole
// each time they have been looked at, and at all times with contacts for all rollers within 1 mm
// of a tooth, in the gaps nearest to them. Others high above the teeth get none.
void test_engagements_are_what_a_search_finds() {
  const auto moving = running_engine();
  std::size_t spared = 0;
  for (int step = 0; step < 4000; ++step) {
    advance(*moving);
    const RollerModel<double>& model = moving->model;
    const Configuration<double>& at = moving->state.at;
    for (std::size_t s = 0; s < model.sprockets; ++s) {
      const ToothEngagement<double, double>& run = moving->state.engaged.teeth[s];
      const math::Vector2<double> centre_m = centre(model, at, s);
      const std::size_t end = run.count - run.clear_at_end;
      std::size_t near = 0;
      for (std::size_t i = 0; i < model.links; ++i) {
        const math::Vector2<double> from_centre_m = position(at, i) - centre_m;
        if (!in_reach(model.sprocket[s], from_centre_m)) {
          continue;
        }
        ++near;
        const std::size_t place = place_in(run, i, model.links);
        const bool has_contact = place >= run.clear_at_begin && place < end;
        const SeatTouch<double> found = seat_touch(model, at, s, from_centre_m);
        TEST_ASSERT_TRUE(has_contact || found.touch.indentation_m < -1e-3);
        const auto gap = nearest_gap(model.sprocket[s], at.angle_rad[s], from_centre_m);
        TEST_ASSERT_TRUE(!has_contact || run.seat_x_m[i] == model.sprocket[s].seat_x_m[gap]);
        TEST_ASSERT_TRUE(!has_contact || run.seat_y_m[i] == model.sprocket[s].seat_y_m[gap]);
        spared += has_contact ? 0 : 1;
      }
      if (run.steps_to_look == kStepsBetweenLooks - 1) {
        TEST_ASSERT_EQUAL(near, run.count);
      }
    }
  }
  TEST_ASSERT_TRUE(spared > 4000 * 8);  // two beside each end of a wrap, and more
}

// Strands are measured between wraps; looking at all links, as where a wrap is
// lost, finds the same. Means add up in another order.
void test_strands_are_measured_whole() {
  const auto moving = running_engine();
  for (int tick = 0; tick < 400; ++tick) {
    advance(*moving, 10);
    Outputs between{};
    predict(moving->model, moving->state, moving->scratch, {}, between);
    const auto everywhere_state = std::make_unique<RollerState<double>>(moving->state);
    everywhere_state->engaged = {};
    Outputs everywhere{};
    predict(moving->model, *everywhere_state, moving->scratch, {}, everywhere);
    for (std::size_t s = 0; s < moving->model.sprockets; ++s) {
      TEST_ASSERT_TRUE(between.strand_mean_N[s] > 1e3F);
      TEST_ASSERT_FLOAT_WITHIN(1e-6F * everywhere.strand_mean_N[s], everywhere.strand_mean_N[s],
                               between.strand_mean_N[s]);
      TEST_ASSERT_TRUE(between.strand_middle_N[s] == everywhere.strand_middle_N[s]);
      TEST_ASSERT_TRUE(between.strand_middle_m[s] == everywhere.strand_middle_m[s]);
    }
  }
}

// A roller keeps its gap while angles pass from half a turn to minus half a turn.
void test_gap_numbers_do_not_notice_a_full_turn() {
  for (const int teeth : {28, 64}) {
    for (int gap = 0; gap < teeth; ++gap) {
      TEST_ASSERT_EQUAL(gap, gap_number(static_cast<double>(gap), teeth));
      TEST_ASSERT_EQUAL(gap, gap_number(static_cast<double>(gap - teeth), teeth));
      TEST_ASSERT_EQUAL(gap, gap_number(static_cast<double>(gap + teeth), teeth));
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_joint_damping_takes_its_coefficient_times_rate_squared);
  RUN_TEST(test_turning_is_the_rate_of_a_links_direction);
  RUN_TEST(test_inner_forces_and_moments_cancel);
  RUN_TEST(test_powers_account_for_all_work);
  RUN_TEST(test_supports_take_their_damping_times_speed_squared);
  RUN_TEST(test_bearings_carry_pull_and_weight);
  RUN_TEST(test_powers_account_for_the_oil);
  RUN_TEST(test_a_hydraulic_drive_at_rest_stays_there);
  RUN_TEST(test_contacts_remember_their_first_touch);
  RUN_TEST(test_engagements_are_what_a_search_finds);
  RUN_TEST(test_strands_are_measured_whole);
  RUN_TEST(test_gap_numbers_do_not_notice_a_full_turn);
  return UNITY_END();
}
