// Sines of the strands with what moves, turns and presses them. Host only.
#pragma once

#include <string>
#include <vector>

#include "sim_core/drive/drive_model.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

void add_strand_modes(const drive::DriveModel& drive, ReducedModel& model,
                      std::vector<std::string>& warnings);
// Waves that teeth send down strand s, `aside_m` large where it leaves, at the tension of rest.
void add_waves(const drive::DriveModel& drive, std::size_t s, double aside_m, double tension_N,
               ReducedStrand& strand);
// After the strands and the arm.
void add_guide_bars(const drive::DriveModel& drive, ReducedModel& model);

}  // namespace taut::reduced_chain
