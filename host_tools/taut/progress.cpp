#include "host_tools/taut/progress.h"

#include <iostream>
#include <unistd.h>

#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr std::chrono::milliseconds kBetween{200};
const char* const kWipe = "\r\033[K";

}  // namespace

Progress::Progress(std::string what, double whole, std::string unit)
    : what_(std::move(what)),
      whole_(whole),
      unit_(std::move(unit)),
      on_terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) {
    std::cerr << kWipe << std::flush;
  }
}

void Progress::show(double done, const std::string& note) {
  if (!on_terminal_ || !(done > 0)) {
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now < next_) {
    return;
  }
  next_ = now + kBetween;
  shown_ = true;
  const double spent_s = std::chrono::duration<double>(now - begin_).count();
  const double left_s = spent_s * (whole_ - done) / done;
  std::cerr << kWipe << what_ << ": " << fixed(done, 2) << " of " << general(whole_) << " " << unit_
            << ", " << fixed(left_s, 0) << " s left" << note << std::flush;
}

}  // namespace taut::tool
