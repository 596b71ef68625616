// A sink that keeps frames until they are taken out at its far end.
#pragma once

#include <cstddef>

#include <etl/queue.h>

#include "hal/output_sink.h"

namespace taut::hal::fakes {

template <std::size_t kCapacity = 4>
class FakeOutputSink {
 public:
  [[nodiscard]] bool write(const signal::OutputFrame& frame) {
    if (sent_.full()) {
      return false;
    }
    sent_.push(frame);
    return true;
  }

  // The far end. False: there is none.
  [[nodiscard]] bool receive(signal::OutputFrame& frame) {
    if (sent_.empty()) {
      return false;
    }
    frame = sent_.front();
    sent_.pop();
    return true;
  }

 private:
  etl::queue<signal::OutputFrame, kCapacity> sent_;
};
static_assert(OutputSink<FakeOutputSink<>>);

}  // namespace taut::hal::fakes
