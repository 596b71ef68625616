// Cascade of second-order sections, const model and mutable state apart.
// One section: H(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2), direct form II
// transposed. Not a filter designer: sections come from the host. The filter itself is filter() in
// dsp.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <etl/array.h>
#include <etl/span.h>

namespace taut::dsp {

// As an engineer writes it: textbook signs, leading denominator coefficient 1 not stored.
struct BiquadSection {
  float b0, b1, b2;  // 1, numerator
  float a1, a2;      // 1, denominator
};

inline constexpr std::size_t kDefaultMaxSections = 4;  // an 8th-order filter

// Derived by make_biquad, const during a run. Without sections it passes the signal through.
template <std::size_t kMaxSections = kDefaultMaxSections>
struct BiquadModel {
  static_assert(kMaxSections >= 1 && kMaxSections <= 255);  // CMSIS-DSP counts stages in a byte
  etl::array<float, 5 * kMaxSections> packed{};             // 1, {b0, b1, b2, -a1, -a2} a section
  std::size_t sections = 0;                                 // sections in use
};

// The whole restartable state. A NaN that enters stays until reset(): screen the input.
template <std::size_t kMaxSections = kDefaultMaxSections>
struct BiquadState {
  etl::array<float, 2 * kMaxSections> delay{};  // unit of the signal, {d1, d2} a section
};

enum class BiquadStatus : std::uint8_t {
  kOk = 0,
  kSectionCount = 1,  // none, or more than the model can hold
  kUnstable = 2,      // a pole on or outside the unit circle, or a coefficient that is no number
};

// Poles strictly inside the unit circle: the stability triangle |a2| < 1, |a1| < 1 + a2.
// Written so that NaN fails; infinite b are refused with the same answer.
[[nodiscard]] constexpr bool is_stable(const BiquadSection& s) {
  constexpr float kHuge = 1.0e30F;
  const auto below = [](float x, float limit) { return x < limit && -x < limit; };
  return below(s.a2, 1.0F) && below(s.a1, 1.0F + s.a2) && below(s.b0, kHuge) &&
         below(s.b1, kHuge) && below(s.b2, kHuge);
}

// Configuration only. On any answer but kOk the model is left as it was.
template <std::size_t kMaxSections>
[[nodiscard]] BiquadStatus make_biquad(etl::span<const BiquadSection> sections,
                                       BiquadModel<kMaxSections>& model) {
  if (sections.empty() || sections.size() > kMaxSections) {
    return BiquadStatus::kSectionCount;
  }
  for (const BiquadSection& s : sections) {
    if (!is_stable(s)) {
      return BiquadStatus::kUnstable;
    }
  }
  std::size_t at = 0;
  for (const BiquadSection& s : sections) {
    for (const float coefficient : {s.b0, s.b1, s.b2, -s.a1, -s.a2}) {
      model.packed[at++] = coefficient;
    }
  }
  model.sections = sections.size();
  return BiquadStatus::kOk;
}

template <std::size_t kMaxSections>
void reset(BiquadState<kMaxSections>& state) {
  state.delay.fill(0.0F);
}

}  // namespace taut::dsp
