// Names a user may have meant: by edit distance, and by the unit at a key's end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace taut::tool {

// Least number of letters to add, drop, replace or swap with their neighbour, whatever the case.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// Up to `most` of the known names that are close, or that begin with what was written;
// closest first.
[[nodiscard]] std::vector<std::string> nearest(std::string_view written,
                                               const std::vector<std::string>& known,
                                               std::size_t most = 1);

// "kg m^2" as it stands at the end of a key: "kg_m2".
[[nodiscard]] std::string unit_suffix(std::string_view unit);

// Whether `written` is `key` with another unit, or none, at its end: pitch_mm for pitch_m.
[[nodiscard]] bool differs_in_unit(std::string_view written, std::string_view key,
                                   std::string_view unit);

}  // namespace taut::tool
