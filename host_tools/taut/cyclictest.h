// cyclictest of the package rt-tests: the same waking up without anything to do, to compare with.
#pragma once

#include <string>

namespace taut::tool {

// Its result in a line, or why there is none.
[[nodiscard]] std::string run_cyclictest(double duration_s, int core);

}  // namespace taut::tool
