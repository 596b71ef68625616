#include "host_tools/live/running_spectrum.h"

#include <algorithm>
#include <memory>

namespace taut::live {

RunningSpectrum::RunningSpectrum() : ring_(kRows) {
  dsp::fill_hann(window_);
}

void RunningSpectrum::add(float value) {
  ring_[next_] = value;
  next_ = (next_ + 1) % kRows;
  rows_ = std::min(rows_ + 1, kRows);
}

std::vector<float> RunningSpectrum::amplitudes(std::size_t bins) const {
  struct Work {
    etl::array<float, kRows> samples;
    dsp::Spectrum<kRows> spectrum;
    etl::array<float, kRows / 2 + 1> amplitude;
  };
  const auto work = std::make_unique<Work>();
  std::rotate_copy(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(next_), ring_.end(),
                   work->samples.begin());
  const float mean = dsp::mean({work->samples.data(), kRows});
  for (float& sample : work->samples) {
    sample -= mean;
  }
  dsp::apply<kRows>(window_, etl::span<const float, kRows>(work->samples.data(), kRows),
                    work->samples);
  dsp::rfft(work->samples, work->spectrum);
  dsp::amplitudes(work->spectrum, window_.coherent_gain, work->amplitude);
  return {work->amplitude.begin(), work->amplitude.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                 bins, work->amplitude.size()))};
}

}  // namespace taut::live
