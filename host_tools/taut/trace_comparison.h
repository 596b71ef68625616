// How well one quantity over time is told by another: predicted by measured. One value a tick.
#pragma once

#include <cstddef>
#include <vector>

namespace taut::tool {

struct TraceComparison {
  std::size_t ticks = 0;  // that were compared
  double mean = 0;        // of what is to be told
  double sd = 0;
  double bias = 0;      // mean of told less true
  double rms = 0;       // of that difference
  double slow_rms = 0;  // of its part below 20 Hz
  double correlation = 0;
  double delay_s = 0;  // by which the true one comes after the told one, where they fit best
};

// Of ticks from `begin` on, both finite. Fewer than two: zeros.
[[nodiscard]] TraceComparison compare(const std::vector<float>& told,
                                      const std::vector<float>& truth, std::size_t begin);

}  // namespace taut::tool
