// The one table of drive parameters: key (unit at its end), range, help, member.
// Readers, writers, help texts and range checks all walk through it; nothing else lists
// the members. A section of the table is a section of the drive file.
#pragma once

#include <cstdint>

#include <etl/span.h>
#include <etl/string_view.h>

#include "sim_core/drive/drive_spec.h"

namespace taut::drive {

enum class FieldKind : std::uint8_t { kReal, kInteger, kChoice };

// Values pass as double: exact for every integer and choice that occurs.
template <typename Section>
struct Field {
  etl::string_view key;
  etl::string_view unit;  // empty: a plain number
  etl::string_view help;
  FieldKind kind;
  bool required;
  double lowest;  // allowed values, ends included
  double highest;
  etl::span<const etl::string_view> choices;  // names of values 0, 1, ...; else empty
  double (*get)(const Section&);
  void (*set)(Section&, double);
};

// Specialised for every section: its name in a drive file and its fields.
template <typename Section>
[[nodiscard]] etl::string_view section_name();
template <typename Section>
[[nodiscard]] etl::span<const Field<Section>> fields();

#define TAUT_DRIVE_SECTION(Section)         \
  template <>                               \
  etl::string_view section_name<Section>(); \
  template <>                               \
  etl::span<const Field<Section>> fields<Section>()  // NOLINT(bugprone-macro-parentheses)

TAUT_DRIVE_SECTION(ChainSpec);
TAUT_DRIVE_SECTION(CrankSpec);
TAUT_DRIVE_SECTION(GravitySpec);
TAUT_DRIVE_SECTION(ContactSpec);
TAUT_DRIVE_SECTION(FrictionSpec);
TAUT_DRIVE_SECTION(TightenerSpec);
TAUT_DRIVE_SECTION(HydraulicSpec);
TAUT_DRIVE_SECTION(SprocketSpec);
TAUT_DRIVE_SECTION(GuideBarSpec);
TAUT_DRIVE_SECTION(LinkSpec);
#undef TAUT_DRIVE_SECTION

// Calls visit(section, index): index 0 for a section that occurs once, else from 1.
template <typename Spec, typename Visit>
void for_each_section(Spec& spec, Visit visit) {
  visit(spec.chain, 0);
  visit(spec.crank, 0);
  visit(spec.gravity, 0);
  visit(spec.contact, 0);
  visit(spec.friction, 0);
  visit(spec.tightener, 0);
  visit(spec.hydraulic, 0);
  int index = 0;
  for (auto& sprocket : spec.sprockets) {
    visit(sprocket, ++index);
  }
  index = 0;
  for (auto& bar : spec.guide_bars) {
    visit(bar, ++index);
  }
  index = 0;
  for (auto& link : spec.special_links) {
    visit(link, ++index);
  }
}

}  // namespace taut::drive
