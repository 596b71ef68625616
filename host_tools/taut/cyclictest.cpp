#include "host_tools/taut/cyclictest.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "boards/linux_pc/real_time.h"

namespace taut::tool {

std::string run_cyclictest(double duration_s, int core) {
  std::string command =
      "cyclictest --quiet --mlockall --threads=1 --clock=0 --interval=500 "
      "--priority=" +
      std::to_string(board::kTimerPriority) +
      " --duration=" + std::to_string(std::lround(std::ceil(duration_s)));
  if (core >= 0) {
    command += " --affinity=" + std::to_string(core);
  }
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return "cannot be started";
  }
  std::string last;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    std::string text(line.data());
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
      text.pop_back();
    }
    last = text.empty() ? last : text;
  }
  const int status = pclose(pipe);
  return status == 0 ? last : "failed (Debian package rt-tests): " + last;
}

}  // namespace taut::tool
