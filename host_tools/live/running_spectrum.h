// Amplitudes over frequency of one quantity, over the last rows of it.
#pragma once

#include <cstddef>
#include <vector>

#include "sim_core/dsp/dsp.h"

namespace taut::live {

class RunningSpectrum {
 public:
  static constexpr std::size_t kRows = 2048;
  static constexpr std::size_t kBins = kRows / 2;  // below half the rate of rows

  RunningSpectrum();
  void add(float value);  // NaN: no value
  [[nodiscard]] bool is_full() const { return rows_ >= kRows; }
  // Of the first bins, without the mean; NaNs where a value was missing.
  [[nodiscard]] std::vector<float> amplitudes(std::size_t bins) const;

 private:
  dsp::Window<kRows> window_;
  std::vector<float> ring_;
  std::size_t next_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace taut::live
