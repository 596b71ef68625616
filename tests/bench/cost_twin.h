// What a tick of a twin costs, from raw readings to its prediction.
#pragma once

namespace taut::bench {

// False if the block does not fit or the twin did not become valid.
bool measure_twin();

}  // namespace taut::bench
