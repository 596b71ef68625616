// The first thing that runs on every board: a shaken strand of 144 rollers,
// stepped 10 000 times in float and in double, reported with a hash of its state.
// Equal hashes on two machines mean equal bits in every number on the way.
#pragma once

#include <etl/string.h>
#include <etl/string_stream.h>

#include "hal/console.h"
#include "sim_core/roller_chain/free_strand.h"

namespace taut::firmware {

inline constexpr std::uint32_t kStrandDemoSteps = 10'000;

template <typename Real>
[[nodiscard]] const roller_chain::StrandState<Real>& run_strand() {
  // Static: on a target the stack has no room for it, and there is no heap.
  static roller_chain::StrandState<Real> state;
  static roller_chain::StrandScratch<Real> scratch;
  const auto model = roller_chain::make_strand_model<Real>({});
  init(model, state);
  for (std::uint32_t i = 0; i < kStrandDemoSteps; ++i) {
    step(model, state, scratch);
  }
  return state;
}

template <hal::Console Console, typename Real>
void report_strand(Console& console, etl::string_view precision,
                   const roller_chain::StrandState<Real>& state) {
  const Real sag_mm = state.y_m[roller_chain::kStrandRollers / 2] * Real{1000};
  etl::string<96> text;
  etl::string_stream out(text);
  out << "strand " << precision << etl::setprecision(3) << " middle_mm " << sag_mm << " hash ";
  out << etl::hex << etl::setw(16) << etl::setfill('0') << hash_of(state);
  out << etl::setw(0) << "\n";  // ETL's width stays until it is changed
  console.write(text);
}

template <hal::Console Console>
void run_strand_demo(Console& console) {
  report_strand(console, "float", run_strand<float>());
  report_strand(console, "double", run_strand<double>());
  console.write("OK\n");
}

}  // namespace taut::firmware
