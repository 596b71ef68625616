#include <cstdlib>

#include "sim_core/assert.h"

void taut::on_assert_failure(const taut::AssertFailure& /*failure*/) {
  std::abort();
}
