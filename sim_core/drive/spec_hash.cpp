#include "sim_core/drive/spec_hash.h"

#include <type_traits>

#include "sim_core/drive/fields.h"
#include "sim_core/math/hash.h"

namespace taut::drive {

std::uint64_t hash_of(const DriveSpec& spec) {
  math::Hash64 hash;
  for_each_section(spec, [&](const auto& section, int index) {
    using Section = std::decay_t<decltype(section)>;
    hash.add(static_cast<std::uint32_t>(index));
    for (const auto& field : fields<Section>()) {
      hash.add(field.get(section) + 0.0);  // -0 is 0
    }
  });
  return hash.value();
}

}  // namespace taut::drive
