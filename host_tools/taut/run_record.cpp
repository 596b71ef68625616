#include "host_tools/taut/run_record.h"

namespace taut::tool {

void Recorder::add(const signal::ChainOutputs& outputs) {
  const float part = 1 / static_cast<float>(steps_a_tick_);
  sum_.tagged_link_N += part * outputs.tagged_link_N;
  sum_.tagged_roller_N += part * outputs.tagged_roller_contact_N;
  for (std::size_t s = 0; s < sum_.strand_N.size(); ++s) {
    sum_.strand_N[s] += part * outputs.strand_middle_N[s];
  }
  if (++steps_ == steps_a_tick_) {
    sum_.time_s = outputs.time_s;
    ticks_.push_back(sum_);
    sum_ = {};
    steps_ = 0;
  }
}

}  // namespace taut::tool
