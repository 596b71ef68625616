// How a test of an emulated board ends.
#pragma once

#include <functional>
#include <string>

namespace taut::system_test {

// For main(): the exit code of a test that needs this image; skipped where that is not built.
[[nodiscard]] int judged(const std::string& image, const std::function<int()>& test);

}  // namespace taut::system_test
