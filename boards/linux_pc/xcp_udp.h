// XCP on UDP for a PC: packets from a socket to the slave's queue and back. Never waits, so that a
// tick may call it; work is bounded by kPacketsPerTick in and by the queue out.
//
// The master is whoever sent the last CONNECT; what others send is counted and dropped.
#pragma once

#include <cstdint>
#include <netinet/in.h>

#include "hal/xcp/packet.h"

namespace taut::board {

inline constexpr std::uint16_t kXcpPort = 5555;
inline constexpr const char* kXcpAddress = "127.0.0.1";  // nobody but this machine

struct XcpUdpCounters {
  std::uint32_t received;        // packets put into the queue
  std::uint32_t dropped;         // more in a call than the bound, or no room in the queue
  std::uint32_t strangers;       // packets, but not of the master
  std::uint32_t malformed;       // datagrams, or what is left of one
  std::uint32_t lost_in_kernel;  // datagrams, as of the last that arrived (SO_RXQ_OVFL)
  std::uint32_t sent;
  std::uint32_t not_sent;  // no master, or the kernel had no room
};

class XcpUdp {
 public:
  XcpUdp() = default;
  ~XcpUdp();
  XcpUdp(const XcpUdp&) = delete;
  XcpUdp& operator=(const XcpUdp&) = delete;

  // IPv4 in dots; port 0: any that is free. Returns 0, or errno of what failed. For set-up.
  [[nodiscard]] int open(const char* address, std::uint16_t port);
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int descriptor() const { return socket_; }  // to wait for packets

  // At most kPacketsPerTick packets, from at most as many datagrams; the rest of these waits in the
  // kernel, which drops and counts what does not fit there.
  void receive(hal::xcp::PacketQueue& in);
  // All that waits, a datagram each.
  void send(hal::xcp::PacketQueue& out);

  [[nodiscard]] const XcpUdpCounters& counters() const { return counters_; }

 private:
  void take(const std::uint8_t* datagram, std::size_t size, const sockaddr_in& from,
            std::uint32_t& taken, hal::xcp::PacketQueue& in);
  [[nodiscard]] bool is_from_master(const sockaddr_in& from, const hal::xcp::Packet& packet);

  int socket_ = -1;
  std::uint16_t port_ = 0;
  bool has_master_ = false;
  sockaddr_in master_{};
  std::uint16_t counter_ = 0;
  XcpUdpCounters counters_{};
};

}  // namespace taut::board
