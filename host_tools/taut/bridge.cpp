#include "host_tools/taut/bridge.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <poll.h>
#include <unistd.h>

#include "boards/linux_pc/xcp_udp.h"
#include "hal/xcp/sxi_frame.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/serial_line.h"

namespace taut::tool {
namespace {

namespace xcp = hal::xcp;

struct Bridge {
  xcp::PacketQueueOf<8> to_line;
  xcp::PacketQueueOf<64> from_line;
  xcp::SxiDecoder decoder{};
  std::uint16_t counter = 0;
  std::size_t packets_to_line = 0;
};

// Waits for the line if it must: a serial line is slower than what it is told.
bool write_all(int line, const std::uint8_t* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(line, bytes, size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
    const std::size_t done = written > 0 ? static_cast<std::size_t>(written) : 0;
    bytes += done;
    size -= done;
  }
  return true;
}

bool carry_to_line(Bridge& bridge, int line) {
  xcp::Packet packet;
  xcp::SxiFrame frame;
  while (bridge.to_line.pop(packet)) {
    const std::size_t size = xcp::encode_sxi(xcp::content(packet), bridge.counter, frame);
    ++bridge.counter;
    ++bridge.packets_to_line;
    if (!write_all(line, frame.data(), size)) {
      return false;
    }
  }
  return true;
}

// False: the line is closed.
bool carry_from_line(Bridge& bridge, int line, board::XcpUdp& udp) {
  std::array<std::uint8_t, 4096> bytes;
  const ssize_t size = read(line, bytes.data(), bytes.size());
  if (size <= 0) {
    return size < 0 && (errno == EAGAIN || errno == EINTR);
  }
  const etl::span<const std::uint8_t> arrived(bytes.data(), static_cast<std::size_t>(size));
  for (std::size_t at = 0;;) {
    xcp::Packet packet;
    at += xcp::decode_sxi(bridge.decoder, arrived.subspan(at), packet);
    if (packet.size == 0) {
      return true;
    }
    static_cast<void>(bridge.from_line.push(packet));
    udp.send(bridge.from_line);
  }
}

void carry(Bridge& bridge, int line, board::XcpUdp& udp) {
  std::array<pollfd, 2> watched = {{{line, POLLIN, 0}, {udp.descriptor(), POLLIN, 0}}};
  for (;;) {
    if (poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) {
      return;
    }
    udp.receive(bridge.to_line);
    if (!carry_to_line(bridge, line)) {
      return;
    }
    if (watched[0].revents != 0 && !carry_from_line(bridge, line, udp)) {
      return;
    }
  }
}

}  // namespace

void run_bridge(const BridgeRequest& request) {
  const SerialLine line(request.line, request.baud);
  board::XcpUdp udp;
  const int problem = udp.open(request.address.c_str(), request.port);
  if (problem != 0) {
    throw Failure(ExitCode::kWrongUse, request.address + ":" + std::to_string(request.port) + ": " +
                                           std::strerror(problem));
  }
  std::cout << "XCP on UDP " << request.address << ":" << udp.port() << " <-> " << request.line
            << std::endl;
  Bridge bridge;
  carry(bridge, line.descriptor(), udp);
  std::cout << bridge.packets_to_line << " packets to the line, " << bridge.decoder.frames
            << " from it; " << bridge.decoder.frames_missed << " missed, "
            << bridge.decoder.bytes_skipped << " bytes skipped\n";
}

}  // namespace taut::tool
