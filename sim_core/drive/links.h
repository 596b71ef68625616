// The links of a chain as wear has left them: what ChainSpec and the LinkSpecs make together.
// Links by index: number less one.
#pragma once

#include <cstddef>

#include "sim_core/drive/drive_spec.h"

namespace taut::drive {

// What the drive says about this link alone; the default of LinkSpec where it says nothing.
[[nodiscard]] LinkSpec link_of(const DriveSpec& spec, std::size_t link);

[[nodiscard]] double link_length_m(const DriveSpec& spec, std::size_t link);  // without tension
[[nodiscard]] double link_stiffness_N_m(const DriveSpec& spec, std::size_t link);
[[nodiscard]] double stiffest_link_N_m(const DriveSpec& spec);

// Of all links, as a part of the pitch.
[[nodiscard]] double mean_elongation(const DriveSpec& spec);
[[nodiscard]] double chain_length_m(const DriveSpec& spec);  // without tension

}  // namespace taut::drive
