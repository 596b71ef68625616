// Where output frames go: a fieldbus, a converter, a log.
#pragma once

#include <concepts>

#include "sim_core/signal/output_frame.h"

namespace taut::hal {

// write: called by the tick, once. Does not block: copies the frame and returns before it is sent.
// Not from any other interrupt. Returns whether the frame was taken; one that was not is lost, and
// the caller counts it. Frames that were taken leave whole and in order.
template <typename T>
concept OutputSink = requires(T& sink, const signal::OutputFrame& frame) {
  { sink.write(frame) } -> std::same_as<bool>;
};

}  // namespace taut::hal
