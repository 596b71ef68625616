#include "xcp_udp.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

#include "hal/xcp/slave.h"
#include "hal/xcp/udp_frame.h"

namespace taut::board {
namespace {

using hal::xcp::kPacketsPerTick;
using hal::xcp::Packet;

constexpr std::size_t kDatagramBytes = 1500;

bool is_same(const sockaddr_in& left, const sockaddr_in& right) {
  return left.sin_addr.s_addr == right.sin_addr.s_addr && left.sin_port == right.sin_port;
}

bool is_connect(const Packet& packet) {
  return packet.size >= 2 &&
         packet.bytes[0] == static_cast<std::uint8_t>(hal::xcp::Command::kConnect) &&
         packet.bytes[1] == 0;
}

// Datagrams that the kernel has dropped so far; of a message that carries the number.
void read_losses(msghdr& message, std::uint32_t& losses) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_RXQ_OVFL) {
      std::memcpy(&losses, CMSG_DATA(part), sizeof losses);
    }
  }
}

}  // namespace

XcpUdp::~XcpUdp() {
  if (socket_ >= 0) {
    static_cast<void>(close(socket_));
  }
}

int XcpUdp::open(const char* address, std::uint16_t port) {
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_port = htons(port);
  if (inet_pton(AF_INET, address, &own.sin_addr) != 1) {
    return EINVAL;
  }
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  socklen_t size = sizeof own;
  auto* name = reinterpret_cast<sockaddr*>(&own);
  if (socket_ < 0 || setsockopt(socket_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on) != 0 ||
      bind(socket_, name, sizeof own) != 0 || getsockname(socket_, name, &size) != 0) {
    return errno;
  }
  port_ = ntohs(own.sin_port);
  return 0;
}

bool XcpUdp::is_from_master(const sockaddr_in& from, const Packet& packet) {
  if (is_connect(packet)) {
    has_master_ = true;
    master_ = from;
  }
  return has_master_ && is_same(from, master_);
}

void XcpUdp::take(const std::uint8_t* datagram, std::size_t size, const sockaddr_in& from,
                  std::uint32_t& taken, hal::xcp::PacketQueue& in) {
  Packet packet;
  std::size_t at = 0;
  for (;;) {
    const hal::xcp::UdpRead read = hal::xcp::decode_udp({datagram, size}, at, packet);
    if (!read.has_packet) {
      counters_.malformed += read.is_clean ? 0 : 1;
      return;
    }
    if (taken >= kPacketsPerTick) {
      ++counters_.dropped;
      continue;
    }
    ++taken;
    if (!is_from_master(from, packet)) {
      ++counters_.strangers;
    } else if (in.push(packet)) {
      ++counters_.received;
    } else {
      ++counters_.dropped;
    }
  }
}

void XcpUdp::receive(hal::xcp::PacketQueue& in) {
  std::uint32_t taken = 0;
  for (std::size_t i = 0; i < kPacketsPerTick && taken < kPacketsPerTick; ++i) {
    std::uint8_t datagram[kDatagramBytes];
    alignas(cmsghdr) std::uint8_t control[CMSG_SPACE(sizeof(std::uint32_t))];
    sockaddr_in from{};
    iovec bytes{datagram, sizeof datagram};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof from;
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t size = recvmsg(socket_, &message, MSG_DONTWAIT);
    if (size < 0) {
      return;  // nothing there
    }
    read_losses(message, counters_.lost_in_kernel);
    if (size == 0 || (message.msg_flags & MSG_TRUNC) != 0) {
      ++counters_.malformed;
      continue;
    }
    take(datagram, static_cast<std::size_t>(size), from, taken, in);
  }
}

void XcpUdp::send(hal::xcp::PacketQueue& out) {
  Packet packet;
  hal::xcp::UdpFrame frame;
  const std::size_t waiting = out.size();  // not what comes meanwhile
  for (std::size_t i = 0; i < waiting && out.pop(packet); ++i) {
    const std::size_t size = hal::xcp::encode_udp(hal::xcp::content(packet), counter_, frame);
    ++counter_;
    const bool is_sent =
        has_master_ && sendto(socket_, frame.data(), size, MSG_DONTWAIT,
                              reinterpret_cast<const sockaddr*>(&master_), sizeof master_) >= 0;
    ++(is_sent ? counters_.sent : counters_.not_sent);
  }
}

}  // namespace taut::board
