#include "sim_core/drive/validate.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/assert.h"
#include "sim_core/drive/fields.h"
#include "sim_core/drive/geometry.h"
#include "sim_core/drive/links.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::drive {
namespace {

constexpr double kPitchRadiusTolerance = 1e-4;  // of itself: drawings round to a tenth of a mm
constexpr double kRollerDiameterLimit = 0.8;    // pitches; chains of ASA B29.1 have 5/8
constexpr double kRollerDiameterLeast = 0.41;   // pitches; below, the flanks of B29.1 do not meet
constexpr double kShortestWrap = 2.5;           // pitch angles: 3 rollers seated half of the time
constexpr double kLengthTolerance = 0.003;      // of the chain's length
constexpr double kShortestLever_m = 0.001;      // anything shorter is one point given twice
constexpr double kShortestSpring = 0.5;         // free length as a part of the drawn length
constexpr double kLongestSpring = 1.5;

// --- Texts ---

using Text = etl::string<16>;

struct Decimal {
  Text digits;  // no trailing zeros
  int power;    // of ten, of the first digit
};

// value > 0 and finite.
Decimal to_decimal(double value, int digits) {
  int power = 0;
  while (value >= 10) {
    value /= 10;
    ++power;
  }
  while (value < 1) {
    value *= 10;
    --power;
  }
  std::int32_t unit = 1;
  for (int i = 1; i < digits; ++i) {
    unit *= 10;
  }
  auto rest = static_cast<std::int32_t>(math::round(value * unit));
  if (rest == 10 * unit) {  // 9.9999996 has become 10.0000
    rest = unit;
    ++power;
  }
  Decimal decimal{{}, power};
  for (; rest > 0; unit /= 10) {
    decimal.digits += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return decimal;
}

void append_point(const Text& digits, int power, Text& text) {
  if (power < 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-power - 1), '0');
    text += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(power) + 1;
  for (std::size_t i = 0; i < whole || i < digits.size(); ++i) {
    text += i == whole ? "." : "";
    text += i < digits.size() ? digits[i] : '0';
  }
}

// As an engineer writes it: 0.1143, 1e9, 7.62e-5. ETL's stream knows fixed decimals only.
Text number(double value, int digits = 6) {
  if (math::is_nan(value)) {
    return "not a number";
  }
  Text text(value < 0 ? "-" : "");
  if (value == 0 || !math::is_finite(value)) {
    text += value == 0 ? "0" : "infinity";
    return text;
  }
  const Decimal decimal = to_decimal(math::magnitude(value), digits);
  const bool plain = decimal.power >= -4 && decimal.power <= 5;
  append_point(decimal.digits, plain ? decimal.power : 0, text);
  if (!plain) {
    text += decimal.power < 0 ? "e-" : "e";
    const Decimal exponent = to_decimal(math::magnitude(static_cast<double>(decimal.power)), 3);
    append_point(exponent.digits, exponent.power, text);
  }
  return text;
}

struct Place {
  etl::string_view section;
  int index;
  etl::string_view key;
  double value;
};

template <typename Section>
Place at(int index, etl::string_view key, double value) {
  return {section_name<Section>(), index, key, value};
}

void report(SpecErrors& errors, const Place& place, std::initializer_list<etl::string_view> parts) {
  if (errors.full()) {
    return;
  }
  errors.push_back({place.section, place.index, place.key, place.value, {}});
  for (const etl::string_view& part : parts) {
    errors.back().text.append(part.data(), part.size());
  }
}

// --- Each field within its range ---

template <typename Section>
void report_range(const Field<Section>& field, int index, double value, SpecErrors& errors) {
  const Place place = at<Section>(index, field.key, value);
  if (field.kind == FieldKind::kChoice) {
    etl::string<64> names;
    for (const etl::string_view& name : field.choices) {
      names.append(names.empty() ? "" : ", ");
      names.append(name.data(), name.size());
    }
    report(errors, place,
           {field.key, " is choice ", number(value), ", allowed are ", names, " (", field.help,
            "): choose one of them"});
    return;
  }
  const etl::string_view gap = field.unit.empty() ? "" : " ";
  const etl::string_view unit = math::is_nan(value) ? etl::string_view() : field.unit;
  report(errors, place,
         {field.key, " is ", number(value), unit.empty() ? "" : " ", unit, ", allowed are ",
          number(field.lowest), " to ", number(field.highest), gap, field.unit, " (", field.help,
          "): check the number", field.unit.empty() ? "" : ", its decimal point and its unit"});
}

// An optional field that still has its default has not been given, and cannot be wrong here.
template <typename Section>
bool check_ranges(const Section& section, int index, SpecErrors& errors) {
  const Section untouched{};
  bool sound = true;
  for (const Field<Section>& field : fields<Section>()) {
    const double value = field.get(section);
    const bool inside = value >= field.lowest && value <= field.highest;  // not so a NaN
    const bool not_given = !field.required && value == field.get(untouched);
    if (!inside && !not_given) {
      report_range(field, index, value, errors);
      sound = false;
    }
  }
  return sound;
}

// --- The fields of one section together ---

template <typename Section>
void check_alone(const Section&, int, SpecErrors&) {}

template <>
void check_alone(const ChainSpec& chain, int index, SpecErrors& errors) {
  const double limit_m = kRollerDiameterLimit / 2 * chain.pitch_m;
  if (!(chain.roller_radius_m < limit_m)) {
    report(errors, at<ChainSpec>(index, "roller_radius_m", chain.roller_radius_m),
           {"rollers of radius ", number(chain.roller_radius_m),
            " m leave no room for a tooth on a pitch of ", number(chain.pitch_m),
            " m: give a radius below 0.4 pitches, ", number(limit_m), " m (radius, not diameter)"});
  }
  const double least_m = kRollerDiameterLeast / 2 * chain.pitch_m;
  if (!(chain.roller_radius_m > least_m)) {
    report(errors, at<ChainSpec>(index, "roller_radius_m", chain.roller_radius_m),
           {"rollers of radius ", number(chain.roller_radius_m),
            " m are too small for teeth on a pitch of ", number(chain.pitch_m),
            " m: give a radius above 0.205 pitches, ", number(least_m),
            " m (5/16 of the pitch is usual)"});
  }
}

template <>
void check_alone(const ContactSpec& contact, int index, SpecErrors& errors) {
  if (contact.exponent != 1.0 && contact.exponent != 1.5) {
    report(errors, at<ContactSpec>(index, "exponent", contact.exponent),
           {"exponent is ", number(contact.exponent), ", allowed are 1 and 1.5 alone: ",
            "give 1.5 (Hertz) or 1 (linear), and stiffness_N_m_n to go with it"});
  }
  if (contact.form == ToothForm::kCircular && !(contact.circular_clearance_m > 0)) {
    report(errors, at<ContactSpec>(index, "circular_clearance_m", contact.circular_clearance_m),
           {"circular tooth gaps need circular_clearance_m above 0 and up to 0.05 m, it is ",
            number(contact.circular_clearance_m), " m: give gap radius less roller radius, ",
            "0.0007 to 0.001 m on large engines, or choose form real"});
  }
}

void check_support(const SprocketSpec& sprocket, int index, SpecErrors& errors) {
  const bool yields = sprocket.support_stiffness_N_m > 0;
  if (yields && !(sprocket.mass_kg > 0)) {
    report(errors, at<SprocketSpec>(index, "mass_kg", sprocket.mass_kg),
           {"mass_kg is ", number(sprocket.mass_kg),
            " kg, a sprocket whose support yields needs more than 0 kg: give the mass of all that ",
            "moves with it, or 0 N/m for support_stiffness_N_m"});
  }
  if (!yields && sprocket.support_damping_N_s_m > 0) {
    report(
        errors, at<SprocketSpec>(index, "support_damping_N_s_m", sprocket.support_damping_N_s_m),
        {"support_damping_N_s_m is ", number(sprocket.support_damping_N_s_m),
         " N s/m, but the support is rigid: give support_stiffness_N_m above 0 N/m, or leave the ",
         "damping out"});
  }
}

template <>
void check_alone(const SprocketSpec& sprocket, int index, SpecErrors& errors) {
  if (index > 1 && !(sprocket.inertia_kg_m2 > 0)) {
    report(
        errors, at<SprocketSpec>(index, "inertia_kg_m2", sprocket.inertia_kg_m2),
        {"inertia_kg_m2 is ", number(sprocket.inertia_kg_m2), " kg m^2, a driven sprocket needs ",
         "more than 0: give the inertia of all that turns with it"});
  }
  check_support(sprocket, index, errors);
  if ((sprocket.counterweight_mass_kg > 0) != (sprocket.counterweight_radius_m > 0)) {
    const bool mass = sprocket.counterweight_mass_kg > 0;
    report(errors,
           at<SprocketSpec>(index, mass ? "counterweight_radius_m" : "counterweight_mass_kg", 0),
           {"a counterweight of ", number(sprocket.counterweight_mass_kg), " kg at ",
            number(sprocket.counterweight_radius_m),
            " m is none: give mass and radius, both above 0, or neither"});
  }
}

void need_lining(double value, etl::string_view key, etl::string_view unit, int index,
                 SpecErrors& errors) {
  if (!(value > 0)) {
    report(errors, at<GuideBarSpec>(index, key, value),
           {key, " is ", number(value), " ", unit, ", lining rubber needs more than 0 ", unit,
            ": give it, or choose lining stiff"});
  }
}

void check_lining(const GuideBarSpec& bar, int index, SpecErrors& errors) {
  need_lining(bar.lining_thickness_m, "lining_thickness_m", "m", index, errors);
  need_lining(bar.lining_modulus_Pa, "lining_modulus_Pa", "Pa", index, errors);
  need_lining(bar.lining_width_m, "lining_width_m", "m", index, errors);
  const double left_m = bar.lining_thickness_m - bar.wear_m;
  if (bar.lining_thickness_m > 0 && !(left_m > 0)) {
    report(errors, at<GuideBarSpec>(index, "wear_m", bar.wear_m),
           {"wear_m is ", number(bar.wear_m), " m, the lining is ", number(bar.lining_thickness_m),
            " m thick: give less than that; for a bar without lining choose lining stiff"});
  } else if (bar.lining_thickness_m > 0 && !(bar.indentation_m < bar.lining_thickness_m)) {
    report(errors, at<GuideBarSpec>(index, "indentation_m", bar.indentation_m),
           {"a strand at rest may lie ", number(bar.indentation_m - bar.wear_m),
            " m deep in a lining of ", number(left_m), " m: give less than ",
            number(bar.lining_thickness_m), " m for indentation_m, or a thicker lining"});
  }
}

template <>
void check_alone(const GuideBarSpec& bar, int index, SpecErrors& errors) {
  if (bar.lining == BarLining::kRubber) {
    check_lining(bar, index, errors);
  } else if (!(bar.stiffness_N_m_n > 0)) {
    report(errors, at<GuideBarSpec>(index, "stiffness_N_m_n", bar.stiffness_N_m_n),
           {"stiffness_N_m_n is 0 N/m^n, lining stiff needs 100 to 1e13 N/m^n: give it, or ",
            "choose lining rubber and its data"});
  }
  if (!(bar.end_length_m <= bar.end_radius_m)) {
    report(errors, at<GuideBarSpec>(index, "end_length_m", bar.end_length_m),
           {"an end of ", number(bar.end_length_m), " m cannot be rounded with a radius of ",
            number(bar.end_radius_m), " m: give 0 m to ", number(bar.end_radius_m),
            " m for end_length_m, or a larger end_radius_m"});
  }
  if (!(bar.indentation_m < bar.end_radius_m)) {
    report(errors, at<GuideBarSpec>(index, "indentation_m", bar.indentation_m),
           {"a bar pressed ", number(bar.indentation_m), " m into the strand is deeper than its ",
            "ends are round: give less than ", number(bar.end_radius_m),
            " m for indentation_m, or a larger end_radius_m"});
  }
}

template <typename Section>
void need_positive(double value, etl::string_view key, etl::string_view unit, TightenerKind kind,
                   SpecErrors& errors) {
  if (!(value > 0)) {
    const bool hydraulic = kind == TightenerKind::kHydraulic;
    report(errors, at<Section>(0, key, value),
           {key, " is ", number(value), " ", unit, ", tightener kind ",
            hydraulic ? "hydraulic" : "arm", " needs more than 0 ", unit,
            ": give it, or choose kind ", hydraulic ? "arm" : "fixed"});
  }
}

void check_spring(const TightenerSpec& tightener, SpecErrors& errors) {
  const Point arm_end_m(tightener.spring_on_arm_x_m, tightener.spring_on_arm_y_m);
  const Point spring_m(tightener.spring_on_ground_x_m - arm_end_m.x(),
                       tightener.spring_on_ground_y_m - arm_end_m.y());
  const double drawn_m = math::sqrt(spring_m.squaredNorm());
  if (!(drawn_m > kShortestLever_m)) {
    report(errors, at<TightenerSpec>(0, "spring_on_ground_x_m", tightener.spring_on_ground_x_m),
           {"the spring's ends are ", number(drawn_m), " m apart, more than ",
            number(kShortestLever_m), " m are needed: check spring_on_arm and spring_on_ground, ",
            "both as drawn in m"});
    return;
  }
  const Point arm_m(arm_end_m.x() - tightener.pivot_x_m, arm_end_m.y() - tightener.pivot_y_m);
  const double moment_m2 = arm_m.x() * spring_m.y() - arm_m.y() * spring_m.x();
  const double lever_m = math::magnitude(moment_m2) / drawn_m;
  if (!(lever_m > kShortestLever_m)) {
    report(errors, at<TightenerSpec>(0, "spring_on_arm_x_m", tightener.spring_on_arm_x_m),
           {"the spring acts ", number(lever_m), " m beside the pivot, more than ",
            number(kShortestLever_m), " m are needed to hold the arm: check spring_on_arm, ",
            "spring_on_ground and pivot, as drawn in m"});
  }
  const double free_m = tightener.spring_free_length_m;
  if (!(free_m >= kShortestSpring * drawn_m && free_m <= kLongestSpring * drawn_m)) {
    report(
        errors, at<TightenerSpec>(0, "spring_free_length_m", free_m),
        {"spring_free_length_m is ", number(free_m), " m, allowed are ",
         number(kShortestSpring * drawn_m), " to ", number(kLongestSpring * drawn_m),
         " m (50 % to 150 % of the drawn ", number(drawn_m), " m): give the length without force"});
  }
}

template <>
void check_alone(const TightenerSpec& tightener, int, SpecErrors& errors) {
  const TightenerKind kind = tightener.kind;
  if (!has_arm(kind)) {
    return;
  }
  using Section = TightenerSpec;
  need_positive<Section>(tightener.arm_mass_kg, "arm_mass_kg", "kg", kind, errors);
  need_positive<Section>(tightener.arm_inertia_kg_m2, "arm_inertia_kg_m2", "kg m^2", kind, errors);
  need_positive<Section>(tightener.spring_stiffness_N_m, "spring_stiffness_N_m", "N/m", kind,
                         errors);
  check_spring(tightener, errors);
}

// --- The loop ---

double pitch_radius_m(const DriveSpec& spec, const SprocketSpec& sprocket) {
  return spec.chain.pitch_m / (2 * math::sin(math::kPi<double> / sprocket.teeth));
}

const SprocketSpec& sprocket_of(const DriveSpec& spec, int index) {
  return spec.sprockets[static_cast<std::size_t>(index) - 1];
}

bool check_pitch_radii(const DriveSpec& spec, SpecErrors& errors) {
  bool sound = true;
  int index = 0;
  for (const SprocketSpec& sprocket : spec.sprockets) {
    ++index;
    const double given_m = sprocket.pitch_radius_m;
    const double right_m = pitch_radius_m(spec, sprocket);
    if (given_m != 0 && !(math::magnitude(given_m - right_m) <= kPitchRadiusTolerance * given_m)) {
      report(errors, at<SprocketSpec>(index, "pitch_radius_m", given_m),
             {"pitch_radius_m is ", number(given_m), " m, but ", number(sprocket.teeth),
              " teeth and a pitch of ", number(spec.chain.pitch_m), " m make it ", number(right_m),
              " m, within 0.01 %: give that, leave it out, or mend teeth or pitch_m"});
      sound = false;
    }
  }
  return sound;
}

// Teeth reach about a roller radius beyond the pitch circle. Circles apart by that have every
// tangent; where neighbours lack theirs, the text says so.
bool check_distance(const DriveSpec& spec, int i, int j, SpecErrors& errors) {
  const SprocketSpec& a = sprocket_of(spec, i);
  const SprocketSpec& b = sprocket_of(spec, j);
  const Point between_m(b.centre_x_m - a.centre_x_m, b.centre_y_m - a.centre_y_m);
  const double distance_m = math::sqrt(between_m.squaredNorm());
  const double radius_a_m = pitch_radius_m(spec, a);
  const double radius_b_m = pitch_radius_m(spec, b);
  const double needed_m = radius_a_m + radius_b_m + 2 * spec.chain.roller_radius_m;
  if (distance_m > needed_m) {
    return true;
  }
  const bool inner = a.side != b.side;
  const double tangent_m =
      math::magnitude(inner ? radius_a_m + radius_b_m : radius_a_m - radius_b_m);
  const bool neighbours = j == i + 1 || (i == 1 && j == static_cast<int>(spec.sprockets.size()));
  const bool no_tangent = neighbours && !(distance_m > tangent_m);
  report(errors, at<SprocketSpec>(j, "centre_x_m", b.centre_x_m),
         {"sprockets ", number(i), " and ", number(j),
          no_tangent ? (inner ? " have no inner tangent" : " have no outer tangent") : " overlap",
          ": their centres are ", number(distance_m), " m apart, more than ", number(needed_m),
          " m are needed (pitch radii and two roller radii): move a centre, or check teeth"});
  return false;
}

bool check_distances(const DriveSpec& spec, SpecErrors& errors) {
  const auto count = static_cast<int>(spec.sprockets.size());
  bool sound = true;
  for (int i = 1; i <= count; ++i) {
    for (int j = i + 1; j <= count; ++j) {
      sound = check_distance(spec, i, j, errors) && sound;
    }
  }
  return sound;
}

// Nearly a whole turn is a small one the wrong way: the chain passes on the sprocket's other side.
bool check_wraps(const Geometry& geometry, SpecErrors& errors) {
  bool sound = true;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const Wrap& wrap = geometry.wrap[i];
    const int index = static_cast<int>(i) + 1;
    const double shortest_rad = kShortestWrap * wrap.pitch_angle_rad;
    const double longest_rad = math::kTwoPi<double> - shortest_rad;
    const bool too_long = wrap.angle_rad > longest_rad;
    if (wrap.angle_rad >= shortest_rad && !too_long) {
      continue;
    }
    sound = false;
    report(errors, at<SprocketSpec>(index, "", wrap.angle_rad),
           {"the chain wraps sprocket ", number(index), " by ", number(wrap.angle_rad, 4),
            " rad, allowed are ", number(shortest_rad, 4), " to ", number(longest_rad, 4),
            " rad (2.5 teeth at least): ",
            too_long ? "it bends the other way there, so change its side, or rotation"
                     : "it would jump, so check side, move a centre, or leave the sprocket out"});
  }
  return sound;
}

// A closed loop turns once; more or less often if order, sides and rotation disagree.
bool check_turns(const DriveSpec& spec, const Geometry& geometry, SpecErrors& errors) {
  double turned_rad = 0;
  double inside = geometry.wrap[0].turn;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    turned_rad += geometry.wrap[i].turn * geometry.wrap[i].angle_rad;
    inside = spec.sprockets[i].side == Side::kInside ? geometry.wrap[i].turn : inside;
  }
  const double turns = inside * turned_rad / math::kTwoPi<double>;
  if (math::magnitude(turns - 1) < 0.5) {
    return true;
  }
  const bool clockwise = spec.crank.rotation == Rotation::kClockwise;
  report(errors, at<CrankSpec>(0, "rotation", clockwise ? 1 : 0),
         {"with rotation ", clockwise ? "cw" : "ccw", " the chain turns ", number(turns, 2),
          " times round, allowed is once: reverse rotation, number the sprockets in the direction ",
          "of travel, or change the side of one"});
  return false;
}

double misfit(double loop_m, double chain_m) {
  return math::magnitude(loop_m / chain_m - 1);
}

// Loops and chain as new and as worn.
struct Lengths {
  double new_loop_m;
  double new_chain_m;
  double loop_m;
  double chain_m;
};

Lengths lengths_of(const DriveSpec& spec, double new_loop_m) {
  Geometry worn;
  const bool possible = make_worn_geometry(spec, worn).possible;
  return {new_loop_m, spec.chain.links * spec.chain.pitch_m, possible ? worn.loop_m : new_loop_m,
          chain_length_m(spec)};
}

bool lengths_fit(const Lengths& lengths, ChainFit fit) {
  const bool as_new = misfit(lengths.new_loop_m, lengths.new_chain_m) <= kLengthTolerance;
  const bool on_the_way =
      lengths.new_loop_m > lengths.new_chain_m && lengths.loop_m < lengths.chain_m;
  return misfit(lengths.loop_m, lengths.chain_m) <= kLengthTolerance ||
         (fit == ChainFit::kToBeTightened && (as_new || on_the_way));
}

void report_links(const DriveSpec& spec, double loop_m, SpecErrors& errors) {
  const ChainSpec& chain = spec.chain;
  const double link_m = chain_length_m(spec) / chain.links;
  const double pitches = loop_m / link_m;
  const auto nearest = math::round(pitches);
  const Text links = number(nearest);
  const Text fitting_m = number(nearest * link_m);
  const Place place = at<ChainSpec>(0, "links", chain.links);
  if (nearest > static_cast<double>(kMaxLinks)) {
    report(errors, place,
           {"the loop is ", number(loop_m), " m, ", number(pitches), " pitches; allowed are ",
            number(static_cast<double>(kMaxLinks)),
            " links at most: check pitch_m and the centres, ", "all in m"});
  } else if (misfit(loop_m, nearest * link_m) <= kLengthTolerance) {
    report(errors, place,
           {"links is ", number(chain.links), ", but the loop is ", number(loop_m), " m, ",
            number(pitches), " pitches: ", number(100 * misfit(loop_m, chain_length_m(spec)), 2),
            " % off, allowed are 0.3 %: give ", links, " links"});
  } else {
    report(
        errors, place,
        {"links is ", number(chain.links), ", but the loop is ", number(loop_m), " m, ",
         number(pitches), " pitches, and no number of links comes within the allowed 0.3 %: give ",
         links, " links and move a centre until the loop is ", fitting_m, " m"});
  }
}

void check_length(const DriveSpec& spec, double loop_m, ChainFit fit, SpecErrors& errors) {
  const Lengths lengths = lengths_of(spec, loop_m);
  if (lengths_fit(lengths, fit)) {
    return;
  }
  if (!lengths_fit(lengths, ChainFit::kToBeTightened)) {
    report_links(spec, lengths.loop_m, errors);
    return;
  }
  const bool has_tightener = spec.tightener.kind != TightenerKind::kNone;
  report(errors, at<ChainSpec>(0, "elongation", spec.chain.elongation),
         {"worn, the chain is ", number(lengths.chain_m), " m, its loop ", number(lengths.loop_m),
          " m: ", number(100 * misfit(lengths.loop_m, lengths.chain_m), 2),
          " % off, allowed are 0.3 %: ",
          has_tightener ? "move the tightener (run taut retighten), or give less elongation"
                        : "move a centre, or give less elongation"});
}

// Whether `geometry` holds a loop that bars can be checked against. Each check is worth making
// only if the ones before found nothing.
bool check_loop(const DriveSpec& spec, ChainFit fit, Geometry& geometry, SpecErrors& errors) {
  if (!check_pitch_radii(spec, errors) || !check_distances(spec, errors)) {
    return false;
  }
  const GeometryResult result = make_geometry(spec, geometry);
  TAUT_ASSERT(result.possible, result.strand);
  if (!check_wraps(geometry, errors) || !check_turns(spec, geometry, errors)) {
    return false;
  }
  check_length(spec, geometry.loop_m, fit, errors);
  return true;
}

// --- Links that differ from the others ---

void check_link_number(const DriveSpec& spec, std::size_t i, SpecErrors& errors) {
  const int given = spec.special_links[i].number;
  const Place place = at<LinkSpec>(static_cast<int>(i) + 1, "number", given);
  if (given > spec.chain.links) {
    report(errors, place,
           {"number is ", number(given), ", allowed are 1 to ", number(spec.chain.links),
            ", as many as chain.links: give the number of a link"});
    return;
  }
  for (std::size_t j = 0; j < i; ++j) {
    if (spec.special_links[j].number == given) {
      report(
          errors, place,
          {"link ", number(given), " is described by section ", number(static_cast<double>(j + 1)),
           " already: put all about it into one section, or give another number"});
      return;
    }
  }
}

// --- What stands beside the loop ---

bool check_bar_strand(const GuideBarSpec& bar, int index, std::size_t strands, SpecErrors& errors) {
  const auto highest = static_cast<int>(strands);
  if (bar.strand <= highest) {
    return true;
  }
  report(errors, at<GuideBarSpec>(index, "strand", bar.strand),
         {"strand is ", number(bar.strand), ", allowed are 1 to ", number(highest),
          ", as many as sprockets: name the strand by the sprocket it leaves"});
  return false;
}

void check_bar_place(const GuideBarSpec& bar, int index, double strand_m, SpecErrors& errors) {
  const double half_m = bar.flat_length_m / 2 + bar.end_length_m;
  const double lowest = half_m / strand_m;
  if (bar.place >= lowest && bar.place <= 1 - lowest) {
    return;
  }
  const Text strand = number(bar.strand);
  if (lowest > 0.5) {
    report(
        errors, at<GuideBarSpec>(index, "flat_length_m", bar.flat_length_m),
        {"the bar is ", number(2 * half_m), " m long with its ends, strand ", strand, " only ",
         number(strand_m), " m: shorten flat_length_m or end_length_m, or choose another strand"});
    return;
  }
  report(errors, at<GuideBarSpec>(index, "place", bar.place),
         {"place is ", number(bar.place), ", allowed are ", number(lowest, 4), " to ",
          number(1 - lowest, 4), ": a bar of ", number(2 * half_m), " m must lie within strand ",
          strand, " of ", number(strand_m), " m: move it or shorten it"});
}

// Whether the tightener has a sprocket to hold.
bool check_tightener_sprocket(const DriveSpec& spec, SpecErrors& errors) {
  const int sprocket = spec.tightener.sprocket;
  const auto highest = static_cast<int>(spec.sprockets.size());
  if (sprocket >= 2 && sprocket <= highest) {
    return true;
  }
  report(errors, at<TightenerSpec>(0, "sprocket", sprocket),
         {"sprocket is ", number(sprocket), ", allowed are 2 to ", number(highest),
          ": give the number of the sprocket that the tightener holds (1 is the crankshaft), ",
          "or choose kind none"});
  return false;
}

void check_pivot(const TightenerSpec& tightener, const SprocketSpec& sprocket, SpecErrors& errors) {
  const Point lever_m(sprocket.centre_x_m - tightener.pivot_x_m,
                      sprocket.centre_y_m - tightener.pivot_y_m);
  const double distance_m = math::sqrt(lever_m.squaredNorm());
  if (!(distance_m > kShortestLever_m)) {
    report(errors, at<TightenerSpec>(0, "pivot_x_m", tightener.pivot_x_m),
           {"the pivot is ", number(distance_m), " m from the centre of sprocket ",
            number(tightener.sprocket), ", more than ", number(kShortestLever_m),
            " m are needed: give the hinge of the arm, not the sprocket's axle"});
  }
}

// The arm moves its sprocket: it has no support besides, and out of balance it would drive the arm.
void check_arm_sprocket(const TightenerSpec& tightener, const SprocketSpec& sprocket,
                        SpecErrors& errors) {
  if (sprocket.support_stiffness_N_m > 0) {
    report(
        errors,
        at<SprocketSpec>(tightener.sprocket, "support_stiffness_N_m",
                         sprocket.support_stiffness_N_m),
        {"sprocket ", number(tightener.sprocket), " hangs on the tightener's arm and moves with ",
         "it: leave out its support_stiffness_N_m, or choose tightener kind fixed"});
  }
  if (sprocket.counterweight_mass_kg > 0) {
    report(errors,
           at<SprocketSpec>(tightener.sprocket, "counterweight_mass_kg",
                            sprocket.counterweight_mass_kg),
           {"sprocket ", number(tightener.sprocket), " hangs on the tightener's arm, where a ",
            "counterweight is not modelled: leave it out, or choose tightener kind fixed"});
  }
}

// Spring and unit act on the same two points, and both must tighten.
void check_unit_and_spring(const HydraulicSpec& unit, const TightenerSpec& tightener,
                           SpecErrors& errors) {
  const Point spring_m(tightener.spring_on_ground_x_m - tightener.spring_on_arm_x_m,
                       tightener.spring_on_ground_y_m - tightener.spring_on_arm_y_m);
  const double drawn_m = math::sqrt(spring_m.squaredNorm());
  const double free_m = tightener.spring_free_length_m;
  const bool pulls = unit.acts == Acts::kPull;
  if (pulls ? free_m > drawn_m : free_m < drawn_m) {
    report(errors, at<HydraulicSpec>(0, "acts", pulls ? 0 : 1),
           {"the unit ", pulls ? "pulls" : "pushes", ", but its spring of free length ",
            number(free_m), " m, drawn at ", number(drawn_m), " m, ", pulls ? "pushes" : "pulls",
            ": give spring_free_length_m of ", number(drawn_m), " m or ", pulls ? "less" : "more",
            ", or the other acts"});
  }
}

void check_hydraulic(const HydraulicSpec& unit, const TightenerSpec& tightener,
                     SpecErrors& errors) {
  struct Needed {
    double value;
    etl::string_view key;
    etl::string_view unit;
  };
  const Needed needed[] = {{unit.piston_area_m2, "piston_area_m2", "m^2"},
                           {unit.chamber_volume_m3, "chamber_volume_m3", "m^3"},
                           {unit.bulk_modulus_Pa, "bulk_modulus_Pa", "Pa"},
                           {unit.supply_pressure_Pa, "supply_pressure_Pa", "Pa"},
                           {unit.valve_opening_Pa, "valve_opening_Pa", "Pa"},
                           {unit.valve_area_m2, "valve_area_m2", "m^2"},
                           {unit.leak_resistance_Pa_s_m3, "leak_resistance_Pa_s_m3", "Pa s/m^3"},
                           {unit.travel_in_m, "travel_in_m", "m"},
                           {unit.travel_out_m, "travel_out_m", "m"},
                           {unit.stop_stiffness_N_m, "stop_stiffness_N_m", "N/m"}};
  const std::size_t before = errors.size();
  for (const Needed& field : needed) {
    need_positive<HydraulicSpec>(field.value, field.key, field.unit, tightener.kind, errors);
  }
  if (errors.size() > before) {
    return;
  }
  const double displaced_m3 = unit.piston_area_m2 * unit.travel_in_m;
  if (!(displaced_m3 < unit.chamber_volume_m3)) {
    report(errors, at<HydraulicSpec>(0, "chamber_volume_m3", unit.chamber_volume_m3),
           {"a piston of ", number(unit.piston_area_m2), " m^2 displaces ", number(displaced_m3),
            " m^3 on its way in, the chamber has only ", number(unit.chamber_volume_m3),
            " m^3: give more than ", number(displaced_m3), " m^3, or a shorter travel_in_m"});
  }
  if (!(unit.valve_cracking_Pa < unit.supply_pressure_Pa)) {
    report(errors, at<HydraulicSpec>(0, "valve_cracking_Pa", unit.valve_cracking_Pa),
           {"a check valve that opens at ", number(unit.valve_cracking_Pa),
            " Pa never lets in a supply of ", number(unit.supply_pressure_Pa),
            " Pa: give less than ", number(unit.supply_pressure_Pa), " Pa for valve_cracking_Pa"});
  }
  check_unit_and_spring(unit, tightener, errors);
}

// What the walk over the fields found to be within its ranges.
struct Sound {
  bool loop = true;  // chain, its special links, crank, sprockets
  bool tightener = true;
  bool hydraulic = true;
  etl::array<bool, kMaxGuideBars> bar{};
};

Sound check_sections(const DriveSpec& spec, SpecErrors& errors) {
  Sound sound;
  for_each_section(spec, [&](const auto& section, int index) {
    using Section = std::remove_cvref_t<decltype(section)>;
    const bool in_range = check_ranges(section, index, errors);
    if (in_range) {
      check_alone(section, index, errors);
    }
    if constexpr (std::same_as<Section, GuideBarSpec>) {
      sound.bar[static_cast<std::size_t>(index) - 1] = in_range;
    } else if constexpr (std::same_as<Section, TightenerSpec>) {
      sound.tightener = in_range;
    } else if constexpr (std::same_as<Section, HydraulicSpec>) {
      sound.hydraulic = in_range;
    } else if constexpr (std::same_as<Section, ChainSpec> || std::same_as<Section, LinkSpec> ||
                         std::same_as<Section, CrankSpec> || std::same_as<Section, SprocketSpec>) {
      sound.loop = sound.loop && in_range;
    }
  });
  return sound;
}

void check_bars(const DriveSpec& spec, const Sound& sound, bool loop_found,
                const Geometry& geometry, SpecErrors& errors) {
  for (std::size_t i = 0; i < spec.guide_bars.size(); ++i) {
    const GuideBarSpec& bar = spec.guide_bars[i];
    const int index = static_cast<int>(i) + 1;
    if (sound.bar[i] && check_bar_strand(bar, index, spec.sprockets.size(), errors) && loop_found) {
      check_bar_place(bar, index,
                      geometry.strand[static_cast<std::size_t>(bar.strand) - 1].length_m, errors);
    }
  }
}

}  // namespace

void validate(const DriveSpec& spec, SpecErrors& errors, ChainFit fit) {
  const Sound sound = check_sections(spec, errors);
  for (std::size_t i = 0; sound.loop && i < spec.special_links.size(); ++i) {
    check_link_number(spec, i, errors);
  }
  if (spec.sprockets.size() < 2) {
    const auto count = static_cast<double>(spec.sprockets.size());
    report(errors, at<SprocketSpec>(0, "", count),
           {"the drive has ", number(count), " sprockets, allowed are 2 to ",
            number(static_cast<double>(kMaxSprockets)),
            ": add a sprocket section for each, in the direction of travel"});
    return;
  }
  Geometry geometry;
  const bool loop_found = sound.loop && check_loop(spec, fit, geometry, errors);
  check_bars(spec, sound, loop_found, geometry, errors);
  if (sound.tightener && spec.tightener.kind != TightenerKind::kNone &&
      check_tightener_sprocket(spec, errors) && sound.loop) {
    const SprocketSpec& sprocket = sprocket_of(spec, spec.tightener.sprocket);
    check_pivot(spec.tightener, sprocket, errors);
    if (has_arm(spec.tightener.kind)) {
      check_arm_sprocket(spec.tightener, sprocket, errors);
    }
  }
  if (sound.tightener && sound.hydraulic && spec.tightener.kind == TightenerKind::kHydraulic) {
    check_hydraulic(spec.hydraulic, spec.tightener, errors);
  }
}

}  // namespace taut::drive
