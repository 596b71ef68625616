#include "tests/system/judged.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>

#include "sim_core/assert.h"

namespace taut::system_test {

int judged(const std::string& image, const std::function<int()>& test) {
  constexpr int kSkipped = 77;  // for ctest
  if (!std::filesystem::exists(image)) {
    std::cout << "skipped: " << image << " is not built\n";
    return kSkipped;
  }
  try {
    return test();
  } catch (const std::exception& error) {
    std::cout << "FAILED: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace taut::system_test

void taut::on_assert_failure(const AssertFailure& failure) {
  std::cout << failure.file << ":" << failure.line << ": assertion failed, value " << failure.value
            << ": " << failure.expression << std::endl;
  std::abort();
}
