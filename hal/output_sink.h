// Where output frames go: a fieldbus, a converter, a log.
#pragma once

#include <concepts>

#include "sim_core/signal/output_frame.h"

namespace taut::hal {

// write: called at the border of two ticks, once, by the interrupt that begins a tick and by no
// other. Does not block: copies the frame and returns before it is sent. Returns whether the frame
// was taken; one that was not is lost, and the caller counts it. Frames that were taken leave whole
// and in order.
template <typename T>
concept OutputSink = requires(T& sink, const signal::OutputFrame& frame) {
  { sink.write(frame) } -> std::same_as<bool>;
};

}  // namespace taut::hal
