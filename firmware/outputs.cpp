#include "firmware/outputs.h"

namespace taut::firmware {
namespace {

constexpr float kMost_mA = 24;

float current_mA(const AnalogOutputSpec& spec, float value) {
  constexpr float kSpan_mA = kFullScale_mA - kLiveZero_mA;
  const float share = (value - spec.at_live_zero) / (spec.at_full_scale - spec.at_live_zero);
  const float wanted_mA = kLiveZero_mA + kSpan_mA * share;
  if (!(wanted_mA > kLowest_mA)) {  // also what is no number
    return kLowest_mA;
  }
  return wanted_mA < kHighest_mA ? wanted_mA : kHighest_mA;
}

}  // namespace

OutputSpec default_outputs() {
  using signal::Prediction;
  OutputSpec spec{};
  spec.analog[0] = {&Prediction::tagged_link_N, 0, 1e6F, kLiveZero_mA};
  spec.analog[1] = {&Prediction::tightener_position_m, -0.1F, 0.1F, kLiveZero_mA};
  spec.analog[2] = {&Prediction::tightener_acceleration_m_s2, -500, 500, kLiveZero_mA};
  spec.analog[3] = {&Prediction::crank_speed_rad_s, 0, 20, kLiveZero_mA};
  return spec;
}

bool is_valid(const OutputSpec& spec) {
  for (const AnalogOutputSpec& output : spec.analog) {
    const float span = output.at_full_scale - output.at_live_zero;
    const bool has_length = span - span == 0 && span != 0;  // finite, too
    if (output.quantity == nullptr || !has_length ||
        !(output.fail_mA >= 0 && output.fail_mA <= kMost_mA)) {
      return false;
    }
  }
  return true;
}

void show(const OutputSpec& spec, const signal::Prediction& prediction,
          signal::OutputFrame& frame) {
  frame.prediction = prediction;
  for (std::size_t i = 0; i < spec.analog.size(); ++i) {
    frame.analog_mA[i] = current_mA(spec.analog[i], prediction.*spec.analog[i].quantity);
  }
}

void fail(const OutputSpec& spec, std::uint32_t why, signal::OutputFrame& frame) {
  const std::uint32_t tick = frame.prediction.tick;
  const std::uint32_t latched = frame.prediction.latched;
  if (spec.digital == DigitalFail::kZero) {
    frame.prediction = {};
  }
  frame.prediction.tick = tick;
  frame.prediction.health =
      (why & ~signal::kTrustMask) | static_cast<std::uint32_t>(signal::Trust::kInvalid);
  frame.prediction.latched = latched | (why & ~signal::kTrustMask);
  for (std::size_t i = 0; i < spec.analog.size(); ++i) {
    frame.analog_mA[i] = spec.analog[i].fail_mA;
  }
}

}  // namespace taut::firmware
