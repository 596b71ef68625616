// Drives at rest, for the tests that begin there. Host only.
#pragma once

#include "unity.h"

#include "sim_core/roller_chain/statics.h"
#include "tests/unit/drive/engines.h"

namespace taut::drive_test {

inline DriveModel model_of(const DriveSpec& spec) {
  DriveModel model;
  TEST_ASSERT_TRUE(make_drive_model(spec, model));
  return model;
}

inline roller_chain::Equilibrium at_rest(const DriveModel& model, double tooth_phase = 0) {
  const roller_chain::Equilibrium rest =
      roller_chain::find_equilibrium(model, {.tooth_phase = tooth_phase});
  TEST_ASSERT_TRUE_MESSAGE(rest.found, "no equilibrium");
  return rest;
}

inline DriveSpec engine_with_fixed_tightener() {
  DriveSpec spec = engine_6s90mc_c();
  spec.tightener.kind = TightenerKind::kFixed;
  return spec;
}

}  // namespace taut::drive_test
