// Couples a serial line that speaks XCP (SxI) to UDP, so that a master on a network reaches a
// board. Knows nothing of what the packets mean.
#pragma once

#include <cstdint>
#include <string>

namespace taut::tool {

struct BridgeRequest {
  // A character device, unix:PATH or tcp:ADDRESS:PORT: where QEMU's -serial listens.
  std::string line;
  std::uint32_t baud = 115'200;  // of a character device that is no pseudo-terminal
  std::string address;           // to listen on
  std::uint16_t port = 0;        // 0: any that is free
};

// Until the line is closed. Says on the standard output where it listens, and at the end what it
// carried. Throws a Failure (kWrongUse) if line or port cannot be had.
void run_bridge(const BridgeRequest& request);

}  // namespace taut::tool
