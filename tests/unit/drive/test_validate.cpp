// What validate() says about drives that cannot be: where, which value, what range, what to do.
#include <cstring>
#include <initializer_list>
#include <limits>

#include "unity.h"

#include "sim_core/drive/fields.h"
#include "sim_core/drive/validate.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut::drive;
using namespace taut::drive_test;

// Static: too large for a target's stack.
SpecErrors errors;
DriveSpec spec;

void start() {
  errors.clear();
  spec = engine_6s90mc_c();
}

bool text_has(const SpecError& error, const char* part) {
  return std::strstr(error.text.c_str(), part) != nullptr;
}

// The key must be one of its section's, or a reader could not find its line.
bool key_is_known(const SpecError& error) {
  bool known = error.key.empty();
  DriveSpec any;
  any.sprockets.resize(1);
  any.guide_bars.resize(1);
  any.special_links.resize(1);
  for_each_section(any, [&]<typename Section>(const Section&, int) {
    for (const Field<Section>& field : fields<Section>()) {
      known = known || (error.section == section_name<Section>() && error.key == field.key);
    }
  });
  return known;
}

void check_error(const SpecError& error, const char* section, int index, const char* key,
                 std::initializer_list<const char*> parts) {
  TEST_ASSERT_EQUAL_STRING_LEN(section, error.section.data(), error.section.size());
  TEST_ASSERT_EQUAL_INT(index, error.index);
  TEST_ASSERT_TRUE(error.key == etl::string_view(key));
  TEST_ASSERT_TRUE(key_is_known(error));
  TEST_ASSERT_FALSE(error.text.is_truncated());
  for (const char* part : parts) {
    TEST_ASSERT_TRUE_MESSAGE(text_has(error, part), part);
  }
}

// One mistake, one error.
void expect(const char* section, int index, const char* key,
            std::initializer_list<const char*> parts) {
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(1, errors.size());
  check_error(errors.front(), section, index, key, parts);
}

void test_both_engines_are_valid() {
  for (const DriveSpec& engine : {engine_6l60mc(), engine_6s90mc_c()}) {
    validate(engine, errors);
    TEST_ASSERT_TRUE(errors.empty());
  }
}

// --- Ranges ---

bool has_range_error(const etl::string_view& key) {
  for (const SpecError& error : errors) {
    if (error.key == key && text_has(error, ", allowed are ") &&
        (text_has(error, "check the number") || text_has(error, "choose one"))) {
      return true;
    }
  }
  return false;
}

// The value is refused by its range, with nothing piled on top, and the text holds it all.
template <typename Section>
void check_refused(const Field<Section>& field, Section& section, int index, double value) {
  const double right = field.get(section);
  field.set(section, value);
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(1, errors.size());
  TEST_ASSERT_TRUE(has_range_error(field.key));
  TEST_ASSERT_TRUE(errors.front().section == section_name<Section>());
  TEST_ASSERT_EQUAL_INT(index, errors.front().index);
  TEST_ASSERT_FALSE(errors.front().text.is_truncated());
  field.set(section, right);
}

template <typename Section>
void check_not_refused(const Field<Section>& field, Section& section, double value) {
  const double right = field.get(section);
  field.set(section, value);
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_FALSE(has_range_error(field.key));
  field.set(section, right);
}

void test_every_field_has_a_range() {
  start();
  spec.special_links.push_back({.number = 7});
  for_each_section(spec, [&]<typename Section>(Section& section, int index) {
    for (const Field<Section>& field : fields<Section>()) {
      if (field.kind == FieldKind::kReal) {
        check_refused(field, section, index, -1.23456e300);
        check_refused(field, section, index, 1.23456e300);
        check_refused(field, section, index, field.highest * 1.000001);
        check_refused(field, section, index, std::numeric_limits<double>::quiet_NaN());
        check_refused(field, section, index, std::numeric_limits<double>::infinity());
      } else {
        check_refused(field, section, index, field.highest + 1);
      }
      if (field.kind == FieldKind::kInteger) {
        check_refused(field, section, index, field.lowest - 1);
      }
      check_not_refused(field, section, field.lowest);
      check_not_refused(field, section, field.highest);
    }
  });
}

void test_a_range_error_names_value_range_unit_and_help() {
  start();
  spec.chain.pitch_m = 114.3;
  expect("chain", 0, "pitch_m",
         {"pitch_m is 114.3 m", "0.004 to 0.5 m", "distance of rollers", "its unit"});
  TEST_ASSERT_TRUE(errors.front().value == 114.3);
}

void test_large_and_small_numbers_are_legible() {
  start();
  spec.contact.stiffness_N_m_n = 7.62e-5;
  expect("contact", 0, "stiffness_N_m_n", {"is 7.62e-5 N/m^n", "10000 to 1e13 N/m^n"});
  start();
  spec.chain.link_stiffness_N_m = 2137e9;
  expect("chain", 0, "link_stiffness_N_m", {"is 2.137e12 N/m", "100000 to 1e11 N/m"});
  start();
  spec.chain.pretension_N = -0.00099999999;  // rounds up into the next decade
  expect("chain", 0, "pretension_N", {"is -0.001 N,"});
  start();
  spec.guide_bars[1].rotation_rad = -28.64789;
  expect("guide_bar", 2, "rotation_rad", {"is -28.6479 rad", "-0.5 to 0.5 rad"});
  start();
  spec.gravity.y_m_s2 = std::numeric_limits<double>::quiet_NaN();
  expect("gravity", 0, "y_m_s2", {"is not a number,", "-100 to 100 m/s^2"});
}

void test_integers_and_choices_have_ranges() {
  start();
  spec.sprockets[3].teeth = 8;
  expect("sprocket", 4, "teeth", {"teeth is 8,", "9 to 200", "check"});
  start();
  spec.friction.form = static_cast<FrictionForm>(4);
  expect("friction", 0, "form", {"choice 4", "cubic, tanh, arctan, logistic", "choose"});
}

// --- The chain and its contacts ---

void test_rollers_must_leave_room_for_teeth() {
  start();
  spec.chain.roller_radius_m = 0.07239;
  expect("chain", 0, "roller_radius_m", {"0.07239 m", "below 0.4 pitches, 0.04572 m", "diameter"});
}

void test_rollers_must_fill_their_gaps() {
  start();
  spec.chain.roller_radius_m = 0.02;
  expect("chain", 0, "roller_radius_m", {"0.02 m", "above 0.205 pitches, 0.0234315 m", "5/16"});
}

void test_exponent_is_one_of_two() {
  start();
  spec.contact.exponent = 1.25;
  expect("contact", 0, "exponent", {"1.25", "1 and 1.5", "give 1.5"});
  start();
  spec.contact.exponent = 1;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

void test_circular_teeth_need_a_clearance() {
  start();
  spec.contact.form = ToothForm::kCircular;
  expect("contact", 0, "circular_clearance_m", {"0 m", "0.05 m", "form real"});
  start();
  spec.contact.form = ToothForm::kCircular;
  spec.contact.circular_clearance_m = 0.0007;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

// --- The loop ---

void test_one_sprocket_makes_no_drive() {
  start();
  spec.sprockets.resize(1);
  expect("sprocket", 0, "", {"1 sprockets", "2 to 8", "add"});
}

void test_pitch_radius_must_agree_with_pitch_and_teeth() {
  start();
  spec.sprockets[2].teeth = 33;
  expect("sprocket", 3, "pitch_radius_m", {"0.583055 m", "33 teeth", "0.601224 m", "leave it out"});
  start();
  spec.sprockets[0].pitch_radius_m = 1.164718 * 1.00011;
  expect("sprocket", 1, "pitch_radius_m", {"1.16485 m", "1.16472 m", "0.01 %"});
  start();
  spec.sprockets[0].pitch_radius_m = 1.164718 * 0.99991;
  spec.sprockets[1].pitch_radius_m = 0;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

// Sprockets 1 and 3 are not neighbours; teeth of 1.1647 + 0.5831 m and rollers of 0.0362 m.
void test_sprockets_must_not_overlap() {
  start();
  spec.sprockets[2].centre_x_m = 0;
  spec.sprockets[2].centre_y_m = 1.82;
  expect("sprocket", 3, "centre_x_m", {"1 and 3 overlap", "1.82 m", "1.82017 m", "move a centre"});
}

void test_neighbours_must_have_their_tangents() {
  start();
  spec.sprockets[2].centre_y_m = 4.3;
  expect("sprocket", 3, "centre_x_m", {"2 and 3 have no inner tangent", "1.11148 m", "1.23851 m"});
  start();
  spec.sprockets[3].centre_x_m = 0.333199;
  spec.sprockets[3].centre_y_m = 4.748179;
  expect("sprocket", 4, "centre_x_m", {"3 and 4 have no outer tangent", "0 m apart", "1.23851 m"});
}

// Inside, the second sprocket hardly touches the chain; 2.5 pitch angles of 32 teeth are 0.4909.
void test_a_wrap_must_hold_the_chain() {
  start();
  spec.sprockets[1].side = Side::kInside;
  expect("sprocket", 2, "", {"0.03659 rad", "0.4909 to 5.792 rad", "jump", "check side"});
}

void test_a_wrap_the_wrong_way_is_seen() {
  start();
  spec.sprockets[3].side = Side::kOutside;
  expect("sprocket", 4, "", {"6.202 rad", "0.4909 to 5.792 rad", "change its side"});
}

void test_sprockets_must_be_numbered_along_travel() {
  start();
  spec.crank.rotation = Rotation::kClockwise;
  expect("crank", 0, "rotation", {"cw", "2 times", "once", "reverse rotation"});
}

// 0.3 % of 144 links are 0.43 links: the loop of 144.062 pitches fits no other number.
void test_links_must_fit_the_loop() {
  start();
  spec.chain.links = 145;
  expect("chain", 0, "links",
         {"links is 145", "16.4663 m", "144.062 pitches", "0.65 %", "0.3 %", "give 144 links"});
}

// 28.51 pitches: 28 and 29 links both miss by more than 1.7 %.
void test_a_loop_between_two_link_counts_needs_a_centre_moved() {
  start();
  spec.sprockets.resize(2);
  spec.guide_bars.clear();
  spec.tightener = {};
  for (SprocketSpec& sprocket : spec.sprockets) {
    sprocket = taut::drive_test::sprocket(0, 0, 16, 0, 1, 1);
  }
  spec.sprockets[1].centre_x_m = 6.255 * spec.chain.pitch_m;
  spec.chain.links = 28;
  expect("chain", 0, "links",
         {"links is 28", "28.51 pitches", "give 29 links and move a centre", "3.3147 m"});
}

void test_a_loop_of_too_many_links_is_not_advised() {
  start();
  spec.chain.pitch_m = 0.05715;
  spec.chain.roller_radius_m /= 2;
  for (SprocketSpec& sprocket : spec.sprockets) {
    sprocket.teeth *= 2;
    sprocket.pitch_radius_m = 0;
  }
  expect("chain", 0, "links", {"288", "256 links at most", "check pitch_m"});
}

void test_driven_sprockets_need_inertia() {
  start();
  spec.sprockets[3].inertia_kg_m2 = 0;
  expect("sprocket", 4, "inertia_kg_m2", {"0 kg m^2", "more than 0", "give"});
}

// --- Guide-bars ---

void test_a_bar_must_name_a_strand() {
  start();
  spec.guide_bars[1].strand = 5;
  expect("guide_bar", 2, "strand", {"strand is 5", "1 to 4", "the sprocket it leaves"});
}

// Half a bar is 0.75 m of 2.71266 m.
void test_a_bar_must_lie_within_its_strand() {
  start();
  spec.guide_bars[0].place = 0.27;
  expect("guide_bar", 1, "place", {"place is 0.27", "0.2765 to 0.7235", "1.5 m", "move it"});
  start();
  spec.guide_bars[0].place = 0.73;
  expect("guide_bar", 1, "place", {"place is 0.73", "0.2765 to 0.7235"});
  start();
  spec.guide_bars[0].flat_length_m = 2.5;
  expect("guide_bar", 1, "flat_length_m", {"2.8 m", "2.71266 m", "shorten"});
}

void test_a_bars_end_must_be_no_longer_than_its_radius() {
  start();
  spec.guide_bars[2].end_radius_m = 0.14;
  expect("guide_bar", 3, "end_length_m", {"0.15 m", "0 m to 0.14 m", "larger end_radius_m"});
}

void test_a_bar_must_not_be_pressed_deeper_than_its_ends_are_round() {
  start();
  spec.guide_bars[0].end_length_m = 0.01;
  spec.guide_bars[0].end_radius_m = 0.01;
  spec.guide_bars[0].indentation_m = 0.02;
  expect("guide_bar", 1, "indentation_m", {"0.02 m", "less than 0.01 m", "larger end_radius_m"});
}

void test_a_stiff_bar_needs_its_stiffness() {
  start();
  spec.guide_bars[1].stiffness_N_m_n = 0;
  expect("guide_bar", 2, "stiffness_N_m_n", {"is 0 N/m^n", "100 to 1e13", "lining rubber"});
}

void start_with_rubber() {
  start();
  GuideBarSpec& bar = spec.guide_bars[0];
  bar.lining = BarLining::kRubber;
  bar.stiffness_N_m_n = 0;
  bar.lining_thickness_m = 0.02;
  bar.lining_modulus_Pa = 10e6;
  bar.lining_width_m = 0.068;
  bar.lining_hysteresis = 0.3;
}

void test_rubber_needs_its_data() {
  start_with_rubber();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  spec.guide_bars[0].lining_thickness_m = 0;
  expect("guide_bar", 1, "lining_thickness_m", {"is 0 m", "more than 0 m", "lining stiff"});
  start_with_rubber();
  spec.guide_bars[0].lining_modulus_Pa = 0;
  expect("guide_bar", 1, "lining_modulus_Pa", {"is 0 Pa", "more than 0 Pa"});
  start_with_rubber();
  spec.guide_bars[0].lining_width_m = 0;
  expect("guide_bar", 1, "lining_width_m", {"is 0 m", "more than 0 m"});
}

void test_rubber_must_be_thicker_than_it_is_worn_and_pressed() {
  start_with_rubber();
  spec.guide_bars[0].wear_m = 0.02;
  expect("guide_bar", 1, "wear_m", {"0.02 m", "0.02 m thick", "less than that"});
  start_with_rubber();
  spec.guide_bars[0].lining_thickness_m = 0.004;
  spec.guide_bars[0].wear_m = 0.001;
  expect("guide_bar", 1, "indentation_m",
         {"0.004 m deep", "lining of 0.003 m", "less than 0.004 m", "thicker"});
}

// --- Wear ---

void test_a_special_link_must_be_one_of_the_chain() {
  start();
  spec.special_links.push_back({.number = 145});
  expect("link", 1, "number", {"number is 145", "1 to 144", "chain.links"});
}

void test_a_special_link_is_described_once() {
  start();
  spec.special_links.push_back({.number = 3, .elongation = 0.001});
  spec.special_links.push_back({.number = 4, .elongation = 0.001});
  spec.special_links.push_back({.number = 3, .stiffness_factor = 0.5});
  expect("link", 3, "number", {"link 3", "by section 1", "one section"});
}

// A chain worn by 1 % is 0.165 m longer, of which wraps on worn pitch circles take up 0.07 m.
void test_a_chain_too_worn_for_its_loop_must_be_retightened() {
  start();
  spec.chain.elongation = 0.01;
  expect("chain", 0, "elongation", {"16.6238 m", "% off", "0.3 %", "taut retighten"});
  errors.clear();
  validate(spec, errors, ChainFit::kToBeTightened);
  TEST_ASSERT_TRUE(errors.empty());
  spec.tightener = {};
  expect("chain", 0, "elongation", {"% off", "move a centre"});
}

// Links count as well as the chain; a wrong number of links stays one.
void test_wear_does_not_hide_a_wrong_number_of_links() {
  start();
  spec.chain.elongation = 0.0004;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  spec.chain.links = 145;
  expect("chain", 0, "links", {"links is 145", "give 144 links"});
  errors.clear();
  validate(spec, errors, ChainFit::kToBeTightened);
  TEST_ASSERT_EQUAL_UINT(1, errors.size());
}

// --- Tightener ---

void test_a_tightener_must_have_a_sprocket() {
  start();
  spec.tightener.sprocket = 5;
  expect("tightener", 0, "sprocket", {"sprocket is 5", "2 to 4", "kind none"});
  start();
  spec.tightener.sprocket = 0;
  spec.tightener.kind = TightenerKind::kFixed;
  expect("tightener", 0, "sprocket", {"sprocket is 0", "2 to 4", "1 is the crankshaft"});
  start();
  spec.tightener = {};
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

void test_a_pivot_must_be_beside_the_axle() {
  for (const TightenerKind kind : {TightenerKind::kFixed, TightenerKind::kArm}) {
    start();
    spec.tightener.kind = kind;
    spec.tightener.pivot_x_m = 0.333199;
    spec.tightener.pivot_y_m = 4.748179;
    expect("tightener", 0, "pivot_x_m", {"0 m from", "sprocket 3", "0.001 m", "hinge"});
  }
}

void test_an_arm_needs_mass_inertia_and_a_spring() {
  start();
  spec.tightener.arm_mass_kg = 0;
  spec.tightener.arm_inertia_kg_m2 = 0;
  spec.tightener.spring_stiffness_N_m = 0;
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(3, errors.size());
  check_error(errors[0], "tightener", 0, "arm_mass_kg", {"0 kg", "more than 0 kg", "fixed"});
  check_error(errors[1], "tightener", 0, "arm_inertia_kg_m2", {"0 kg m^2", "more than 0", "give"});
  check_error(errors[2], "tightener", 0, "spring_stiffness_N_m", {"0 N/m", "more than 0", "give"});
  errors.clear();
  spec.tightener.kind = TightenerKind::kFixed;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

// --- Supports ---

void test_supports_that_yield() {
  spec = engine_on_supports();
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  spec.sprockets[0].mass_kg = 0;
  expect("sprocket", 1, "mass_kg", {"0 kg", "needs more than 0 kg", "support_stiffness_N_m"});
  start();
  spec.sprockets[1].support_damping_N_s_m = 1e4;
  expect("sprocket", 2, "support_damping_N_s_m", {"10000 N s/m", "rigid", "above 0 N/m"});
  start();
  spec.sprockets[2].support_stiffness_N_m = 1e8;
  expect("sprocket", 3, "support_stiffness_N_m", {"sprocket 3", "arm", "kind fixed"});
  spec.tightener.kind = TightenerKind::kFixed;
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

void test_counterweights() {
  spec = engine_with_counterweights();
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  spec.sprockets[1].counterweight_radius_m = 0;
  expect("sprocket", 2, "counterweight_radius_m", {"800 kg at 0 m", "both above 0", "neither"});
  start();
  put_counterweight(spec.sprockets[2], 0);
  expect("sprocket", 3, "counterweight_mass_kg", {"sprocket 3", "arm", "kind fixed"});
  spec.tightener.kind = TightenerKind::kFixed;
  errors.clear();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

// --- Hydraulic unit ---

void start_hydraulic() {
  start();
  spec.tightener.kind = TightenerKind::kHydraulic;
  spec.hydraulic = hydraulic_6s90mc_c();
}

void test_a_hydraulic_tightener_is_an_arm_with_a_unit() {
  start_hydraulic();
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
  spec.tightener.arm_mass_kg = 0;
  expect("tightener", 0, "arm_mass_kg", {"0 kg", "kind hydraulic needs more than 0 kg"});
  start_hydraulic();
  spec.hydraulic = {};
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(10, errors.size());
  check_error(errors[0], "hydraulic", 0, "piston_area_m2",
              {"0 m^2", "kind hydraulic needs more than 0 m^2", "kind arm"});
  check_error(errors[6], "hydraulic", 0, "leak_resistance_Pa_s_m3", {"0 Pa s/m^3", "give it"});
  start();  // not looked at where there is none
  spec.hydraulic.valve_cracking_Pa = 5e5;
  validate(spec, errors);
  TEST_ASSERT_TRUE(errors.empty());
}

void test_a_piston_must_not_empty_its_chamber() {
  start_hydraulic();
  spec.hydraulic.travel_in_m = 0.06;
  expect("hydraulic", 0, "chamber_volume_m3",
         {"displaces 0.000471 m^3", "only 0.0004 m^3", "shorter travel_in_m"});
}

void test_the_supply_must_open_the_check_valve() {
  start_hydraulic();
  spec.hydraulic.valve_cracking_Pa = 3e5;
  expect("hydraulic", 0, "valve_cracking_Pa", {"300000 Pa", "less than 200000 Pa"});
}

void test_unit_and_spring_must_act_the_same_way() {
  start_hydraulic();
  spec.hydraulic.acts = Acts::kPush;
  expect("hydraulic", 0, "acts", {"pushes", "1.19 m", "1.2 m", "pulls", "the other acts"});
  start_hydraulic();
  spec.tightener.spring_free_length_m = 1.21;
  expect("hydraulic", 0, "acts", {"pulls", "1.21 m", "1.2 m or less"});
}

void test_a_spring_must_have_a_length() {
  start();
  spec.tightener.spring_on_ground_y_m = spec.tightener.spring_on_arm_y_m;
  expect("tightener", 0, "spring_on_ground_x_m", {"0 m apart", "0.001 m", "check"});
}

void test_a_spring_must_be_drawn_near_its_free_length() {
  start();
  spec.tightener.spring_free_length_m = 0.119;
  expect("tightener", 0, "spring_free_length_m", {"0.119 m", "0.6 to 1.8 m", "without force"});
  start();
  spec.tightener.spring_free_length_m = 1.81;
  expect("tightener", 0, "spring_free_length_m", {"1.81 m", "0.6 to 1.8 m"});
}

// At the pivot, and on a line through it.
void test_a_spring_must_have_a_lever() {
  start();
  spec.tightener.spring_on_arm_x_m = spec.tightener.pivot_x_m;
  spec.tightener.spring_on_arm_y_m = spec.tightener.pivot_y_m;
  expect("tightener", 0, "spring_on_arm_x_m", {"0 m beside the pivot", "0.001 m", "check"});
  start();
  spec.tightener.pivot_x_m = -0.3;
  expect("tightener", 0, "spring_on_arm_x_m", {"0 m beside the pivot", "0.001 m", "check"});
}

// --- The list of errors ---

// A wrong pitch would make every later check fail as well.
void test_errors_are_not_piled_on() {
  start();
  spec.chain.pitch_m = 0;
  spec.guide_bars[0].place = 0.1;
  expect("chain", 0, "pitch_m", {"is 0 m"});
}

void test_independent_errors_are_all_found() {
  start();
  spec.chain.links = 150;
  spec.friction.coefficient = -0.1;
  spec.guide_bars[0].place = 0.1;
  spec.tightener.sprocket = 7;
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(4, errors.size());
}

void test_errors_are_appended_and_stop_when_full() {
  start();
  validate(spec, errors);
  spec.chain.pitch_m = -1;
  validate(spec, errors);
  validate(spec, errors);
  TEST_ASSERT_EQUAL_UINT(2, errors.size());
  for (std::size_t i = 0; i < kMaxSpecErrors + 3; ++i) {
    validate(spec, errors);
  }
  TEST_ASSERT_EQUAL_UINT(kMaxSpecErrors, errors.size());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_both_engines_are_valid);
  RUN_TEST(test_every_field_has_a_range);
  RUN_TEST(test_a_range_error_names_value_range_unit_and_help);
  RUN_TEST(test_large_and_small_numbers_are_legible);
  RUN_TEST(test_integers_and_choices_have_ranges);
  RUN_TEST(test_rollers_must_leave_room_for_teeth);
  RUN_TEST(test_rollers_must_fill_their_gaps);
  RUN_TEST(test_exponent_is_one_of_two);
  RUN_TEST(test_circular_teeth_need_a_clearance);
  RUN_TEST(test_one_sprocket_makes_no_drive);
  RUN_TEST(test_pitch_radius_must_agree_with_pitch_and_teeth);
  RUN_TEST(test_sprockets_must_not_overlap);
  RUN_TEST(test_neighbours_must_have_their_tangents);
  RUN_TEST(test_a_wrap_must_hold_the_chain);
  RUN_TEST(test_a_wrap_the_wrong_way_is_seen);
  RUN_TEST(test_sprockets_must_be_numbered_along_travel);
  RUN_TEST(test_links_must_fit_the_loop);
  RUN_TEST(test_a_loop_between_two_link_counts_needs_a_centre_moved);
  RUN_TEST(test_a_loop_of_too_many_links_is_not_advised);
  RUN_TEST(test_driven_sprockets_need_inertia);
  RUN_TEST(test_a_bar_must_name_a_strand);
  RUN_TEST(test_a_stiff_bar_needs_its_stiffness);
  RUN_TEST(test_rubber_needs_its_data);
  RUN_TEST(test_rubber_must_be_thicker_than_it_is_worn_and_pressed);
  RUN_TEST(test_a_special_link_must_be_one_of_the_chain);
  RUN_TEST(test_a_special_link_is_described_once);
  RUN_TEST(test_a_chain_too_worn_for_its_loop_must_be_retightened);
  RUN_TEST(test_wear_does_not_hide_a_wrong_number_of_links);
  RUN_TEST(test_a_bar_must_lie_within_its_strand);
  RUN_TEST(test_a_bars_end_must_be_no_longer_than_its_radius);
  RUN_TEST(test_a_bar_must_not_be_pressed_deeper_than_its_ends_are_round);
  RUN_TEST(test_a_tightener_must_have_a_sprocket);
  RUN_TEST(test_a_pivot_must_be_beside_the_axle);
  RUN_TEST(test_an_arm_needs_mass_inertia_and_a_spring);
  RUN_TEST(test_supports_that_yield);
  RUN_TEST(test_counterweights);
  RUN_TEST(test_a_hydraulic_tightener_is_an_arm_with_a_unit);
  RUN_TEST(test_a_piston_must_not_empty_its_chamber);
  RUN_TEST(test_the_supply_must_open_the_check_valve);
  RUN_TEST(test_unit_and_spring_must_act_the_same_way);
  RUN_TEST(test_a_spring_must_have_a_length);
  RUN_TEST(test_a_spring_must_be_drawn_near_its_free_length);
  RUN_TEST(test_a_spring_must_have_a_lever);
  RUN_TEST(test_errors_are_not_piled_on);
  RUN_TEST(test_independent_errors_are_all_found);
  RUN_TEST(test_errors_are_appended_and_stop_when_full);
  return UNITY_END();
}
