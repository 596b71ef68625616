// What is wrong with a DriveSpec: where, what value, what is allowed, what to do.
// Whoever knows the file adds its name and line. Set-up only, never in a tick.
#pragma once

#include <cstddef>

#include <etl/string.h>
#include <etl/string_view.h>
#include <etl/vector.h>

namespace taut::drive {

struct SpecError {
  etl::string_view section;  // as in fields.h
  int index;                 // of the section, from 1; 0 where it occurs once
  etl::string_view key;      // empty: the whole section
  double value;              // of the key; without one, what the text is about
  etl::string<240> text;     // what is wrong, the allowed range, what to do
};

// More are not reported: mend these first.
inline constexpr std::size_t kMaxSpecErrors = 16;
using SpecErrors = etl::vector<SpecError, kMaxSpecErrors>;

}  // namespace taut::drive
